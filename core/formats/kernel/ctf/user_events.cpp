#include "core/formats/kernel/ctf/user_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/formats/kernel/ctf/pairs.h"

namespace weft::formats::ctf {
namespace {

using ftrace::At;

At at_of(const Event& event) { return {event.time, event.cpu.value_or(0), event.number}; }

}  // namespace

UserEvents::Meaning UserEvents::meaning_of(std::string_view name, const bt_stream_class& stream) {
  using Kind = Meaning::Kind;
  if (name.starts_with("lttng_ust_cyg_profile")) {
    if (name.ends_with(":func_entry")) return {Kind::kCall, {}};
    if (name.ends_with(":func_exit")) return {Kind::kReturn, {}};
  }
  if (name.starts_with("lttng_ust_statedump:")) return {Kind::kDump, {}};
  if (name == "lttng_ust_dl:dlopen" || name == "lttng_ust_lib:load") return {Kind::kMapping, {}};
  if (name.starts_with("lttng_jul:") || name.starts_with("lttng_log4j:") ||
      name.starts_with("lttng_log4j2:") || name.starts_with("lttng_python:"))
    return {Kind::kLogMessage, {}};
  if (auto half = half_of_pair(name, stream))
    return {half->is_begin ? Kind::kBegin : Kind::kEnd, std::move(half->stem)};
  return {};
}

bool UserEvents::add(Meaning& meaning, Event& event, LaneId thread) {
  switch (meaning.kind) {
    case Meaning::Kind::kCall: {
      const auto address = integer_of(event.payload("addr"));
      if (!address) return false;
      kernel_.begin_function(thread,
                             name_of_address(event.process(), static_cast<uint64_t>(*address)),
                             at_of(event), params_(event));
      return true;
    }
    case Meaning::Kind::kReturn:
      kernel_.end_function(thread, at_of(event), params_(event));
      return true;
    case Meaning::Kind::kBegin:
      kernel_.begin_pair(thread, type_of(meaning), params_(event), at_of(event));
      return true;
    case Meaning::Kind::kEnd:
      kernel_.end_pair(thread, type_of(meaning), at_of(event), params_(event));
      return true;
    case Meaning::Kind::kMapping:
      add_mapping(event);
      return false;
    case Meaning::Kind::kDump:
      return add_dump(event);
    case Meaning::Kind::kLogMessage:
      event.more = json_.add(text_of(event.payload("msg")), event.time);
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

// Adds the dump by LTTng's own thread of its process.
bool UserEvents::add_dump(const Event& event) {
  add_mapping(event);
  if (event.process() < 0) return false;
  ftrace::Lanes& lanes = kernel_.lanes();
  lanes.describe_process(event.process(), text_of(event.payload("procname")));
  kernel_.add_punctual(lanes.process(event.process()), event.name, params_(event),
                       {event.time, At::kNoCpu, event.number});
  return true;
}

void UserEvents::add_mapping(const Event& event) {
  const auto base = integer_of(event.payload("baddr"));
  const auto size = integer_of(event.payload("memsz"));
  const std::string_view path = text_of(event.payload("path"));
  if (!base || !size || path.empty()) return;
  const auto begin = static_cast<uint64_t>(*base), length = static_cast<uint64_t>(*size);
  mappings_[event.process()].add(begin, begin + std::min(length, UINT64_MAX - begin),
                                 std::string(path.substr(path.rfind('/') + 1)));
}

std::string UserEvents::name_of_address(int32_t process, uint64_t address) const {
  const auto known = mappings_.find(process);
  const stacks::AddressMap::Object* const mapping =
      known == mappings_.end() ? nullptr : known->second.find(address);
  return mapping == nullptr ? fmt::format("{:#x}", address)
                            : fmt::format("{}+{:#x}", mapping->name, address - mapping->begin);
}

}  // namespace weft::formats::ctf
