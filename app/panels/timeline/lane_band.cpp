#include "app/panels/timeline/lane_band.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/panels/filter_sign.h"
#include "app/panels/letters.h"
#include "app/panels/path_text.h"
#include "app/panels/sequence/message_signs.h"
#include "app/panels/timeline/chain_links.h"
#include "core/base/text.h"
#include "render/look.h"

namespace weft::app {
namespace {

constexpr float kMinLabelPx = 26;   // narrower boxes have a label only where it fits whole
constexpr size_t kManyLinks = 100;  // from here on they must be met closely
constexpr float kSnapPx = 6;

// Many arrows together must not hide what they connect.
void fade_lines(std::span<render::LineShape> lines) {
  const double count = static_cast<double>(std::max<size_t>(1, lines.size()));
  const auto alpha = static_cast<float>(std::clamp(4.0 / std::sqrt(count), 0.10, 0.85));
  for (render::LineShape& line : lines) line.color = faded(line.color, alpha);
}

void draw_arrow(ImDrawList& list, ImVec2 from, ImVec2 to, float head_px, float width, ImU32 color) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  if (length <= 0) return;
  const ImVec2 along = {(to.x - from.x) / length, (to.y - from.y) / length};
  const float head = std::min(head_px, length), half = head * render::kHeadHalfWidth;
  const ImVec2 neck = {to.x - along.x * head, to.y - along.y * head};
  list.AddLine(from, neck, color, width);
  list.AddTriangleFilled(to, {neck.x - along.y * half, neck.y + along.x * half},
                         {neck.x + along.y * half, neck.y - along.x * half}, color);
}

layout::LinkItems shown_links(std::vector<layout::LinkItem> links, const TraceModel& model) {
  std::erase_if(links, [&](const layout::LinkItem& link) {
    return !has_shown_ends(model, link.source, link.target);
  });
  layout::LinkItems items;
  items.items = std::move(links);
  return items;
}

// Paths differ at their ends.
bool is_path(std::string_view name) { return std::ranges::count(name, '/') > 1; }

}  // namespace

render::LaneY BandContent::lane_y() const {
  const double top = is_pinned ? 0 : pinned_px;  // of this band, from the top of both
  return [this, top, in_pinned = render::middle_of(model->pinned, 0),
          in_main = render::middle_of(model->lanes, scroll_px)](
             LaneId lane, RowId row, LaneId other) -> std::optional<double> {
    if (const auto y = in_pinned(lane, row, other)) return *y - top;
    auto y = in_main(lane, row, other);
    if (!y) return std::nullopt;
    // From a pinned lane the arrow points to the border that its end is scrolled behind.
    if (model->pinned.line_of(other)) y = std::max(0.0, *y);
    return pinned_px + *y - top;
  };
}

bool LaneBand::place(const Area& area, const BandContent& content) {
  const bool is_same = canvas_.place(area) && content == drawn_ && !items_.is_stale;
  area_ = area;
  drawn_ = content;
  return is_same;
}

void LaneBand::redraw(const PanelInput& input, const TimeAxis& axis) {
  render::DrawBatch& batch = canvas_.redraw(area_);
  items_.clear();
  const render::TimelineView view = {axis.scale(), drawn_.scroll(), area_.height(), drawn_.filter,
                                     std::max(1.0F, input.scale)};
  render::draw_rows(*drawn_.model->trace, drawn_.lanes(), *drawn_.model->palette, view,
                    *input.tiles, batch, items_);
  add_links(input, view, batch);
  translate(batch, -axis.shift_px());
  for (const float x : drawn_.grid)
    batch.backdrops.push_back({x, 0, x + 1, area_.height(), input.theme.grid, 0});
}

