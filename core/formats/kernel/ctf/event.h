// An event of a CTF trace, as those see it who know what events mean.
#pragma once

#include <babeltrace2/babeltrace.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/formats/kernel/ctf/fields.h"

namespace weft::formats::ctf {

// The layout of the fields of a class of events; null members: no such structure.
struct EventLayout {
  // Classes are numbered from 0, in order of their first events.
  EventLayout(const bt_event_class& of, size_t its_number);
  const bt_event_class& event_class;
  const size_t number;
  std::unique_ptr<const FieldClass> payload, specific, common, packet;
};

// An event's structures; null where its class has none.
struct EventFields {
  const Field *payload = nullptr, *specific = nullptr, *common = nullptr, *packet = nullptr;
};

// The JSON keys of an event class's fields.
struct EventKeys {
  Keys payload, specific, common;
  Keys common_but_thread;  // without what the event's lane says
  Keys packet;             // likewise
  std::string of_class;    // what is said of all events of the class: `"loglevel":"TRACE_INFO"`
};

struct Event {
  const EventFields& fields;
  const EventKeys& keys;
  std::string_view name;
  Time time;
  std::optional<uint32_t> cpu;  // by the packet's context
  int32_t traced_process = -1;  // of a trace of one process
  uint64_t number = 0;          // counted over all streams, for what is lost
  std::string_view more = {};   // members of its parameters that are not fields, as JSON

  const Field* payload(std::string_view field) const { return member(fields.payload, field); }
  // Returns a context field, which the tracer added to every event: "vtid".
  const Field* context(std::string_view field) const {
    const Field* const common = member(fields.common, field);
    return common != nullptr ? common : member(fields.specific, field);
  }
  // The user-space process; -1 if unknown.
  int32_t process() const;
};

// A number of a process or a thread.
inline std::optional<int32_t> task_number(const Field* field) {
  constexpr int64_t kMost = 1 << 30;
  int64_t number = 0;
  if (!read_integer(field, number) || number < 0 || number > kMost) return std::nullopt;
  return static_cast<int32_t>(number);
}

inline int32_t Event::process() const {
  return task_number(context("vpid")).value_or(traced_process);
}

// Whether the metadata of a stream describes an event of that name.
inline bool has_event(const bt_stream_class& stream, std::string_view name) {
  const uint64_t count = bt_stream_class_get_event_class_count(&stream);
  for (uint64_t i = 0; i < count; ++i) {
    const char* const each =
        bt_event_class_get_name(bt_stream_class_borrow_event_class_by_index_const(&stream, i));
    if (each != nullptr && name == each) return true;
  }
  return false;
}

}  // namespace weft::formats::ctf
