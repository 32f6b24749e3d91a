#include "core/formats/ctf/user_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace weft::formats::ctf {
namespace {

using ftrace::At;

At at_of(const Event& event) { return {event.time, event.cpu.value_or(0), event.number}; }

struct Words {
  std::string_view begin, end;
};
constexpr Words kPairs[] = {
    {"begin", "end"},  {"start", "end"},  {"start", "stop"}, {"entry", "exit"},
    {"enter", "exit"}, {"begin", "done"}, {"start", "done"}, {"acquire", "release"},
};

// "app:load" of "app:load_begin" where there is "app:load_end" as well.
std::optional<std::string> stem_of(std::string_view name, std::string_view word,
                                   std::string_view other, const bt_stream_class& stream) {
  if (!name.ends_with(word)) return std::nullopt;
  const std::string_view stem = name.substr(0, name.size() - word.size());
  if (stem.empty() || !has_event(stream, fmt::format("{}{}", stem, other))) return std::nullopt;
  const std::string_view text = stem.substr(0, stem.find_last_not_of("_:-. ") + 1);
  return std::string(text);
}

}  // namespace

UserEvents::Meaning UserEvents::meaning_of(std::string_view name, const bt_stream_class& stream) {
  using Kind = Meaning::Kind;
  if (name.starts_with("lttng_ust_cyg_profile")) {
    if (name.ends_with(":func_entry")) return {Kind::kCall, {}};
    if (name.ends_with(":func_exit")) return {Kind::kReturn, {}};
  }
  if (name == "lttng_ust_statedump:bin_info" || name == "lttng_ust_dl:dlopen")
    return {Kind::kMapping, {}};
  if (name.starts_with("lttng_jul:") || name.starts_with("lttng_log4j:") ||
      name.starts_with("lttng_log4j2:") || name.starts_with("lttng_python:"))
    return {Kind::kLogMessage, {}};
  if (name.starts_with("lttng_ust_statedump:")) return {};
  for (const Words& words : kPairs) {
    if (auto stem = stem_of(name, words.begin, words.end, stream))
      return {Kind::kBegin, std::move(*stem)};
    if (auto stem = stem_of(name, words.end, words.begin, stream))
      return {Kind::kEnd, std::move(*stem)};
  }
  return {};
}

bool UserEvents::add(Meaning& meaning, Event& event, LaneId thread) {
  switch (meaning.kind) {
    case Meaning::Kind::kCall: {
      const auto address = integer_of(event.payload("addr"));
      if (!address) return false;
      const int32_t process = task_number(event.context("vpid")).value_or(-1);
      kernel_.begin_function(thread, name_of_address(process, static_cast<uint64_t>(*address)),
                             at_of(event), params_(event));
      return true;
    }
    case Meaning::Kind::kReturn:
      kernel_.end_function(thread, at_of(event));
      return true;
    case Meaning::Kind::kBegin:
      kernel_.begin_pair(thread, type_of(meaning), params_(event), at_of(event));
      return true;
    case Meaning::Kind::kEnd:
      kernel_.end_pair(thread, type_of(meaning), at_of(event));
      return true;
    case Meaning::Kind::kMapping:
      add_mapping(event);
      return false;
    case Meaning::Kind::kLogMessage:
      event.more = json_.add(text_of(event.payload("msg")));
      return false;
    case Meaning::Kind::kNone:
      return false;
  }
  return false;
}

EventTypeId UserEvents::type_of(Meaning& meaning) {
  if (meaning.type.is_none()) meaning.type = kernel_.type_of_pair(meaning.stem);
  return meaning.type;
}

void UserEvents::add_mapping(const Event& event) {
  const auto base = integer_of(event.payload("baddr"));
  const auto size = integer_of(event.payload("memsz"));
  const std::string_view path = text_of(event.payload("path"));
  if (!base || !size || path.empty()) return;
  const int32_t process = task_number(event.context("vpid")).value_or(-1);
  mappings_[{process, static_cast<uint64_t>(*base)}] = {
      static_cast<uint64_t>(*size), std::string(path.substr(path.rfind('/') + 1))};
}

std::string UserEvents::name_of_address(int32_t process, uint64_t address) const {
  auto it = mappings_.upper_bound({process, address});
  if (it != mappings_.begin()) {
    --it;
    const auto& [key, mapping] = *it;
    if (key.first == process && address - key.second < mapping.size_bytes)
      return fmt::format("{}+{:#x}", mapping.name, address - key.second);
  }
  return fmt::format("{:#x}", address);
}

}  // namespace weft::formats::ctf
