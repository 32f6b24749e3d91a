// The rows of a query whose columns say what they are (schemas.h) → events.
//
// Memory: what is open, and the calls that something may still be caused by.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/formats/base/by_name.h"
#include "core/formats/base/time_form.h"
#include "core/formats/general/sqlite/database.h"
#include "core/formats/general/sqlite/schemas.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::sqlite {

class Rows {
 public:
  Rows(trace::EventSink& sink, TimeBase base, uint64_t memory_bytes)
      : sink_(sink), base_(base), open_(sink), most_causes_(memory_bytes / kBytesPerCause) {}

  // Reads all rows. Returns false if nobody wants more.
  bool play(Query& query, const TableQuery& table);
  void finish() { open_.finish(end_); }

 private:
  enum Role : uint8_t {
    kTime,
    kEnd,
    kDuration,
    kProcess,
    kLane,
    kBelow,
    kType,
    kGroup,
    kValue,
    kToProcess,
    kToLane,
    kToBelow,
    kToTime,
    kIsBegin,
    kCauses,
    kCausedBy,
    kPayload,
    kColor,
    kArgs,
    kRoles,
  };
  static constexpr uint64_t kBytesPerCause = 64;
  static constexpr std::array<std::string_view, kRoles> kNames = {
      "@time",   "@end",       "@duration",   "@process", "@lane",     "@below",   "@type",
      "@group",  "@value",     "@to_process", "@to_lane", "@to_below", "@to_time", "@is_begin",
      "@causes", "@caused_by", "@payload",    "@color",   "@args"};
  struct Cause {
    Time time;
    LaneId lane;
  };

  void take_columns(const Query& query, const TableQuery& table);
  void add_row(const Query& query);
  void add_state(const Query& query, Time begin, Time end, LaneId lane);
  void add_sample(const Query& query, Time time);
  void add_link(const Query& query, Time time);
  void add_cause(const Query& query, Time time, LaneId lane);
  bool has(const Query& query, Role role) const {
    return column_[role] >= 0 && !query.is_null(column_[role]);
  }
  std::string_view text(const Query& query, Role role) const {
    return has(query, role) ? query.bytes(column_[role]) : std::string_view();
  }
  // Ticks of the trace. Returns nullopt if there is none, or nothing that says one: that is a loss.
  std::optional<int64_t> ticks(const Query& query, Role role);
  std::optional<int64_t> ticks_of_integer(int64_t value, Role role);
  std::optional<int64_t> ticks_of_real(double value, Role role);
  std::optional<int64_t> ticks_of_text(std::string_view text, Role role);
  std::string_view rounding() const {
    return base_ == TimeBase::kTicks ? "time rounded to whole ticks"
                                     : "time rounded to nanoseconds";
  }
  // The lane of a row, or of a link's other end.
  LaneId lane_of(const Query& query) {
    return lane_of(text(query, kProcess), text(query, kLane), text(query, kBelow));
  }
  LaneId other_lane_of(const Query& query) {
    return lane_of(text(query, kToProcess), text(query, kToLane), text(query, kToBelow));
  }
  LaneId lane_of(std::string_view process, std::string_view lane, std::string_view below);
  LaneId process_of(std::string_view process);
  LaneId lane_in(LaneId parent, std::string_view name, trace::LaneKind kind);
  EventTypeId type_of(const Query& query, trace::Category category);
  ParamsId params_of(const Query& query);
  void lose(std::string_view what) { sink_.loss(what, row_); }

  trace::EventSink& sink_;
  const TimeBase base_;
  stacks::OpenStates open_;
  const size_t most_causes_;
  std::array<int, kRoles> column_{};
  std::vector<int> parameters_;
  std::array<std::optional<DecimalUnit>, kRoles> units_{};
  std::optional<TimeForm> form_;  // of dates, where the table has some
  bool has_dates_ = false;
  std::optional<Time> before_;  // of the row before
  uint64_t row_ = 0;
  Time end_ = Time::min();
  ByName<LaneId> processes_;
  std::unordered_map<uint32_t, ByName<LaneId>> lanes_;  // by the lane above
  std::unordered_map<int64_t, Cause> causes_;
  std::unordered_set<uint32_t> colored_;  // types
};

}  // namespace weft::formats::sqlite
