#include "core/formats/perfetto/clocks.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace weft::formats::perfetto {
namespace {

constexpr size_t kMostWaiting = 1000, kMostPoints = size_t{1} << 16;
constexpr uint32_t kFirstOfSequence = 64, kFirstOfAll = 128;

int64_t clamp_to_int64(uint64_t n) {
  return static_cast<int64_t>(std::min<uint64_t>(n, std::numeric_limits<int64_t>::max()));
}

}  // namespace

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

// One that waits may be joined by what another told; each joined may join others.
void Clocks::join_waiting() {
  for (bool is_more = !waiting_.empty(); is_more;) {
    const auto left = std::ranges::remove_if(waiting_, [&](const Snapshot& s) { return join(s); });
    is_more = !left.empty();
    waiting_.erase(left.begin(), left.end());
  }
}

// False where none of its clocks is resolved.
bool Clocks::join(const Snapshot& snapshot) {
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
  if (clock == trace_clock_ && is_trace_clock_fixed_ && is_trace_clock_plain_)
    return Time{clamp_to_int64(ticks)};
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
  return Time{*time};
}

}  // namespace weft::formats::perfetto