void LaneBand::add_links(const PanelInput& input, const render::TimelineView& view,
                         render::DrawBatch& batch) {
  const render::LaneY y_of = drawn_.lane_y();
  const auto draw = [&](const layout::LinkItems& links) {
    render::draw_links(shown_links(links.items, *drawn_.model), y_of, *drawn_.model->palette, view,
                       batch, items_);
  };
  if (drawn_.rest_links) {
    draw(*drawn_.rest_links);
    for (render::LineShape& line : batch.lines) {
      line.color = faded(input.theme.text_dim, 0.16F);
      line.width = std::min(line.width, input.scale);
    }
    for (layout::PlacedLink& link : items_.links) link.is_dim = true;
  }
  if (drawn_.links) {
    const size_t first = batch.lines.size(), first_link = items_.links.size();
    draw(*drawn_.links);
    fade_lines(std::span(batch.lines).subspan(first));
    const auto drawn = std::span(items_.links).subspan(first_link);
    // A line for each link, in their order.
    for (size_t i = 0; i < drawn.size(); ++i) mark_message(input, drawn[i], first + i, batch);
  }
  if (!drawn_.facts) return;
  const auto& element = drawn_.facts->element;
  const bool is_of_link = element && element->is_link();
  const query::LinkEnds selected = is_of_link ? query::ends_of(*element) : query::LinkEnds();
  const size_t first = batch.lines.size(), first_link = items_.links.size();
  render::draw_links(shown_links(drawn_.facts->nearest, *drawn_.model), y_of,
                     *drawn_.model->palette, view, batch, items_);
  for (size_t i = first; i < batch.lines.size(); ++i) {
    const query::LinkEnds& ends = items_.links[first_link + i - first].link;
    batch.lines[i].color = input.theme.accent;
    batch.lines[i].width = (is_of_link && ends == selected ? 4.0F : 2.0F) * input.scale;
  }
}

// Draws the signs for a message's class and for what the log says of it.
void LaneBand::mark_message(const PanelInput& input, const layout::PlacedLink& placed, size_t line,
                            render::DrawBatch& batch) const {
  const layout::MessageMark& mark = placed.link.mark;
  if (const MessageClass* of = class_of(*drawn_.model, mark)) {
    render::LineShape& shaft = batch.lines[line];
    if (of->color) {
      constexpr ImU32 kAlpha = IM_COL32_A_MASK;
      shaft.color = (render::color_from_rgb(*of->color) & ~kAlpha) | (shaft.color & kAlpha);
    }
    if (of->line != MessageLine::kSolid) {
      add_line(render::LineShape(shaft), of->line, input.scale, batch);
      batch.lines[line] = batch.lines.back();  // in the place of the whole
      batch.lines.pop_back();
    }
    const float half = 3.5F * input.scale;
    if (!placed.link.source.is_none())
      add_sign(of->sign, placed.x0, placed.y0, half, batch.lines[line].color, batch);
  }
  if (mark.is_dropped) add_dropped_sign(input, placed.x1, placed.y1, 4 * input.scale, batch);
}

const LaneBand::Label& LaneBand::label_of(const PanelInput& input, EventTypeId type) {
  const size_t letters = wanted_letters().size();
  if (labels_model_ != input.model || labels_font_px_ != ImGui::GetFontSize() ||
      labels_letters_ != letters) {
    labels_letters_ = letters;
    labels_model_ = input.model;
    labels_font_px_ = ImGui::GetFontSize();
    labels_.assign(input.model->trace->dictionary().types.size(), {});
  }
  Label& label = labels_[type.value()];
  if (label.width < 0) {
    label.text = printable(input.model->trace->dictionary().type(type).name, 160);
    const size_t number = label.text.find_last_not_of("0123456789") + 1;
    label.width = text_width(label.text);
    label.number_width = text_width(std::string_view(label.text).substr(number));
  }
  return label;
}

