// The role of an event: most are instants, some begin or end a state, and some measure or describe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/formats/profiles/nettrace/nettrace_kinds.h"

namespace weft::formats::nettrace {

enum class Role : uint8_t {
  kInstant,
  kBegin,
  kEnd,
  kCollectionBegin,
  kCollectionEnd,
  kSuspendBegin,
  kSuspendEnd,
  kRestartBegin,
  kRestartEnd,
  kHeapStatistics,
  kPoolThreads,
  kSample,
  kSystemSample,
  kSystemSwitch,
  kMapping,
  kSymbol,
  kProcessName,
  kCounter,
  kMeter,
  kAbout,
};

// A kind, and how its events are shown.
struct Shown {
  Kind kind;
  Role role = Role::kInstant;
  std::string state;          // of begins and ends: its name
  std::string_view key;       // the field by which the end knows its begin; empty: none
  std::string_view lane;      // of the process; empty: the thread, or the activity
  bool has_activity = false;  // an activity may begin on one thread and end on another
  bool is_method = false;     // says where a method's code lies
  bool is_rundown = false;    // says what was there when the trace ended
  // Links: the send and the receive have the field `link_key` in common.
  std::string_view link, link_key;
  bool is_send = false;
};

Shown shown_as(Kind kind);

}  // namespace weft::formats::nettrace
