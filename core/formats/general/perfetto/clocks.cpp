#include "core/formats/general/perfetto/clocks.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/saturating.h"
#include "core/formats/general/perfetto/fields.h"

namespace weft::formats::perfetto {
namespace {

constexpr size_t kMostWaiting = 1000, kMostPoints = size_t{1} << 16;
constexpr uint32_t kFirstOfSequence = 64, kFirstOfAll = 128;

int64_t clamp_to_int64(uint64_t n) { return saturated(n); }

}  // namespace

ClockSnapshot parse_clock_snapshot(std::string_view message) {
  constexpr size_t kMostClocks = 1024;
  ClockSnapshot snapshot;
  snapshot.is_whole &= for_each_field(message, [&](const Field& field) {
    if (field.number == 2) snapshot.primary = field.uint32();
    if (field.number != 1 || snapshot.readings.size() >= kMostClocks) return;
    ClockReading reading;
    snapshot.is_whole &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 1) reading.clock = inner.uint32();
      if (inner.number == 2) reading.ticks = inner.value;
      if (inner.number == 3) reading.is_incremental = inner.flag();
      if (inner.number == 4) reading.nanoseconds = inner.value;
    });
    snapshot.readings.push_back(reading);
  });
  return snapshot;
}

Clocks::Key Clocks::key_of(uint32_t sequence, uint32_t clock) {
  const bool is_of_sequence = clock >= kFirstOfSequence && clock < kFirstOfAll;
  return is_of_sequence ? uint64_t{sequence} << 32 | clock : clock;
}

int64_t Clocks::ns_of(const Clock& clock, uint64_t ticks) {
  uint64_t ns = 0;
  if (__builtin_mul_overflow(ticks, clock.nanoseconds, &ns)) return INT64_MAX;
  return clamp_to_int64(ns);
}

void Clocks::add_snapshot(uint32_t sequence, std::span<const ClockReading> readings,
                          uint32_t primary) {
  if (primary != 0 && !is_trace_clock_fixed_) trace_clock_ = primary;
  if (primary != 0) is_trace_clock_fixed_ = true;
  Snapshot snapshot;
  for (const ClockReading& reading : readings) {
    const Key key = key_of(sequence, reading.clock);
    Clock& clock = clocks_[key];
    clock.is_incremental = reading.is_incremental;
    clock.nanoseconds = std::max<uint64_t>(reading.nanoseconds, 1);
    clock.last_ticks = reading.ticks;
    is_trace_clock_plain_ &=
        key != trace_clock_ || (!clock.is_incremental && clock.nanoseconds == 1);
    snapshot.push_back({key, ns_of(clock, reading.ticks)});
  }
  if (!join(snapshot)) {
    if (waiting_.size() < kMostWaiting) return waiting_.push_back(std::move(snapshot));
    ++dropped_;
    return;
  }
  join_waiting();
}

// Readings alternate: this machine's, the other's, this one's, the other's. Two rounds that follow
// each other each give two estimates, of which the mean counts, as in Perfetto's own processor.
bool Clocks::add_remote_sync(std::string_view message) {
  struct Round {
    int64_t own = 0, other = 0;
  };
  bool is_good = true;
  std::vector<Round> rounds;
  const auto reading_of = [&](const ClockSnapshot& snapshot) {
    for (const ClockReading& reading : snapshot.readings) {
      if (reading.clock == trace_clock_) return clamp_to_int64(reading.ticks);
    }
    return int64_t{0};
  };
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number != 1) return;
    ClockSnapshot own, other;
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 2) own = parse_clock_snapshot(inner.bytes);
      if (inner.number == 3) other = parse_clock_snapshot(inner.bytes);
    });
    is_good &= own.is_whole && other.is_whole;
    add_snapshot(0, own.readings, own.primary);
    const Round round{reading_of(own), reading_of(other)};
    if (round.own != 0 && round.other != 0) rounds.push_back(round);
  });
  constexpr double kMostNsOfOneSync = 30e9;
  double sum = 0;
  size_t count = 0;
  for (size_t i = 1; i < rounds.size(); ++i) {
    const auto own1 = static_cast<double>(rounds[i - 1].own - rounds[0].own);
    const auto own2 = static_cast<double>(rounds[i].own - rounds[0].own);
    const auto other1 = static_cast<double>(rounds[i - 1].other - rounds[0].other);
    const auto other2 = static_cast<double>(rounds[i].other - rounds[0].other);
    if (own2 - own1 >= kMostNsOfOneSync) continue;
    sum += (own1 + own2) / 2 - other1 + own2 - (other1 + other2) / 2;
    count += 2;
  }
  if (rounds.empty()) return is_good;
  const double mean = count == 0 ? 0 : sum / static_cast<double>(count);
  ahead_ns_ =
      saturating_add(saturating_sub(rounds[0].own, rounds[0].other), static_cast<int64_t>(mean));
  is_synchronized_ = true;
  return is_good;
}

