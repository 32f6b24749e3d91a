// Tables of Firefox profiles: columns as arrays side by side (processed profiles), or rows with a
// schema that says where a column stands in them (as Gecko writes them).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/formats/json_document.h"

namespace weft::formats::firefox {

class Table {
 public:
  explicit Table(std::optional<json::Element> table) : table_(table) {}

  // Empty where there is no such column; null values are empty elements.
  using Column = std::vector<std::optional<json::Element>>;
  Column column(std::string_view name) const;
  std::vector<int64_t> indices(std::string_view name) const;
  std::vector<double> numbers(std::string_view name) const;

  // Milliseconds: from the column `time`, or `timeDeltas` summed up.
  std::vector<double> times() const;

 private:
  std::optional<json::Element> table_;
};

}  // namespace weft::formats::firefox
