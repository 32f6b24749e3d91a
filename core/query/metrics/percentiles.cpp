#include "core/query/metrics/percentiles.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/aggregate/filtered_scan.h"
#include "core/base/large_vector.h"
#include "core/query/metrics/log_bins.h"
#include "core/query/metrics/tally.h"
#include "core/query/reduce.h"
#include "core/query/windows.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;

// Parts of an interval, by the distance from its begin.
using Parts = LogBins<3>;
// Intervals that are narrowed in one pass: 16 MiB of counts a thread.
constexpr size_t kMostNarrowed = 4096;

uint64_t distance(int64_t from, int64_t to) {
  return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
}

// A rank that is looked for, counted from the begin of an interval.
struct Rank {
  uint32_t percentile = 0;  // of kPercentiles
  uint64_t rank = 0;
};

// An interval of values of one group that holds ranks, and `count` values.
struct Target {
  uint32_t group = 0;  // of Statistics::groups
  int64_t least = 0;
  int64_t most = 0;
  uint64_t count = 0;
  std::vector<Rank> ranks;  // in order
};

class Percentiles {
 public:
  Percentiles(const store::Trace& trace, const Selection& selection, GroupBy by,
              const Metric& metric, Statistics& statistics, const Work& work)
      : trace_(&trace),
        selection_(&selection),
        by_(by),
        metric_(&metric),
        statistics_(&statistics),
        work_(&work) {
    for (const Row& row : trace.rows()) {
      if (selection.of(trace, row).takes_nothing()) continue;
      append_windows(trace, {&row, 1}, selection.range, windows_);
    }
  }

  void run(uint64_t most_values) {
    std::vector<Target> left = targets();
    while (!left.empty() && !work_->stop.stop_requested()) {
      // As many of the small ones as fit are gathered, then of the others the first are narrowed.
      // Those of one lane together: a pass reads no other lane's records.
      std::ranges::stable_sort(left, {}, [&](const Target& target) {
        return std::pair(by_ == GroupBy::kType ? 0 : lane_of(target).value(), target.count);
      });
      uint64_t values = 0;
      const auto fits = [&](const Target& target) {
        return target.least == target.most || (values += target.count) <= most_values;
      };
      const auto large = std::ranges::find_if_not(left, fits);
      gather({left.begin(), large});
      left.erase(left.begin(), large);
      const auto end = left.begin() + static_cast<ptrdiff_t>(std::min(left.size(), kMostNarrowed));
      std::vector<Target> narrowed = narrow({left.begin(), end});
      left.erase(left.begin(), end);
      std::ranges::move(narrowed, std::back_inserter(left));
    }
  }

 private:
  std::vector<Target> targets() const {
    std::vector<Target> targets;
    for (uint32_t g = 0; g < statistics_->groups.size(); ++g) {
      const Group& group = statistics_->groups[g];
      Target target{g, group.min, group.max, group.count, {}};
      for (uint32_t p = 0; p < kPercentiles.size(); ++p) {
        const auto scaled = static_cast<unsigned __int128>(group.count) * kPercentiles[p];
        target.ranks.push_back({p, static_cast<uint64_t>((scaled + 99) / 100) - 1});
      }
      targets.push_back(std::move(target));
    }
    return targets;
  }

  // Grouped by lane or pair: whose records hold its values.
  LaneId lane_of(const Target& target) const {
    const Group& group = statistics_->groups[target.group];
    const LaneId lane(group.id);
    return lane.is_none() ? group.peer : lane;
  }

  // Calls body(state, target's index, value) for the values that lie in a target's interval.
  template <class State, class Body>
  State visit(std::span<const Target> targets, State empty, const Body& body) const {
    GroupMap<std::vector<uint32_t>> of_group(*trace_, by_);
    for (uint32_t i = 0; i < targets.size(); ++i)
      of_group.at(key_of(by_, statistics_->groups[targets[i].group])).push_back(i);
    std::vector<bool> lanes(trace_->dictionary().lanes.size(), by_ == GroupBy::kType);
    for (const Target& target : targets) {
      if (by_ != GroupBy::kType && lane_of(target).value() < lanes.size())
        lanes[lane_of(target).value()] = true;
    }
    const auto read = [&](State& state, size_t w) {
      const Window& window = windows_[w];
      const Row& row = window.rows.front();
      if (!lanes[row.lane.value()]) return;
      const RowSelection events = selection_->of(*trace_, row);
      const auto read_passing = [&](const aggregate::PassingRecords& passing) {
        for (const Record& record : passing.records) {
          if (!window.owns(record) || !lies_in(row, record, selection_->range)) continue;
          auto* const wanted = of_group.find(group_of(by_, row, record));
          if (wanted == nullptr || wanted->empty() || !events.takes(record)) continue;
          const std::optional<int64_t> value =
              metric_->value(*trace_, row, record, selection_->range);
          if (!value) continue;
          for (const uint32_t i : *wanted) {
            if (targets[i].least <= *value && *value <= targets[i].most) body(state, i, *value);
          }
        }
        return true;
      };
      for_each_passing(row, events.filter(), window.range, aggregate::ScanOrder::kForwards,
                       read_passing);
    };
    return reduce(*work_, windows_.size(), std::move(empty), read);
  }

