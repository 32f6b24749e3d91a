// An event of a CTF trace, as those see it who know what events mean.
#pragma once

#include <babeltrace2/babeltrace.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/formats/kernel/ctf/fields.h"

namespace weft::formats::ctf {

// What JSON says of the fields of an event's class.
struct EventMembers {
  Members payload, specific, common;
  Members common_but_thread;  // without what the event's lane says
  Members packet;             // likewise
  std::string of_class;       // what is said of all events of the class: `"loglevel":"TRACE_INFO"`
};

struct Event {
  const bt_event& event;
  const EventMembers& members;
  std::string_view name;
  Time time;
  std::optional<uint32_t> cpu;  // by the packet's context
  int32_t traced_process = -1;  // of a trace of one process
  uint64_t number = 0;          // counted over all streams, for what is lost
  std::string_view more = {};   // members of its parameters that are no fields, as JSON

  const bt_field* payload(const char* name) const {
    return member(bt_event_borrow_payload_field_const(&event), name);
  }
  // What the tracer added to every event: "vtid".
  const bt_field* context(const char* name) const {
    const bt_field* field = member(bt_event_borrow_common_context_field_const(&event), name);
    if (field != nullptr) return field;
    return member(bt_event_borrow_specific_context_field_const(&event), name);
  }
  // Of user space; -1 where it is not known.
  int32_t process() const;
};

// A number of a process or a thread.
inline std::optional<int32_t> task_number(const bt_field* field) {
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
