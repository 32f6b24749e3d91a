#include "app/panels/sequence_picture.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kGlyphPx = 9;
constexpr float kSmallGlyphPx = 5;
constexpr size_t kManyArrows = 400;  // from here on glyphs are small
constexpr float kHeadPx = 7;
constexpr float kMostHead = 0.2F;  // of the way to the next lane
constexpr float kReachPx = 5;      // of the pointer
constexpr float kMostBarPx = 16;   // each way
constexpr size_t kMostCounts = 150;

// Many arrows together must not hide each other.
float alpha_for(size_t arrows) {
  const double count = static_cast<double>(std::max<size_t>(1, arrows));
  return static_cast<float>(std::clamp(10.0 / std::sqrt(count), 0.35, 0.95));
}

float bar_px(uint64_t count, float scale) {
  if (count == 0) return 0;
  return std::min((1 + static_cast<float>(std::bit_width(count))) * scale, kMostBarPx * scale);
}

}  // namespace

ImU32 lane_color(const TraceModel& model, LaneId lane) {
  const std::string& name = model.trace->dictionary().lane(lane).name;
  return render::color_from_rgb(layout::color_of_name(name, model.palette->theme()));
}

void SequencePicture::place(const PanelInput& input, const TimeAxis& axis, const Area& area,
                            const SequenceContent& content) {
  area_ = area;
  if (canvas_.place(area) && content == drawn_) return;
  drawn_ = content;
  render::DrawBatch& batch = canvas_.redraw(area);
  batch.background = input.theme.background;
  arrows_.clear();
  bars_.clear();
  counts_.clear();
  lanes_ = {};
  if (!content.lanes) return;
  lanes_ = {content.lanes->order.lanes, content.left_px, content.pitch_px};
  colors_.clear();
  for (const LaneId lane : lanes_.order())
    colors_.push_back(lane_color(*content.lanes->model, lane));
  add_lanes(input, axis, batch);
  if (!content.messages) return;
  add_bars(input, axis, batch);
  ends_ = ends_by_time(*content.messages, axis.scale());
  for (layout::ArrowEnds& ends : ends_) {
    ends.send_y -= static_cast<double>(axis.shift_px());
    ends.receive_y -= static_cast<double>(axis.shift_px());
  }
  arrows_ = place_arrows(*content.messages, ends_, *content.lanes->shown, lanes_, area.width(),
                         area.height(), input.scale);
  add_arrows(input, batch);
  if (!content.is_strip) add_counts(input);
}

void SequencePicture::add_lanes(const PanelInput& input, const TimeAxis& axis,
                                render::DrawBatch& batch) const {
  if (!drawn_.is_strip) {
    ImGui::PushFont(input.fonts.small);
    for (const layout::RulerTick& tick : axis_ticks(axis, *input.trace)) {
      if (!tick.is_major) continue;
      const auto y = std::floor(static_cast<float>(tick.x));
      batch.backdrops.push_back({0, y, area_.width(), y + 1, input.theme.grid, 0});
    }
    ImGui::PopFont();
  }
  for (size_t place = 0; place < lanes_.order().size(); ++place) {
    const auto x = static_cast<float>(std::floor(lanes_.x_of_place(place)));
    if (x < -1 || x > area_.width()) continue;
    const float share = drawn_.is_strip ? 0.2F : 0.45F;
    batch.backdrops.push_back(
        {x, 0, x + 1, area_.height(), blended(colors_[place], input.theme.background, share), 0});
  }
}

// What was sent goes to the right of the lane, what was received to its left.
void SequencePicture::add_bars(const PanelInput& input, const TimeAxis& axis,
                               render::DrawBatch& batch) {
  const layout::Messages& messages = *drawn_.messages;
  const int level = messages.grid.level;
  for (size_t i = 0; i < messages.bars.size(); ++i) {
    const layout::TrafficBar& bar = messages.bars[i];
    const auto place = lanes_.place_of(bar.lane);
    if (!place) continue;
    const Time begin = layout::time_of_column(bar.cell, level);
    const Time end = begin + layout::column_width(level);
    const auto y0 = static_cast<float>(std::round(axis.x_from_time(begin))) - area_.y0;
    const auto y1 = static_cast<float>(std::round(axis.x_from_time(end))) - area_.y0;
    if (y1 < 0 || y0 > area_.height()) continue;
    const auto x = static_cast<float>(std::floor(lanes_.x_of_place(*place)));
    const float room = std::max(1.0F, static_cast<float>(drawn_.pitch_px) / 2 - 1);
    const float scale = drawn_.is_strip ? 0.25F : input.scale;
    const float left = std::floor(x - std::min(room, bar_px(bar.received, scale)));
    const float right = std::ceil(x + 1 + std::min(room, bar_px(bar.sent, scale)));
    const float bottom = std::max(y0 + 1, y1 - 1);
    const ImU32 color = colors_[*place];
    batch.boxes.push_back({left, y0, x, bottom, blended(color, input.theme.background, 0.55F), 0});
    batch.boxes.push_back({x, y0, right, bottom, blended(color, input.theme.background, 0.85F), 0});
    bars_.push_back({left, y0, right, bottom, i});
  }
}

