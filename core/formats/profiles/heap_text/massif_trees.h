// The trees of massif's snapshots: which places allocated what was there then, and who called them.
//
//   n2: 1064000 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
//    n1: 64000 0x1091AE: make (a.c:5)
//     n0: 64000 0x1092AC: main (a.c:9)
//    n0: 80 in 2 places, all below massif's threshold (1.00%)
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

class MassifTrees {
 public:
  explicit MassifTrees(trace::EventSink& sink) : sink_(sink) {}

  // The next line of a snapshot's tree, deeper by a space the further out. False: no such line.
  bool add(std::string_view line, uint64_t offset);
  // The snapshot's tree is whole; `is_peak`: of the most that there was.
  void end_snapshot(Time time, bool is_peak);
  // Shows the stacks of the peak and of the last tree, where that is another.
  void finish();

 private:
  // A place in the tree, by all that it was called through.
  struct Site {
    std::string name{};
    LaneId variable = LaneId::none();  // the lane that it is a variable of
    LaneId callers = LaneId::none();   // that of those that called it, once there are any
    EventTypeId type = EventTypeId::none();
    double now = 0, last = 0;  // bytes
  };
  struct Node {
    size_t depth;
    int64_t bytes;
    EventTypeId frame;
  };
  size_t site_of(size_t called, std::string_view name, uint64_t offset);
  void show(std::string_view lane, const std::vector<Node>& nodes);

  static constexpr size_t kRoot = 0;
  trace::EventSink& sink_;
  std::vector<Site> sites_ = {Site{.name = "allocated by (bytes)"}};     // in order of their lines
  std::map<std::pair<size_t, std::string>, size_t, std::less<>> known_;  // by called and name
  std::vector<size_t> path_;                                             // to the last line's
  std::vector<Node> nodes_, peak_, last_;
};

}  // namespace weft::formats
