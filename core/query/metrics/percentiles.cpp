#include "core/query/metrics/percentiles.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>

#include "core/aggregate/filtered_scan.h"
#include "core/base/large_vector.h"
#include "core/base/time_span.h"
#include "core/query/metrics/log_bins.h"
#include "core/query/metrics/tally.h"
#include "core/query/reduce.h"
#include "core/query/windows.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;

// The parts of intervals are as fine as their counts stay in a cache: 1 MiB a thread.
constexpr size_t kFewCounts = size_t{1} << 17;
constexpr int kCoarsest = 3, kFinest = 12;  // LogScale::bits
constexpr size_t kMostNarrowed = 4096;      // in one pass: 16 MiB of the coarsest a thread
constexpr uint64_t kUsualPasses = 2;

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
              const Metric& metric, Statistics& statistics, const Work& work,
              const OnPercentiles& on_progress)
      : trace_(&trace),
        selection_(&selection),
        by_(by),
        metric_(&metric),
        statistics_(&statistics),
        work_(&work),
        on_progress_(&on_progress) {
    for (const Row& row : trace.rows()) {
      if (selection.of(trace, row).takes_nothing()) continue;
      append_windows(trace, {&row, 1}, selection.range, windows_);
    }
  }

  void run(uint64_t most_values) {
    std::vector<Target> left = targets();
    while (!work_->stop.stop_requested()) {
      std::erase_if(left, [&](const Target& target) { return is_known(target); });
      if (left.empty()) return;
      // Collects the values of as many small targets as fit, and narrows the first of the others.
      // Targets of one lane go together: a pass reads no other lane's records.
      std::ranges::stable_sort(left, {}, [&](const Target& target) {
        return std::pair(by_ == GroupBy::kType ? 0 : lane_of(target).value(), target.count);
      });
      uint64_t values = 0;
      const auto large = std::ranges::find_if_not(
          left, [&](const Target& target) { return (values += target.count) <= most_values; });
      const size_t gathered = static_cast<size_t>(large - left.begin());
      const size_t taken = std::min(left.size(), gathered + kMostNarrowed);
      std::vector<Target> narrowed = pass(std::span(left).first(taken), gathered);
      left.erase(left.begin(), left.begin() + static_cast<ptrdiff_t>(taken));
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

  // All of its values are the same.
  bool is_known(const Target& target) const {
    if (target.least != target.most) return false;
    for (const Rank& rank : target.ranks) set(target, rank, target.least);
    return true;
  }

  // The findings of a pass.
  struct Found {
    std::vector<LargeVector<int64_t>> values;  // by target that is gathered
    LargeVector<uint64_t> counts;              // of the parts of those that are narrowed
    void merge(const Found& other) {
      for (size_t i = 0; i < values.size(); ++i) {
        const LargeVector<int64_t>& more = other.values[i];
        values[i].insert(values[i].end(), more.begin(), more.end());
      }
      std::ranges::transform(counts, other.counts, counts.begin(), std::plus{});
    }
  };

  // Reads the records once: the first targets are gathered and done, of the others those parts come
  // back that hold their ranks.
  std::vector<Target> pass(std::span<const Target> targets, size_t gathered) const {
    const std::span<const Target> narrowed = targets.subspan(gathered);
    const auto parts_of = [](const Target& target, LogScale scale) {
      return scale.of(distance(target.least, target.most)) + 1;
    };
    const auto counts_at = [&](LogScale scale) {
      size_t counts = 0;
      for (const Target& target : narrowed) counts += parts_of(target, scale);
      return counts;
    };
    LogScale scale{kFinest};
    while (scale.bits > kCoarsest && counts_at(scale) > kFewCounts) --scale.bits;
    std::vector<size_t> first_part(targets.size() + 1, 0);  // by target
    for (size_t i = gathered; i < targets.size(); ++i)
      first_part[i + 1] = first_part[i] + parts_of(targets[i], scale);

    const Found empty{std::vector<LargeVector<int64_t>>(gathered),
                      LargeVector<uint64_t>(first_part.back())};
    Found found = visit(targets, empty, [&](Found& state, uint32_t i, int64_t value) {
      if (i < gathered) return state.values[i].push_back(value);
      ++state.counts[first_part[i] + scale.of(distance(targets[i].least, value))];
    });
    if (work_->stop.stop_requested()) return {};
    for (size_t i = 0; i < gathered; ++i) choose(targets[i], found.values[i]);
    std::vector<Target> parts;
    for (size_t i = gathered; i < targets.size(); ++i) {
      add_parts(targets[i], scale,
                std::span(found.counts).subspan(first_part[i], first_part[i + 1] - first_part[i]),
                parts);
    }
    return parts;
  }

  // Calls body(state, target's index, value) for the values that lie in a target's interval.
  template <class State, class Body>
  State visit(std::span<const Target> targets, const State& empty, const Body& body) const {
    struct Interval {
      int64_t least, most;
      uint32_t target;
    };
    GroupMap<std::vector<Interval>> of_group(*trace_, by_);
    std::vector<bool> lanes(trace_->dictionary().lanes.size(), by_ == GroupBy::kType);
    for (uint32_t i = 0; i < targets.size(); ++i) {
      of_group.at(key_of(by_, statistics_->groups[targets[i].group]))
          .push_back({targets[i].least, targets[i].most, i});
      if (by_ != GroupBy::kType && lane_of(targets[i]).value() < lanes.size())
        lanes[lane_of(targets[i]).value()] = true;
    }
    const auto read = [&](State& state, size_t w) {
      tell();
      const Window& window = windows_[w];
      const Row& row = window.rows.front();
      if (!lanes[row.lane.value()]) return;
      const RowSelection events = selection_->of(*trace_, row);
      const auto read_block = [&](std::span<const Record> block) {
        for (const Record& record : block) {
          if (!window.owns(record) || !lies_in(row, record, selection_->range)) continue;
          auto* const wanted = of_group.find(group_of(by_, row, record));
          if (wanted == nullptr || wanted->empty() || !events.takes(record)) continue;
          const std::optional<int64_t> value =
              metric_->value(*trace_, row, record, selection_->range);
          if (!value) continue;
          for (const Interval& interval : *wanted) {
            if (interval.least <= *value && *value <= interval.most)
              body(state, interval.target, *value);
          }
        }
        return true;
      };
      if (events.takes_all()) {
        trace_->for_each_block(row, window.range, read_block);
        return;
      }
      for_each_passing(
          row, events.filter(), window.range, aggregate::ScanOrder::kForwards,
          [&](const aggregate::PassingRecords& passing) { return read_block(passing.records); });
    };
    return reduce(*work_, windows_.size(), empty, read);
  }

  // The parts of a target that hold its ranks.
  static void add_parts(const Target& target, LogScale scale, std::span<const uint64_t> counts,
                        std::vector<Target>& parts) {
    uint64_t before = 0;  // values in the parts before `part`
    size_t part = 0;
    bool is_new = true;
    for (const Rank& rank : target.ranks) {
      while (part + 1 < counts.size() && rank.rank >= before + counts[part]) {
        before += counts[part++];
        is_new = true;
      }
      if (is_new) parts.push_back(part_of_target(target, scale, part, counts[part]));
      parts.back().ranks.push_back({rank.percentile, rank.rank - before});
      is_new = false;
    }
  }

  static Target part_of_target(const Target& target, LogScale scale, size_t part, uint64_t count) {
    const auto least = static_cast<uint64_t>(target.least);
    const uint64_t last = scale.most(part);
    const bool is_whole = last < distance(target.least, target.most);
    return {target.group,
            static_cast<int64_t>(least + scale.least(part)),
            is_whole ? static_cast<int64_t>(least + last) : target.most,
            count,
            {}};
  }

  void choose(const Target& target, LargeVector<int64_t>& values) const {
    for (const Rank& rank : target.ranks) {
      if (rank.rank >= values.size()) continue;  // the file was cut between two passes
      const auto at = values.begin() + static_cast<ptrdiff_t>(rank.rank);
      std::ranges::nth_element(values, at);
      set(target, rank, *at);
    }
  }

  // A window is read.
  void tell() const {
    const auto all = static_cast<double>(kUsualPasses * windows_.size());
    if (*on_progress_) (*on_progress_)(std::min(0.99, static_cast<double>(++windows_read_) / all));
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
  const OnPercentiles* on_progress_;
  std::vector<Window> windows_;
  mutable std::atomic<uint64_t> windows_read_ = 0;  // in all passes
};

}  // namespace

void add_percentiles(const store::Trace& trace, const Selection& selection, GroupBy by,
                     const Metric& metric, Statistics& statistics, const Work& work,
                     const OnPercentiles& on_progress, uint64_t most_values) {
  Percentiles(trace, selection, by, metric, statistics, work, on_progress).run(most_values);
}

}  // namespace weft::query
