// Tables of what calls, or tasks, took altogether, without times: a table is a lane, a row of it a
// state as wide as its time, or, where none has any, as its count; what the table says of it is a
// punctual event at its begin.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/event_sink.h"

namespace weft::formats {

class SummaryTables {
 public:
  struct Row {
    std::string name, params;  // an object, or empty
    int64_t ns = 0, count = 0;
  };

  // Rows that are added belong to it. False: it is one too many, and the rows are left out.
  bool begin_table(std::string name);
  bool add(Row row);
  bool is_empty() const { return tables_.empty(); }
  // Gives all; `group`: of the rows.
  void give(trace::EventSink& sink, std::string_view group) const;

 private:
  static constexpr size_t kMostRows = 1 << 16, kMostTables = 4096;
  struct Table {
    std::string name;
    std::vector<Row> rows;
  };
  std::vector<Table> tables_;
  size_t rows_ = 0;
};

}  // namespace weft::formats
