// A small table of text for people: columns as wide as their widest cell.
#pragma once

#include <string>
#include <vector>

#include "app/cli/output.h"

namespace weft::cli {

enum class Align { kLeft, kRight };

class Table {
 public:
  struct Column {
    std::string title;  // all empty: no line of titles
    Align align = Align::kLeft;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as columns. Cells are made printable.
  void add(std::vector<std::string> cells);
  void print(Output& output) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace weft::cli
