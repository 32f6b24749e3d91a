// What panels need of a snapshot besides the snapshot: its colours and the lanes as folded. Made by
// a worker (both grow with lanes and types), then immutable and frame-safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "core/layout/lanes.h"
#include "core/layout/palette.h"
#include "core/store/trace.h"

namespace weft::app {

// What a model is made for. Two are equal when their models would be.
struct ModelKey {
  uint64_t trace_id = 0;  // OpenTrace::id
  std::shared_ptr<const store::Trace> trace;
  LaneViewPtr lanes;  // null: as in the trace
  ThemeName theme = ThemeName::kDark;
  bool has_safe_colors = false;  // safe_colors.h
  bool has_patterns = false;
  bool colors_by_duration = false;
  std::shared_ptr<const NamedColors> type_colors;  // the user's; another one after every change
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

// By lane: the name that tells it from the others (layout::distinct_names), and a colour of that
// name, so the same at every start and in whatever order lanes stand.
struct LaneColors {
  std::vector<std::string> names;
  std::vector<layout::Rgb> rgb;
  bool operator==(const LaneColors&) const = default;
};

struct TraceModel {
  uint64_t trace_id = 0;
  std::shared_ptr<const store::Trace> trace;
  LaneViewPtr view;                                  // what the lanes are arranged by; never null
  std::unique_ptr<const layout::LaneForest> forest;  // of `trace` and the groups of `view`
  layout::LaneOrder order;                           // what the two below are made of
  layout::LaneHeights heights;
  layout::Lanes lanes;
  layout::Lanes pinned;         // those that stay at the top; in no case in `lanes`
  uint32_t lanes_left_out = 0;  // hidden, empty or filtered out
  uint32_t rows_left_out = 0;   // nothing in them passes the filter
  bool is_flat() const { return view->arrangement.is_flat; }  // lanes are called by their paths
  std::shared_ptr<const layout::Palette> palette;
  std::shared_ptr<const LaneColors> lane_colors;
  layout::Rgb lane_color(LaneId lane) const {  // of none, a neutral grey
    const bool is_known = lane_colors && lane.value() < lane_colors->rgb.size();
    return is_known ? lane_colors->rgb[lane.value()] : layout::Palette::kNeutral;
  }
  MessageClassesPtr message_classes;
  std::shared_ptr<const layout::MessageRules> message_rules;  // of these
};

// Some of the model's lanes, folded and grouped as it is, with at most so many levels (0: all).
layout::Lanes build_lanes(const TraceModel& model, std::span<const layout::ArrangedLane> lanes,
                          const layout::LaneHeights& heights, uint32_t levels);

// Makes models one after the other. Colours are kept where they would be the same: tiles made with
// them stay good while lanes are folded and the trace grows.
class ModelMaker {
 public:
  TraceModel make(const ModelKey& key);

 private:
  std::shared_ptr<const layout::Palette> palette_of(const ModelKey& key);
  std::shared_ptr<const LaneColors> lane_colors_of(const ModelKey& key);
  std::shared_ptr<const layout::MessageRules> rules_of(const ModelKey& key);

  std::shared_ptr<const layout::Palette> palette_;
  ModelKey palette_key_;
  std::shared_ptr<const LaneColors> lane_colors_;
  ModelKey lane_colors_key_;
  std::shared_ptr<const layout::MessageRules> rules_;
  std::shared_ptr<const store::Trace> rules_trace_;
  MessageClassesPtr rules_classes_;
};

// Heights of the lanes' lines for a height of rows, in pixels of the screen.
layout::LaneHeights lane_heights(double row_height_px, float scale);

}  // namespace weft::app
