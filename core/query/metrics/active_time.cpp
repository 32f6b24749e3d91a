#include "core/query/metrics/active_time.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "core/base/large_vector.h"
#include "core/query/metrics/tally.h"
#include "core/query/reduce.h"
#include "core/query/windows.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;

// One thread's share: the sums so far, and the states of the window being read.
class Sweep {
 public:
  Sweep(const store::Trace& trace, const Selection& selection, GroupBy by)
      : trace_(&trace), selection_(&selection), by_(by) {}

  // The rows of a window are the states of one lane.
  void read(const Window& window) {
    states_.clear();
    for (const Row& row : window.rows) read(row, window);
    std::ranges::sort(states_, {}, &State::begin);
    std::map<GroupKey, int64_t> covered;  // by group: until when
    for (const State& state : states_) {
      Group& group = groups_[state.group];
      const auto [until, is_first] = covered.try_emplace(state.group, state.begin);
      const int64_t from = std::max(state.begin, until->second);
      const int64_t more = std::max<int64_t>(0, saturating_sub(state.end, from));
      group.total = saturating_add(group.total, more);
      group.count += state.is_owned ? 1 : 0;
      until->second = std::max(until->second, state.end);
    }
  }

  void merge(const Sweep& other) {
    for (const auto& [id, from] : other.groups_) {
      Group& group = groups_[id];
      group.total = saturating_add(group.total, from.total);
      group.count += from.count;
    }
  }

  Statistics finish() && {
    Statistics result;
    for (auto& [id, group] : groups_) {
      group.id = static_cast<uint32_t>(id);
      result.sum += static_cast<double>(group.total);
      result.groups.push_back(group);
    }
    std::ranges::stable_sort(result.groups, std::ranges::greater{}, &Group::total);
    return result;
  }

 private:
  struct State {
    int64_t begin;
    int64_t end;
    GroupKey group;
    bool is_owned;  // by this window: counted here
  };

  // States that reach over the window are cut to it: each window adds its own part.
  void read(const Row& row, const Window& window) {
    const RowSelection events = selection_->of(*trace_, row);
    if (events.takes_nothing()) return;
    trace_->for_each_block(row, window.range, [&](std::span<const Record> block) {
      for (const Record& record : block) {
        if (!lies_in(row, record, window.range) || !events.takes(record)) continue;
        states_.push_back({std::max(record.begin, window.range.begin).ticks,
                           std::min(record.end(), window.range.end).ticks,
                           group_of(by_, row, record), window.owns(record)});
      }
      return true;
    });
  }

  const store::Trace* trace_;
  const Selection* selection_;
  GroupBy by_;
  std::map<GroupKey, Group> groups_;
  LargeVector<State> states_;
};

}  // namespace

Statistics active_time(const store::Trace& trace, const Selection& selection, GroupBy by,
                       const Work& work) {
  const std::vector<Window> windows = state_windows(trace, selection);
  const auto read = [&](Sweep& sweep, size_t i) { sweep.read(windows[i]); };
  return reduce(work, windows.size(), Sweep(trace, selection, by), read).finish();
}

}  // namespace weft::query
