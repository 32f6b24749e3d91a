// Reads the output of `perf stat --metric-only`: a table of metrics derived from counts, below a
// line of titles.
//
//   #           time CPU                     GHz       insn per cycle branch-misses of all branches
//        0.100404738 CPU0                   3.84                 0.61                         3.24%
//
// also with fields between signs (-x), or as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/kernel/perf/perf_stat_line.h"

namespace weft::formats::perf {

class StatMetrics {
 public:
  // Whether it is a line of titles, which hold until the next one.
  bool take_titles(std::string_view line);
  // Sets the titles of a table without times, whatever the line contains.
  void set_titles(std::string_view line);
  bool has_titles() const { return !titles_.empty(); }
  void forget_titles() { titles_.clear(); }

  // A row: a line for each of its metrics, or one without. False: it is none.
  bool add(std::string_view line, std::vector<StatLine>& out);
  bool add_without_time(std::string_view line, std::vector<StatLine>& out);

 private:
  struct Column {
    std::string name;
    size_t end;  // of its figures, in a row; of fields: which it is
  };
  bool take_objects(std::string_view text, std::vector<StatLine>& out);
  bool take_fields(std::string_view text, StatLine line, std::vector<StatLine>& out);
  bool take_columns(std::string_view text, StatLine line, std::vector<StatLine>& out);
  size_t words_before_figures() const;
  void split_titles(const std::vector<size_t>& ends);

  std::string titles_;              // the line; empty: none
  std::vector<Column> columns_;     // of columns: known by the first row
  std::vector<std::string> units_;  // of JSON, whose rows have figures only
  char sign_ = 0;                   // between fields; 0: columns
};

}  // namespace weft::formats::perf
