#include "app/panels/gantt_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/lane_tree.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kRulerPx = 26;
constexpr float kMinLabelPx = 26;  // narrower boxes have no label
constexpr double kRowsPerNotch = 3;
constexpr size_t kManyLinks = 100;  // from here on they must be met closely

// Many arrows together must not hide what they connect.
void fade_lines(render::DrawBatch& batch) {
  const double count = static_cast<double>(std::max<size_t>(1, batch.lines.size()));
  const auto alpha = static_cast<float>(std::clamp(4.0 / std::sqrt(count), 0.10, 0.85));
  for (render::LineShape& line : batch.lines) line.color = faded(line.color, alpha);
}

}  // namespace

GanttPanel::GanttPanel(const PanelServices& services)
    : links_(
          [](const LinksKey& key) {
            return layout::links_in(*key.trace, layout::TimeScale(key.view, key.width_px));
          },
          services.wake),
      details_([](const DetailsKey& key) { return make_details(key); }, services.wake),
      canvas_(*services.renderer) {}

void GanttPanel::draw(const PanelInput& input, PanelOutput& output) {
  const float split = input.area.x0 + input.gutter_px;
  const float below_ruler = input.area.y0 + std::round(kRulerPx * input.scale);
  const Area ruler = {split, input.area.y0, input.area.x1, below_ruler};
  const Area gutter = {input.area.x0, below_ruler, split, input.area.y1};
  const Area canvas = {split, below_ruler, input.area.x1, input.area.y1};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({input.area.x0, ruler.y0}, {ruler.x1, ruler.y1}, input.theme.header);
  canvas_.hide();
  if (!input.model || !input.trace) return;

  const TimeAxis axis(input.window, canvas.x0, canvas.x1);
  draw_picture(input, axis, canvas, output);
  list.PushClipRect({ruler.x0, ruler.y0}, {ruler.x1, canvas.y1}, true);
  ImGui::PushFont(input.fonts.small);
  draw_ruler(list, axis_ticks(axis, *input.trace), axis, ruler.y0, ruler.y1, input.theme);
  ImGui::PopFont();
  draw_box_labels(input, canvas);
  draw_selection(input, axis, ruler, canvas);
  draw_links_note(input, canvas);
  list.PopClipRect();
  draw_lane_tree(input, gutter, drawn_.scroll_px, output);
  list.AddLine({split - 0.5F, ruler.y0}, {split - 0.5F, canvas.y1}, input.theme.border);

  handle_ruler(input, axis, ruler, output);
  handle_canvas(input, axis, canvas, output);
  handle_scroll(input, gutter, output);
}

void GanttPanel::draw_picture(const PanelInput& input, const TimeAxis& axis, const Area& area,
                              PanelOutput& output) {
  const double lowest =
      std::max(0.0, input.model->lanes.height() - static_cast<double>(area.height()));
  const double scroll = std::floor(
      std::min(input.trace->view().scroll_px * static_cast<double>(input.scale), lowest));
  const Drawn wanted = {input.model, find_links(input, axis, output), axis.window, scroll};
  const bool is_same = canvas_.place(area) && wanted == drawn_ && !items_.is_stale;
  if (is_same && !input.tiles->has_news()) return;
  drawn_ = wanted;

  render::DrawBatch& batch = canvas_.redraw(area);
  items_.clear();
  const render::TimelineView view = {axis.scale(), scroll, area.height()};
  input.tiles->begin_frame();
  render::draw_rows(*input.model->trace, input.model->lanes, *input.model->palette, view,
                    *input.tiles, batch, items_);
  input.tiles->end_frame();
  if (wanted.links) {
    render::draw_links(*wanted.links, input.model->lanes, *input.model->palette, view, batch,
                       items_);
    fade_lines(batch);
  }
  translate(batch, -axis.shift_px());
  add_grid(input, axis, area, batch);
  output.is_stale |= items_.is_stale;
}

void GanttPanel::add_grid(const PanelInput& input, const TimeAxis& axis, const Area& area,
                          render::DrawBatch& batch) const {
  ImGui::PushFont(input.fonts.small);
  for (const layout::RulerTick& tick : axis_ticks(axis, *input.trace)) {
    if (!tick.is_major) continue;
    const auto x = std::floor(static_cast<float>(tick.x));
    batch.backdrops.push_back({x, 0, x + 1, area.height(), input.theme.grid, 0});
  }
  ImGui::PopFont();
}

std::shared_ptr<const layout::LinkItems> GanttPanel::find_links(const PanelInput& input,
                                                                const TimeAxis& axis,
                                                                PanelOutput& output) {
  const bool has_links = input.model->trace->counts()[trace::Category::kLink] > 0;
  if (!has_links || !input.session.shows_links) return nullptr;
  const layout::TimeScale scale = axis.scale();
  const auto found = links_.find({input.model->trace, scale.view(), scale.width_px()});
  output.is_stale |= found.is_stale;
  return found.value;
}

