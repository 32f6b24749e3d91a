#include "core/query/messages/traffic.h"

#include <algorithm>

#include "core/aggregate/filtered_scan.h"
#include "core/base/flat_index.h"
#include "core/query/link_ends.h"
#include "core/query/reduce.h"
#include "core/query/windows.h"

namespace weft::query {
namespace {

std::vector<LaneId> in_order_of(const std::vector<Time>& first) {
  std::vector<LaneId> lanes;
  for (uint32_t i = 0; i < first.size(); ++i) {
    if (first[i] != Time::max()) lanes.emplace_back(i);
  }
  std::ranges::stable_sort(lanes, {}, [&](LaneId lane) { return first[lane.value()]; });
  return lanes;
}

// One thread's share.
class Count {
 public:
  explicit Count(size_t lanes) : first_(lanes, Time::max()) {}

  void add(const LinkEnds& link) {
    if (link.is_sent()) see(link.source, link.send);
    if (link.is_received()) see(link.target, link.receive);
    if (!link.is_sent() || !link.is_received()) return;
    add_messages(uint64_t{link.source.value()} << 32 | link.target.value(), 1);
  }

  void merge(const Count& other) {
    for (size_t i = 0; i < first_.size(); ++i) first_[i] = std::min(first_[i], other.first_[i]);
    for (const auto& [pair, index] : other.index_.entries())
      add_messages(pair, other.messages_[index]);
  }

  Traffic finish() const {
    Traffic traffic;
    for (const auto& [pair, index] : index_.entries()) {
      traffic.pairs.push_back({LaneId(static_cast<uint32_t>(pair >> 32)),
                               LaneId(static_cast<uint32_t>(pair)), messages_[index]});
    }
    std::ranges::sort(traffic.pairs, {}, [](const PairTraffic& pair) {
      return std::pair(pair.source.value(), pair.target.value());
    });
    traffic.lanes = in_order_of(first_);
    return traffic;
  }

 private:
  void add_messages(uint64_t pair, uint64_t count) {
    const size_t at = index_.insert(pair, messages_.size());
    if (at == messages_.size()) messages_.push_back(0);
    messages_[at] += count;
  }
  void see(LaneId lane, Time time) {
    if (lane.value() < first_.size()) first_[lane.value()] = std::min(first_[lane.value()], time);
  }

  std::vector<Time> first_;                // by lane
  FlatIndex<uint64_t, NumberHash> index_;  // of pairs
  std::vector<uint64_t> messages_;
};

}  // namespace

Traffic measure_traffic(const store::Trace& trace, const Selection& selection, const Work& work) {
  const std::vector<Window> windows = row_windows(trace, selection, is_link);
  const auto measure = [&](Count& count, size_t i) {
    const Window& window = windows[i];
    const store::Row& row = window.rows.front();
    const RowSelection events = selection.of(trace, row);
    for_each_passing(row, events.filter(), window.range, aggregate::ScanOrder::kForwards,
                     [&](const aggregate::PassingRecords& passing) {
                       for (const store::Record& record : passing.records) {
                         if (window.owns(record) && events.takes(record))
                           count.add(ends_of(row.kind, row.lane, record));
                       }
                       return true;
                     });
  };
  return reduce(work, windows.size(), Count(trace.dictionary().lanes.size()), measure).finish();
}

std::vector<LaneId> lanes_of_messages(const store::Trace& trace) {
  std::vector<Time> first(trace.dictionary().lanes.size(), Time::max());
  for (const store::Row& row : trace.rows()) {
    if (!is_link(row.kind) || row.count == 0) continue;
    Time& time = first[row.lane.value()];
    time = std::min(time, row.first_begin);
  }
  return in_order_of(first);
}

}  // namespace weft::query
