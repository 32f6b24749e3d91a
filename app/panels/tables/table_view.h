// The table that all panels use: titles that sort, a filter for each column, column widths that are
// dragged or fitted to the visible content (double click on a border), a scroll bar that scrolls
// 10^8 rows exactly, a horizontal one if columns need more room, copying and a menu. It requests
// only the visible cells and stores none; what the rows are, and how they are sorted and filtered,
// is up to the panel.
//
//   Time ▲      | Lane      | Type        | Duration      titles; a click sorts
//   [filter   ] | [filter ] | [filter   ] | [filter ]     see column_filter.h
//   1.000 ms    | net/rx    | ■ poll      |   12.5 µs  ▒
//     ▸ folder  |           |             |            ▒
//   1,234 of 5,678 events                                 what the panel says of the rows
//
// The row that was clicked, or reached by keys, keeps its place on the screen when recomputed
// figures (of another range, say) change the order of the rows. After a change of sorting or
// filters, the table is shown from its top.
//
// While its panel has the focus, the table that was clicked last gets the keys; before any click,
// the panel's main table. Arrows, PageUp, PageDown, Home and End move from row to row, Enter is a
// double click, Ctrl+C copies the row, Shift+F10 opens its menu; left and right close and open
// folders. Tab goes into the filters and from one to the next, Enter or Escape back to the rows.
//
// Every table can be exported by the commands table.copy and table.export, which its menu offers:
// TableRows::sheet() returns its content.
//
// Sorting, filters, widths and hidden columns are options of the panel, which the table changes by
// panel.set commands:
//   "sort": "-time" (largest first), "filters": {"lane": "net"}, "widths": {"lane": 120},
//   "hidden": ["category"], "filters_folded": true (while there are none)
// Filters belong to the trace that is shown; other traces have their own (panel_options.h).
// Hidden columns are left out of files and of the clipboard, too. The first column is always shown.
// Until the user chooses, columns that distinguish nothing in this trace are hidden. A column that
// is empty takes no more room than its title, until some content has been seen in it. Cells are
// text from traces; they are made printable here. Cost of a frame: the visible cells.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/run_gesture.h"
#include "app/panels/tables/column_filter.h"
#include "app/panels/tables/scroll_bar.h"

