#include "core/query/metrics/group_histograms.h"

#include "core/query/metrics/value_metric.h"

namespace weft::query {
namespace {

// One thread's share.
struct GroupCounts {
  GroupMap<Histogram> groups;

  void add(GroupKey key, int64_t value) {
    if (key != kNoGroup) ++groups.at(key)[histogram_bin(value)];
  }
  void merge(const GroupCounts& other) {
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
  const auto takes_row = [](const store::Row&) { return true; };
  GroupCounts all =
      reduce_values(trace, selection, by, work, GroupCounts{GroupMap<Histogram>(trace, by)},
                    takes_row, metric.value);
  std::vector<Histogram> histograms;
  histograms.reserve(statistics.groups.size());
  for (const Group& group : statistics.groups)
    histograms.push_back(all.groups.at(key_of(by, group)));
  return histograms;
}

}  // namespace weft::query