void LaneBand::draw_labels(const PanelInput& input) {
  const bool is_small = input.session.look.row_height_px < 17;
  ImGui::PushFont(is_small ? input.fonts.small : input.fonts.body);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({area_.x0, area_.y0}, {area_.x1, area_.y1}, true);
  const float font_px = ImGui::GetFontSize();
  const float shift =
      TimeAxis(drawn_.window, area_.x0, area_.x1, FoldedTime(drawn_.cuts)).shift_px();
  const float pad = 4 * input.scale;
  for (size_t i = 0; i < items_.boxes.size(); ++i) {
    const layout::PlacedBox& box = items_.boxes[i];
    if (box.height < font_px + 1 || box.type.is_none()) continue;
    const float x0 = std::max(0.0F, box.x0 - shift);
    const float x1 = std::min(area_.width(), layout::label_end(items_.boxes, i) - shift);
    const float room = x1 - x0 - 2 * pad;
    if (room < font_px / 3) continue;
    const float y = area_.y0 + box.y + (box.height - font_px) / 2;
    if (y < area_.y0 - font_px || y > area_.y1) continue;
    const Label& label = label_of(input, box.type);
    if (x1 - x0 < kMinLabelPx * input.scale && label.width > room) continue;
    const ImU32 color = box.is_dim
                            ? faded(input.theme.text_dim, 0.7F)
                            : render::color_from_rgb(layout::readable_on(
                                  input.model->palette->state_color(box.type, box.duration)));
    const ImVec2 at = {area_.x0 + x0 + pad, y};
    const bool keeps_path = label.width > room && is_path(label.text);
    const bool keeps_number =
        label.width > room && label.number_width > 0 && label.number_width < room / 3;
    if (keeps_path || keeps_number) {
      const std::string text =
          keeps_path ? path_within(label.text, room) : without_middle(label.text, room);
      draw_printable(list, at, color, text, text_width(text), room);
    } else {
      draw_printable(list, at, color, label.text, label.width, room);
    }
  }
  draw_values(input, shift);
  list.PopClipRect();
  ImGui::PopFont();
}

void LaneBand::draw_veil(const PanelInput& input) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({area_.x0, area_.y0}, {area_.x1, area_.y1}, true);
  const float x =
      area_.x0 - TimeAxis(drawn_.window, area_.x0, area_.x1, FoldedTime(drawn_.cuts)).shift_px();
  for (const layout::PlacedTile& tile : items_.tiles) {
    if (!tile.awaits_filter) continue;
    FilterSign::draw_veil(
        input, {x + tile.x0, area_.y0 + tile.y, x + tile.x1, area_.y0 + tile.y + tile.height});
  }
  list.PopClipRect();
}

// Draws values of buses, whole or not at all, since a truncated value is another.
void LaneBand::draw_values(const PanelInput& input, float shift) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font_px = ImGui::GetFontSize(), pad = 3 * input.scale;
  for (const layout::PlacedValue& value : items_.values) {
    if (value.height < font_px + 1) continue;
    const float x0 = std::max(0.0F, value.x0 - shift);
    const float room = std::min(area_.width(), value.x1 - shift) - x0 - 2 * pad;
    if (room < font_px / 3) continue;
    const std::string text = format_word(value.value, input.session.look.radix);
    const float width = text_width(text);
    if (width > room) continue;
    const float y = area_.y0 + value.y + (value.height - font_px) / 2;
    draw_printable(list, {area_.x0 + x0 + pad, y},
                   value.is_dim ? input.theme.text_dim : input.theme.text, text, width, room);
  }
}

std::optional<layout::Hit> LaneBand::hit_at(const TimeAxis& axis, ImVec2 mouse) const {
  return layout::hit(items_.tiles, items_.boxes, items_.links, axis.scale(),
                     mouse.x - area_.x0 + axis.shift_px(), mouse.y - area_.y0,
                     items_.links.size() > kManyLinks ? 1.0F : 3.0F);
}

