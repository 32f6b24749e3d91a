// Losses of a trace: those with a place on the time line, states without an end, and what to say
// about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/store/trace.h"
#include "core/trace/model.h"

namespace weft::app {

struct PlacedLoss {
  const trace::Loss* loss;  // points into the report
  const trace::LossPlace* place;
  Time time() const { return *place->time; }
  Time end() const { return time() + place->duration; }
};

// The losses with known places, in order of time. Of each kind, only the first few places are known
// (Loss::kFirstKept). O(n log n) for n known places: few.
std::vector<PlacedLoss> placed_losses(const trace::ImportReport& report);

// Losses of a kind beyond the places that were kept.
struct FurtherLosses {
  const trace::Loss* loss;  // points into the report
  uint64_t count;
  Time from;                  // the last known place; they are expected behind it
  std::vector<LaneId> lanes;  // of the known places: theirs are probably the same ones
};

// How many losses lie beyond the places that were kept; 0 unless Loss::kFirstKept were.
uint64_t count_beyond(const trace::Loss& loss);
// The kinds of damage with such losses and at least one known time, in order of `from`.
std::vector<FurtherLosses> further_losses(const trace::ImportReport& report);
// "6 more losses of this kind, whose places were not kept".
std::string in_words(const FurtherLosses& further);

// States whose end is missing from the trace (they are shown to its end), and ends of states that
// began before the trace or whose begin was lost, as far as the losses tell. Beyond the known
// places, a state that ends with the trace is taken for one that never ended.
class UnpairedEnds {
 public:
  struct At {
    LaneId lane;
    Time time;
    auto operator<=>(const At&) const = default;
  };

  UnpairedEnds() = default;
  // O(n log n) for n known places: few.
  UnpairedEnds(const trace::ImportReport& report, Time trace_end);
  bool is_empty() const { return begins_.empty() && ends_.empty() && knows_all_; }
  bool lacks_end(LaneId lane, Time begin, Time end) const;
  // The number of states without an end that begin in the range, of those with known places.
  uint64_t count_without_end(LaneId lane, TimeRange range) const;
  // Ends without a begin, by lane and time. Those that count as damage are marked as damage.
  std::span<const At> ends_alone() const { return ends_; }

 private:
  std::vector<At> begins_, ends_;
  bool knows_all_ = true;
  Time trace_end_;
};

// Whether states of the lane overlap without nesting (core/store/overlaps.h). Known only for the
// first lanes for which this was recorded.
bool has_overlaps(const trace::ImportReport& report, LaneId lane);

// The number of events that were lost or damaged; what is amiss but shown does not count.
uint64_t damage_count(const trace::ImportReport& report);
// "2 lost, 8 notes": what is damaged, and what is amiss but shown; empty: neither.
std::string losses_in_words(const trace::ImportReport& report);
// The caution to show beside sums: "the trace is incomplete: 3 lost or damaged"; empty: it is
// complete, as far as it has been read.
std::string caution_of(const store::Trace& trace);
// Why the trace is not whole, in one line: what reading its data has met, or else what its reader
// lost; empty: nothing.
std::string damage_line(const store::Trace& trace);

// The place in the input: "byte 1034"; empty if there is none.
std::string in_input(const trace::LossPlace& place);
// The first places, at most `most`: "byte 17, 1034, …".
std::string in_input(const trace::Loss& loss, size_t most);

}  // namespace weft::app
