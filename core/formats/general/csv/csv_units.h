// The units of times of which no column names one, by what stands in the first rows.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/formats/general/csv/csv_columns.h"

namespace weft::formats::csv {

// Whether times without a unit are seconds: some of the first rows have fractions, and all fit a
// trace as seconds.
bool are_seconds(std::string_view head, const std::vector<Column>& columns);
// The unit of whole numbers that are times since 1970 by how large they are, all of the first rows:
// ten digits are seconds, unless many rows lie hours apart, 13 milliseconds, 19 nanoseconds.
std::optional<DecimalUnit> unit_since_1970(std::string_view head,
                                           const std::vector<Column>& columns);

}  // namespace weft::formats::csv
