// Creates lanes by path: "net/eth0" is lane eth0 in lane net; both are created at first mention.
#pragma once

#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/base/by_name.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

class LanePaths {
 public:
  explicit LanePaths(trace::EventSink& sink) : sink_(sink) {}

  // Returns the lane of a path; an empty path gives the lane "trace".
  LaneId lane_of(std::string_view path) { return lane_at(path.empty() ? "trace" : path, 0); }

 private:
  // Deeper paths end in a lane whose name contains slashes.
  static constexpr int kMostDepth = 64;

  LaneId lane_at(std::string_view path, int depth) {
    LaneId& lane = value_of(lanes_, path, LaneId::none());
    if (!lane.is_none()) return lane;
    const size_t slash = path.rfind('/');
    const bool has_parent = slash != std::string_view::npos && slash > 0 &&
                            slash + 1 < path.size() && depth < kMostDepth;
    trace::Lane described{.name = valid_utf8(has_parent ? path.substr(slash + 1) : path)};
    if (has_parent) described.parent = lane_at(path.substr(0, slash), depth + 1);
    return lanes_[path] = sink_.add_lane(described);
  }

  trace::EventSink& sink_;
  ByName<LaneId> lanes_;
};

}  // namespace weft::formats
