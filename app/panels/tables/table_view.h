// A table as every panel shows it: titles that sort, a filter for each column, widths that are
// dragged or fitted to what is seen (double click on a border), a bar that scrolls 10^8 rows
// exactly, one to the side where columns need more room than there is, copying and a menu. It asks
// for the cells that are seen and holds none; what its rows are, and what sorting and filtering do
// to them, is the panel's business.
//
//   Time ▲      | Lane      | Type        | Duration      titles; a click sorts
//   [filter   ] | [filter ] | [filter   ] | [filter ]     see column_filter.h
//   1.000 ms    | net/rx    | ■ poll      |   12.5 µs  ▒
//     ▸ folder  |           |             |            ▒
//   1,234 of 5,678 events                                 what the panel says of the rows
//
// The row that was clicked, or reached by keys, stays where it is seen when figures that are worked
// out anew (of another range, say) put the rows in another order. What is sorted or filtered anew
// is seen from its top.
//
// The table that was clicked last has the keys while its panel has the focus, before any click the
// panel's main one: arrows, pages and ends move from row to row, Enter is a double click, Ctrl+C
// copies the row, Shift+F10 opens its menu; left and right close and open folders. Tab leads into
// the filters and from one to the next, Enter or Escape back to the rows.
//
// Every table leaves the program by the commands table.copy and table.export, which its menu
// offers: TableRows::sheet() says what is in it.
//
// Sorting, filters, widths and which columns are hidden are options of the panel, changed by its
// panel.set commands:
//   "sort": "-time" (largest first), "filters": {"lane": "net"}, "widths": {"lane": 120},
//   "hidden": ["category"], "filters_folded": true (while there are none)
// What is hidden is in no file and not in the clipboard either. The first column is always there.
// Until the user says what is hidden, columns that say nothing of this trace are. A column in which
// nothing is written takes no more room than its title, until something is seen there.
// Cells are text from traces; they are made printable here. Cost of a frame: the cells seen.
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
  float width_px;          // logical, until it is dragged
  bool is_number = false;  // set to the right
  bool has_filter = false;
  bool is_path = false;         // names from the root; where they have no room, the last ones stay
  std::string_view group = {};  // stands once above the titles of neighbours that have the same
  bool says_nothing = false;    // it is hidden until the user says what is
};

struct TableRow {
  int level = 0;                // of indentation
  std::optional<bool> is_open;  // set: a folder
  bool is_selected = false;
  bool is_dim = false;
  std::optional<bool> is_shown;  // set: an eye, open or closed, before all else
  std::optional<ImU32> swatch;   // before the text of TableInput::swatch_column …
  layout::Pattern pattern = layout::Pattern::kPlain;  // … with this upon it
};

// What a table shows; lives for a call of draw().
class TableRows {
 public:
  virtual ~TableRows() = default;
  virtual uint64_t count() const = 0;
  virtual TableRow row(uint64_t row) const = 0;
  virtual std::string cell(uint64_t row, size_t column) const = 0;
  // What the row is of, whatever its figures: the same when they are worked out anew. Empty: nobody
  // knows.
  virtual std::string identity(uint64_t) const { return {}; }
  // All of it, for a file; called when it is asked for.
  virtual Sheet sheet() const = 0;
};
// The ids of columns, as a sheet has them.
std::vector<std::string> column_ids(std::span<const TableColumn> columns);

// What the options of a panel say of its table.
struct TableOptions {
  std::string sort;  // id of a column; empty: as the panel orders them
  bool is_descending = false;
  std::map<std::string, std::string> filters;  // by id of column; none is empty
  bool operator==(const TableOptions&) const = default;
};
// Leaves out what is of the wrong type: options come from files, too.
// `prefix` tells tables of one panel apart: "types." gives "types.sort".
TableOptions table_options(const Json& options, std::string_view prefix = "");
// Of the column to sort by; none where the options name none there is.
std::optional<size_t> sort_column(const TableOptions& options,
                                  std::span<const TableColumn> columns);

// By column, whether it is hidden.
std::vector<bool> hidden_columns(const Json& options, std::string_view prefix,
                                 std::span<const TableColumn> columns);

