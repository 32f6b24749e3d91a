// Tables of Firefox profiles: columns as arrays side by side (processed profiles), or rows with a
// schema that says where a column stands in them (as Gecko writes them).
//
// Columns are read one value after the other, several side by side; none is kept.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/formats/base/json_document.h"

namespace weft::formats::firefox {

class Column {
 public:
  // Has no values if there is no such column.
  Column(std::optional<json::Element> table, std::string_view name);

  // Steps to the first row, or the next. False: there is none, and no value any more.
  bool next() { return in_row_ < 0 ? values_.next() : next_row(); }
  // The current row's value; nullopt if it is missing.
  std::optional<json::Element> value() const { return values_.value(); }
  int64_t index() const { return values_.index(); }
  double number() const { return values_.number(); }  // NaN: it is none

 private:
  bool next_row();

  json::Elements rows_;
  int64_t in_row_ = -1;   // where it stands in a row; -1: there are no rows
  json::Numbers values_;  // of the row, or the column
};

// Milliseconds: from the column `time`, or `timeDeltas` summed up.
class Times {
 public:
  explicit Times(std::optional<json::Element> table);

  bool next();
  double ms() const { return at_; }

 private:
  Column column_;
  bool are_deltas_;
  double at_ = 0;
};

class Table {
 public:
  explicit Table(std::optional<json::Element> table) : table_(table) {}

  Column column(std::string_view name) const { return {table_, name}; }
  Times times() const { return Times(table_); }
  // A text that is of all rows; empty: there is none. Lives as json::text() does.
  std::string_view text(std::string_view name) const {
    return json::text(json::member(table_, name));
  }
  // Returns a whole column of a short table.
  std::vector<int64_t> indices(std::string_view name) const;

 private:
  std::optional<json::Element> table_;
};

// The texts that rows refer to by number.
class Strings {
 public:
  Strings() = default;
  explicit Strings(std::optional<json::Element> array);

  bool is_empty() const { return at_.empty(); }
  bool has(int64_t index) const { return index >= 0 && static_cast<uint64_t>(index) < at_.size(); }
  // Returns an empty text if there is none; lives as json::text() does.
  std::string_view at(int64_t index) const;

 private:
  json::Text* document_ = nullptr;
  std::vector<const char*> at_;
};

}  // namespace weft::formats::firefox
