// The clocks of a Perfetto trace: every time becomes a time of the trace's own clock (nanoseconds),
// by the snapshots that say what several clocks showed at one instant.
//
// Clocks 64 to 127 belong to the sequence that uses them, the others to the trace. A clock that
// shares no snapshot with the trace's is resolved by one that does, over as many as it takes; what
// cannot be resolved when its time is asked for has none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/saturating.h"
#include "core/base/time.h"

namespace weft::formats::perfetto {

struct ClockReading {
  uint32_t clock = 0;
  uint64_t ticks = 0;
  bool is_incremental = false;  // times of packets count from the time before
  uint64_t nanoseconds = 1;     // a tick's length
};

struct ClockSnapshot {
  std::vector<ClockReading> readings;
  uint32_t primary = 0;  // the clock to be the trace's; 0: it does not say
  bool is_whole = true;
};
ClockSnapshot parse_clock_snapshot(std::string_view message);

class Clocks {
 public:
  static constexpr uint32_t kRealtime = 1, kMonotonic = 3, kBoottime = 6;

  // `primary`: the clock to be the trace's, 0 where the snapshot does not say; only the first that
  // says so before any time was asked for is heard.
  void add_snapshot(uint32_t sequence, std::span<const ClockReading> readings, uint32_t primary);

  // A RemoteClockSync: what the clocks of this machine and those of the one that records showed in
  // turn. From then on times are of the latter. False: damaged.
  bool add_remote_sync(std::string_view message);
  bool is_synchronized() const { return is_synchronized_; }

  // The trace's time for a packet's, whose clock goes on where it counts increments.
  std::optional<Time> time_of(uint32_t sequence, uint32_t clock, uint64_t ticks);
  // Whether a clock is the trace's own and counts nanoseconds, as for nearly all packets.
  bool is_plain(uint32_t clock) const {
    return clock == trace_clock_ && is_trace_clock_fixed_ && is_trace_clock_plain_;
  }
  Time plain_time(uint64_t ticks) const { return {saturating_sub(saturated(ticks), ahead_ns_)}; }

  uint32_t trace_clock() const { return trace_clock_; }
  // Snapshots that no chain joins to the trace's clock.
  size_t unresolved() const { return waiting_.size() + dropped_; }

 private:
  using Key = uint64_t;
  struct Point {
    int64_t clock_ns;
    int64_t trace_ns;
  };
  struct Clock {
    bool is_incremental = false;
    uint64_t nanoseconds = 1;
    uint64_t last_ticks = 0;
    std::vector<Point> points;  // in order of clock_ns
    size_t last_point = 0;      // of the last time asked for
  };
  struct Reading {
    Key clock;
    int64_t ns;
  };
  using Snapshot = std::vector<Reading>;

  static Key key_of(uint32_t sequence, uint32_t clock);
  static int64_t ns_of(const Clock& clock, uint64_t ticks);
  std::optional<int64_t> resolve(Key key, int64_t ns);
  bool join(Snapshot& snapshot);
  void join_waiting();
  static void add_point(Clock& clock, Point point);

  std::unordered_map<Key, Clock> clocks_;
  std::vector<Snapshot> waiting_;  // no clock of theirs is resolved
  size_t dropped_ = 0;
  uint32_t trace_clock_ = kBoottime;
  bool is_trace_clock_fixed_ = false;
  int64_t ahead_ns_ = 0;  // of the machine that records
  bool is_synchronized_ = false;
  bool is_trace_clock_plain_ = true;  // its ticks are nanoseconds and count from no other
};

}  // namespace weft::formats::perfetto
