#include "app/panels/tables/table_view.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "app/panels/menu_item.h"
#include "app/panels/tables/table_frame.h"
#include "app/panels/tables/table_keys.h"
#include "app/panels/text_field.h"
#include "app/panels/toolbar.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kBorderPx = 4;  // to either side of where a column ends
constexpr float kSidewaysPxPerNotch = 60;
constexpr const char* kMenu = "row menu";
constexpr uint64_t kMostFollowed = 10'000;  // rows among which one is looked for in a frame

// The table's name in commands.
std::string_view table_of(const TableInput& input) {
  return input.prefix.substr(0, input.prefix.find('.'));
}

Sheet shown_sheet(const TableRows& rows, const TableInput& input, const std::vector<bool>& hidden) {
  std::vector<std::string> left_out;
  for (size_t i = 0; i < hidden.size(); ++i) {
    if (hidden[i]) left_out.emplace_back(input.columns[i].id);
  }
  return left_out.empty() ? rows.sheet() : without_columns(rows.sheet(), left_out);
}

void answer_sort(const TableInput& input, PanelOutput& output) {
  if (input.is_stale) return;
  const std::string_view table = table_of(input);
  const bool is_asked =
      std::ranges::any_of(input.panel.session.orders.sorts, [&](const SortOrder& order) {
        return order.panel == input.panel.id && order.table == table;
      });
  if (!is_asked) return;
  output.sorts.push_back({std::string(table), {}});
  if (!input.is_in_own_order) output.sorts.back().columns = column_ids(input.columns);
}

}  // namespace

void TableView::copy_row(const Frame& frame, uint64_t row) const {
  std::string text;
  for (size_t column = 0; column < frame.hidden.size(); ++column) {
    if (frame.hidden[column]) continue;
    if (column > 0) text += '\t';
    text += printable(frame.rows.cell(row, column), 0);
  }
  ImGui::SetClipboardText(text.c_str());
}

TableAnswer TableView::draw(const TableInput& input, const TableRows& rows, PanelOutput& output) {
  Frame frame{input, rows, output};
  frame.is_hovered = ImGui::IsWindowHovered() && input.area.contains(frame.mouse);
  ImGui::PushID(this);  // a panel may have several tables
  frame.options = table_options(input.panel.options, input.prefix);
  frame.hidden = hidden_columns(input.panel.options, input.prefix, input.columns);
  frame.bare = bare_.update(input, rows, frame.options, first_row_, rows_seen_);
  frame.find_filter_errors();
  frame.lay_out(scroll_x_, [&](size_t column) {
    const auto seen = static_cast<uint64_t>(std::ceil(frame.body.height() / frame.row_px));
    return bare_.widest(column, frame.fitted_width(column, first_row_, seen));
  });
  follow_row(frame);
  if (!input.is_stale && frame.options != std::exchange(shown_options_, frame.options)) scroll_ = 0;
  take_keys(frame);
  ImGui::PushClipRect({input.area.x0, input.area.y0}, {input.area.x1, frame.body.y0}, true);
  draw_titles(frame);
  for (size_t i = 0; i < input.columns.size(); ++i) {
    if (frame.has_filters && input.columns[i].has_filter && !frame.hidden[i]) draw_filter(frame, i);
  }
  ImGui::PopClipRect();
  scroll_rows(frame);
  scroll_sideways(frame);
  if (frame.is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    menu_row_ = rows.count();  // none, where none is below the pointer
    ImGui::OpenPopup(kMenu);
  }
  if (wanted_menu_) {
    menu_row_ = *std::exchange(wanted_menu_, std::nullopt);
    frame.answer.menu_at = menu_row_;
    menu_column_ = 0;
    ImGui::OpenPopup(kMenu);
  }
  draw_rows(frame);
  if (rows.count() == 0 && !input.is_stale && input.problem.empty()) {
    const bool is_filtered = !frame.options.filters.empty();
    draw_notice(input.panel, frame.body,
                is_filtered ? "No row passes the filters below the titles" : input.nothing);
    if (is_filtered) offer_all_rows(frame);
  }
  frame.draw_footer();
  if (key_row_ && *key_row_ < rows.count()) key_identity_ = rows.identity(*key_row_);
  draw_menu(frame);
  ImGui::PopID();
  offer_sheet(
      input.panel, table_of(input), input.is_stale,
      [&] { return shown_sheet(rows, input, frame.hidden); }, output);
  answer_sort(input, output);
  return frame.answer;
}

void TableView::reveal(uint64_t row) { reveal_ = row; }