  struct Counts {
    LargeVector<uint64_t> parts;
    void merge(const Counts& other) {
      std::ranges::transform(parts, other.parts, parts.begin(), std::plus{});
    }
  };
  // The parts of the targets that hold their ranks.
  std::vector<Target> narrow(std::span<const Target> targets) const {
    if (targets.empty()) return {};
    const Counts counts =
        visit(targets, Counts{LargeVector<uint64_t>(targets.size() * Parts::kCount)},
              [&](Counts& state, uint32_t i, int64_t value) {
                const uint64_t offset = distance(targets[i].least, value);
                ++state.parts[i * Parts::kCount + Parts::of(offset)];
              });
    std::vector<Target> narrowed;
    for (size_t i = 0; i < targets.size(); ++i) {
      const std::span<const uint64_t> parts =
          std::span(counts.parts).subspan(i * Parts::kCount, Parts::kCount);
      uint64_t before = 0;  // values in the parts before `part`
      size_t part = 0;
      bool is_new = true;
      for (const Rank& rank : targets[i].ranks) {
        while (part + 1 < Parts::kCount && rank.rank >= before + parts[part]) {
          before += parts[part++];
          is_new = true;
        }
        if (is_new) narrowed.push_back(part_of_target(targets[i], part, parts[part]));
        narrowed.back().ranks.push_back({rank.percentile, rank.rank - before});
        is_new = false;
      }
    }
    return narrowed;
  }

  static Target part_of_target(const Target& target, size_t part, uint64_t count) {
    const auto least = static_cast<uint64_t>(target.least);
    const uint64_t last = Parts::most(part);
    const bool is_whole = last < distance(target.least, target.most);
    return {target.group,
            static_cast<int64_t>(least + Parts::least(part)),
            is_whole ? static_cast<int64_t>(least + last) : target.most,
            count,
            {}};
  }

  struct Values {
    std::vector<LargeVector<int64_t>> by_target;
    void merge(const Values& other) {
      for (size_t i = 0; i < by_target.size(); ++i) {
        const LargeVector<int64_t>& more = other.by_target[i];
        by_target[i].insert(by_target[i].end(), more.begin(), more.end());
      }
    }
  };
  void gather(std::span<const Target> targets) const {
    std::vector<Target> open;
    for (const Target& target : targets) {
      if (target.least != target.most) {
        open.push_back(target);
        continue;
      }
      for (const Rank& rank : target.ranks) set(target, rank, target.least);
    }
    if (open.empty()) return;
    Values values = visit(
        std::span<const Target>(open), Values{std::vector<LargeVector<int64_t>>(open.size())},
        [](Values& state, uint32_t i, int64_t value) { state.by_target[i].push_back(value); });
    for (size_t i = 0; i < open.size(); ++i) {
      LargeVector<int64_t>& of_target = values.by_target[i];
      for (const Rank& rank : open[i].ranks) {
        if (rank.rank >= of_target.size()) continue;  // it was stopped
        const auto at = of_target.begin() + static_cast<ptrdiff_t>(rank.rank);
        std::ranges::nth_element(of_target, at);
        set(open[i], rank, *at);
      }
    }
  }

  void set(const Target& target, const Rank& rank, int64_t value) const {
    statistics_->groups[target.group].percentiles[rank.percentile] = value;
  }

  const store::Trace* trace_;
  const Selection* selection_;
  GroupBy by_;
  const Metric* metric_;
  Statistics* statistics_;
  const Work* work_;
  std::vector<Window> windows_;
};

}  // namespace

void add_percentiles(const store::Trace& trace, const Selection& selection, GroupBy by,
                     const Metric& metric, Statistics& statistics, const Work& work,
                     uint64_t most_values) {
  Percentiles(trace, selection, by, metric, statistics, work).run(most_values);
}

}  // namespace weft::query
