// Reads the output of `perf report --stdio` line by line: tables of sampled events and, below each
// row, a call graph in any of the forms of -g (graph, fractal, flat, folded).
//
//   # Samples: 2K of event 'cycles'
//   # Event count (approx.): 1317007038
//   #
//   # Children      Self  Command  Shared Object  Symbol
//   # ........  ........  .......  .............  ......
//   #
//       67.44%     2.33%  app      app            [.] run
//               |
//               |--65.11%--run
//               |          invoke
//               |          |
//               |           --2.64%--assign
//                --2.33%--start
//                          run
//
// `perf diff` prints such a table without graphs, of what was before and how much that changed:
//
//   # Event 'cycles'
//   #
//   # Baseline  Delta Abs  Shared Object  Symbol
//   # ........  .........  .............  ......
//   #
//       10.15%     -9.35%  [kernel]       [k] schedule
//
// With -t, a separator stands between cells, and there is no line of dots below the column names.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/by_name.h"
#include "core/formats/profiles/stack_text/stack_output.h"
#include "core/io/line_reader.h"

namespace weft::formats::stack_text {

struct ReportNode {
  static constexpr size_t kNone = SIZE_MAX;
  const std::string_view* name = nullptr;
  size_t above = kNone;  // the node it hangs on; none: the row itself
  // As printed: a percentage, or a number; NaN: all of its parent's.
  double share = std::numeric_limits<double>::quiet_NaN();
  bool is_percentage = true;
};

struct ReportRow {
  size_t event = 0;
  size_t first = 0, count = 0;                 // of its nodes
  double total = 0;                            // percentage: Overhead, or Children
  std::optional<double> self;                  // where it is printed beside Children
  const std::string_view* name = nullptr;      // of the function; else of what is told last
  const std::string_view* object = nullptr;    // null: it is not told
  std::vector<const std::string_view*> outer;  // what is told before: command, process, …
};

struct ReportEvent {
  std::string name;
  double count = 10'000;  // that 100 % are; as fine as percentages are, where it is not told
};

// A line of columns, "# ........  ....": where each begins and ends.
struct ReportColumn {
  size_t begin = 0, end = 0;
  std::string name;
};
// The columns by this line and by their names in the line before; none: it is no such line.
std::vector<ReportColumn> report_columns(std::string_view names, std::string_view dots);
// "# Children,    Self,Command,Symbol": the names of columns with a sign between them (-t).
struct SeparatedColumns {
  char separator = 0;  // 0: it is no such line
  std::vector<ReportColumn> columns;
};
SeparatedColumns separated_columns(std::string_view names);

class ReportLines {
 public:
  explicit ReportLines(StackOutput& output) : sink_(output.sink()) {}

  void add(const io::Line& line);

  std::span<const ReportEvent> events() const { return events_; }
  std::span<const ReportRow> rows() const { return rows_; }
  std::span<const ReportNode> nodes_of(const ReportRow& row) const {
    return std::span(nodes_).subspan(row.first, row.count);
  }

 private:
  struct Level {
    size_t column = 0;  // where names below begin
    size_t node = 0;    // in nodes_
  };

  void add_comment(std::string_view text, const io::Line& line);
  bool add_row(std::string_view text);
  bool begins_row(std::string_view text) const;
  bool add_comparison(std::string_view text);
  void begin_columns(std::vector<ReportColumn> columns, char separator);
  bool add_cells(std::string_view text, ReportRow& row);
  void add_names(std::string_view text, size_t first_column, ReportRow& row);
  std::string_view cell(std::string_view text, size_t column) const;
  void enclose(ReportRow& row, size_t indent);
  bool add_graph_line(std::string_view text);
  bool add_share(std::string_view text, size_t column);
  void add_node(std::string_view name, double share, bool is_percentage, size_t column);
  bool has_room(const io::Line& line);
  const std::string_view* kept(std::string_view name);

  trace::EventSink& sink_;
  std::string last_comment_;
  std::vector<ReportColumn> columns_;
  char separator_ = 0;                // between cells; 0: they stand in columns
  size_t deltas_ = 0;                 // columns of a comparison, behind that of what was before
  std::string compared_ = "samples";  // event of the next comparison
  std::vector<ReportEvent> events_;
  std::vector<ReportRow> rows_;
  std::vector<ReportNode> nodes_;
  ByName<bool> names_;
  std::vector<Level> levels_;         // that are open
  std::optional<double> flat_share_;  // of the stack whose names follow
  // Rows within each other (--hierarchy): how far each is indented, and its name.
  std::vector<std::pair<size_t, const std::string_view*>> around_;
};

}  // namespace weft::formats::stack_text
