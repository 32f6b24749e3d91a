// The SQL tables of events and their columns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/trace/model.h"

namespace weft::query {

// What a column shows. Lanes are paths; a link's lane is its source or, if it has none, its target.
enum class EventContent : uint8_t {
  kCategory,
  kTime,
  kEnd,
  kDuration,
  kDepth,
  kLane,
  kLaneId,
  kType,
  kTypeId,
  kTypeGroup,
  kCpu,
  kValue,
  kSend,
  kReceive,
  kLatency,
  kSource,
  kSourceId,
  kTarget,
  kTargetId,
  kParams,
  kParamsId,
  kPayload,
};

struct EventColumn {
  const char* declaration;
  EventContent field;
};

struct EventTableKind {
  const char* name;
  std::optional<trace::Category> category;  // nullopt: all
  std::span<const EventColumn> columns;
};

// "events", "states", "punctuals", "links", "variables".
std::span<const EventTableKind> event_table_kinds();

}  // namespace weft::query