// Called when the rows have changed. After a change of sorting or filters, the table is shown from
// its top.
void TableView::follow_row(const Frame& frame) {
  const uint64_t count = frame.rows.count();
  if (!key_row_ || key_identity_.empty() || count == 0) return;
  if (*key_row_ < count && frame.rows.identity(*key_row_) == key_identity_) return;
  const auto rows = std::views::iota(uint64_t{0}, std::min(count, kMostFollowed));
  const auto row = std::ranges::find_if(
      rows, [&](uint64_t at) { return frame.rows.identity(at) == key_identity_; });
  if (row == rows.end()) return key_row_.reset();
  const bool was_seen = *key_row_ >= first_row_ && *key_row_ < first_row_ + rows_seen_;
  if (was_seen && frame.options == shown_options_)
    scroll_ += static_cast<double>(*row) - static_cast<double>(*key_row_);
  key_row_ = *row;
}

void TableView::draw_titles(Frame& frame) {
  const Area& area = frame.input.area;
  frame.list.AddRectFilled({area.x0, area.y0}, {area.x1, frame.filter_y}, frame.theme().header);
  drag_border(frame);
  ImGui::PushFont(frame.input.panel.fonts.bold);
  const auto sorted = sort_column(frame.options, frame.input.columns);
  const float pad = frame.scaled(Frame::kPadPx);
  for (size_t i = 0; i < frame.input.columns.size(); ++i) {
    if (frame.hidden[i]) continue;
    const TableColumn& column = frame.input.columns[i];
    const Area title = {frame.edges[i], frame.title_y, frame.edges[i + 1], frame.filter_y};
    const bool is_hovered =
        frame.is_hovered && !border_ && title.contains(frame.mouse) && !frame.input.is_in_own_order;
    const float y = title.y0 + (title.height() - ImGui::GetFontSize()) / 2;
    const bool is_sorted = sorted == i;
    const float arrow = is_sorted ? frame.scaled(Frame::kTitleArrowPx) : 0;
    const float width = text_width(column.title);
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
      const bool begins_group = column.group != frame.input.columns[i - 1].group;
      const float top = begins_group ? area.y0 : title.y0;
      frame.list.AddRectFilled({title.x0, top + frame.scaled(5)},
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
  draw_groups(frame);
  ImGui::PopFont();
}

// Above the middle of their columns, as far as these are seen.
void TableView::draw_groups(const Frame& frame) const {
  const auto columns = frame.input.columns;
  const Area& area = frame.input.area;
  const float pad = frame.scaled(Frame::kPadPx);
  for (size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
    const std::string_view group = columns[begin].group;
    while (end < columns.size() && columns[end].group == group) ++end;
    if (group.empty()) continue;
    const float x0 = std::max(area.x0, frame.edges[begin]) + pad;
    const float x1 = std::min(area.x1, frame.edges[end]) - pad;
    const float width = text_width(group);
    const float x = std::max(x0, std::round((x0 + x1 - width) / 2));
    const float y = std::round((area.y0 + frame.title_y - ImGui::GetFontSize()) / 2) + 1;
    if (x1 > x0) draw_printable(frame.list, {x, y}, frame.theme().text_dim, group, width, x1 - x);
  }
}

// The borders between titles can be dragged.
void TableView::drag_border(Frame& frame) {
  const TableInput& input = frame.input;
  const float grip = frame.scaled(kBorderPx);
  const Area titles = {input.area.x0, input.area.y0, input.area.x1, frame.filter_y};
  if (!border_ && frame.is_hovered && titles.contains(frame.mouse)) {
    for (size_t i = 0; i < input.columns.size(); ++i) {
      if (frame.hidden[i] || std::fabs(frame.mouse.x - frame.edges[i + 1]) > grip) continue;
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
        std::max(Frame::kLeastColumnPx, border_->from_width + moved);
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
  const auto error = frame.filter_errors.find(column);
  const std::string problem = error == frame.filter_errors.end() ? "" : error->second;
  Typed& typed = typed_[column];
  ImGui::PushID(static_cast<int>(column));
  ImGui::PushFont(input.panel.fonts.small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {frame.scaled(5), frame.scaled(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, problem.empty() ? 0.0F : 1.0F);
  ImGui::PushStyleColor(ImGuiCol_Border, frame.theme().error);
  const float x0 = frame.edges[column] + frame.scaled(3);
  ImGui::SetCursorScreenPos({x0, frame.filter_y + frame.scaled(3)});
  ImGui::SetNextItemWidth(frame.edges[column + 1] - frame.scaled(3) - x0);
  if (typing_ != column) copy_into(now, typed);
  if (wanted_filter_ == column && frame.is_seen(column)) {
    focus_next_field();
    wanted_filter_.reset();
  }
  const bool is_edited = ImGui::InputTextWithHint("##filter", "filter", typed.data(), typed.size());
  if (ImGui::IsItemActivated()) typing_gesture_ = new_gesture();
  if (ImGui::IsItemActive()) {
    typing_ = column;
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Tab)))
      go_to_filter(frame, column, ImGui::GetIO().KeyShift);
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
  const float triangle = frame.edges[0] + frame.scaled(Frame::kPadPx) +
                         frame.scaled(Frame::kIndentPx) * static_cast<float>(state.level + 1);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    frame.answer.opened = row;
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    const bool is_on_triangle = state.is_open && frame.mouse.x < triangle;
    const bool is_on_eye =
        state.is_shown &&
        frame.mouse.x < frame.edges[0] + frame.scaled(Frame::kPadPx + Frame::kEyePx);
    key_row_ = row;
    (is_on_eye        ? frame.answer.toggled
     : is_on_triangle ? frame.answer.folded
                      : frame.answer.clicked) = row;
    frame.answer.is_added = ImGui::GetIO().KeyCtrl;
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    menu_row_ = row;
    frame.answer.menu_at = row;
    for (size_t i = 0; i < frame.input.columns.size(); ++i) {
      if (!frame.hidden[i] && frame.mouse.x >= frame.edges[i]) menu_column_ = i;
    }
  }
}

// The keys pressed, where they are of this table.
void TableView::take_keys(Frame& frame) {
  const TableInput& input = frame.input;
  if (frame.is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    frame.output.clicked_table = table_of(input);
  frame.has_keys = input.panel.is_focused && input.panel.keys_table == table_of(input);
  if (!frame.has_keys) return;
  for (const std::string& key : input.panel.keys) {
    if (key == kFiltersKey) go_to_filter(frame, std::nullopt, /*is_back=*/false);
    if (key == kFiltersKey || frame.rows.count() == 0) continue;
    const SeenRows seen = {static_cast<uint64_t>(scroll_), rows_seen_ - 1};
    const KeyStep step = step_by_key(key, row_of_keys(frame), frame.rows, seen);
    const bool has_moved = key_row_ != step.row;
    key_row_ = step.row;
    const uint64_t top = top_to_show(step.row, seen);
    if (top != seen.first) scroll_ = static_cast<double>(top);
    if (step.folds) frame.answer.folded = step.row;
    if (step.copies) copy_row(frame, step.row);
    if (step.opens) frame.answer.opened = step.row;
    if (step.has_menu) {
      open_menu(step.row);
      menu_is_at_row_ = true;
    }
    if (step.opens || (input.selects && has_moved && !step.copies)) {
      frame.answer.clicked = step.row;
      frame.answer.gesture = key_run_.number();
    }
  }
  frame.output.wanted_keys = table_keys(frame.rows, {first_row_, rows_seen_});
}

// From one filter to the next, round the end; from none to the first. What is out of sight is moved
// into it.
void TableView::go_to_filter(const Frame& frame, std::optional<size_t> from, bool is_back) {
  if (!frame.has_filters) return;
  const size_t count = frame.input.columns.size();
  for (size_t step = 1; step <= count; ++step) {
    const size_t at = from.value_or(is_back ? 0 : count - 1) + (is_back ? count - step : step);
    const size_t column = at % count;
    if (!frame.input.columns[column].has_filter || frame.hidden[column]) continue;
    wanted_filter_ = column;
    if (!frame.is_seen(column)) scroll_x_ += frame.edges[column] - frame.body.x0;
    return;
  }
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
    // The last one may be seen in part.
    if (row < std::floor(scroll_) || row > scroll_ + seen) scroll_ = row - std::floor(seen / 2);
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
                    frame.body.y1 + frame.scaled(ScrollBar::kWidthPx)};
  scroll_x_ = static_cast<float>(sideways_bar_.draw(frame.scroll_bar(bar), {scroll_x_, seen, all}));
}

// Which columns are shown, and leave for files. What is hidden filters nothing.
void TableView::draw_columns_menu(Frame& frame) const {
  if (!ImGui::BeginMenu("Columns")) return;
  const TableInput& input = frame.input;
  for (size_t i = 1; i < input.columns.size(); ++i) {
    std::string title(input.columns[i].group);
    title += (title.empty() ? "" : ": ") + std::string(input.columns[i].title);
    if (!plain_item(title.c_str(), {}, !frame.hidden[i])) continue;
    std::vector<bool> hidden = frame.hidden;
    hidden[i] = !hidden[i];
    Json ids = Json::array();
    for (size_t k = 0; k < hidden.size(); ++k) {
      if (hidden[k]) ids.push_back(input.columns[k].id);
    }
    const uint32_t gesture = new_gesture();
    frame.output.commands.push_back(
        set_option(input.panel, frame.option("hidden"), std::move(ids), gesture));
    Json filters = frame.options.filters;
    if (hidden[i] && filters.erase(std::string(input.columns[i].id)) > 0)
      frame.output.commands.push_back(
          set_option(input.panel, frame.option("filters"), std::move(filters), gesture));
  }
  ImGui::EndMenu();
}

// Below what is said in place of rows.
void TableView::offer_all_rows(Frame& frame) const {
  const char* title = "Clear these filters";
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  const float width = text_width(title) + 2 * padding.x, height = ImGui::GetFrameHeight();
  const float y = std::round((frame.body.y0 + frame.body.y1) / 2 + ImGui::GetFontSize());
  if (y + height > frame.body.y1 || width > frame.body.width()) return;
  ImGui::SetCursorScreenPos({std::round((frame.body.x0 + frame.body.x1 - width) / 2), y});
  if (ImGui::Button(title))
    frame.output.commands.push_back(set_option(frame.input.panel, frame.option("filters"), Json()));
}

void TableView::draw_menu(Frame& frame) {
  if (std::exchange(menu_is_at_row_, false)) {
    const auto below = static_cast<float>(menu_row_ - first_row_ + 1);
    ImGui::SetNextWindowPos({frame.body.x0 + frame.scaled(Frame::kPadPx),
                             std::min(frame.body.y0 + below * frame.row_px, frame.body.y1)});
  }
  if (!ImGui::BeginPopup(kMenu)) return;
  const PanelInput& panel = frame.input.panel;
  const std::string_view table = table_of(frame.input);
  const std::string no_row = menu_row_ < frame.rows.count() ? "" : "there is no row";
  for (size_t i = 0; i < frame.input.menu.size(); ++i) {
    const bool is_asked = no_row.empty() && frame.input.obstacle;
    if (plain_item(frame.input.menu[i], is_asked ? frame.input.obstacle(i, menu_row_) : no_row)) {
      frame.answer.menu = i;
      frame.answer.menu_row = menu_row_;
    }
  }
  if (!frame.input.menu.empty()) ImGui::Separator();
  if (plain_item("Copy cell", no_row)) {
    ImGui::SetClipboardText(printable(frame.rows.cell(menu_row_, menu_column_), 0).c_str());
  }
  if (plain_item("Copy row", no_row)) copy_row(frame, menu_row_);
  if (plain_item("Fit columns to what they show")) {
    fit_columns(frame, 0, frame.input.columns.size());
  }
  draw_columns_menu(frame);
  const bool can_filter = std::ranges::any_of(frame.input.columns, &TableColumn::has_filter);
  if (can_filter &&
      plain_item("Filters below the titles",
                 frame.options.filters.empty() ? "" : "one of them filters", frame.has_filters)) {
    frame.output.commands.push_back(
        set_option(panel, frame.option("filters_folded"), frame.has_filters ? Json(true) : Json()));
  }
  const auto has = [&](const char* option) { return panel.options.contains(frame.option(option)); };
  const bool has_own_columns = has("widths") || has("hidden");
  if (plain_item("Columns as at first", has_own_columns ? "" : "they are as at first")) {
    for (const char* option : {"widths", "hidden"}) {
      if (has(option))
        frame.output.commands.push_back(set_option(panel, frame.option(option), Json()));
    }
  }
  ImGui::Separator();
  for (const auto& [title, format] :
       {std::pair("Copy its table as CSV", "csv"), std::pair("Copy its table as JSON", "json")}) {
    const Json args = {{"panel", panel.id}, {"table", table}, {"format", format}};
    offer(panel.session, {{"table.copy", args}, title}, frame.output.commands);
  }
  const std::string base = panel.trace ? panel.trace->beside().string() : "weftscope";
  const std::string name = std::string(panel.id) + (table.empty() ? "" : "-" + std::string(table));
  offer(panel.session,
        {ask_for_table(base + "." + name + ".csv", panel.id, table), "Write table to a file…"},
        frame.output.commands);
  ImGui::EndPopup();
}

}  // namespace weft::app