ImU32 SequencePicture::color_of(const PanelInput& input, const layout::PlacedArrow& placed) const {
  const layout::MessageArrow& arrow = drawn_.messages->arrows[placed.index];
  const bool lacks_end = placed.shape == layout::ArrowShape::kUnreceived ||
                         placed.shape == layout::ArrowShape::kUnsent;
  if (arrow.is_dim) return faded(input.theme.text_dim, 0.3F);
  if (lacks_end) return input.theme.text_dim;
  const auto place = lanes_.place_of(placed.source);
  return place ? colors_[*place] : input.theme.text_dim;
}

void SequencePicture::add_arrows(const PanelInput& input, render::DrawBatch& batch) {
  const float alpha = alpha_for(arrows_.size());
  const bool is_small = arrows_.size() > kManyArrows || drawn_.pitch_px < 30 * input.scale;
  glyph_px_ = std::round((is_small ? kSmallGlyphPx : kGlyphPx) * input.scale);
  for (const bool is_dim : {true, false}) {
    for (const layout::PlacedArrow& placed : arrows_) {
      if (drawn_.messages->arrows[placed.index].is_dim == is_dim)
        add_arrow(input, placed, alpha, batch);
    }
  }
  if (drawn_.is_strip) return;
  for (const layout::PlacedArrow& placed : arrows_) add_glyphs(input, placed, batch);
}

void SequencePicture::add_arrow(const PanelInput& input, const layout::PlacedArrow& placed,
                                float alpha, render::DrawBatch& batch) const {
  const layout::MessageArrow& arrow = drawn_.messages->arrows[placed.index];
  const ImU32 color = faded(color_of(input, placed), alpha);
  if (drawn_.is_strip) {
    batch.lines.push_back({placed.x0, placed.y0, placed.x1, placed.y1, 1, 0, color});
    return;
  }
  const float width = input.scale * (0.4F + layout::link_width_px(arrow.link.count));
  const float head = std::min((kHeadPx + layout::link_width_px(arrow.link.count) / 2) * input.scale,
                              static_cast<float>(drawn_.pitch_px) * kMostHead);
  if (placed.shape == layout::ArrowShape::kSelf) {
    const float right = placed.x0 + layout::kStubWidthPx * input.scale;
    batch.lines.push_back({placed.x0, placed.y0, right, placed.y0, width, 0, color});
    batch.lines.push_back({right, placed.y0, right, placed.y1, width, 0, color});
    batch.lines.push_back(
        {right, placed.y1, placed.x1 + glyph_px_ / 2, placed.y1, width, head, color});
    return;
  }
  // It ends where the glyph begins, so that its head is seen.
  const float length = std::hypot(placed.x1 - placed.x0, placed.y1 - placed.y0);
  const bool has_glyph = placed.shape != layout::ArrowShape::kUnreceived;
  const float cut = has_glyph && length > 2 * glyph_px_ ? glyph_px_ / 2 / length : 0;
  const float x1 = placed.x1 + (placed.x0 - placed.x1) * cut;
  const float y1 = placed.y1 + (placed.y0 - placed.y1) * cut;
  batch.lines.push_back({placed.x0, placed.y0, x1, y1, width, head, color});
}

// A send is a square, a receive a square with a mark within; of a bundle each is a bar from its
// first message to its last one. Squares are short lines: those lie above the arrows.
void SequencePicture::add_glyphs(const PanelInput& input, const layout::PlacedArrow& placed,
                                 render::DrawBatch& batch) const {
  const layout::MessageArrow& arrow = drawn_.messages->arrows[placed.index];
  const float half = glyph_px_ / 2;
  const float height = arrow.link.is_bundle() ? glyph_px_ * 1.6F : glyph_px_;
  const float width = arrow.link.is_bundle() ? glyph_px_ * 0.6F : glyph_px_;
  const auto square = [&](float x, float y, LaneId lane) {
    const auto place = lanes_.place_of(lane);
    ImU32 color = place ? colors_[*place] : input.theme.text_dim;
    if (arrow.is_dim) color = blended(input.theme.text_dim, input.theme.background, 0.4F);
    x = std::floor(x) + 0.5F;
    y = std::floor(y) + 0.5F;
    batch.lines.push_back({x - width / 2, y, x + width / 2, y, height, 0, color});
  };
  if (!placed.source.is_none()) square(placed.x0, placed.y0, placed.source);
  if (placed.target.is_none()) return;
  square(placed.x1, placed.y1, placed.target);
  if (arrow.link.is_bundle() || half < 3) return;
  batch.markers.push_back({std::floor(placed.x1) + 0.5F, std::floor(placed.y1) + 0.5F, half - 1,
                           input.theme.background});
}

