#include "app/session/trace_model.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/view/safe_colors.h"
#include "core/aggregate/columns.h"
#include "core/aggregate/filter.h"
#include "core/layout/lane_names.h"
#include "core/layout/length_colors.h"

namespace weft::app {
namespace {

LaneColors make_lane_colors(const trace::Dictionary& dictionary, layout::Theme theme, bool is_safe,
                            const NamedColors& users) {
  std::vector<LaneId> lanes;
  lanes.reserve(dictionary.lanes.size());
  for (uint32_t lane = 0; lane < dictionary.lanes.size(); ++lane) lanes.emplace_back(lane);
  LaneColors colors = {layout::distinct_names(dictionary, lanes), {}};
  colors.rgb.reserve(lanes.size());
  for (const std::string& name : colors.names) {
    const auto chosen = users.find(name);
    colors.rgb.push_back(chosen != users.end() ? chosen->second
                         : is_safe             ? safe_color(name, theme)
                                               : layout::color_of_name(name, theme));
  }
  return colors;
}

// Up to the longest state of the trace; none where they are coloured by type.
std::optional<layout::LengthColors> length_colors(const ModelKey& key) {
  if (!key.colors_by_duration) return std::nullopt;
  Duration longest;
  for (const store::Row& row : key.trace->rows()) {
    if (row.kind != store::RowKind::kState) continue;
    longest.ticks = std::max(longest.ticks, aggregate::summarize(row, key.trace->range()).longest);
  }
  return layout::LengthColors(longest, key.theme);
}

uint32_t rows_left_out(const store::Trace& trace, const layout::LaneArrangement& lanes) {
  uint32_t count = 0;
  for (uint32_t i = 0; lanes.hides_empty && i < trace.rows().size(); ++i) {
    if (!aggregate::is_link(trace.row(RowId(i)).kind) && !layout::has_row(lanes.passing, i))
      ++count;
  }
  return count;
}

}  // namespace

layout::Lanes build_lanes(const TraceModel& model, std::span<const layout::ArrangedLane> lanes,
                          const layout::LaneHeights& heights, uint32_t levels) {
  const layout::LaneArrangement& now = model.view->arrangement;
  return layout::Lanes::build(model.trace->dictionary(), model.trace->rows(), lanes,
                              model.view->collapsed, heights, now.groups,
                              now.hides_empty ? now.passing : nullptr, levels);
}

TraceModel ModelMaker::make(const ModelKey& key) {
  TraceModel model;
  model.trace_id = key.trace_id;
  model.trace = key.trace;
  model.view = key.lanes ? key.lanes : std::make_shared<const LaneView>();
  model.forest = std::make_unique<const layout::LaneForest>(key.trace->dictionary(),
                                                            model.view->arrangement.groups);
  model.heights = key.heights;
  model.order =
      layout::arrange_lanes(key.trace->dictionary(), key.trace->rows(), model.view->arrangement);
  const uint32_t levels = model.view->arrangement.levels;
  model.lanes = build_lanes(model, model.order.lanes, key.heights, levels);
  model.pinned = build_lanes(model, model.order.pinned, key.heights, levels);
  model.lanes_left_out = model.order.left_out;
  model.rows_left_out = rows_left_out(*key.trace, model.view->arrangement);
  model.palette = palette_of(key);
  model.lane_colors = lane_colors_of(key);
  model.path_names = path_names_of(key);
  model.message_classes = key.message_classes;
  model.message_rules = rules_of(key);
  return model;
}

std::shared_ptr<const layout::Palette> ModelMaker::palette_of(const ModelKey& key) {
  const layout::LengthColors* before = palette_ ? palette_->lengths() : nullptr;
  const bool has_lengths = before && key.colors_by_duration && palette_key_.trace == key.trace &&
                           palette_key_.theme == key.theme;
  const auto lengths = has_lengths ? std::optional(*before) : length_colors(key);
  const bool same_lengths = lengths ? before && *before == *lengths : !before;
  const bool is_same = palette_ && palette_key_.trace_id == key.trace_id &&
                       palette_key_.theme == key.theme &&
                       palette_key_.has_safe_colors == key.has_safe_colors &&
                       palette_key_.has_patterns == key.has_patterns && same_lengths &&
                       palette_key_.type_colors == key.type_colors &&
                       palette_key_.trace->dictionary().types == key.trace->dictionary().types;
  if (!is_same) {
    const trace::Dictionary& dictionary = key.trace->dictionary();
    const layout::Theme theme = key.theme;
    // The user's colours take precedence over the safe ones.
    layout::Palette::UserColors colors = user_colors(dictionary, *key.type_colors);
    if (key.has_safe_colors) colors.merge(safe_colors(dictionary, theme));
    palette_ = layout::Palette::make(
        dictionary, theme, colors, key.has_patterns,
        lengths ? std::make_shared<const layout::LengthColors>(*lengths) : nullptr);
  }
  palette_key_ = key;
  return palette_;
}

std::shared_ptr<const LaneColors> ModelMaker::lane_colors_of(const ModelKey& key) {
  const bool is_same = lane_colors_ && lane_colors_key_.theme == key.theme &&
                       lane_colors_key_.has_safe_colors == key.has_safe_colors &&
                       lane_colors_key_.lane_colors == key.lane_colors &&
                       lane_colors_key_.trace->dictionary().lanes == key.trace->dictionary().lanes;
  if (!is_same) {
    lane_colors_ = std::make_shared<const LaneColors>(make_lane_colors(
        key.trace->dictionary(), key.theme, key.has_safe_colors, *key.lane_colors));
  }
  lane_colors_key_ = key;
  return lane_colors_;
}

std::shared_ptr<const PathNames> ModelMaker::path_names_of(const ModelKey& key) {
  const trace::Dictionary& dictionary = key.trace->dictionary();
  if (!path_names_ || path_names_trace_->dictionary().lanes != dictionary.lanes)
    path_names_ = std::make_shared<const PathNames>(dictionary);
  path_names_trace_ = key.trace;
  return path_names_;
}

std::shared_ptr<const layout::MessageRules> ModelMaker::rules_of(const ModelKey& key) {
  if (!rules_ || rules_trace_ != key.trace || rules_classes_ != key.message_classes)
    rules_ = message_rules(*key.message_classes, *key.trace);
  rules_trace_ = key.trace;
  rules_classes_ = key.message_classes;
  return rules_;
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
