#include "app/panels/tables/table_frame.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/panels/path_text.h"
#include "app/panels/toolbar.h"
#include "core/base/text.h"
#include "render/look.h"

namespace weft::app {
namespace {

constexpr float kRowPx = 21;
constexpr float kTitlePx = 24;
constexpr float kGroupPx = 20;
constexpr float kFilterPx = 26;
constexpr float kFooterPx = 22;
constexpr float kSwatchPx = 10;
constexpr float kSwatchGapPx = 6;
constexpr float kLeastTextShare = 0.7F;  // of its width, before columns go out of sight; numbers
                                         // do not shrink: one that is cut reads as another
constexpr float kMostFitPx = 640;        // what a column is fitted to at most
constexpr float kMostGrowth = 2;         // … and what the widest text grows to: times its own width

// Pixel by pixel, by the rule that boxes follow.
void draw_pattern(ImDrawList& list, const Area& area, layout::Pattern pattern, ImU32 color) {
  if (pattern == layout::Pattern::kPlain) return;
  const auto part = [&](int shift) {
    return static_cast<ImU32>(static_cast<float>(color >> shift & 0xFF) * 0.45F) << shift;
  };
  const ImU32 shaded = part(0) | part(8) | part(16) | 0xFF000000;
  for (float y = area.y0; y < area.y1; ++y) {
    for (float x = area.x0; x < area.x1; ++x) {
      if (!render::is_on_pattern(static_cast<uint32_t>(pattern), static_cast<int>(x - area.x0),
                                 static_cast<int>(y - area.y0))) {
        continue;
      }
      list.AddRectFilled({x, y}, {x + 1, y + 1}, shaded);
    }
  }
}

// Closed, only its lid is seen.
void draw_eye(ImDrawList& list, ImVec2 middle, float scale, bool is_open, ImU32 color) {
  const float half = 6 * scale, lid = 4.5F * scale;
  const ImVec2 left = {middle.x - half, middle.y}, right = {middle.x + half, middle.y};
  list.PathLineTo(left);
  list.PathBezierQuadraticCurveTo({middle.x, middle.y + 2 * lid}, right);
  list.PathStroke(color, ImDrawFlags_None, 1.2F * scale);
  if (!is_open) return;
  list.PathLineTo(left);
  list.PathBezierQuadraticCurveTo({middle.x, middle.y - 2 * lid}, right);
  list.PathStroke(color, ImDrawFlags_None, 1.2F * scale);
  list.AddCircleFilled(middle, 2 * scale, color);
}

}  // namespace

std::optional<float> TableView::Frame::dragged_width(const Json* widths, std::string_view column) {
  if (!widths) return std::nullopt;
  const auto it = widths->find(std::string(column));
  if (it == widths->end() || !it->is_number()) return std::nullopt;
  return std::clamp(it->get<float>(), kLeastColumnPx, 4000.0F);
}

// If there is too little room, texts shrink; when they cannot shrink further, columns disappear at
// the right, and `scroll_x` says how far they are scrolled. Spare room goes to paths and lanes, so
// much that none is cut, then up to half of their width each, and then to the first of the widest
// texts: all of it if that is the last column, otherwise so much that numbers stay close to what
// they belong to, or that no name is cut. An empty column has room for its title. Widths set by the
// user stay. Titles of numbers have room for the arrow of the order.
void TableView::Frame::lay_out(float& scroll_x,
                               const std::function<float(size_t column)>& text_px) {
  const Area& area = input.area;
  const auto folded = input.panel.options.find(option("filters_folded"));
  const bool is_folded = folded != input.panel.options.end() && *folded == true;
  has_filters = std::ranges::any_of(input.columns, &TableColumn::has_filter) &&
                (!options.filters.empty() || !is_folded);
  row_px = scaled(kRowPx);
  const bool has_groups =
      std::ranges::any_of(input.columns, [](const auto& column) { return !column.group.empty(); });
  title_y = area.y0 + (has_groups ? scaled(kGroupPx) : 0);
  filter_y = title_y + scaled(kTitlePx);
  body = {area.x0, filter_y + (has_filters ? scaled(kFilterPx) : 0),
          area.x1 - scaled(ScrollBar::kWidthPx), area.y1 - scaled(kFooterPx)};
  std::vector<float> widths;
  float fixed = 0, texts = 0;
  std::optional<size_t> widest_text;
  const Json* dragged_widths = find_object(input.panel.options, option("widths"));
  std::vector<bool> shrinks;
  size_t last = 0, last_written = 0;
  for (size_t i = 0; i < input.columns.size(); ++i) {
    const TableColumn& column = input.columns[i];
    if (hidden[i]) {
      widths.push_back(0);
      shrinks.push_back(false);
      continue;
    }
    last = i;
    const auto wanted = dragged_width(dragged_widths, column.id);
    const bool is_bare = !wanted && bare[i];
    if (!is_bare) last_written = i;
    widths.push_back(wanted.value_or(column.width_px) * input.panel.scale);
    if (is_bare) widths.back() = std::min(widths.back(), title_width(i));
    if (!wanted && column.is_number) widths.back() = std::max(widths.back(), title_width(i));
    shrinks.push_back(!wanted && !column.is_number && !is_bare);
    (shrinks.back() ? texts : fixed) += widths.back();
    const bool is_widest = !widest_text || column.width_px > input.columns[*widest_text].width_px;
    if (shrinks.back() && is_widest) widest_text = i;
  }
  const float room = std::max(1.0F, body.width());
  float left = std::max(0.0F, room - fixed - texts);
  const std::vector<float> at_first = widths;
  const auto widen_names = [&](const auto& wanted) {
    for (size_t i = 0; i < widths.size() && left > 0; ++i) {
      if (!input.columns[i].is_name() || !shrinks[i]) continue;
      const float more = std::clamp(wanted(i) - widths[i], 0.0F, left);
      widths[i] += more;
      left -= more;
    }
  };
  widen_names([&](size_t i) { return scaled(text_px(i)); });
  widen_names([&](size_t i) { return at_first[i] * 1.5F; });
  if (widest_text) {
    const bool is_last = *widest_text == last_written;
    float most = is_last ? room : (kMostGrowth - 1) * widths[*widest_text];
    if (left > most) most = std::max(most, scaled(text_px(*widest_text)) - widths[*widest_text]);
    widths[*widest_text] += std::min(left, most);
  }
  const float text_share =
      texts > 0 ? std::clamp((room - fixed) / texts, kLeastTextShare, 1.0F) : 1;
  const float all = fixed + texts * text_share;
  scroll_x = std::clamp(scroll_x, 0.0F, std::max(0.0F, std::ceil(all - room)));
  float x = body.x0 - scroll_x;
  for (size_t i = 0; i < widths.size(); ++i) {
    edges.push_back(std::round(x));
    x += widths[i] * (shrinks[i] ? text_share : 1);
  }
  edges.push_back(std::round(x));
  if (!input.columns[last].is_number) {  // all that is left is of the last one
    for (size_t i = last + 1; i < edges.size(); ++i) edges[i] = std::max(body.x1, edges[i]);
  }
  if (content_width() > room) body.y1 -= scaled(ScrollBar::kWidthPx);
  body.y1 = std::max(body.y0, body.y1);
}

float TableView::Frame::title_width(size_t column) const {
  ImGui::PushFont(input.panel.fonts.bold);
  const float width = text_width(input.columns[column].title);
  ImGui::PopFont();
  return width + scaled(kTitleArrowPx) + 2 * scaled(kPadPx);
}

float TableView::Frame::fitted_width(size_t column, uint64_t first_row, uint64_t rows_seen) const {
  float widest = title_width(column) - 2 * scaled(kPadPx);
  const uint64_t end = std::min(rows.count(), first_row + rows_seen);
  for (uint64_t row = first_row; row < end; ++row) {
    const TableRow state = rows.row(row);
    float before = 0;
    if (column == 0) {
      before = scaled(kIndentPx) * static_cast<float>(state.level + (state.is_open ? 1 : 0)) +
               (state.is_shown ? scaled(kEyePx) : 0);
    }
    if (column == input.swatch_column && state.swatch) before += scaled(kSwatchPx + kSwatchGapPx);
    widest = std::max(widest, before + text_width(printable(rows.cell(row, column))));
  }
  const float width = (widest + 2 * scaled(kPadPx) + 1) / input.panel.scale;
  return std::clamp(std::ceil(width), kLeastColumnPx, kMostFitPx);
}

void TableView::Frame::draw_cell(uint64_t row, const TableRow& state, size_t column, float y) {
  const float pad = scaled(kPadPx);
  float x0 = edges[column] + pad;
  const float x1 = edges[column + 1] - pad;
  const float text_y = y + (row_px - ImGui::GetFontSize()) / 2;
  if (column == 0) {
    x0 += scaled(kIndentPx) * static_cast<float>(state.level);
    if (state.is_open) {
      draw_text(list, {x0, text_y}, theme().text_dim, *state.is_open ? "▾" : "▸", x1 - x0);
      x0 += scaled(kIndentPx);
    }
  }
  if (column == 0 && state.is_shown) {
    const bool is_on_eye =
        is_hovered && mouse.x < x0 + scaled(kEyePx) && mouse.y >= y && mouse.y < y + row_px;
    draw_eye(list, {x0 + scaled(6), std::round(y + row_px / 2)}, input.panel.scale, *state.is_shown,
             is_on_eye ? theme().text : theme().text_dim);
    x0 += scaled(kEyePx);
  }
  if (column == input.swatch_column && state.swatch) {
    const float size = scaled(kSwatchPx);
    const float top = std::round(y + (row_px - size) / 2);
    list.AddRectFilled({x0, top}, {x0 + size, top + size}, *state.swatch, 2 * input.panel.scale);
    draw_pattern(list, {x0, top, x0 + size, top + size}, state.pattern, *state.swatch);
    x0 += size + scaled(kSwatchGapPx);
  }
  const TableColumn& shown_column = input.columns[column];
  const std::string content = rows.cell(row, column);
  const std::string text = shown_column.is_path ? printable_path(content) : printable(content);
  const float width = text_width(text);
  const float room = x1 - x0;
  // No digits of a number are cut off: it would become another number.
  const bool is_cut = width > room;
  const std::string shown =
      is_cut && shown_column.is_path           ? path_within(text, room, input.panel.model.get())
      : is_cut && shown_column.is_lane         ? lane_within(text, room, input.panel.model.get())
      : is_cut && shown_column.keeps_both_ends ? without_middle(text, room)
      : is_cut && shown_column.is_number       ? "…"
                                               : text;
  const float shown_width = is_cut ? text_width(shown) : width;
  const float at = shown_column.is_number ? std::max(x0, x1 - shown_width) : x0;
  // Nor by the edge of the table.
  const bool is_whole = at >= body.x0 && at + shown_width <= body.x1;
  if (is_whole || !shown_column.is_number)
    draw_printable(list, {at, text_y}, state.is_dim ? theme().text_dim : theme().text, shown,
                   shown_width, room);
  const Area cell = {edges[column], y, edges[column + 1], y + row_px};
  if (width > room && is_hovered && cell.contains(mouse)) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(scaled(520));
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
}

void TableView::Frame::find_filter_errors() {
  for (size_t i = 0; i < input.columns.size(); ++i) {
    const auto filter = options.filters.find(std::string(input.columns[i].id));
    if (filter == options.filters.end()) continue;
    if (const auto compiled = ColumnFilter::compile(filter->second); !compiled)
      filter_errors.emplace(i, compiled.error().message);
  }
}

void TableView::Frame::draw_footer() {
  const Area& area = input.area;
  const float top = std::max(area.y0, area.y1 - scaled(kFooterPx));
  list.AddRectFilled({area.x0, top}, {area.x1, area.y1}, theme().header);
  ImGui::PushFont(input.panel.fonts.small);
  float x = area.x0 + scaled(kPadPx);
  const float y = top + (area.y1 - top - ImGui::GetFontSize()) / 2;
  const auto say = [&](std::string_view text, ImU32 color) {
    const std::string safe = printable(text);
    const float width = text_width(safe);
    draw_printable(list, {x, y}, color, safe, width, area.x1 - scaled(kPadPx) - x);
    x += width + scaled(12);
  };
  say(input.footer, theme().text_dim);
  for (const auto& [column, error] : filter_errors)
    say(fmt::format("no filter on {}: {}", input.columns[column].title, error), theme().error);
  if (!input.caution.empty()) say(input.caution, theme().warning);
  if (!input.problem.empty()) say(input.problem, theme().error);
  if (input.is_stale) say("reading…", theme().accent);
  ImGui::PopFont();
}

}  // namespace weft::app
