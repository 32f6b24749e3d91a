#include "app/panels/table_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/path_text.h"
#include "app/panels/table_keys.h"
#include "app/panels/toolbar.h"
#include "core/base/text.h"
#include "render/look.h"

namespace weft::app {
namespace {

constexpr float kRowPx = 21;
constexpr float kTitlePx = 24;
constexpr float kFilterPx = 26;
constexpr float kFooterPx = 22;
constexpr float kBarPx = 12;
constexpr float kPadPx = 8;
constexpr float kIndentPx = 14;
constexpr float kEyePx = 17;
constexpr float kTitleArrowPx = 14;
constexpr float kSwatchPx = 10;
constexpr float kSwatchGapPx = 6;
constexpr float kBorderPx = 4;  // to either side of where a column ends
constexpr float kLeastColumnPx = 30;
constexpr float kLeastTextShare = 0.7F;  // of its width, before columns go out of sight; numbers
                                         // do not shrink: one that is cut reads as another
constexpr float kMostFitPx = 640;        // what a column is fitted to, or grows to, at most
constexpr double kRowsPerNotch = 3;
constexpr float kSidewaysPxPerNotch = 60;
constexpr const char* kMenu = "row menu";

template <size_t kSize>
void copy_into(std::array<char, kSize>& buffer, std::string_view text) {
  buffer[text.copy(buffer.data(), kSize - 1)] = '\0';
}

float width_of(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

std::optional<float> dragged_width(const Json* widths, std::string_view column) {
  if (!widths) return std::nullopt;
  const auto it = widths->find(std::string(column));
  if (it == widths->end() || !it->is_number()) return std::nullopt;
  return std::clamp(it->get<float>(), kLeastColumnPx, 4000.0F);
}

void copy_row(const TableRows& rows, uint64_t row, size_t columns) {
  std::string text;
  for (size_t column = 0; column < columns; ++column) {
    if (column > 0) text += '\t';
    text += printable(rows.cell(row, column), 0);
  }
  ImGui::SetClipboardText(text.c_str());
}

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

// What commands call it.
std::string_view table_of(const TableInput& input) {
  return input.prefix.substr(0, input.prefix.find('.'));
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

struct TableView::Frame {
  const TableInput& input;
  const TableRows& rows;
  PanelOutput& output;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 mouse = ImGui::GetIO().MousePos;
  bool is_hovered = false;
  bool has_keys = false;
  TableOptions options = {};
  std::vector<float> edges = {};  // of the columns: x of the left ones, and the last one's right
  float filter_y = 0;
  Area body = {};    // the rows, without the bars
  float row_px = 0;  // height
  TableAnswer answer = {};

  const Theme& theme() const { return input.panel.theme; }
  std::string option(const char* name) const { return std::string(input.prefix) + name; }
  float scaled(float px) const { return std::round(px * input.panel.scale); }
  void lay_out(float& scroll_x);
  float content_width() const { return edges.back() - edges.front(); }
  bool is_seen(size_t column) const {
    return edges[column] < body.x1 && edges[column + 1] > body.x0;
  }
  ScrollBar::Input scroll_bar(const Area& area) const {
    return {area, input.panel.scale, theme().text_dim, is_hovered};
  }
  // As wide as its title and what is seen of it, in logical pixels.
  float fitted_width(size_t column, uint64_t first_row, uint64_t rows_seen) const;
  void draw_cell(uint64_t row, const TableRow& state, size_t column, float y);
  void draw_footer();
};

// Where there is too little room, texts shrink; when they can no more, columns go out of sight at
// the right, and `scroll_x` says how far they are moved. What is left goes to paths, half of
// their width each, and then to the widest text: all of it where it is the last column, else so
// much that numbers still stand near to what they are of. What the user has set stays.
void TableView::Frame::lay_out(float& scroll_x) {
  const Area& area = input.area;
  const bool has_filters = std::ranges::any_of(input.columns, &TableColumn::has_filter);
  row_px = scaled(kRowPx);
  filter_y = area.y0 + scaled(kTitlePx);
  body = {area.x0, filter_y + (has_filters ? scaled(kFilterPx) : 0), area.x1 - scaled(kBarPx),
          area.y1 - scaled(kFooterPx)};
  std::vector<float> widths;
  float fixed = 0, texts = 0;
  std::optional<size_t> widest_text;
  const Json* dragged_widths = find_object(input.panel.options, option("widths"));
  std::vector<bool> shrinks;
  for (size_t i = 0; i < input.columns.size(); ++i) {
    const TableColumn& column = input.columns[i];
    const auto wanted = dragged_width(dragged_widths, column.id);
    widths.push_back(wanted.value_or(column.width_px) * input.panel.scale);
    shrinks.push_back(!wanted && !column.is_number);
    (shrinks.back() ? texts : fixed) += widths.back();
    const bool is_widest = !widest_text || column.width_px >= input.columns[*widest_text].width_px;
    if (shrinks.back() && is_widest) widest_text = i;
  }
  const float room = std::max(1.0F, body.width());
  float left = std::max(0.0F, room - fixed - texts);
  for (size_t i = 0; i < widths.size(); ++i) {
    if (!input.columns[i].is_path || !shrinks[i]) continue;
    const float more = std::min(left, widths[i] / 2);
    widths[i] += more;
    left -= more;
  }
  if (widest_text) {
    const bool is_last = *widest_text + 1 == widths.size();
    const float most = is_last ? room : std::max(0.0F, scaled(kMostFitPx) - widths[*widest_text]);
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
  edges.push_back(input.columns.back().is_number ? std::round(x)
                                                 : std::max(body.x1, std::round(x)));
  if (content_width() > room) body.y1 -= scaled(kBarPx);
  body.y1 = std::max(body.y0, body.y1);
}

float TableView::Frame::fitted_width(size_t column, uint64_t first_row, uint64_t rows_seen) const {
  ImGui::PushFont(input.panel.fonts.bold);
  float widest = width_of(input.columns[column].title) + scaled(kTitleArrowPx);
  ImGui::PopFont();
  const uint64_t end = std::min(rows.count(), first_row + rows_seen);
  for (uint64_t row = first_row; row < end; ++row) {
    const TableRow state = rows.row(row);
    float before = 0;
    if (column == 0) {
      before = scaled(kIndentPx) * static_cast<float>(state.level + (state.is_open ? 1 : 0)) +
               (state.is_shown ? scaled(kEyePx) : 0);
    }
    if (column == input.swatch_column && state.swatch) before += scaled(kSwatchPx + kSwatchGapPx);
    widest = std::max(widest, before + width_of(printable(rows.cell(row, column))));
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
  const std::string text = printable(rows.cell(row, column));
  const float width = width_of(text);
  const float room = x1 - x0;
  const float at = input.columns[column].is_number ? std::max(x0, x1 - width) : x0;
  const bool is_cut_path = input.columns[column].is_path && width > room;
  const std::string shown = is_cut_path ? path_within(text, room) : text;
  draw_printable(list, {at, text_y}, state.is_dim ? theme().text_dim : theme().text, shown,
                 is_cut_path ? width_of(shown) : width, room);
  const Area cell = {edges[column], y, edges[column + 1], y + row_px};
  if (width > room && is_hovered && cell.contains(mouse)) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(scaled(520));
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
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
    const float width = ImGui::CalcTextSize(safe.data(), safe.data() + safe.size()).x;
    draw_printable(list, {x, y}, color, safe, width, area.x1 - scaled(kPadPx) - x);
    x += width + scaled(12);
  };
  say(input.footer, theme().text_dim);
  if (!input.caution.empty()) say(input.caution, theme().warning);
  if (!input.problem.empty()) say(input.problem, theme().error);
  if (input.is_stale) say("reading…", theme().accent);
  ImGui::PopFont();
}

TableAnswer TableView::draw(const TableInput& input, const TableRows& rows, PanelOutput& output) {
  Frame frame{input, rows, output};
  frame.is_hovered = ImGui::IsWindowHovered() && input.area.contains(frame.mouse);
  frame.options = table_options(input.panel.options, input.prefix);
  frame.lay_out(scroll_x_);
  ImGui::PushClipRect({input.area.x0, input.area.y0}, {input.area.x1, frame.body.y0}, true);
  draw_titles(frame);
  for (size_t i = 0; i < input.columns.size(); ++i) {
    if (input.columns[i].has_filter) draw_filter(frame, i);
  }
  ImGui::PopClipRect();
  take_keys(frame);
  scroll_rows(frame);
  scroll_sideways(frame);
  if (frame.is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    menu_row_ = rows.count();  // none, where none is below the pointer
    ImGui::OpenPopup(kMenu);
  }
  if (wanted_menu_) {
    menu_row_ = *std::exchange(wanted_menu_, std::nullopt);
    menu_column_ = 0;
    ImGui::OpenPopup(kMenu);
  }
  draw_rows(frame);
  if (rows.count() == 0 && !input.is_stale && input.problem.empty()) {
    const bool is_filtered = !frame.options.filters.empty();
    draw_notice(input.panel, frame.body,
                is_filtered ? "No row passes the filters below the titles" : input.nothing);
  }
  frame.draw_footer();
  draw_menu(frame);
  offer_sheet(input.panel, table_of(input), input.is_stale, [&] { return rows.sheet(); }, output);
  return frame.answer;
}

void TableView::reveal(uint64_t row) { reveal_ = row; }

void TableView::draw_titles(Frame& frame) {
  const Area& area = frame.input.area;
  frame.list.AddRectFilled({area.x0, area.y0}, {area.x1, frame.filter_y}, frame.theme().header);
  drag_border(frame);
  ImGui::PushFont(frame.input.panel.fonts.bold);
  const auto sorted = sort_column(frame.options, frame.input.columns);
  const float pad = frame.scaled(kPadPx);
  for (size_t i = 0; i < frame.input.columns.size(); ++i) {
    const TableColumn& column = frame.input.columns[i];
    const Area title = {frame.edges[i], area.y0, frame.edges[i + 1], frame.filter_y};
    const bool is_hovered =
        frame.is_hovered && !border_ && title.contains(frame.mouse) && !frame.input.is_in_own_order;
    const float y = title.y0 + (title.height() - ImGui::GetFontSize()) / 2;
    const bool is_sorted = sorted == i;
    const float arrow = is_sorted ? frame.scaled(kTitleArrowPx) : 0;
    const float width =
        ImGui::CalcTextSize(column.title.data(), column.title.data() + column.title.size()).x;
    const float room = title.width() - 2 * pad - arrow;
    const float x = column.is_number ? std::max(title.x0 + pad, title.x1 - pad - arrow - width)
                                     : title.x0 + pad;
    const ImU32 color = is_hovered || is_sorted ? frame.theme().text : frame.theme().text_dim;
    draw_printable(frame.list, {x, y}, color, column.title, width, room);
    if (is_sorted) {
      ImGui::PushFont(frame.input.panel.fonts.small);
      const float arrow_x = x + std::min(width, std::max(0.0F, room)) + frame.scaled(4);
      draw_text(frame.list, {arrow_x, y + 1}, frame.theme().accent,
                frame.options.is_descending ? "▼" : "▲", arrow);
      ImGui::PopFont();
    }
    if (i > 0) {
      frame.list.AddRectFilled({title.x0, title.y0 + frame.scaled(5)},
                               {title.x0 + 1, title.y1 - frame.scaled(5)}, frame.theme().border);
    }
    if (is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      // Numbers begin with the largest; the third click gives the panel's own order back.
      const bool first_way = column.is_number;
      const bool is_back = is_sorted && frame.options.is_descending != first_way;
      const bool is_descending = is_sorted ? !first_way : first_way;
      const Json by = (is_descending ? "-" : "") + std::string(column.id);
      frame.output.commands.push_back(
          set_option(frame.input.panel, frame.option("sort"), is_back ? Json() : by));
    }
  }
  ImGui::PopFont();
}

// The borders between titles can be dragged.
void TableView::drag_border(Frame& frame) {
  const TableInput& input = frame.input;
  const float grip = frame.scaled(kBorderPx);
  const Area titles = {input.area.x0, input.area.y0, input.area.x1, frame.filter_y};
  if (!border_ && frame.is_hovered && titles.contains(frame.mouse)) {
    for (size_t i = 0; i < input.columns.size(); ++i) {
      if (std::fabs(frame.mouse.x - frame.edges[i + 1]) > grip) continue;
      ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
      if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        fit_columns(frame, i, i + 1);
        return;
      }
      if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) continue;
      const float width = (frame.edges[i + 1] - frame.edges[i]) / input.panel.scale;
      border_ = Border{i, frame.mouse.x, width, new_gesture()};
    }
  }
  if (!border_) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    border_.reset();
  } else if (ImGui::GetIO().MouseDelta.x != 0) {
    const float moved = (frame.mouse.x - border_->from_x) / input.panel.scale;
    const Json* old = find_object(input.panel.options, frame.option("widths"));
    Json widths = old ? *old : Json::object();
    widths[std::string(input.columns[border_->column].id)] =
        std::max(kLeastColumnPx, border_->from_width + moved);
    frame.output.commands.push_back(
        set_option(input.panel, frame.option("widths"), std::move(widths), border_->gesture));
  }
}

// To what they show: those from `begin` to `end`.
void TableView::fit_columns(Frame& frame, size_t begin, size_t end) const {
  const Json* old = find_object(frame.input.panel.options, frame.option("widths"));
  Json widths = old ? *old : Json::object();
  for (size_t i = begin; i < end; ++i) {
    widths[std::string(frame.input.columns[i].id)] = frame.fitted_width(i, first_row_, rows_seen_);
  }
  frame.output.commands.push_back(
      set_option(frame.input.panel, frame.option("widths"), std::move(widths)));
}

void TableView::draw_filter(Frame& frame, size_t column) {
  const TableInput& input = frame.input;
  const std::string id(input.columns[column].id);
  const auto filter = frame.options.filters.find(id);
  const std::string now = filter == frame.options.filters.end() ? "" : filter->second;
  const std::string problem = [&] {
    const auto regex = TableFilters::compile(now);
    return regex ? std::string() : regex.error().message;
  }();
  Typed& typed = typed_[column];
  ImGui::PushID(static_cast<int>(column));
  ImGui::PushFont(input.panel.fonts.small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {frame.scaled(5), frame.scaled(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, problem.empty() ? 0.0F : 1.0F);
  ImGui::PushStyleColor(ImGuiCol_Border, frame.theme().error);
  const float x0 = frame.edges[column] + frame.scaled(3);
  ImGui::SetCursorScreenPos({x0, frame.filter_y + frame.scaled(3)});
  ImGui::SetNextItemWidth(frame.edges[column + 1] - frame.scaled(3) - x0);
  if (typing_ != column) copy_into(typed, now);
  const bool is_edited = ImGui::InputTextWithHint("##filter", "filter", typed.data(), typed.size());
  if (ImGui::IsItemActivated()) typing_gesture_ = new_gesture();
  if (ImGui::IsItemActive()) {
    typing_ = column;
  } else if (typing_ == column) {
    typing_.reset();
  }
  const bool is_hovered = ImGui::IsItemHovered();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  ImGui::PopID();
  if (is_hovered && !problem.empty()) {
    ImGui::BeginTooltip();
    show_text(problem, frame.theme().error);
    ImGui::EndTooltip();
  }
  if (!is_edited) return;
  Json filters = frame.options.filters;
  filters[id] = std::string(typed.data());
  if (typed[0] == '\0') filters.erase(id);
  frame.output.commands.push_back(
      set_option(input.panel, frame.option("filters"), std::move(filters), typing_gesture_));
}

void TableView::draw_rows(Frame& frame) {
  const uint64_t count = frame.rows.count();
  const Area& body = frame.body;
  frame.list.PushClipRect({body.x0, body.y0}, {body.x1, body.y1}, /*intersect=*/true);
  float y = body.y0;
  for (uint64_t row = first_row_; row < count && y < body.y1; ++row, y += frame.row_px) {
    const TableRow state = frame.rows.row(row);
    handle_row(frame, row, state, y);
    for (size_t column = 0; column < frame.input.columns.size(); ++column) {
      if (frame.is_seen(column)) frame.draw_cell(row, state, column, y);
    }
  }
  frame.list.PopClipRect();
}

void TableView::handle_row(Frame& frame, uint64_t row, const TableRow& state, float y) {
  const Area area = {frame.body.x0, y, frame.body.x1, std::min(frame.body.y1, y + frame.row_px)};
  const bool is_hovered =
      frame.is_hovered && area.contains(frame.mouse) && !bar_.is_held() && !sideways_bar_.is_held();
  if (state.is_selected) {
    frame.list.AddRectFilled({area.x0, y}, {area.x1, area.y1}, frame.theme().selection);
  }
  if (frame.has_keys && key_row_ == row && !frame.input.selects) {
    frame.list.AddRect({area.x0, y}, {area.x1, area.y1}, frame.theme().accent);
  }
  if (!is_hovered) return;
  frame.list.AddRectFilled({area.x0, y}, {area.x1, area.y1}, faded(frame.theme().text, 0.05F));
  const float triangle = frame.edges[0] + frame.scaled(kPadPx) +
                         frame.scaled(kIndentPx) * static_cast<float>(state.level + 1);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    frame.answer.opened = row;
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    const bool is_on_triangle = state.is_open && frame.mouse.x < triangle;
    const bool is_on_eye =
        state.is_shown && frame.mouse.x < frame.edges[0] + frame.scaled(kPadPx + kEyePx);
    key_row_ = row;
    (is_on_eye        ? frame.answer.toggled
     : is_on_triangle ? frame.answer.folded
                      : frame.answer.clicked) = row;
    frame.answer.is_added = ImGui::GetIO().KeyCtrl;
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    menu_row_ = row;
    for (size_t i = 0; i < frame.input.columns.size(); ++i) {
      if (frame.mouse.x >= frame.edges[i]) menu_column_ = i;
    }
  }
}

// The keys pressed, where they are of this table.
void TableView::take_keys(Frame& frame) {
  const TableInput& input = frame.input;
  if (frame.is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    frame.output.clicked_table = table_of(input);
  frame.has_keys = input.panel.is_focused && input.panel.keys_table == table_of(input);
  if (!frame.has_keys || frame.rows.count() == 0) return;
  for (const std::string& key : input.panel.keys) {
    const SeenRows seen = {static_cast<uint64_t>(scroll_), rows_seen_ - 1};
    const KeyStep step = step_by_key(key, row_of_keys(frame), frame.rows, seen);
    const bool has_moved = key_row_ != step.row;
    key_row_ = step.row;
    const uint64_t top = top_to_show(step.row, seen);
    if (top != seen.first) scroll_ = static_cast<double>(top);
    if (step.folds) frame.answer.folded = step.row;
    if (step.copies) copy_row(frame.rows, step.row, input.columns.size());
    if (step.opens) frame.answer.opened = step.row;
    if (step.opens || (input.selects && has_moved && !step.copies)) {
      frame.answer.clicked = step.row;
      frame.answer.gesture = key_run_.number();
    }
  }
  frame.output.wanted_keys = table_keys(frame.rows, {first_row_, rows_seen_});
}

// From where keys lead on: where clicks only select, another row may have been selected elsewhere.
std::optional<uint64_t> TableView::row_of_keys(const Frame& frame) const {
  const uint64_t count = frame.rows.count();
  const auto is_selected = [&](uint64_t row) { return frame.rows.row(row).is_selected; };
  const bool is_here =
      key_row_ && *key_row_ < count && (!frame.input.selects || is_selected(*key_row_));
  if (is_here) return key_row_;
  for (uint64_t row = first_row_; row < std::min(count, first_row_ + rows_seen_); ++row) {
    if (is_selected(row)) return row;
  }
  return key_row_;
}

// Moves the rows, by bar, wheel or reveal(), and draws the bar: exact to the row at any count.
void TableView::scroll_rows(Frame& frame) {
  const auto count = static_cast<double>(frame.rows.count());
  const double seen = std::floor(static_cast<double>(frame.body.height() / frame.row_px));
  rows_seen_ = static_cast<uint64_t>(seen) + 1;
  if (frame.is_hovered && !ImGui::GetIO().KeyShift) {
    scroll_ -= static_cast<double>(ImGui::GetIO().MouseWheel) * kRowsPerNotch;
  }
  if (reveal_) {
    const auto row = static_cast<double>(*reveal_);
    if (row < scroll_ || row >= scroll_ + seen) scroll_ = row - std::floor(seen / 2);
    reveal_.reset();
  }
  const Area bar = {frame.body.x1, frame.body.y0, frame.input.area.x1, frame.body.y1};
  scroll_ = bar_.draw(frame.scroll_bar(bar), {scroll_, seen, count});
  first_row_ = static_cast<uint64_t>(scroll_);
}

// The columns, where they need more room than there is: by bar, or by the wheel with Shift.
void TableView::scroll_sideways(Frame& frame) {
  const auto seen = static_cast<double>(frame.body.width());
  const auto all = static_cast<double>(frame.content_width());
  if (all <= seen) return;
  if (frame.is_hovered && ImGui::GetIO().KeyShift) {
    scroll_x_ -= ImGui::GetIO().MouseWheel * frame.scaled(kSidewaysPxPerNotch);
  }
  const Area bar = {frame.body.x0, frame.body.y1, frame.body.x1,
                    frame.body.y1 + frame.scaled(kBarPx)};
  scroll_x_ = static_cast<float>(sideways_bar_.draw(frame.scroll_bar(bar), {scroll_x_, seen, all}));
}

void TableView::draw_menu(Frame& frame) {
  if (!ImGui::BeginPopup(kMenu)) return;
  const PanelInput& panel = frame.input.panel;
  const std::string_view table = table_of(frame.input);
  const bool is_there = menu_row_ < frame.rows.count();
  for (size_t i = 0; i < frame.input.menu.size(); ++i) {
    if (ImGui::MenuItem(frame.input.menu[i], nullptr, false, is_there)) {
      frame.answer.menu = i;
      frame.answer.menu_row = menu_row_;
    }
  }
  if (!frame.input.menu.empty()) ImGui::Separator();
  if (ImGui::MenuItem("Copy cell", nullptr, false, is_there)) {
    ImGui::SetClipboardText(printable(frame.rows.cell(menu_row_, menu_column_), 0).c_str());
  }
  if (ImGui::MenuItem("Copy row", nullptr, false, is_there)) {
    copy_row(frame.rows, menu_row_, frame.input.columns.size());
  }
  if (ImGui::MenuItem("Fit columns to what they show")) {
    fit_columns(frame, 0, frame.input.columns.size());
  }
  if (ImGui::MenuItem("Columns as at first", nullptr, false,
                      find_object(panel.options, frame.option("widths")) != nullptr)) {
    frame.output.commands.push_back(set_option(panel, frame.option("widths"), Json()));
  }
  ImGui::Separator();
  for (const auto& [title, format] :
       {std::pair("Copy table as CSV", "csv"), std::pair("Copy table as JSON", "json")}) {
    if (!ImGui::MenuItem(title)) continue;
    frame.output.commands.push_back(
        {"table.copy", {{"panel", panel.id}, {"table", table}, {"format", format}}});
  }
  if (ImGui::MenuItem("Write table to a file…")) {
    const std::string base = panel.trace ? panel.trace->beside().string() : "weftscope";
    const std::string name =
        std::string(panel.id) + (table.empty() ? "" : "-" + std::string(table));
    frame.output.commands.push_back(ask_for_table(base + "." + name + ".csv", panel.id, table));
  }
  ImGui::EndPopup();
}

}  // namespace weft::app