const GanttPanel::Label& GanttPanel::label_of(const PanelInput& input, EventTypeId type) {
  if (labels_model_ != input.model || labels_font_px_ != ImGui::GetFontSize()) {
    labels_model_ = input.model;
    labels_font_px_ = ImGui::GetFontSize();
    labels_.assign(input.model->trace->dictionary().types.size(), {});
  }
  Label& label = labels_[type.value()];
  if (label.width < 0) {
    label.text = printable(input.model->trace->dictionary().type(type).name, 160);
    label.width = ImGui::CalcTextSize(label.text.data(), label.text.data() + label.text.size()).x;
  }
  return label;
}

void GanttPanel::draw_box_labels(const PanelInput& input, const Area& area) {
  const bool is_small = input.session.row_height_px < 17;
  ImGui::PushFont(is_small ? input.fonts.small : input.fonts.body);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font_px = ImGui::GetFontSize();
  const float shift = TimeAxis(drawn_.window, area.x0, area.x1).shift_px();
  const float pad = 4 * input.scale;
  for (const layout::PlacedBox& box : items_.boxes) {
    if (box.height < font_px + 1 || box.type.is_none()) continue;
    const float x0 = std::max(0.0F, box.x0 - shift);
    const float x1 = std::min(area.width(), box.x1 - shift);
    if (x1 - x0 < kMinLabelPx * input.scale) continue;
    const float y = area.y0 + box.y + (box.height - font_px) / 2;
    if (y < area.y0 - font_px || y > area.y1) continue;
    const Label& label = label_of(input, box.type);
    const ImU32 color = render::color_from_rgb(input.model->palette->label_color(box.type));
    draw_printable(list, {area.x0 + x0 + pad, y}, color, label.text, label.width,
                   x1 - x0 - 2 * pad);
  }
  ImGui::PopFont();
}

void GanttPanel::draw_selection(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                                const Area& canvas) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (const auto& selection = input.trace->selection) {
    const auto x0 =
        static_cast<float>(std::max(axis.x_from_time(selection->begin), canvas.x0 - 2.0));
    const auto x1 = static_cast<float>(std::min(axis.x_from_time(selection->end), canvas.x1 + 2.0));
    if (x1 > x0) {
      list.AddRectFilled({x0, ruler.y0}, {x1, canvas.y1}, input.theme.selection);
      for (const float x : {x0, x1})
        list.AddLine({x, ruler.y0}, {x, canvas.y1}, input.theme.accent);
      const std::string length = format_duration(selection->length(), input.trace->time_base());
      const float width = ImGui::CalcTextSize(length.c_str()).x;
      if (width + 8 < x1 - x0) {
        draw_text(list, {(x0 + x1 - width) / 2, canvas.y0 + 4 * input.scale}, input.theme.text,
                  length, width);
      }
    }
  }
  if (input.session.hover) {
    const auto x = static_cast<float>(axis.x_from_time(*input.session.hover));
    list.AddLine({std::floor(x) + 0.5F, ruler.y0}, {std::floor(x) + 0.5F, canvas.y1},
                 input.theme.crosshair);
  }
}

void GanttPanel::draw_links_note(const PanelInput& input, const Area& canvas) const {
  if (!drawn_.links || drawn_.links->share() >= 1) return;
  const std::string note =
      fmt::format("{:.0f} % of {} links are drawn", std::max(1.0, drawn_.links->share() * 100),
                  format_count(drawn_.links->in_view));
  const float width = ImGui::CalcTextSize(note.c_str()).x;
  const float pad = 6 * input.scale;
  const ImVec2 at = {canvas.x1 - width - 3 * pad, canvas.y1 - ImGui::GetFontSize() - 3 * pad};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({at.x - pad, at.y - pad / 2},
                     {at.x + width + pad, at.y + ImGui::GetFontSize() + pad / 2}, input.theme.popup,
                     4 * input.scale);
  draw_text(list, at, input.theme.text_dim, note, width);
}

std::optional<layout::Hit> GanttPanel::hit_at(const TimeAxis& axis, const Area& canvas,
                                              ImVec2 mouse) const {
  return layout::hit(items_.tiles, items_.boxes, items_.links, axis.scale(),
                     mouse.x - canvas.x0 + axis.shift_px(), mouse.y - canvas.y0,
                     items_.links.size() > kManyLinks ? 1.0F : 3.0F);
}

