#include "core/query/columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "core/aggregate/filtered_scan.h"
#include "core/base/time_span.h"

namespace weft::query {
namespace {

using aggregate::Column;
using store::Record;

// Builds the columns of one row from left to right: its states do not overlap, so a column is done
// when the next one is begun.
class ColumnBuilder {
 public:
  ColumnBuilder(TimeRange range, uint32_t count)
      : origin_(static_cast<uint64_t>(range.begin.ticks)),
        width_(length_of(range) / count),
        columns_(count) {}

  // `begin` and `end` lie in the range.
  void add(Time begin, Time end, EventTypeId type) {
    const uint64_t from = static_cast<uint64_t>(begin.ticks) - origin_;
    const uint64_t to = static_cast<uint64_t>(end.ticks) - origin_;
    const uint64_t last = std::max(from, to == 0 ? 0 : to - 1) / width_;
    for (uint64_t i = from / width_; i <= last && i < columns_.size(); ++i) {
      if (i != current_) finish_column();
      current_ = i;
      const uint64_t busy = std::min(to, (i + 1) * width_) - std::max(from, i * width_);
      weights_[type].count += 1;
      weights_[type].busy += static_cast<int64_t>(busy);
    }
  }

  std::vector<Column> finish() && {
    finish_column();
    return std::move(columns_);
  }

 private:
  struct Weight {
    int64_t busy = 0;
    uint64_t count = 0;
    auto operator<=>(const Weight&) const = default;
  };

  void finish_column() {
    Weight most;
    Column& column = columns_[current_];
    for (const auto& [type, weight] : weights_) {
      column.count += weight.count;
      column.busy += weight.busy;
      if (weight > most) {
        most = weight;
        column.type = type;
        column.type_busy = weight.busy;
      }
    }
    weights_.clear();
  }

  uint64_t origin_;
  uint64_t width_;
  std::vector<Column> columns_;
  uint64_t current_ = 0;
  std::map<EventTypeId, Weight> weights_;  // of the current column
};

}  // namespace

Status check_columns(TimeRange range, uint32_t count) {
  if (range.is_empty()) return fail("the range is empty");
  const uint64_t length = length_of(range);
  if (count == 0 || length % count != 0) {
    return fail(fmt::format("{} columns do not divide the range of {} ticks", count, length));
  }
  return {};
}

std::vector<Column> columns(const store::Trace& trace, const store::Row& row,
                            const Selection& selection, uint32_t count) {
  const TimeRange range = selection.range;
  const RowSelection events = selection.of(trace, row);
  if (events.takes_all()) return aggregate::columns(row, range, count);
  ColumnBuilder builder(range, count);
  const auto add = [&](const aggregate::PassingRecords& passing) {
    for (const Record& record : passing.records) {
      builder.add(std::max(record.begin, range.begin), std::min(record.end(), range.end),
                  record.type);
    }
    return true;
  };
  for_each_passing(row, events.filter(), range, aggregate::ScanOrder::kForwards, add);
  return std::move(builder).finish();
}

}  // namespace weft::query
