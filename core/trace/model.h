// The trace model shared by all formats (terms of Pajé, FrameSoC and Trace Compass). Plain values;
// no storage, no files.
//
// Events lie on lanes. A lane is an event's producer; lanes form a tree. There are four categories
// of event: punctual events, states, links and variable samples.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/trace/event_types.h"

namespace weft::trace {

// The order is part of the .weft format.
enum class LaneKind : uint8_t {
  kGroup,
  kMachine,
  kProcess,
  kThread,
  kCpu,
  kQueue,
  kAsync,
  kCounter
};
inline constexpr LaneKind kLaneKinds[] = {LaneKind::kGroup,  LaneKind::kMachine, LaneKind::kProcess,
                                          LaneKind::kThread, LaneKind::kCpu,     LaneKind::kQueue,
                                          LaneKind::kAsync,  LaneKind::kCounter};
std::string_view name_of(LaneKind kind);

struct Lane {
  std::string name;
  LaneId parent = LaneId::none();  // none: a root
  LaneKind kind = LaneKind::kGroup;
  int32_t sort_index = 0;  // among siblings; ties keep the order of ids
  bool operator==(const Lane&) const = default;
};

// The unit in which a loss's place is counted: bytes of the uncompressed input, lines from 1 or,
// where a library or a tabular document hides the bytes, the items that the reader gets from it,
// from 0. The order is part of the .weft format.
enum class PlaceUnit : uint8_t {
  kByte,
  kEvent,
  kRow,    // of a table
  kEntry,  // of a list
  kLine,
  kNone,  // no place in the input
};
// "byte", "event", "row", "entry", "line", "".
std::string_view name_of(PlaceUnit unit);

// Where something was lost, in the input and, if known, on the time axis.
struct LossPlace {
  uint64_t offset = 0;  // in the input, in `unit`
  PlaceUnit unit = PlaceUnit::kByte;
  LaneId lane = LaneId::none();
  std::optional<Time> time;
  Duration duration;  // of the gap; 0: an instant

  LossPlace() = default;
  LossPlace(uint64_t in_offset, LaneId on_lane = LaneId::none(), std::optional<Time> at = {},
            Duration gap = {})
      : offset(in_offset), lane(on_lane), time(at), duration(gap) {}
  static LossPlace nowhere() { return {0, PlaceUnit::kNone}; }
  // For losses found in the events themselves, not in the input.
  static LossPlace on_time_line(LaneId lane, Time time) {
    LossPlace place = nowhere();
    place.lane = lane;
    place.time = time;
    return place;
  }
  LossPlace(uint64_t in_offset, PlaceUnit in_unit) : offset(in_offset), unit(in_unit) {}
  bool operator==(const LossPlace&) const = default;
};

// Something that could not be read or shown as written. Losses are data: counted by kind, with
// their first places, and shown to the user.
struct Loss {
  static constexpr size_t kFirstKept = 64;
  std::string kind;  // a sentence fragment: "end without a begin"
  uint64_t count = 0;
  std::vector<LossPlace> first;  // at most kFirstKept
  // False if nothing was actually lost (a rounded time, a reordered event): it is listed, but the
  // trace is not called damaged.
  bool is_damage = true;
  bool operator==(const Loss&) const = default;
};

class ImportReport {
 public:
  // Counts `count` occurrences of `kind`, the first of them at `place`.
  void add(std::string_view kind, const LossPlace& place, uint64_t count = 1,
           bool is_damage = true);
  void add(const Loss& loss);
  const std::vector<Loss>& losses() const { return losses_; }
  bool has_damage() const;

 private:
  std::vector<Loss> losses_;  // in order of first appearance
};

struct Counts {
  uint64_t by_category[kCategoryCount] = {};
  uint64_t& operator[](Category c) { return by_category[static_cast<int>(c)]; }
  uint64_t operator[](Category c) const { return by_category[static_cast<int>(c)]; }
  uint64_t total() const {
    return by_category[0] + by_category[1] + by_category[2] + by_category[3];
  }
  bool operator==(const Counts&) const = default;
};

// All of a trace but its events. Immutable once a snapshot holds it.
struct Dictionary {
  TimeBase time_base = TimeBase::kNanoseconds;
  std::string format;  // id of the format it was read from
  LargeVector<Lane> lanes;
  EventTypes types;
  std::map<std::string, std::string> metadata;
  ImportReport report;

  const Lane& lane(LaneId id) const { return lanes[id.value()]; }
  const EventType& type(EventTypeId id) const { return types[id.value()]; }

  // Lane names from the root down to `id`.
  std::vector<std::string> path(LaneId id) const;
  // path(), joined by '/'.
  std::string path_text(LaneId id) const;
  // All lanes, parents before children, siblings by sort index, then in order of id.
  LargeVector<LaneId> lanes_in_order() const;
};

}  // namespace weft::trace