// One that waits may be joined by what another told; each joined may join others.
void Clocks::join_waiting() {
  for (bool is_more = !waiting_.empty(); is_more;) {
    const auto left = std::ranges::remove_if(waiting_, [&](Snapshot& s) { return join(s); });
    is_more = !left.empty();
    waiting_.erase(left.begin(), left.end());
  }
}

// Returns false if none of its clocks is resolved. The trace's own clock comes first, wherever it
// stands: what is known of another is as old as the snapshot before, and that may have been set.
bool Clocks::join(Snapshot& snapshot) {
  std::ranges::stable_partition(
      snapshot, [&](const Reading& reading) { return reading.clock == trace_clock_; });
  for (const Reading& known : snapshot) {
    const auto trace_ns = resolve(known.clock, known.ns);
    if (!trace_ns) continue;
    for (const Reading& reading : snapshot) {
      if (reading.clock != known.clock && reading.clock != trace_clock_)
        add_point(clocks_[reading.clock], {reading.ns, *trace_ns});
    }
    return true;
  }
  return false;
}

// Clocks that keep their distance need one point.
void Clocks::add_point(Clock& clock, Point point) {
  auto& points = clock.points;
  const auto after = std::ranges::upper_bound(points, point.clock_ns, {}, &Point::clock_ns);
  const bool is_same = after != points.begin() &&
                       saturating_sub(point.trace_ns, point.clock_ns) ==
                           saturating_sub(std::prev(after)->trace_ns, std::prev(after)->clock_ns);
  if (!is_same && points.size() < kMostPoints) points.insert(after, point);
}

std::optional<int64_t> Clocks::resolve(Key key, int64_t ns) {
  if (key == trace_clock_) return ns;
  const auto it = clocks_.find(key);
  if (it == clocks_.end() || it->second.points.empty()) return std::nullopt;
  Clock& clock = it->second;
  const auto& points = clock.points;
  // The last point at or before it; the first for times before all.
  const bool is_as_before =
      clock.last_point < points.size() && points[clock.last_point].clock_ns <= ns &&
      (clock.last_point + 1 == points.size() || ns < points[clock.last_point + 1].clock_ns);
  if (!is_as_before) {
    const auto after = std::ranges::upper_bound(points, ns, {}, &Point::clock_ns);
    clock.last_point =
        after == points.begin() ? 0 : static_cast<size_t>(after - points.begin() - 1);
  }
  const Point& point = points[clock.last_point];
  return saturating_add(point.trace_ns, saturating_sub(ns, point.clock_ns));
}

std::optional<Time> Clocks::time_of(uint32_t sequence, uint32_t clock, uint64_t ticks) {
  if (is_plain(clock)) return plain_time(ticks);
  const Key key = key_of(sequence, clock);
  int64_t ns = clamp_to_int64(ticks);
  if (const auto it = clocks_.find(key); it != clocks_.end()) {
    Clock& known = it->second;
    if (known.is_incremental) ticks = known.last_ticks += ticks;
    ns = ns_of(known, ticks);
  }
  // A trace that says nothing of its usual clock has another: that of its first packet.
  const bool is_first =
      key < kFirstOfSequence && !is_trace_clock_fixed_ && !clocks_.contains(trace_clock_);
  if (is_first) {
    trace_clock_ = clock;
    join_waiting();
  }
  const auto time = resolve(key, ns);
  is_trace_clock_fixed_ |= time.has_value();
  if (!time) return std::nullopt;
  return Time{saturating_sub(*time, ahead_ns_)};
}

}  // namespace weft::formats::perfetto