std::optional<layout::Hit> LaneBand::hit_in(const layout::DisplayRow& row, const TimeAxis& axis,
                                            Time time) const {
  const double x = axis.x_from_time(time) - static_cast<double>(area_.x0);
  if (x < 0 || x >= static_cast<double>(area_.width())) return std::nullopt;
  const double y = row.y - drawn_.scroll();
  const double top = std::max(0.0, y);
  const double bottom = std::min<double>(area_.height(), y + static_cast<double>(row.height));
  return layout::hit(items_.tiles, {}, {}, axis.scale(), static_cast<float>(x) + axis.shift_px(),
                     static_cast<float>((top + bottom) / 2));
}

std::optional<Time> LaneBand::edge_near(const TimeAxis& axis, ImVec2 mouse) const {
  const bool is_in_row = mouse.y >= area_.y0;
  return layout::nearest_edge(
      items_.tiles, items_.boxes, axis.scale(), mouse.x - area_.x0 + axis.shift_px(),
      is_in_row ? std::optional(mouse.y - area_.y0) : std::nullopt, kSnapPx);
}

const layout::DisplayRow* LaneBand::row_at(float y) const {
  if (!drawn_.model || y < area_.y0 || y >= area_.y1) return nullptr;
  return drawn_.lanes().at(static_cast<double>(y - area_.y0) + drawn_.scroll());
}

void LaneBand::draw_hit(const PanelInput& input, const TimeAxis& axis,
                        const layout::Hit& hit) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({area_.x0, area_.y0}, {area_.x1, area_.y1}, true);
  if (hit.kind == layout::Hit::Kind::kLink) {
    for (const layout::PlacedLink& link : items_.links) {
      const bool is_it = link.link.send == hit.link.send && link.link.receive == hit.link.receive &&
                         link.link.source == hit.link.source &&
                         link.link.target == hit.link.target && link.link.type == hit.link.type;
      if (!is_it) continue;
      const float x = area_.x0 - axis.shift_px();
      list.AddLine({x + link.x0, area_.y0 + link.y0}, {x + link.x1, area_.y0 + link.y1},
                   input.theme.text, link.width + 1);
      break;
    }
  } else if (const layout::DisplayRow* row = row_at(ImGui::GetIO().MousePos.y);
             row && row->kind == layout::DisplayRow::Kind::kRow) {
    const auto top = area_.y0 + static_cast<float>(row->y - drawn_.scroll());
    auto x0 = static_cast<float>(std::max(axis.x_from_time(hit.begin), area_.x0 - 4.0));
    auto x1 =
        static_cast<float>(std::min(axis.x_from_time(hit.begin + hit.duration), area_.x1 + 4.0));
    const float mouse = ImGui::GetIO().MousePos.x, left = area_.x0 - axis.shift_px();
    for (const layout::PlacedValue& value : items_.values) {  // of a box all of it
      const bool is_in_row = std::abs(area_.y0 + value.y - top) < 1;
      if (!is_in_row || mouse < left + value.x0 || mouse >= left + value.x1) continue;
      x0 = left + value.x0;
      x1 = left + value.x1 + 1;
    }
    list.AddRect({std::floor(x0), top},
                 {std::max(std::ceil(x1), std::floor(x0) + 3), top + row->height},
                 input.theme.text);
  }
  list.PopClipRect();
}

void LaneBand::draw_over(const PanelInput& input, const TimeAxis& axis,
                         const layout::LinkItems& links) const {
  if (!drawn_.model) return;
  render::DrawBatch batch;
  render::TimelineItems items;
  render::draw_links(shown_links(links.items, *drawn_.model), drawn_.lane_y(),
                     *drawn_.model->palette, {axis.scale(), drawn_.scroll(), area_.height()}, batch,
                     items);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({area_.x0, area_.y0}, {area_.x1, area_.y1}, true);
  const float x = area_.x0 - axis.shift_px();
  for (const render::LineShape& line : batch.lines) {
    draw_arrow(list, {x + line.x0, area_.y0 + line.y0}, {x + line.x1, area_.y0 + line.y1},
               line.head_px * input.scale, 1.5F * input.scale, input.theme.text);
  }
  list.PopClipRect();
}

}  // namespace weft::app
