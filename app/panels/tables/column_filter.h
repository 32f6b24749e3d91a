// What is typed below a title of a table, and which texts of the column it takes.
//
//   poll|read           a regular expression; one without capitals takes capitals for small letters
//   > 1.5ms  >=2 <5     what is more, less, or (==, !=) the same: times with a unit, bytes (2 KiB),
//                       numbers. All of them must hold.
//
// A text is compared as it reads: "6.584 ms" with what it says, and no number with no comparison.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/regex.h"
#include "core/base/result.h"

namespace weft::app {

class ColumnFilter {
 public:
  static Result<ColumnFilter> compile(const std::string& typed);

  bool matches(std::string_view text) const;

 private:
  enum class Kind : uint8_t { kNumber, kTime, kBytes };
  struct Quantity {
    Kind kind;
    double value;  // times in picoseconds
  };
  enum class Relation : uint8_t { kLess, kLessOrSame, kMore, kMoreOrSame, kSame, kOther };
  struct Comparison {
    Relation relation;
    Quantity with;
    bool holds(const Quantity& value) const;
  };
  using Comparisons = std::vector<Comparison>;

  static std::optional<Quantity> quantity_of(std::string_view text);
  // Empty where it is none.
  static Comparisons comparisons_of(std::string_view typed);

  explicit ColumnFilter(Regex regex) : test_(std::move(regex)) {}
  explicit ColumnFilter(Comparisons comparisons) : test_(std::move(comparisons)) {}

  std::variant<Regex, Comparisons> test_;
};

// A pattern of that text and no other: \Q … \E quotes, but for \E itself.
std::string exactly(std::string_view name);

}  // namespace weft::app
