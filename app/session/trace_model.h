// What panels need besides a snapshot of a trace: its colours, and its lanes as arranged and
// folded. Made by a worker (the cost grows with lanes and types), then immutable and frame-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"
#include "app/view/path_names.h"
#include "core/layout/lanes.h"
#include "core/layout/palette.h"
#include "core/store/trace.h"

namespace weft::app {

// What a model depends on: keys are equal if their models would be.
struct ModelKey {
  uint64_t trace_id = 0;  // OpenTrace::id
  store::TracePtr trace;
  LaneViewPtr lanes;  // null: as in the trace itself
  layout::Theme theme = layout::Theme::kDark;
  bool has_safe_colors = false;  // safe_colors.h
  bool has_patterns = false;
  bool colors_by_duration = false;
  std::shared_ptr<const NamedColors> type_colors;  // the user's; replaced with every change
  std::shared_ptr<const NamedColors> lane_colors;  // likewise
  MessageClassesPtr message_classes;               // likewise
  layout::LaneHeights heights;

  bool operator==(const ModelKey& other) const {
    return trace_id == other.trace_id && trace == other.trace && theme == other.theme &&
           has_safe_colors == other.has_safe_colors && has_patterns == other.has_patterns &&
           colors_by_duration == other.colors_by_duration && type_colors == other.type_colors &&
           lane_colors == other.lane_colors && message_classes == other.message_classes &&
           lanes == other.lanes && heights == other.heights;
  }
};

// By lane: the name that distinguishes it from the others (layout::distinct_names), and a colour
// derived from that name, so that it is the same at every start and in any order of lanes.
struct LaneColors {
  std::vector<std::string> names;
  std::vector<layout::Rgb> rgb;
  bool operator==(const LaneColors&) const = default;
};

struct TraceModel {
  uint64_t trace_id = 0;
  store::TracePtr trace;
  LaneViewPtr view;                                  // the arrangement of the lanes; never null
  std::unique_ptr<const layout::LaneForest> forest;  // of `trace` and the groups of `view`
  layout::LaneOrder order;                           // the source of `lanes` and `pinned`
  layout::LaneHeights heights;
  layout::Lanes lanes;
  layout::Lanes pinned;         // lanes kept at the top; never in `lanes`, too
  uint32_t lanes_left_out = 0;  // hidden, empty or filtered out
  uint32_t rows_left_out = 0;   // rows in which nothing passes the filter
  bool is_flat() const { return view->arrangement.is_flat; }  // lanes are named by their paths
  std::shared_ptr<const layout::Palette> palette;
  std::shared_ptr<const LaneColors> lane_colors;
  layout::Rgb lane_color(LaneId lane) const {  // neutral grey for none
    const bool is_known = lane_colors && lane.value() < lane_colors->rgb.size();
    return is_known ? lane_colors->rgb[lane.value()] : layout::Palette::kNeutral;
  }
  // Told apart from all others of the trace; empty for none.
  std::string_view lane_name(LaneId lane) const {
    const bool is_known = lane_colors && lane.value() < lane_colors->names.size();
    return is_known ? std::string_view(lane_colors->names[lane.value()]) : std::string_view();
  }
  std::shared_ptr<const PathNames> path_names;  // of the lanes; never null
  MessageClassesPtr message_classes;
  std::shared_ptr<const layout::MessageRules> message_rules;  // compiled from message_classes
};

// Builds some of the model's lanes, folded and grouped as in the model, with at most `levels`
// levels of states (0: all).
layout::Lanes build_lanes(const TraceModel& model, std::span<const layout::ArrangedLane> lanes,
                          const layout::LaneHeights& heights, uint32_t levels);

// Makes models one after the other. Keeps colours that would be the same, so that tiles made with
// them stay valid while lanes are folded and the trace grows.
class ModelMaker {
 public:
  TraceModel make(const ModelKey& key);

 private:
  std::shared_ptr<const layout::Palette> palette_of(const ModelKey& key);
  std::shared_ptr<const LaneColors> lane_colors_of(const ModelKey& key);
  std::shared_ptr<const PathNames> path_names_of(const ModelKey& key);
  std::shared_ptr<const layout::MessageRules> rules_of(const ModelKey& key);

  std::shared_ptr<const layout::Palette> palette_;
  ModelKey palette_key_;
  std::shared_ptr<const LaneColors> lane_colors_;
  ModelKey lane_colors_key_;
  std::shared_ptr<const PathNames> path_names_;
  store::TracePtr path_names_trace_;
  std::shared_ptr<const layout::MessageRules> rules_;
  store::TracePtr rules_trace_;
  MessageClassesPtr rules_classes_;
};

// The heights of the lanes' lines for a row height, in pixels of the screen.
layout::LaneHeights lane_heights(double row_height_px, float scale);

}  // namespace weft::app
