#include "core/store/tail.h"

#include <algorithm>

namespace weft::store {
namespace {
constexpr size_t kEventsPerTask = 16 << 10;  // lanes are handed out in batches of about this many
}

void Tail::seal(SegmentUse use, uint32_t lanes, ThreadPool& pool, FileEnd& file,
                SegmentDraft& draft) {
  // Counting sort by lane and kind; order[begins[g] … begins[g + 1]) are the entries of group g.
  const size_t groups = size_t{lanes} * kRowKindCount;
  const auto group_of = [](const Entry& e) {
    return size_t{e.lane.value()} * kRowKindCount + static_cast<size_t>(e.kind);
  };
  std::vector<uint32_t> begins(groups + 1);
  for (const Entry& e : entries_) ++begins[group_of(e) + 1];
  for (size_t g = 0; g < groups; ++g) begins[g + 1] += begins[g];
  std::vector<uint32_t> order(entries_.size());
  {
    std::vector<uint32_t> at(begins.begin(), begins.end() - 1);
    for (uint32_t i = 0; i < entries_.size(); ++i) order[at[group_of(entries_[i])]++] = i;
  }
  std::vector<uint32_t> first_lanes = {0};
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const uint32_t events = begins[size_t{lane + 1} * kRowKindCount] -
                            begins[size_t{first_lanes.back()} * kRowKindCount];
    if (events >= kEventsPerTask || lane + 1 == lanes) first_lanes.push_back(lane + 1);
  }
  pool.for_each(first_lanes.size() - 1, [&](size_t task) {
    SlabWriter out(file);
    std::vector<Record> records;
    std::vector<Record> scratch;
    for (uint32_t lane = first_lanes[task]; lane < first_lanes[task + 1]; ++lane) {
      const size_t group = size_t{lane} * kRowKindCount;
      if (begins[group] == begins[group + kRowKindCount]) continue;
      LaneWriter writer(LaneId(lane), use, draft, out);
      for (size_t kind = 0; kind < kRowKindCount; ++kind) {
        records.clear();
        for (uint32_t i = begins[group + kind]; i < begins[group + kind + 1]; ++i)
          records.push_back(entries_[order[i]].record);
        if (records.empty()) continue;
        sort_records(records, static_cast<RowKind>(kind), scratch);
        writer.add(static_cast<RowKind>(kind), records, true);
      }
    }
  });
  entries_.clear();
}

}  // namespace weft::store
