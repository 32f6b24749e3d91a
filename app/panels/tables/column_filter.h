// A filter typed below the title of a column, and the texts that pass it.
//
//   poll|read           a regular expression; one without capitals takes capitals for small letters
//   > 1.5ms  >=2 <5     what is more, less, or (==, !=) the same: times with a unit, bytes (2 KiB),
//                       numbers. All of them must hold.
//   = epoll_wait        exactly this text
//
// A text is compared by the value that it shows, such as "6.584 ms", with one of its kind, or with
// 0; a text that is not a number passes no comparison.
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
    long double value;  // times in picoseconds
  };
  enum class Relation : uint8_t { kLess, kLessOrSame, kMore, kMoreOrSame, kSame, kOther };
  struct Comparison {
    Relation relation;
    Quantity with;
    bool holds(const Quantity& value) const;
  };
  using Comparisons = std::vector<Comparison>;

  static std::optional<Quantity> quantity_of(std::string_view text);
  // Empty if `typed` is not a comparison.
  static Comparisons comparisons_of(std::string_view typed);

  explicit ColumnFilter(Regex regex) : test_(std::move(regex)) {}
  explicit ColumnFilter(Comparisons comparisons) : test_(std::move(comparisons)) {}

  explicit ColumnFilter(std::string text) : test_(std::move(text)) {}

  std::variant<Regex, Comparisons, std::string> test_;
};

// What is typed for exactly this text.
std::string exactly(std::string_view name);

}  // namespace weft::app
