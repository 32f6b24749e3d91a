#include "app/panels/sequence/traffic_picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <unordered_map>
#include <vector>

#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "core/base/text.h"
#include "core/layout/chord.h"
#include "core/layout/lane_names.h"

namespace weft::app {
namespace {

constexpr float kRingPx = 9;
constexpr float kLabelPx = 160;
constexpr double kGap = 0.035;  // radians
constexpr float kLeastCellPx = 5;
constexpr float kMostCellPx = 44;
constexpr float kLeastRadiusPx = 24;  // of a circle with labels
constexpr int kSteps = 20;            // of a band from end to end

bool is_in_triangle(ImVec2 p, ImVec2 a, ImVec2 b, ImVec2 c) {
  const auto side = [](ImVec2 u, ImVec2 v, ImVec2 w) {
    return (v.x - u.x) * (w.y - u.y) - (v.y - u.y) * (w.x - u.x);
  };
  const float ab = side(a, b, p), bc = side(b, c, p), ca = side(c, a, p);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

// Ours run clockwise from the top.
float screen_angle(double angle) { return static_cast<float>(angle - std::numbers::pi / 2); }

struct Circle {
  ImVec2 center;
  float radius;

  ImVec2 at(double angle, float more = 0) const {
    const float turned = screen_angle(angle);
    return {center.x + (radius + more) * std::cos(turned),
            center.y + (radius + more) * std::sin(turned)};
  }
};

// A band as a strip between its two edges, which bend towards the middle.
class BandShape {
 public:
  BandShape(const Circle& circle, const layout::ChordBand& band) : circle_(circle), band_(band) {
    const ImVec2 a0 = circle.at(band.source.end), a1 = circle.at(band.target.begin);
    const ImVec2 b0 = circle.at(band.source.begin), b1 = circle.at(band.target.end);
    for (int i = 0; i <= kSteps; ++i) {
      const float t = static_cast<float>(i) / kSteps;
      left_[static_cast<size_t>(i)] = bent(a0, circle.center, a1, t);
      right_[static_cast<size_t>(i)] = bent(b0, circle.center, b1, t);
    }
  }

  bool contains(ImVec2 point) const {
    for (size_t i = 0; i < kSteps; ++i) {
      if (is_in_triangle(point, left_[i], left_[i + 1], right_[i]) ||
          is_in_triangle(point, right_[i], left_[i + 1], right_[i + 1]))
        return true;
    }
    return is_in_segment(point, band_.source) || is_in_segment(point, band_.target);
  }

  void fill(ImDrawList& list, ImU32 color) const {
    // Pieces side by side: smooth edges of each would show as seams.
    const ImDrawListFlags flags = list.Flags;
    list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
    for (size_t i = 0; i < kSteps; ++i)
      list.AddQuadFilled(left_[i], left_[i + 1], right_[i + 1], right_[i], color);
    for (const layout::Arc& end : {band_.source, band_.target}) {
      if (end.length() < 0.05) continue;  // as good as straight
      list.PathArcTo(circle_.center, circle_.radius, screen_angle(end.begin),
                     screen_angle(end.end));
      list.PathFillConvex(color);
    }
    list.Flags = flags;
    list.AddPolyline(left_.data(), kSteps + 1, color, ImDrawFlags_None, 1);
    list.AddPolyline(right_.data(), kSteps + 1, color, ImDrawFlags_None, 1);
  }

 private:
  // Between an end's arc and the straight line below it.
  bool is_in_segment(ImVec2 point, const layout::Arc& end) const {
    const ImVec2 a = circle_.at(end.begin), b = circle_.at(end.end), top = circle_.at(end.middle());
    const auto side = [&](ImVec2 p) {
      return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    };
    const float x = point.x - circle_.center.x, y = point.y - circle_.center.y;
    return x * x + y * y <= circle_.radius * circle_.radius && side(point) * side(top) > 0;
  }
  static ImVec2 bent(ImVec2 from, ImVec2 by, ImVec2 to, float t) {
    const float u = 1 - t;
    return {u * u * from.x + 2 * u * t * by.x + t * t * to.x,
            u * u * from.y + 2 * u * t * by.y + t * t * to.y};
  }

  Circle circle_;
  layout::ChordBand band_;
  std::array<ImVec2, kSteps + 1> left_, right_;
};

// The largest flows, and the lanes they are between.
struct Flows {
  std::vector<LaneId> lanes;
  std::vector<layout::ChordFlow> flows;
  std::vector<size_t> pairs;  // of each flow
};

Flows largest_flows(const TrafficPicture& picture) {
  std::vector<size_t> order;
  for (size_t i = 0; i < picture.figures.pairs.size(); ++i) {
    const query::PairFlow& pair = picture.figures.pairs[i];
    if (pair.is_complete() && picture.value(pair) > 0) order.push_back(i);
  }
  const size_t drawn = std::min(order.size(), TrafficPicture::kMostBands);
  std::ranges::partial_sort(order, order.begin() + static_cast<ptrdiff_t>(drawn),
                            [&](size_t a, size_t b) {
                              const uint64_t va = picture.value(picture.figures.pairs[a]),
                                             vb = picture.value(picture.figures.pairs[b]);
                              return va != vb ? va > vb : a < b;
                            });
  order.resize(drawn);
  std::unordered_map<uint32_t, uint32_t> index;
  for (const size_t i : order) {
    index[picture.figures.pairs[i].source.value()] = 0;
    index[picture.figures.pairs[i].target.value()] = 0;
  }
  Flows flows;
  for (const LaneId lane : picture.figures.lanes) {
    const auto at = index.find(lane.value());
    if (at == index.end()) continue;
    at->second = static_cast<uint32_t>(flows.lanes.size());
    flows.lanes.push_back(lane);
  }
  for (const size_t i : order) {
    const query::PairFlow& pair = picture.figures.pairs[i];
    flows.flows.push_back({index[pair.source.value()], index[pair.target.value()],
                           static_cast<double>(picture.value(pair))});
    flows.pairs.push_back(i);
  }
  return flows;
}

void draw_tooltip(const TrafficPicture& picture, const query::PairFlow& pair) {
  const trace::Dictionary& dictionary = picture.figures.key.trace->dictionary();
  ImGui::BeginTooltip();
  show_text(printable(
      lane_text(dictionary, pair.source) + " → " + lane_text(dictionary, pair.target), 200));
  show_text(counted(pair.messages, "message") +
                (pair.bytes > 0 ? ", " + format_bytes(pair.bytes) : std::string()),
            picture.input.theme.text_dim);
  if (pair.latencies.count() > 0) {
    const auto time = [&](int64_t ticks) { return length_label({ticks}, *picture.input.trace); };
    show_text(fmt::format("p50 {}, p99 {}, longest {}", time(pair.latencies.percentile(50)),
                          time(pair.latencies.percentile(99)), time(pair.latencies.most())),
              picture.input.theme.text_dim);
  }
  show_text("click: choose", picture.input.theme.text_dim);
  ImGui::EndTooltip();
}

// Told apart from each other.
std::vector<std::string> names_of(const TrafficPicture& picture, std::span<const LaneId> lanes) {
  auto names = layout::distinct_names(picture.figures.key.trace->dictionary(), lanes);
  for (std::string& name : names) name = short_name(name, 60);
  return names;
}

// Names that are too long are cut so that what distinguishes them stays.
std::vector<std::string> fitted(const std::vector<std::string>& names, float room) {
  const auto has_room = [room](const std::string& name) { return text_width(name) <= room; };
  if (std::ranges::all_of(names, has_room)) return names;
  return layout::shortened(names, static_cast<double>(room), [](std::string_view text) {
    return static_cast<double>(text_width(text));
  });
}

// The largest circle that there is room for, with its labels where it is not too small for them.
struct ChordPlace {
  Circle circle;
  float label_px = 0;  // room beside the circle; 0: no labels
};
ChordPlace place_of(const TrafficPicture& picture, const Area& area,
                    std::span<const std::string> names) {
  const float scale = picture.input.scale;
  float widest = 0;
  for (const std::string& name : names) widest = std::max(widest, text_width(name));
  const float half_x = area.width() / 2, half_y = area.height() / 2;
  // Beside a circle that is as high as it can be, names may take all the rest.
  const float label = std::min(widest, std::max(kLabelPx * scale, half_x - half_y));
  const ImVec2 center = {area.x0 + half_x, area.y0 + half_y};
  const float ring = (kRingPx + 10) * scale;
  const float radius = std::min(half_x - label, half_y - ImGui::GetFontSize()) - ring;
  if (radius >= kLeastRadiusPx * scale) return {{center, radius}, label};
  return {{center, std::min(half_x, half_y) - ring}};
}

// Names beside the circle, those left out that would lie upon another.
void draw_labels(const TrafficPicture& picture, const ChordPlace& place,
                 std::span<const std::string> lanes, const layout::Chord& chord) {
  const Circle& circle = place.circle;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = ImGui::GetFontSize();
  const float room = place.label_px;
  std::array<float, 2> free_from = {-1e9F, -1e9F};  // on the right, downwards …
  std::array<float, 2> free_to = {1e9F, 1e9F};      // … and on the left, upwards
  struct Label {
    ImVec2 at;
    bool is_right;
  };
  std::vector<Label> labels;
  std::vector<std::string> names;
  for (size_t i = 0; i < lanes.size(); ++i) {
    const double angle = chord.lanes[i].middle();
    const ImVec2 at = circle.at(angle, (kRingPx + 6) * picture.input.scale);
    const bool is_right = angle < std::numbers::pi;
    const float y = at.y - line / 2;
    if (is_right ? y < free_from[0] : y + line > free_to[1]) continue;
    (is_right ? free_from[0] : free_to[1]) = is_right ? y + line : y;
    labels.push_back({{at.x, y}, is_right});
    names.push_back(lanes[i]);
  }
  names = fitted(names, room);
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto& [at, is_right] = labels[i];
    const float width = std::min(room, text_width(names[i]));
    draw_text(list, {is_right ? at.x : at.x - width, at.y}, picture.input.theme.text, names[i],
              room + 1);
  }
}

void draw_note(const PanelInput& input, const Area& area, std::string_view text) {
  draw_text(*ImGui::GetWindowDrawList(),
            {area.x0 + 10 * input.scale, area.y1 - ImGui::GetFontSize() - 4 * input.scale},
            input.theme.text_dim, text, area.width() - 20 * input.scale);
}

bool is_pointed(const Area& area) {
  return ImGui::IsWindowHovered() && area.contains(ImGui::GetIO().MousePos);
}

}  // namespace

std::string lane_text(const trace::Dictionary& dictionary, LaneId lane) {
  return lane.is_none() ? std::string("nowhere") : dictionary.path_text(lane);
}

std::optional<size_t> draw_chord(const TrafficPicture& picture, const Area& area) {
  const PanelInput& input = picture.input;
  const Flows flows = largest_flows(picture);
  const std::vector<std::string> names = names_of(picture, flows.lanes);
  const ChordPlace place = place_of(picture, area, names);
  const Circle& circle = place.circle;
  if (circle.radius <= 0) return std::nullopt;
  const layout::Chord chord =
      layout::arrange_chord(static_cast<uint32_t>(flows.lanes.size()), flows.flows, kGap);
  std::vector<BandShape> shapes;
  shapes.reserve(chord.bands.size());
  for (const layout::ChordBand& band : chord.bands) shapes.emplace_back(circle, band);
  std::optional<size_t> pointed;  // the smallest: it lies on top
  for (size_t i = 0; i < shapes.size() && is_pointed(area); ++i) {
    if (shapes[i].contains(ImGui::GetIO().MousePos)) pointed = i;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool is_any_lit = pointed || picture.chosen;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const bool is_lit = pointed == i || picture.chosen == flows.pairs[i];
    const ImU32 color =
        render::color_from_rgb(input.model->lane_color(flows.lanes[flows.flows[i].source]));
    shapes[i].fill(list, faded(color, is_lit ? 0.95F : is_any_lit ? 0.18F : 0.55F));
  }
  for (size_t i = 0; i < flows.lanes.size(); ++i) {
    const layout::Arc& arc = chord.lanes[i];
    list.PathArcTo(circle.center, circle.radius + (kRingPx / 2 + 2) * input.scale,
                   screen_angle(arc.begin), screen_angle(std::max(arc.end, arc.begin + 0.004)), 64);
    list.PathStroke(render::color_from_rgb(input.model->lane_color(flows.lanes[i])),
                    ImDrawFlags_None, kRingPx * input.scale);
  }
  if (place.label_px > 0) draw_labels(picture, place, names, chord);
  const auto complete = std::ranges::count_if(
      picture.figures.pairs,
      [&](const query::PairFlow& pair) { return pair.is_complete() && picture.value(pair) > 0; });
  if (static_cast<size_t>(complete) > flows.pairs.size())
    draw_note(input, area,
              fmt::format("the {} busiest of {} pairs", format_count(flows.pairs.size()),
                          format_count(static_cast<uint64_t>(complete))));
  if (!pointed) return std::nullopt;
  draw_tooltip(picture, picture.figures.pairs[flows.pairs[*pointed]]);
  return flows.pairs[*pointed];
}

namespace {

// The lanes that are shown, in display order: all, or the busiest.
std::vector<LaneId> matrix_lanes(const TrafficPicture& picture, size_t most) {
  const std::vector<LaneId>& all = picture.figures.lanes;
  if (all.size() <= most) return all;
  std::unordered_map<uint32_t, uint64_t> traffic;
  for (const query::PairFlow& pair : picture.figures.pairs) {
    if (!pair.is_complete()) continue;
    traffic[pair.source.value()] += picture.value(pair);
    traffic[pair.target.value()] += picture.value(pair);
  }
  std::vector<uint64_t> values;
  values.reserve(all.size());
  for (const LaneId lane : all) values.push_back(traffic[lane.value()]);
  std::ranges::nth_element(values, values.begin() + static_cast<ptrdiff_t>(most - 1),
                           std::greater());
  const uint64_t least = values[most - 1];
  std::vector<LaneId> lanes;
  for (const LaneId lane : all) {
    if (lanes.size() < most && traffic[lane.value()] >= least) lanes.push_back(lane);
  }
  return lanes;
}

struct Matrix {
  Area cells;
  float cell_px = 0;
  std::vector<LaneId> lanes;

