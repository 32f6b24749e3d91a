// Joins the lines of a table to rows: one may go on behind a line feed in quotes.
//
// A quote that nobody closes would take in all that follows. Once a row is as long as a row may be,
// or the input ends, its lines are taken each by itself instead. Each line is looked at once or, in
// such a row, twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/general/csv/csv_cells.h"
#include "core/io/line_reader.h"

namespace weft::formats::csv {

struct Row {
  std::string_view text;  // valid until the next line
  uint64_t offset = 0;    // bytes
  bool is_open = false;   // its last line has no line feed: the input may end within it
};

class RowJoiner {
 public:
  // Splits rows into `cells`, which must outlive it. `most_bytes`: of a row of several lines.
  RowJoiner(Cells& cells, size_t most_bytes) : cells_(cells), most_bytes_(most_bytes) {}

  // Calls taker.take_row(row) for each row that has ended, once its cells are split, and
  // taker.lose_row(offset) for each line whose quotes stay open.
  template <class Taker>
  void add(const io::Line& line, char separator, char quote, Taker& taker) {
    separator_ = separator;
    quote_ = quote;
    if (begins_.empty() && cells_.split(line.text, separator, quote))
      return taker.take_row(Row{line.text, line.offset, line.is_open});
    const bool is_first = begins_.empty();
    if (!is_first) open_ += '\n';
    begins_.push_back({line.offset, open_.size()});
    open_ += line.text;
    ends_open_ = line.is_open;
    if (!is_first && Cells::closes(line.text, separator, quote)) {
      cells_.split(open_, separator, quote);
      taker.take_row(Row{open_, begins_.front().offset, line.is_open});
      clear();
    } else if (open_.size() >= most_bytes_) {
      take_apart(taker);
    }
  }

  // What is left at the end of the input.
  template <class Taker>
  void finish(Taker& taker) {
    take_apart(taker);
  }

 private:
  struct Begin {
    uint64_t offset;  // in the input
    size_t place;     // in the open row
  };

  template <class Taker>
  void take_apart(Taker& taker) {
    for (size_t i = 0; i < begins_.size(); ++i) {
      const bool is_last = i + 1 == begins_.size();
      const size_t end = is_last ? open_.size() : begins_[i + 1].place - 1;
      const std::string_view line(open_.data() + begins_[i].place, end - begins_[i].place);
      if (cells_.split(line, separator_, quote_)) {
        taker.take_row(Row{line, begins_[i].offset, is_last && ends_open_});
      } else {
        taker.lose_row(begins_[i].offset);
      }
    }
    clear();
  }

  void clear() {
    begins_.clear();
    open_.clear();
  }

  Cells& cells_;
  size_t most_bytes_;
  char separator_ = ',', quote_ = '"';
  std::string open_;           // a row that goes on
  std::vector<Begin> begins_;  // of its lines
  bool ends_open_ = false;
};

}  // namespace weft::formats::csv
