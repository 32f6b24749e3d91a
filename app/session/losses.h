// The losses of a trace that have a place on its time line, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/trace/model.h"

namespace weft::app {

struct PlacedLoss {
  const trace::Loss* loss;  // of the report
  const trace::LossPlace* place;
  Time time() const { return *place->time; }
  Time end() const { return time() + place->duration; }
};

// In order of time. Of each kind only the first places are known (Loss::kFirstKept).
// O(n log n) for n known places: few.
std::vector<PlacedLoss> placed_losses(const trace::ImportReport& report);

// States whose end is not in the trace, which were ended with it, and ends of states that had begun
// before it, or whose begin was lost: where the losses say so. Beyond the places that are known, a
// state that ends with the trace is taken for one that never ended.
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
  // Of those whose places are known, that begin in the range.
  uint64_t count_without_end(LaneId lane, TimeRange range) const;
  // Where nothing had begun; by lane and time. Those that are called damage are marked as that.
  std::span<const At> ends_alone() const { return ends_; }

 private:
  std::vector<At> begins_, ends_;
  bool knows_all_ = true;
  Time trace_end_;
};

// Whether states of the lane overlap without nesting: see core/store/overlaps.h. Of the first lanes
// of which that was noted.
bool has_overlaps(const trace::ImportReport& report, LaneId lane);

// How many events were lost or damaged; what was only repaired is not counted.
uint64_t damage_count(const trace::ImportReport& report);
// What figures that are added up say of themselves: "the trace is incomplete: 3 lost or
// damaged"; empty: it is not.
std::string caution_of(const trace::ImportReport& report);

// Where it is in the input: "byte 1034"; empty: nowhere.
std::string in_input(const trace::LossPlace& place);
// The first ones, at most so many: "byte 17, 1034, …".
std::string in_input(const trace::Loss& loss, size_t most);

}  // namespace weft::app
