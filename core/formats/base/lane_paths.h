// Creates lanes by path: "net/eth0" is lane eth0 in lane net; both are created at first mention. A
// slash behind a backslash is part of a name.
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
    const size_t slash = last_separator(path);
    const bool has_parent = slash != std::string_view::npos && slash > 0 &&
                            slash + 1 < path.size() && depth < kMostDepth;
    trace::Lane described{.name = name_from(has_parent ? path.substr(slash + 1) : path)};
    if (has_parent) described.parent = lane_at(path.substr(0, slash), depth + 1);
    return lanes_[path] = sink_.add_lane(described);
  }

  static size_t last_separator(std::string_view path) {
    size_t slash = path.rfind('/');
    while (slash != std::string_view::npos && slash > 0 && path[slash - 1] == '\\')
      slash = path.rfind('/', slash - 1);
    return slash;
  }
  static std::string name_from(std::string_view text) {
    std::string name(valid_utf8(text));
    for (size_t at = name.find("\\/"); at != std::string::npos; at = name.find("\\/", at + 1))
      name.erase(at, 1);
    return name;
  }

  trace::EventSink& sink_;
  ByName<LaneId> lanes_;
};

}  // namespace weft::formats
