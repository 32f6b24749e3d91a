// A table as comma-separated values (also semicolons or tabulators, RFC 4180's quotes), and what
// its columns mean, by their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/decimal_time.h"

namespace weft::formats::csv {

enum class Meaning : uint8_t {
  kParameter,  // what has no meaning of its own
  kTime,
  kEnd,
  kDuration,
  kCategory,
  kLane,
  kType,
  kDepth,
  kTargetLane,
  kTargetTime,
  kValue,
  kParams,
  kPayload,
};
inline constexpr size_t kMeanings = static_cast<size_t>(Meaning::kPayload) + 1;

struct Column {
  std::string name;
  Meaning meaning = Meaning::kParameter;
  std::optional<DecimalUnit> unit;  // of a time: "time_us", "time [us]"
};

// The sign that separates the cells of a header.
char separator_of(std::string_view header);

// The cells of a line, quotes taken away. False where a quote stays open: the line goes on.
bool split(std::string_view line, char separator, std::vector<std::string>& out, char quote = '"');

// The columns of a header; each meaning at most once.
std::vector<Column> columns_of(std::string_view header, char separator);

// Whether the columns are those of a trace: a time, and a lane or a type.
bool is_trace(const std::vector<Column>& columns);

}  // namespace weft::formats::csv