// The filters of a table, compiled, by column. One that does not compile takes everything.
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
  // Whether all take the text of their column: cell(column).
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
  bool is_stale = false;                   // the rows are not yet those asked for
  std::span<const char* const> menu = {};  // the panel's own entries of a row's menu
  // Why an entry can do nothing on a row; empty: it can. Null: they always can.
  std::function<std::string(size_t entry, uint64_t row)> obstacle = {};
  std::string_view prefix = "";  // of its options; without the dot the table's name
  bool is_in_own_order = false;  // titles do not sort
  bool selects = false;          // all that a click does is to select: keys do, too
  std::string nothing = {};      // said where there are no rows and nothing filters them
};

// What the user did; the panel answers with commands.
struct TableAnswer {
  std::optional<uint64_t> clicked;  // or reached by keys; with Enter it is opened, too
  uint32_t gesture = 0;             // of the run of keys that it was reached by; 0: it was clicked
  bool is_added = false;            // clicked with Ctrl: to the selection, or taken away from it
  std::optional<uint64_t> opened;   // double click
  std::optional<uint64_t> folded;   // its triangle was clicked
  std::optional<uint64_t> toggled;  // its eye was clicked
  std::optional<size_t> menu;       // an entry of TableInput::menu …
  uint64_t menu_row = 0;            // … chosen on this row
};

// The columns in which nothing is written. It is learned from the rows seen; one in which something
// was seen keeps its width while the table is sorted and filtered as it is: rows that scroll by
// move no column.
class BareColumns {
 public:
  // By column; never the first one, which may have more than its text. Every frame: of the rows
  // from `first` on, `seen` of them in the last frame. The rows of a stale table say nothing.
  const std::vector<bool>& update(const TableInput& input, const TableRows& rows,
                                  const TableOptions& options, uint64_t first, uint64_t seen);

 private:
  struct Table {
    uint64_t trace_id = 0;
    std::vector<std::string> columns;
    TableOptions options;
    bool operator==(const Table&) const = default;
  };
  Table table_;
  bool has_looked_ = false;  // at rows of that table
  std::vector<bool> is_bare_;
};

class TableView {
 public:
  // Within the current ImGui window.
  TableAnswer draw(const TableInput& input, const TableRows& rows, PanelOutput& output);

  // Of the last frame: what is to be there.
  uint64_t first_row() const { return first_row_; }
  uint64_t rows_seen() const { return rows_seen_; }
  // Brings the row into view, where it is not.
  void reveal(uint64_t row);
  // The menu of the row, at the pointer, with the next draw(): of what stands for it elsewhere.
  void open_menu(uint64_t row) { wanted_menu_ = row; }

 private:
  struct Frame;  // what one draw() knows
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
  void draw_menu(Frame& frame);
  void draw_columns_menu(Frame& frame) const;
  void copy_row(const Frame& frame, uint64_t row) const;

  double scroll_ = 0;  // the row at the top
  uint64_t first_row_ = 0;
  uint64_t rows_seen_ = 0;
  std::optional<uint64_t> reveal_;
  std::optional<uint64_t> key_row_;  // the one that was clicked, or reached by keys
  std::string key_identity_;         // of that row
  TableOptions shown_options_;       // how the rows that were shown last are sorted and filtered
  BareColumns bare_;
  RunGesture key_run_;
  std::optional<Border> border_;
  float scroll_x_ = 0;  // how far columns are moved to the left
  ScrollBar bar_{ScrollBar::Way::kDown};
  ScrollBar sideways_bar_{ScrollBar::Way::kSideways};
  std::optional<uint64_t> wanted_menu_;
  bool menu_is_at_row_ = false;          // it was asked for by keys
  std::optional<size_t> wanted_filter_;  // the column whose field is to have the cursor
  uint64_t menu_row_ = 0;
  size_t menu_column_ = 0;
  std::map<size_t, Typed> typed_;  // into the filters, by column
  std::optional<size_t> typing_;   // the one that has the cursor
  uint32_t typing_gesture_ = 0;
};

// A command that sets an option of the panel, or of another by its id.
Command set_option(const PanelInput& panel, std::string_view option, Json value,
                   uint32_t gesture = 0);
Command set_option_of(std::string_view panel, std::string_view option, Json value,
                      uint32_t gesture = 0);
}  // namespace weft::app
