#include "app/trace_model.h"

#include <algorithm>
#include <cmath>

#include "app/safe_colors.h"

namespace weft::app {

TraceModel ModelMaker::make(const ModelKey& key) {
  static const layout::LaneArrangement kAsInTrace;
  TraceModel model;
  model.trace_id = key.trace_id;
  model.trace = key.trace;
  model.collapsed =
      key.collapsed ? key.collapsed : std::make_shared<const layout::CollapsedLanes>();
  model.heights = key.heights;
  const layout::LaneArrangement& arrangement = key.arrangement ? *key.arrangement : kAsInTrace;
  const trace::Dictionary& dictionary = key.trace->dictionary();
  const auto rows = key.trace->rows();
  model.order = layout::arrange_lanes(dictionary, rows, arrangement);
  const auto build = [&](std::span<const layout::ArrangedLane> lanes) {
    return layout::Lanes::build(dictionary, rows, lanes, *model.collapsed, key.heights);
  };
  model.lanes = build(model.order.lanes);
  model.pinned = build(model.order.pinned);
  model.lanes_left_out = model.order.left_out;
  model.is_flat = arrangement.is_flat;
  model.collapse_generation = key.collapse_generation;
  model.palette = palette_of(key);
  return model;
}

std::shared_ptr<const layout::Palette> ModelMaker::palette_of(const ModelKey& key) {
  const bool is_same = palette_ && palette_key_.trace_id == key.trace_id &&
                       palette_key_.theme == key.theme &&
                       palette_key_.has_safe_colors == key.has_safe_colors &&
                       palette_key_.has_patterns == key.has_patterns &&
                       palette_key_.type_colors == key.type_colors &&
                       palette_key_.trace->dictionary().types == key.trace->dictionary().types;
  if (!is_same) {
    const trace::Dictionary& dictionary = key.trace->dictionary();
    const bool is_dark = key.theme == ThemeName::kDark;
    const layout::Theme theme = is_dark ? layout::Theme::kDark : layout::Theme::kLight;
    // What the user chose goes before what everybody can tell apart.
    layout::Palette::UserColors colors = user_colors(dictionary, *key.type_colors);
    if (key.has_safe_colors) colors.merge(safe_colors(dictionary, theme));
    palette_ = layout::Palette::make(dictionary, theme, colors, key.has_patterns);
  }
  palette_key_ = key;
  return palette_;
}

layout::LaneHeights lane_heights(double row_height_px, float scale) {
  const auto px = static_cast<float>(row_height_px) * scale;
  layout::LaneHeights heights;
  heights.state = std::round(px);
  heights.header = std::round(px * 1.2F);
  heights.punctual = std::round(std::max(3.0F, px * 0.9F));
  heights.variable = std::round(px * 1.8F);
  heights.summary = std::round(px * 1.35F);
  heights.gap = px < 8 * scale ? 0 : std::round(px * 0.2F);
  return heights;
}

}  // namespace weft::app
