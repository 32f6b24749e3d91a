#include "core/formats/state_adapter.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace weft::formats {
namespace {

constexpr size_t kMostPairs = 1000;

// The words that both begin with: "irq" of "irq_enter" and "irq_exit"; all of `a` where there are
// none.
std::string common_words(std::string_view a, std::string_view b) {
  constexpr std::string_view kJoins = "_-:. ";
  const auto size = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const auto ends_at = [&](std::string_view text) {
    return size == text.size() || kJoins.contains(text[size]);
  };
  std::string_view common = a.substr(0, size);
  if (!ends_at(a) || !ends_at(b)) common = common.substr(0, common.find_last_of(kJoins) + 1);
  while (!common.empty() && kJoins.contains(common.back())) common.remove_suffix(1);
  return std::string(common.empty() ? a : common);
}

Result<StatePair> parse_pair(std::string_view text) {
  StatePair pair;
  const size_t equals = text.find('=');
  if (equals != std::string_view::npos) pair.name = text.substr(equals + 1);
  std::vector<std::string> words;
  for (std::string_view rest = text.substr(0, equals);;) {
    const size_t slash = rest.find('/');
    words.emplace_back(rest.substr(0, slash));
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  const bool has_empty = std::ranges::any_of(words, &std::string::empty);
  const bool has_empty_name = equals != std::string_view::npos && pair.name.empty();
  if (words.size() < 2 || words.size() > 3 || has_empty || has_empty_name)
    return fail(fmt::format("'{}' is not of the form BEGIN/END/KEY=NAME", printable(text)));
  pair.begin = words[0];
  pair.end = words[1];
  if (words.size() == 3) pair.key = words[2];
  if (pair.name.empty()) pair.name = common_words(pair.begin, pair.end);
  return pair;
}

// A member of a JSON object, as text; none where there is none.
std::optional<std::string> member(std::string_view json, const std::string& name) {
  const auto object = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return std::nullopt;
  const auto it = object.find(name);
  if (it == object.end()) return std::nullopt;
  if (it->is_string()) return it->get<std::string>();
  return it->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Only the reader knows the event's offset in the input.
trace::LossPlace place_of(const trace::PunctualEvent& event) {
  return trace::LossPlace::on_time_line(event.lane, event.time);
}

}  // namespace

Option states_option(std::string fallback) {
  return {std::string(kStatesOption),
          "States from punctual events: BEGIN/END, BEGIN/END/KEY or BEGIN/END/KEY=NAME, separated "
          "by commas; KEY is a parameter that a begin and its end share",
          std::move(fallback)};
}

Result<std::vector<StatePair>> parse_state_pairs(std::string_view text) {
  std::vector<StatePair> pairs;
  if (text.empty()) return pairs;
  while (true) {
    const size_t comma = text.find(',');
    WEFT_TRY_ASSIGN(StatePair pair, parse_pair(text.substr(0, comma)));
    if (pairs.size() == kMostPairs) return fail(fmt::format("more than {} pairs", kMostPairs));
    pairs.push_back(std::move(pair));
    if (comma == std::string_view::npos) return pairs;
    text.remove_prefix(comma + 1);
  }
}

StateAdapter::StateAdapter(trace::EventSink& sink, std::vector<StatePair> pairs)
    : PassingSink(sink), pairs_(std::move(pairs)), state_types_(pairs_.size()) {}

EventTypeId StateAdapter::type(trace::Category category, std::string_view name,
                               std::string_view group) {
  const EventTypeId id = target().type(category, name, group);
  if (category != trace::Category::kPunctual || parts_.contains(id.value())) return id;
  for (size_t i = 0; i < pairs_.size(); ++i) {
    // An event that is both ends what is open before it begins anew.
    if (pairs_[i].end == name) parts_.emplace(id.value(), Part{i, false});
    if (pairs_[i].begin == name) parts_.emplace(id.value(), Part{i, true});
  }
  return id;
}

ParamsId StateAdapter::keep_params(std::string_view json, std::span<const std::byte> payload) {
  const ParamsId id = target().params(json, payload);
  const bool may_have_key = std::ranges::any_of(
      pairs_, [&](const StatePair& pair) { return !pair.key.empty() && json.contains(pair.key); });
  if (!may_have_key || !texts_.emplace(id.value(), json).second) return id;
  texts_in_order_.push_back(id.value());
  if (texts_in_order_.size() > kKeysKept) {
    texts_.erase(texts_in_order_.front());
    texts_in_order_.pop_front();
  }
  return id;
}

void StateAdapter::punctuals(std::span<const trace::PunctualEvent> events) {
  target().punctuals(events);
  if (parts_.empty()) return;
  for (const trace::PunctualEvent& event : events) {
    const auto [first, last] = parts_.equal_range(event.type.value());
    for (const bool is_begin : {false, true}) {
      for (auto part = first; part != last; ++part)
        if (part->second.is_begin == is_begin) play(event, part->second);
    }
  }
}

std::optional<StateAdapter::Key> StateAdapter::key_of(const trace::PunctualEvent& event,
                                                      size_t pair) const {
  const std::string& name = pairs_[pair].key;
  if (name.empty()) return Key{pair, event.lane, {}};
  const auto text = texts_.find(event.params.value());
  if (text == texts_.end()) return std::nullopt;
  auto key = member(text->second, name);
  if (!key) return std::nullopt;
  return Key{pair, LaneId::none(), std::move(*key)};
}

void StateAdapter::play(const trace::PunctualEvent& event, const Part& part) {
  const StatePair& pair = pairs_[part.pair];
  const trace::LossPlace place = place_of(event);
  const auto key = key_of(event, part.pair);
  if (!key) return target().note(fmt::format("event without its key {}", pair.key), place);
  if (part.is_begin) {
    if (open_count_ == kMostOpen)
      return target().note("begin beyond the memory for open states", place);
    ++open_count_;
    open_[*key].push_back(event);
    return;
  }
  const auto begins = open_.find(*key);
  if (begins == open_.end() || event.time < begins->second.back().time)
    return target().note(fmt::format("{} without {}", pair.end, pair.begin), place);
  add_state(begins->second.back(), event.time, part.pair);
  --open_count_;
  begins->second.pop_back();
  if (begins->second.empty()) open_.erase(begins);
}

void StateAdapter::add_state(const trace::PunctualEvent& begin, Time end, size_t pair) {
  auto& type = state_types_[pair];
  if (!type) type = target().type(trace::Category::kState, pairs_[pair].name, {});
  const trace::StateEvent state = {.begin = begin.time,
                                   .duration = end - begin.time,
                                   .params = begin.params,
                                   .lane = begin.lane,
                                   .type = *type};
  target().give(state);
}

void StateAdapter::finish() {
  for (const auto& [key, begins] : open_) {
    const StatePair& pair = pairs_[std::get<0>(key)];
    for (const trace::PunctualEvent& begin : begins) {
      target().note(fmt::format("{} without {}", pair.begin, pair.end), place_of(begin));
    }
  }
  open_.clear();
  open_count_ = 0;
}

}  // namespace weft::formats
