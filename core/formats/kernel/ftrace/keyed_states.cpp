#include "core/formats/kernel/ftrace/keyed_states.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/stacks/joined_params.h"

namespace weft::formats::ftrace {
namespace {

// Whether a tracepoint is that of a row, which may end with a star.
bool is_named(std::string_view event, std::string_view name) {
  if (!name.ends_with('*')) return event == name;
  name.remove_suffix(1);
  return event.starts_with(name);
}

bool is_one_of(std::string_view text, std::string_view choices) {
  while (!choices.empty())
    if (take_to(choices, '|') == text) return true;
  return false;
}

// "519", "0x207", "0x28 (READ_10)".
std::optional<int64_t> number_in(std::string_view text) {
  if (!text.starts_with("0x")) return parse_number<int64_t>(text);
  const auto bits = take_address(text);
  return bits ? std::optional(static_cast<int64_t>(*bits)) : std::nullopt;
}

}  // namespace

bool KeyedStates::play(LaneId lane, std::string_view event, std::string_view fields, const At& at) {
  bool is_parsed = false;
  for (const KeyedPair& pair : keyed_pairs()) {
    if (event != pair.end && !is_named(event, pair.begin)) continue;
    if (!is_parsed && !event_.parse_next(fields.empty() ? "{}" : fields)) return false;
    is_parsed = true;
    const Part part = part_of(pair, event);
    const bool has_place = pair.below != Below::kCpu || at.cpu != At::kNoCpu;
    if (part == Part::kNeither || !has_place) continue;
    const LaneId parent = pair.below == Below::kRoot   ? lanes_.root()
                          : pair.below == Below::kTask ? lane
                                                       : lanes_.cpu(at.cpu);
    const auto key = key_of(pair, parent);
    if (!key) continue;
    if (part == Part::kBegin) return begin(pair, *key, parent, event, fields, at);
    if (end(*key, fields, at)) return true;
  }
  return false;
}

KeyedStates::Part KeyedStates::part_of(const KeyedPair& pair, std::string_view event) const {
  if (event == pair.end && event != pair.begin) return Part::kEnd;
  if (pair.told_by.empty()) return Part::kBegin;
  const std::string told = value(pair.told_by);
  if (is_one_of(told, pair.in_end)) return Part::kEnd;
  const bool is_begin = pair.in_begin.empty() || is_one_of(told, pair.in_begin);
  return is_begin ? Part::kBegin : Part::kNeither;
}

std::optional<KeyedStates::Key> KeyedStates::key_of(const KeyedPair& pair, LaneId parent) const {
  Key key{pair.begin, {}};
  for (const std::string_view field : pair.keys) {
    if (field.empty()) continue;
    const std::string part = value(field);
    if (part.empty()) return std::nullopt;
    key.second.append(part).append("|");
  }
  if (pair.keys.front().empty()) key.second = std::to_string(parent.value());
  return key;
}

bool KeyedStates::begin(const KeyedPair& pair, const Key& key, LaneId parent,
                        std::string_view event, std::string_view fields, const At& at) {
  constexpr size_t kMost = size_t{1} << 16;
  const auto before = open_.find(key);
  const bool is_next = before != open_.end() && pair.end.empty();
  if (before == open_.end()) {
    if (open_.size() == kMost) return false;
    ++counts_[pair.begin];
  } else {
    give_last(before->second, at.time);
  }
  const std::string name = filled(pair, event, pair.name);
  const std::string_view type_name = name.empty() ? pair.group : std::string_view(name);
  open_[key] = {.pair = &pair,
                .lane = is_next ? before->second.lane
                                : lanes_.below(parent, valid_utf8(filled(pair, event, pair.lane)),
                                               trace::LaneKind::kAsync),
                .type = sink_.type(trace::Category::kState, valid_utf8(type_name), pair.group),
                .begin = at.time,
                .offset = at.offset,
                .fields = std::string(fields)};
  return true;
}

bool KeyedStates::end(const Key& key, std::string_view fields, const At& at) {
  const auto it = open_.find(key);
  if (it == open_.end()) return false;
  give(it->second, at.time, fields);
  open_.erase(it);
  return true;
}

void KeyedStates::give(const Open& open, Time end, std::string_view added) {
  sink_.give(trace::StateEvent{.begin = open.begin,
                               .duration = std::max(end, open.begin) - open.begin,
                               .params = sink_.params(stacks::joined_params(open.fields, added)),
                               .lane = open.lane,
                               .type = open.type});
}

void KeyedStates::give_last(const Open& open, Time end) {
  if (!open.pair->end.empty())
    sink_.note("begin without an end", {open.offset, open.lane, open.begin});
  give(open, end);
}

void KeyedStates::finish(Time last) {
  for (const auto& [key, open] : open_) give_last(open, last);
  open_.clear();
}

std::string KeyedStates::value(std::string_view field) const {
  while (!field.empty()) {
    const auto found = json::member(event_.root(), take_to(field, '|'));
    if (found) return json::plain(found);
  }
  return {};
}

std::string KeyedStates::named_value(const KeyedPair& pair, std::string_view field) const {
  std::string text = value(field);
  if (field != pair.named) return text;
  const auto number = number_in(text);
  const auto it = std::ranges::find_if(
      pair.names, [&](const NamedNumber& each) { return number && each.number == *number; });
  return it == pair.names.end() ? text : std::string(it->name);
}

std::string KeyedStates::filled(const KeyedPair& pair, std::string_view event,
                                std::string_view text) const {
  std::string filled;
  while (!text.empty()) {
    filled += take_to(text, '{');
    const std::string_view field = take_to(text, '}');
    if (field == "*") {
      filled += event.substr(pair.begin.size() - 1);
    } else if (field == "#") {
      filled += std::to_string(counts_.at(pair.begin));
    } else if (!field.empty()) {
      filled += named_value(pair, field);
    }
  }
  return filled;
}

}  // namespace weft::formats::ftrace
