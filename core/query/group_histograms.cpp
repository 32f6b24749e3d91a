#include "core/query/group_histograms.h"

#include "core/aggregate/filtered_scan.h"
#include "core/query/reduce.h"
#include "core/query/tally.h"
#include "core/query/windows.h"

namespace weft::query {
namespace {

// One thread's share.
struct Count {
  GroupMap<Histogram> groups;

  void merge(const Count& other) {
    other.groups.for_each([&](GroupKey key, const Histogram& more) {
      Histogram& histogram = groups.at(key);
      for (size_t i = 0; i < histogram.size(); ++i) histogram[i] += more[i];
    });
  }
};

}  // namespace

std::vector<Histogram> group_histograms(const store::Trace& trace, const Selection& selection,
                                        GroupBy by, const Metric& metric,
                                        const Statistics& statistics, const Work& work) {
  std::vector<Window> windows;
  for (const store::Row& row : trace.rows()) {
    if (!selection.of(trace, row).takes_nothing())
      append_windows(trace, {&row, 1}, selection.range, windows);
  }
  const auto count = [&](Count& state, size_t i) {
    const Window& window = windows[i];
    const store::Row& row = window.rows.front();
    const RowSelection events = selection.of(trace, row);
    const auto add = [&](const aggregate::PassingRecords& passing) {
      for (const store::Record& record : passing.records) {
        if (!window.owns(record) || !lies_in(row, record, selection.range) || !events.takes(record))
          continue;
        const GroupKey key = group_of(by, row, record);
        const auto value = metric.value(trace, row, record, selection.range);
        if (value && key != kNoGroup) ++state.groups.at(key)[histogram_bin(*value)];
      }
      return true;
    };
    for_each_passing(row, events.filter(), window.range, aggregate::ScanOrder::kForwards, add);
  };
  Count all = reduce(work, windows.size(), Count{GroupMap<Histogram>(trace, by)}, count);
  std::vector<Histogram> histograms;
  histograms.reserve(statistics.groups.size());
  for (const Group& group : statistics.groups)
    histograms.push_back(all.groups.at(key_of(by, group)));
  return histograms;
}

}  // namespace weft::query