namespace weft::app {

struct TableColumn {
  std::string_view id;  // in options and journals
  std::string_view title;
  float width_px;          // logical; the initial width
  bool is_number = false;  // aligned to the right
  bool has_filter = false;
  bool is_path = false;          // a path of names; if too long, only the last ones are shown
  std::string_view group = {};   // written once above neighbouring titles with the same group
  bool says_nothing = false;     // hidden until the user chooses columns
  bool keeps_both_ends = false;  // if too long, it is cut in the middle
  bool is_lane = false;          // a lane, told apart from others; if too long, it still is
  bool is_name() const { return is_path || is_lane; }  // gets spare room before others
};

// A figure that can be filtered by what is typed under its title.
constexpr TableColumn figure_column(std::string_view id, std::string_view title, float width_px,
                                    std::string_view group = {}) {
  return {.id = id,
          .title = title,
          .width_px = width_px,
          .is_number = true,
          .has_filter = true,
          .group = group};
}

struct TableRow {
  int level = 0;                // indentation level
  std::optional<bool> is_open;  // set if the row is a folder
  bool is_selected = false;
  bool is_dim = false;
  std::optional<bool> is_shown;  // set: an eye, open or closed, in front
  std::optional<ImU32> swatch;   // before the text of TableInput::swatch_column …
  layout::Pattern pattern = layout::Pattern::kPlain;  // … with this upon it
};

// The rows of a table; needed only during a call of draw().
class TableRows {
 public:
  virtual ~TableRows() = default;
  virtual uint64_t count() const = 0;
  virtual TableRow row(uint64_t row) const = 0;
  virtual std::string cell(uint64_t row, size_t column) const = 0;
  // Identifies the row, independently of its figures: the same after they are recomputed. Empty:
  // unknown.
  virtual std::string identity(uint64_t) const { return {}; }
  // The whole content, for a file; called only on demand.
  virtual Sheet sheet() const = 0;
};
// The ids of columns, as used in a sheet.
std::vector<std::string> column_ids(std::span<const TableColumn> columns);

// The sorting and filters in the options of a panel.
struct TableOptions {
  std::string sort;  // id of a column; empty: the panel's own order
  bool is_descending = false;
  std::map<std::string, std::string> filters;  // by id of column; never empty texts
  bool operator==(const TableOptions&) const = default;
};
// Reads the options; members of the wrong type are left out, since options come from files, too.
// `prefix` distinguishes tables of one panel: "types." gives "types.sort".
TableOptions table_options(const Json& options, std::string_view prefix = "");
// The index of the column to sort by; nullopt if the options name no existing one.
std::optional<size_t> sort_column(const TableOptions& options,
                                  std::span<const TableColumn> columns);

// By column: whether it is hidden.
std::vector<bool> hidden_columns(const Json& options, std::string_view prefix,
                                 std::span<const TableColumn> columns);

// The compiled filters of a table, by column. A filter that does not compile accepts everything.
// Thread-safe.
class TableFilters {
 public:
  TableFilters(const TableOptions& options, std::span<const TableColumn> columns);
  bool is_empty() const { return filters_.empty(); }
  bool has(size_t column) const { return filters_.contains(column); }
  bool takes(size_t column, std::string_view text) const {
    const auto filter = filters_.find(column);
    return filter == filters_.end() || filter->second.matches(text);
  }
  // Whether every filter accepts the text of its column, cell(column).
  template <class Cell>
  bool take(const Cell& cell) const {
    return std::ranges::all_of(
        filters_, [&](const auto& filter) { return filter.second.matches(cell(filter.first)); });
  }

 private:
  std::map<size_t, ColumnFilter> filters_;
};

struct TableInput {
  const PanelInput& panel;
  Area area;
  std::span<const TableColumn> columns;
  size_t swatch_column = 0;
  std::string footer = {};                 // "1,234 of 5,678 events"
  std::string caution = {};                // after the footer, in the colour of warnings
  std::string problem = {};                // … in the colour of errors
  bool is_stale = false;                   // the rows are not yet the requested ones
  std::span<const char* const> menu = {};  // the panel's own entries of a row's menu
  // Why an entry cannot be used on a row; empty: it can. Null: entries can always be used.
  std::function<std::string(size_t entry, uint64_t row)> obstacle = {};
  std::string_view prefix = "";  // of its options; without the dot, the table's name
  bool is_in_own_order = false;  // titles do not sort
  bool selects = false;          // a click only selects, so keys select, too
  std::string nothing = {};      // shown if there are no rows and no filters
};

// The user's action; the panel answers with commands.
struct TableAnswer {
  std::optional<uint64_t> clicked;  // or reached by keys; with Enter it is opened, too
  uint32_t gesture = 0;             // of the run of keys that reached it; 0: clicked
  bool is_added = false;            // clicked with Ctrl: adds to or removes from the selection
  std::optional<uint64_t> opened;   // double click
  std::optional<uint64_t> folded;   // its triangle was clicked
  std::optional<uint64_t> toggled;  // its eye was clicked
  std::optional<uint64_t> menu_at;  // the row whose menu opens
  std::optional<size_t> menu;       // an entry of TableInput::menu …
  uint64_t menu_row = 0;            // … chosen on this row
};

// Finds the columns without any content, from the visible rows, and how wide the texts of others
// are. A column in which something was seen keeps its width as long as sorting and filters stay the
// same, so that scrolling moves no column to and fro.
class BareColumns {
 public:
  // By column: whether it is empty; never the first one, which may have more than its text. Call in
  // every frame with the `seen` rows from `first` on that the last frame showed. Rows of a stale
  // table are ignored.
  const std::vector<bool>& update(const TableInput& input, const TableRows& rows,
                                  const TableOptions& options, uint64_t first, uint64_t seen);
  // What a column wanted at most so far, with what it wants now. Logical pixels.
  float widest(size_t column, float wanted_px) {
    return widest_px_[column] = std::max(widest_px_[column], wanted_px);
  }