// A frame around what the tooltip is about.
void GanttPanel::draw_hit(const PanelInput& input, const TimeAxis& axis, const Area& canvas,
                          const layout::Hit& hit) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({canvas.x0, canvas.y0}, {canvas.x1, canvas.y1}, true);
  if (hit.kind == layout::Hit::Kind::kLink) {
    for (const layout::PlacedLink& link : items_.links) {
      const bool is_it = link.link.send == hit.link.send && link.link.receive == hit.link.receive &&
                         link.link.source == hit.link.source &&
                         link.link.target == hit.link.target && link.link.type == hit.link.type;
      if (!is_it) continue;
      const float x = canvas.x0 - axis.shift_px();
      list.AddLine({x + link.x0, canvas.y0 + link.y0}, {x + link.x1, canvas.y0 + link.y1},
                   input.theme.text, link.width + 1);
      break;
    }
  } else {
    const double y = ImGui::GetIO().MousePos.y - canvas.y0 + drawn_.scroll_px;
    const layout::DisplayRow* row = input.model->lanes.at(y);
    if (row && row->kind == layout::DisplayRow::Kind::kRow) {
      const auto top = canvas.y0 + static_cast<float>(row->y - drawn_.scroll_px);
      const auto x0 = static_cast<float>(std::max(axis.x_from_time(hit.begin), canvas.x0 - 4.0));
      const auto x1 =
          static_cast<float>(std::min(axis.x_from_time(hit.begin + hit.duration), canvas.x1 + 4.0));
      list.AddRect({std::floor(x0), top},
                   {std::max(std::ceil(x1), std::floor(x0) + 3), top + row->height},
                   input.theme.text);
    }
  }
  list.PopClipRect();
}

void GanttPanel::handle_canvas(const PanelInput& input, const TimeAxis& axis, const Area& canvas,
                               PanelOutput& output) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_hovered = ImGui::IsWindowHovered() && canvas.contains(mouse);
  const bool was_dragging = gestures_.is_dragging();
  gestures_.handle(axis, *input.trace, is_hovered, /*drags=*/true, output);
  if (gestures_.is_dragging() && !was_dragging) scroll_at_drag_ = drawn_.scroll_px / input.scale;
  if (gestures_.dragged_y() != 0) {
    scroll_to(input, scroll_at_drag_ - static_cast<double>(gestures_.dragged_y() / input.scale),
              gestures_.drag_gesture(), output);
  }
  if (!is_hovered) return;
  output.hover = axis.time_from_x(mouse.x);
  if (gestures_.dragged_y() != 0 || range_drag_) return;
  const auto hit = hit_at(axis, canvas, mouse);
  if (!hit) return;
  draw_hit(input, axis, canvas, *hit);
  const auto found = details_.find(details_key(input.model->trace, *hit));
  show_tooltip(input, axis, *hit, found.is_stale ? nullptr : found.value.get());
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && hit->kind != layout::Hit::Kind::kLink) {
    // Around it, so that what comes before and after is seen, too; an aggregate resolves there.
    const double length = static_cast<double>(std::max<int64_t>(1, hit->duration.ticks));
    TimeWindow window = TimeWindow::from_range({hit->begin, hit->begin + hit->duration});
    window.length = std::max(TimeWindow::kMinTicks, length * 1.25);
    output.commands.push_back(view_set_command(window.panned(-length * 0.125)));
  }
}

void GanttPanel::handle_ruler(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                              PanelOutput& output) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_hovered = ImGui::IsWindowHovered() && ruler.contains(mouse);
  if (is_hovered) {
    output.hover = axis.time_from_x(mouse.x);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      range_drag_ = RangeDrag{axis.time_from_x(mouse.x), mouse.x, new_gesture()};
    }
  }
  if (!range_drag_) return;
  const bool has_moved = std::fabs(mouse.x - range_drag_->from_x) >= 3;
  if (has_moved) {
    const Time to = axis.time_from_x(std::clamp(mouse.x, ruler.x0, ruler.x1));
    const auto [begin, end] = std::minmax(range_drag_->from, to);
    const TimeRange range = {begin, std::max(end, begin + Duration{1})};
    if (input.trace->selection != range) {
      output.commands.push_back({"select.range",
                                 {{"from", range.begin.ticks}, {"to", range.end.ticks}},
                                 range_drag_->gesture});
    }
  }
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  if (!has_moved && input.trace->selection) output.commands.push_back({"select.clear"});
  range_drag_.reset();
}

void GanttPanel::scroll_to(const PanelInput& input, double px, uint32_t gesture,
                           PanelOutput& output) const {
  const double lowest =
      (input.model->lanes.height() - static_cast<double>(canvas_.height())) / input.scale;
  const double to = std::clamp(px, 0.0, std::max(0.0, lowest));
  if (to == input.trace->view().scroll_px) return;
  output.commands.push_back({"scroll", {{"to", to}}, gesture});
}

void GanttPanel::handle_scroll(const PanelInput& input, const Area& gutter, PanelOutput& output) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsWindowHovered() || io.MouseWheel == 0) return;
  if (io.KeyCtrl) {
    const double px = input.session.row_height_px + (io.MouseWheel > 0 ? 2 : -2);
    if (px > 0) {
      output.commands.push_back({"row_height", {{"px", px}}, scroll_wheel_.number()});
    }
  } else if (gutter.contains(io.MousePos)) {
    const double rows = -static_cast<double>(io.MouseWheel) * kRowsPerNotch;
    scroll_to(input, input.trace->view().scroll_px + rows * input.session.row_height_px,
              scroll_wheel_.number(), output);
  }
}

}  // namespace weft::app
