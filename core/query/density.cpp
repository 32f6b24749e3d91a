#include "core/query/density.h"

#include "core/aggregate/columns.h"
#include "core/aggregate/filtered_scan.h"
#include "core/query/link_ends.h"
#include "core/query/reduce.h"
#include "core/store/totals.h"

namespace weft::query {
namespace {

using store::Row;
using store::RowKind;

struct Bins {
  std::vector<uint64_t> counts;
  void merge(const Bins& other) {
    for (size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  }
};

void scan(TimeRange range, const Row& row, const RowSelection& events, const std::stop_token& stop,
          Bins& bins) {
  const auto count = static_cast<uint32_t>(bins.counts.size());
  const auto add = [&](const aggregate::PassingRecords& passing) {
    for (const store::Record& record : passing.records) {
      if (range.contains(record.begin) && events.takes(record)) {
        ++bins.counts[aggregate::bin_of(record.begin, range, count)];
      }
    }
    return true;
  };
  for_each_passing(row, events.filter(), range, aggregate::ScanOrder::kForwards, add, stop);
}

}  // namespace

std::vector<uint64_t> density(const store::Trace& trace, const Selection& selection, uint32_t bins,
                              const Work& work) {
  if (selection.filter->passes_all()) {
    std::vector<uint64_t> sums = trace.totals().over_bins(selection.range, bins);
    if (!sums.empty()) return sums;
  }
  const bool has_lost_sends = has_links_without_send(trace);
  std::vector<const Row*> rows;
  for (const Row& row : trace.rows()) {
    if (row.kind == RowKind::kLinkIn && !has_lost_sends) continue;
    if (!selection.of(trace, row).takes_nothing()) rows.push_back(&row);
  }
  if (selection.range.is_empty()) return std::vector<uint64_t>(bins);
  const auto add = [&](Bins& sum, size_t i) {
    const RowSelection events = selection.of(trace, *rows[i]);
    if (events.takes_all()) {
      aggregate::density(*rows[i], selection.range, sum.counts);
    } else {
      scan(selection.range, *rows[i], events, work.stop, sum);
    }
  };
  return reduce(work, rows.size(), Bins{std::vector<uint64_t>(bins)}, add).counts;
}

}  // namespace weft::query