void SequencePicture::add_counts(const PanelInput& input) {
  const float apart = 13 * input.scale;
  std::vector<std::pair<float, float>> taken;
  for (const layout::PlacedArrow& placed : arrows_) {
    const layout::MessageArrow& arrow = drawn_.messages->arrows[placed.index];
    if (!arrow.link.is_bundle() || counts_.size() >= kMostCounts) continue;
    float x = (placed.x0 + placed.x1) / 2, y = (placed.y0 + placed.y1) / 2;
    const bool is_hook = placed.shape == layout::ArrowShape::kSelf;
    if (is_hook) x = placed.x0 + (layout::kStubWidthPx + 14) * input.scale;
    const bool has_room = is_hook || std::fabs(placed.x1 - placed.x0) > 56 * input.scale;
    const bool is_free = std::ranges::none_of(taken, [&](const auto& other) {
      return std::fabs(other.first - x) < 3.5F * apart && std::fabs(other.second - y) < apart;
    });
    if (!has_room || !is_free || y < 0 || y > area_.height()) continue;
    taken.emplace_back(x, y);
    counts_.push_back({x, y, "×" + format_count(arrow.link.count)});
  }
}

void SequencePicture::draw_counts(const PanelInput& input) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(input.fonts.small);
  const float pad = 3 * input.scale;
  for (const CountLabel& label : counts_) {
    const ImVec2 size = ImGui::CalcTextSize(label.text.c_str());
    const ImVec2 at = {std::floor(area_.x0 + label.x - size.x / 2),
                       std::floor(area_.y0 + label.y - size.y / 2)};
    list.AddRectFilled({at.x - pad, at.y}, {at.x + size.x + pad, at.y + size.y},
                       faded(input.theme.background, 0.85F), pad);
    draw_printable(list, at, input.theme.text, label.text, size.x, size.x);
  }
  ImGui::PopFont();
}

void SequencePicture::draw_arrow_outline(const PanelInput& input,
                                         const layout::PlacedArrow& arrow) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 from = {area_.x0 + arrow.x0, area_.y0 + arrow.y0};
  const ImVec2 to = {area_.x0 + arrow.x1, area_.y0 + arrow.y1};
  const float width = 2 * input.scale;
  if (arrow.shape == layout::ArrowShape::kSelf) {
    const float right = from.x + layout::kStubWidthPx * input.scale;
    const ImVec2 points[] = {from, {right, from.y}, {right, to.y}, to};
    list.AddPolyline(points, 4, input.theme.text, 0, width);
  } else {
    list.AddLine(from, to, input.theme.text, width);
  }
  const float half = glyph_px_ / 2 + 2 * input.scale;
  for (const ImVec2& end : {from, to})
    list.AddRect({end.x - half, end.y - half}, {end.x + half, end.y + half}, input.theme.text);
}

const layout::PlacedArrow* SequencePicture::arrow_at(ImVec2 mouse) const {
  return layout::arrow_at(arrows_, mouse.x - area_.x0, mouse.y - area_.y0, kReachPx);
}

layout::Hit SequencePicture::hit_of(const layout::PlacedArrow& arrow) const {
  const layout::MessageArrow& message = drawn_.messages->arrows[arrow.index];
  layout::Hit hit;
  hit.kind = layout::Hit::Kind::kLink;
  hit.link = message.link;
  hit.type = message.link.type;
  hit.begin = message.link.send;  // of one that was never sent: where it is received
  hit.duration = message.link.receive - message.link.send;
  hit.count = message.link.count;
  hit.is_dim = message.is_dim;
  return hit;
}

const layout::TrafficBar* SequencePicture::bar_at(ImVec2 mouse) const {
  const float x = mouse.x - area_.x0, y = mouse.y - area_.y0;
  for (const PlacedBar& bar : bars_) {
    if (x >= bar.x0 - 1 && x < bar.x1 + 1 && y >= bar.y0 && y < bar.y1)
      return &drawn_.messages->bars[bar.index];
  }
  return nullptr;
}

}  // namespace weft::app
