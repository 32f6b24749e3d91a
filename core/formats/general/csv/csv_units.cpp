#include "core/formats/general/csv/csv_units.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/formats.h"
#include "core/formats/general/csv/csv_cells.h"

namespace weft::formats::csv {
namespace {

// Takes what stands in the columns of times without a unit, the header's names among it, until
// told to stop.
template <class Take>
void for_each_time(std::string_view head, const std::vector<Column>& columns, const Take& take) {
  constexpr int kMostRows = 5000;
  std::vector<std::string> cells;
  std::optional<char> separator;  // none before the header
  HeadLines lines(head, kMostRows);
  while (const auto line = lines.next()) {
    if (lines.is_open() && head.size() >= kHeadBytes) return;  // its last number may be cut
    if (trimmed(*line).empty() || (!separator && is_note(*line))) continue;
    if (!separator) separator = separator_of(*line);
    split(*line, *separator, cells);
    for (size_t i = 0; i < std::min(cells.size(), columns.size()); ++i) {
      if (columns[i].unit || !is_time(columns[i].meaning)) continue;
      if (*separator != ',') use_points(cells[i]);
      if (!take(i, trimmed(cells[i]))) return;
    }
  }
}

// A whole number that is a time from 2005 to 2035 in the unit that its digits say. Microseconds
// have as many digits as nanoseconds since a boot two weeks ago.
struct SizedTime {
  DecimalUnit unit;
  int64_t seconds;

  static std::optional<SizedTime> of(std::string_view cell) {
    constexpr int64_t kYear2005 = 1'104'537'600, kYear2035 = 2'051'222'400;
    struct Size {
      size_t digits;
      DecimalUnit unit;
      int64_t a_second;
    };
    constexpr Size kSizes[] = {{10, DecimalUnit::kSeconds, 1},
                               {13, DecimalUnit::kMilliseconds, 1'000},
                               {19, DecimalUnit::kNanoseconds, 1'000'000'000}};
    const auto* const size = std::ranges::find(kSizes, cell.size(), &Size::digits);
    if (size == std::end(kSizes) || !std::ranges::all_of(cell, is_digit)) return std::nullopt;
    const int64_t seconds = parse_number<int64_t>(cell).value_or(0) / size->a_second;
    if (seconds < kYear2005 || seconds >= kYear2035) return std::nullopt;
    return SizedTime{size->unit, seconds};
  }
};

}  // namespace

bool are_seconds(std::string_view head, const std::vector<Column>& columns) {
  bool fit = true, has_fraction = false;
  for_each_time(head, columns, [&](size_t, std::string_view cell) {
    const auto time = parse_decimal_time(without_plus(cell), DecimalUnit::kSeconds);
    fit &= time || time.error() != DecimalError::kOutOfRange;
    has_fraction |= time && cell.find_first_of(".eE") < cell.size();
    return fit;
  });
  return fit && has_fraction;
}

// Nanoseconds and cycles since a boot have ten digits as well, within the second that it took until
// then: as seconds they lie hours apart, without being measured by the hour or day.
std::optional<DecimalUnit> unit_since_1970(std::string_view head,
                                           const std::vector<Column>& columns) {
  constexpr int64_t kMostSeconds = 366 * 86400;  // what is in the head of a trace lasts no longer
  constexpr int64_t kHour = 3600, kRowsToTell = 16;
  const auto column = std::ranges::find(columns, Meaning::kTime, &Column::meaning);
  const auto place = static_cast<size_t>(column - columns.begin());
  std::optional<SizedTime> first;
  int64_t earliest = 0, latest = 0, rows = 0;
  bool are_alike = true, are_hours = true;
  for_each_time(head, columns, [&](size_t i, std::string_view cell) {
    if (i != place || cell.empty() || (!first && !is_digit(cell.front())))
      return true;  // the header
    const auto time = SizedTime::of(cell);
    if (!first) {
      first = time;
      earliest = latest = time ? time->seconds : 0;
    }
    are_alike = time && time->unit == first->unit;
    if (!are_alike) return false;
    earliest = std::min(earliest, time->seconds);
    latest = std::max(latest, time->seconds);
    are_hours &= (time->seconds - first->seconds) % kHour == 0;
    ++rows;
    return true;
  });
  const bool is_span_of_trace = latest - earliest <= kMostSeconds;
  const bool is_counter = first && first->unit == DecimalUnit::kSeconds && !are_hours &&
                          rows >= kRowsToTell && latest - earliest > kHour * rows;
  return first && are_alike && is_span_of_trace && !is_counter ? std::optional(first->unit)
                                                               : std::nullopt;
}

}  // namespace weft::formats::csv
