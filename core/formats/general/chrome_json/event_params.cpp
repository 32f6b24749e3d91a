#include "core/formats/general/chrome_json/event_params.h"

#include <string.h>

#include "core/formats/base/json_text.h"

namespace weft::formats::chrome_json {
namespace {

// Ids of this scope pair the ends of flows in Weftscope's own export, and say nothing else.
constexpr std::string_view kPairingScope = "weftscope";

// The members that make a flow of a state.
bool is_flow_member(std::string_view name) {
  return name == "bind_id" || name == "flow_in" || name == "flow_out";
}

// A member's name with its quotes.
json::RawValue quoted(const json::RawString& name) {
  return {{name.text.data() - 1, name.text.size() + 2}, name.traits};
}

// By memmem(), since a search by the first byte stops at each of the quotes.
bool contains(std::string_view text, std::string_view part) {
  return !text.empty() && ::memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

}  // namespace

uint32_t EventParams::of(const RawEvent& event, uint64_t offset, unsigned home) {
  const bool is_tid_told = (home & kTidApart) != 0 && event.has_tid;
  const bool is_dur_told = (home & kDurationHome) == 0 && !event.dur_text.empty();
  const bool has_extras = !event.is_plain || is_tid_told || is_dur_told || (home & kPidApart) != 0;
  if (!has_extras && event.args.text.empty()) return kNoIndex;
  begin(event, offset);
  return told(has_extras, home);
}

uint32_t EventParams::of_member(const RawEvent& event, uint64_t offset, std::string_view name,
                                const json::RawValue& value) {
  begin(event, offset);
  json_.assign(1, '{');
  append_extra({name}, value);
  json_ += '}';
  return intern(json_, false);
}

void EventParams::begin(const RawEvent& event, uint64_t offset) {
  event_ = &event;
  offset_ = offset;
  is_repaired_ = false;
}

uint32_t EventParams::told(bool has_extras, unsigned home) {
  const RawEvent& e = *event_;
  if ((e.args.traits & json::kIsDeep) != 0) lose(LossKind::kDeepArguments);
  const bool has_args =
      !e.args.text.empty() && (e.args.traits & json::kIsDeep) == 0 && e.args.text != "null";
  const bool is_verbatim = (e.args.traits & json::kIsNotCompact) == 0;
  if (!has_extras && has_args && e.args.is_object() && is_verbatim)
    return intern(e.args.text, true);
  json_.assign(1, '{');
  if (has_args && e.args.is_object()) {
    json_.clear();
    is_repaired_ |= json::append_compact(json_, e.args);
    json_.pop_back();
  } else if (has_args) {
    append_extra({R"("args")"}, e.args);
  }
  if (has_extras) append_extras(home);
  json_ += '}';
  return intern(json_, false);
}

void EventParams::append_extras(unsigned home) {
  const RawEvent& e = *event_;
  constexpr uint8_t kAnything = json::kHasEscape | json::kHasNonAscii;
  const auto add_value = [&](std::string_view name, const json::RawValue& value) {
    if (!value.text.empty()) append_extra({name}, value);
  };
  const auto add_string = [&](std::string_view name, std::string_view text) {
    append_extra({name}, {std::string{'"'}.append(text) + '"', kAnything});
  };
  const auto add_char = [&](std::string_view name, char c) {
    if (c != 0) add_string(name, {&c, 1});
  };
  const auto add_ident = [&](std::string_view name, const Ident& ident) {
    if (!ident.text.empty()) return add_string(name, ident.text);
    append_extra({name}, {std::to_string(ident.number)});
  };
  if ((home & kPidApart) != 0) add_ident(R"("pid")", e.pid);
  if ((home & kTidApart) != 0 && e.has_tid) add_ident(R"("tid")", e.tid);
  if ((home & kDurationHome) == 0) add_value(R"("dur")", {e.dur_text, kAnything});
  const bool has_id = e.rare.id_scope.inner() != kPairingScope;
  if ((home & kIdHome) == 0 && has_id) add_value(R"("id")", e.rare.id);
  add_value(R"("id2")", e.rare.id2);
  if (has_id) add_value(R"("scope")", e.rare.id_scope);
  if ((home & kScopeHome) == 0) add_char(R"("s")", e.rare.scope);
  if ((home & kBindHome) == 0) add_char(R"("bp")", e.rare.bind);
  // The stack and the thread's time at the end must not take the place of those at the begin.
  const bool is_end = e.phase == 'E';
  add_value(is_end ? R"("end_sf")" : R"("sf")", e.rare.stack_frame);
  add_value(R"("cname")", e.rare.color);
  for (const Extra& extra : e.rare.extras) {
    if ((home & kFlowHome) != 0 && is_flow_member(extra.name.text)) continue;
    const bool is_end_time = is_end && extra.name.text == "tts";
    append_extra(is_end_time ? json::RawValue{R"("end_tts")"} : quoted(extra.name), extra.value);
  }
}

// A name that the arguments have already is told apart by its place.
void EventParams::append_extra(const json::RawValue& name, const json::RawValue& value) {
  if ((value.traits & json::kIsDeep) != 0) return lose(LossKind::kDeepArguments);
  if (json_.size() > 1) json_ += ',';
  const size_t at = json_.size();
  is_repaired_ |= json::append_compact(json_, name);
  if (contains(event_->args.text, name.text)) json_.insert(at + 1, "event.");
  json_ += ':';
  is_repaired_ |= json::append_compact(json_, value);
}

uint32_t EventParams::intern(std::string_view json, bool is_stable) {
  if (json == "{}") return kNoIndex;
  bool is_new = false;
  auto& all = results_.params;
  const uint32_t index = results_.params_index.find_or_add(
      json::hash_text(json), [&](uint32_t i) { return all[i].json == json; }, is_new);
  if (is_new) all.push_back({is_stable ? json : results_.arena.add(json), is_repaired_});
  if (is_repaired_) lose(LossKind::kInvalidText);
  return index;
}

uint32_t EventParams::merged(uint32_t begin, uint32_t end) {
  if (end == kNoIndex || begin == end) return begin;
  if (begin == kNoIndex) return end;
  is_repaired_ = false;
  json_ = json::merge_objects(results_.params[begin].json, results_.params[end].json);
  return intern(json_, false);
}

}  // namespace weft::formats::chrome_json
