// A small text table for people; columns are as wide as their widest cell, within reason.
#pragma once

#include <string>
#include <vector>

#include "app/cli/output.h"

namespace weft::cli {

enum class Align { kLeft, kRight };

class Table {
 public:
  struct Column {
    std::string title;  // if all are empty, no titles are printed
    Align align = Align::kLeft;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Adds a row with one cell per column. Cells are made printable.
  void add(std::vector<std::string> cells);
  void print(Output& output) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace weft::cli