  Area cell(size_t row, size_t column) const {
    const float x = cells.x0 + static_cast<float>(column) * cell_px;
    const float y = cells.y0 + static_cast<float>(row) * cell_px;
    return {x, y, x + cell_px, y + cell_px};
  }
};

void draw_matrix_labels(const TrafficPicture& picture, const Matrix& matrix, const Area& area,
                        std::optional<size_t> row, std::optional<size_t> column) {
  const PanelInput& input = picture.input;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = ImGui::GetFontSize();
  const size_t every = static_cast<size_t>(std::max(1.0F, std::ceil((line + 1) / matrix.cell_px)));
  const float room = matrix.cells.x0 - area.x0 - 12 * input.scale;
  const std::vector<std::string> names = names_of(picture, matrix.lanes);
  // Columns are called by numbers where a name is wider than one.
  bool has_names = true;
  for (size_t i = 0; i < matrix.lanes.size() && has_names; ++i)
    has_names = text_width(names[i]) + 4 * input.scale <= matrix.cell_px;
  const float number_px = text_width("  999");
  const std::vector<std::string> rows = fitted(names, has_names ? room : room - number_px);
  for (size_t i = 0; i < matrix.lanes.size(); ++i) {
    const Area cell = matrix.cell(i, i);
    const bool is_lit = row == i || column == i;
    if (i % every != 0 && !is_lit) continue;
    const std::string name = has_names ? names[i] : fmt::format("{}  {}", rows[i], i + 1);
    const float width = std::min(room, text_width(name));
    const ImU32 color = is_lit ? input.theme.accent : input.theme.text;
    draw_text(list, {matrix.cells.x0 - width - 6 * input.scale, (cell.y0 + cell.y1 - line) / 2},
              color, name, room);
    const std::string title = has_names ? name : std::to_string(i + 1);
    const float title_px = text_width(title);
    if (title_px + 2 > matrix.cell_px * static_cast<float>(every) && !is_lit) continue;
    draw_text(list, {(cell.x0 + cell.x1 - title_px) / 2, matrix.cells.y0 - line - 3 * input.scale},
              color, title, title_px + 2);
  }
}

}  // namespace

std::optional<size_t> draw_matrix(const TrafficPicture& picture, const Area& area) {
  const PanelInput& input = picture.input;
  const float pad = 10 * input.scale;
  const float line = ImGui::GetFontSize();
  Matrix matrix;
  const float label_px = std::min(kLabelPx * 1.1F * input.scale, area.width() * 0.35F);
  matrix.cells = {area.x0 + pad + label_px, area.y0 + pad + line, area.x1 - pad,
                  area.y1 - pad - line};
  const float room = std::max(1.0F, std::min(matrix.cells.width(), matrix.cells.height()));
  matrix.lanes = matrix_lanes(
      picture, static_cast<size_t>(std::max(1.0F, room / (kLeastCellPx * input.scale))));
  if (matrix.lanes.empty()) return std::nullopt;
  const auto lanes = static_cast<float>(matrix.lanes.size());
  matrix.cell_px = std::min(std::floor(room / lanes), kMostCellPx * input.scale);
  matrix.cells.x1 = matrix.cells.x0 + lanes * matrix.cell_px;
  matrix.cells.y1 = matrix.cells.y0 + lanes * matrix.cell_px;
  std::unordered_map<uint32_t, size_t> index;
  for (size_t i = 0; i < matrix.lanes.size(); ++i) index[matrix.lanes[i].value()] = i;
  uint64_t most = 1;
  for (const query::PairFlow& pair : picture.figures.pairs) {
    if (pair.is_complete()) most = std::max(most, picture.value(pair));
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({matrix.cells.x0, matrix.cells.y0}, {matrix.cells.x1, matrix.cells.y1},
                     input.theme.header);
  std::optional<size_t> pointed, pointed_row, pointed_column;
  for (size_t i = 0; i < picture.figures.pairs.size(); ++i) {
    const query::PairFlow& pair = picture.figures.pairs[i];
    const auto row = index.find(pair.source.value()), column = index.find(pair.target.value());
    if (row == index.end() || column == index.end() || picture.value(pair) == 0) continue;
    const Area cell = matrix.cell(row->second, column->second);
    // The root: few messages are seen beside many.
    const auto share = static_cast<float>(
        std::sqrt(static_cast<double>(picture.value(pair)) / static_cast<double>(most)));
    const float gap = matrix.cell_px >= 8 * input.scale ? 1.0F : 0.0F;
    list.AddRectFilled({cell.x0, cell.y0}, {cell.x1 - gap, cell.y1 - gap},
                       blended(input.theme.accent, input.theme.header, 0.15F + 0.85F * share));
    if (picture.chosen == i)
      list.AddRect({cell.x0 - 1, cell.y0 - 1}, {cell.x1, cell.y1}, input.theme.text, 0,
                   ImDrawFlags_None, 2);
    if (is_pointed(cell)) {
      pointed = i;
      pointed_row = row->second;
      pointed_column = column->second;
    }
  }
  draw_matrix_labels(picture, matrix, area, pointed_row, pointed_column);
  draw_note(input, area,
            matrix.lanes.size() < picture.figures.lanes.size()
                ? fmt::format("senders down, receivers across: the {} busiest of {} lanes",
                              format_count(matrix.lanes.size()),
                              format_count(picture.figures.lanes.size()))
                : std::string("senders down, receivers across"));
  if (pointed) draw_tooltip(picture, picture.figures.pairs[*pointed]);
  return pointed;
}

}  // namespace weft::app