 private:
  struct Table {
    uint64_t trace_id = 0;
    std::vector<std::string> columns;
    TableOptions options;
    bool operator==(const Table&) const = default;
  };
  Table table_;
  bool has_looked_ = false;  // whether rows of that table were seen
  std::vector<bool> is_bare_;
  std::vector<float> widest_px_;
};

class TableView {
 public:
  // Call within an ImGui window.
  TableAnswer draw(const TableInput& input, const TableRows& rows, PanelOutput& output);

  // The rows visible in the last frame: the ones to provide.
  uint64_t first_row() const { return first_row_; }
  uint64_t rows_seen() const { return rows_seen_; }
  // Scrolls to the row, unless it is visible.
  void reveal(uint64_t row);
  // Opens the menu of the row at the pointer, at the next draw(): for something that stands for the
  // row elsewhere.
  void open_menu(uint64_t row) { wanted_menu_ = row; }

 private:
  struct Frame;  // state of one draw()
  using Typed = std::array<char, 256>;
  struct Border {
    size_t column;
    float from_x;
    float from_width;  // logical
    uint32_t gesture;
  };

  void follow_row(const Frame& frame);
  void draw_titles(Frame& frame);
  void draw_groups(const Frame& frame) const;
  void drag_border(Frame& frame);
  void draw_filter(Frame& frame, size_t column);
  void draw_rows(Frame& frame);
  void handle_row(Frame& frame, uint64_t row, const TableRow& state, float y);
  void fit_columns(Frame& frame, size_t begin, size_t end) const;
  void take_keys(Frame& frame);
  void go_to_filter(const Frame& frame, std::optional<size_t> from, bool is_back);
  std::optional<uint64_t> row_of_keys(const Frame& frame) const;
  void scroll_rows(Frame& frame);
  void scroll_sideways(Frame& frame);
  void offer_all_rows(Frame& frame) const;
  void draw_menu(Frame& frame);
  void draw_columns_menu(Frame& frame) const;
  void copy_row(const Frame& frame, uint64_t row) const;

  double scroll_ = 0;  // the row at the top
  uint64_t first_row_ = 0;
  uint64_t rows_seen_ = 0;
  std::optional<uint64_t> reveal_;
  std::optional<uint64_t> key_row_;  // the row that was clicked, or reached by keys
  std::string key_identity_;         // of that row
  TableOptions shown_options_;       // options of the rows shown last
  BareColumns bare_;
  RunGesture key_run_;
  std::optional<Border> border_;
  float scroll_x_ = 0;  // how far columns are scrolled to the left
  ScrollBar bar_{ScrollBar::Way::kDown};
  ScrollBar sideways_bar_{ScrollBar::Way::kSideways};
  std::optional<uint64_t> wanted_menu_;
  bool menu_is_at_row_ = false;          // it was opened by keys
  std::optional<size_t> wanted_filter_;  // the column whose field gets the cursor
  uint64_t menu_row_ = 0;
  size_t menu_column_ = 0;
  std::map<size_t, Typed> typed_;  // texts typed as filters, by column
  std::optional<size_t> typing_;   // the field that has the cursor
  uint32_t typing_gesture_ = 0;
};

// The command that sets an option of the panel, or of another panel by its id.
Command set_option(const PanelInput& panel, std::string_view option, Json value,
                   uint32_t gesture = 0);
Command set_option_of(std::string_view panel, std::string_view option, Json value,
                      uint32_t gesture = 0);
}  // namespace weft::app
