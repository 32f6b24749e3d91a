#include "core/query/messages/answer_search.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "core/store/segment.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;
using store::RowKind;

// A run in a number that is not 0: where it begins, how long it is, and that it is known.
constexpr uint64_t kCountBits = 7;
constexpr uint64_t kIsKnown = 1;
static_assert(kMostFollowed < (1U << kCountBits));
uint64_t packed(uint64_t first, uint64_t count) {
  return first << (kCountBits + 1) | count << 1 | kIsKnown;
}
uint64_t first_of(uint64_t run) { return run >> (kCountBits + 1); }
uint64_t count_of(uint64_t run) { return run >> 1 & ((1U << kCountBits) - 1); }

// The messages that were met on the way, few: a table that is never full.
class Met {
 public:
  size_t count() const { return count_; }
  // Whether it is new.
  bool insert(uint64_t message) {
    const uint64_t key = message + 1;
    size_t slot = key * 0x9e3779b97f4a7c15 >> (64 - kBits);
    while (slots_[slot] != 0 && slots_[slot] != key) slot = (slot + 1) % slots_.size();
    if (slots_[slot] == key) return false;
    slots_[slot] = key;
    ++count_;
    return true;
  }

 private:
  static constexpr int kBits = 8;
  static_assert(2 * kMostFollowed <= 1U << kBits);
  std::array<uint64_t, 1U << kBits> slots_{};
  size_t count_ = 0;
};

}  // namespace

AnswerSearch::AnswerSearch(const store::Trace& trace)
    : trace_(&trace),
      // Used while the caller holds the trace.
      elements_(store::TracePtr(std::shared_ptr<void>(), &trace)) {
  for (uint32_t i = 0; i < trace.rows().size(); ++i) {
    const Row& row = trace.row(RowId(i));
    first_of_row_.push_back(static_cast<uint32_t>(parts_.size()));
    if (row.kind != RowKind::kLinkOut) continue;
    for (uint32_t part = 0; part < row.parts.size(); ++part) {
      parts_.push_back({messages_, RowId(i), part});
      messages_ += row.parts[part].count();
    }
  }
  runs_.reset(static_cast<uint64_t*>(allocate_large(messages_ * sizeof(uint64_t))));
  targets_.reset(static_cast<uint32_t*>(allocate_large(messages_ * sizeof(uint32_t))));
}

const AnswerSearch::Part& AnswerSearch::part_of(uint64_t message) const {
  return *(std::ranges::upper_bound(parts_, message, {}, &Part::base) - 1);
}

Record AnswerSearch::record_of(uint64_t message) const {
  const Part& part = part_of(message);
  return trace_->row(part.row).parts[part.part].record(message - part.base);
}

std::optional<uint64_t> AnswerSearch::message_with(const LinkEnds& ends) const {
  std::vector<Record> records;
  const store::RowSpan rows = elements_.rows_of(ends.source, RowKind::kLinkOut);
  for (uint32_t i = rows.begin; i < rows.end; ++i) {
    const auto& parts = trace_->row(RowId(i)).parts;
    for (uint32_t part = 0; part < parts.size(); ++part) {
      constexpr uint64_t kMostLookedAt = 16;  // that are sent at the same time
      const uint64_t first = parts[part].lower_bound(ends.send.ticks);
      records.clear();
      parts[part].read(first, kMostLookedAt, records);
      const auto is_meant = [&](const Record& record) {
        return ends_of(RowKind::kLinkOut, ends.source, record) == ends;
      };
      const auto found = std::ranges::find_if(records, is_meant);
      if (found == records.end()) continue;
      const auto nth = static_cast<uint64_t>(found - records.begin());
      return parts_[first_of_row_[i] + part].base + first + nth;
    }
  }
  return std::nullopt;
}

void AnswerSearch::append_sent(LaneId lane, Time receive, std::vector<Run>& runs) const {
  const TimeRange span = Causality(elements_).handling_of(lane, receive).span;
  const store::RowSpan rows = elements_.rows_of(lane, RowKind::kLinkOut);
  for (uint32_t i = rows.begin; i < rows.end; ++i) {
    const auto& parts = trace_->row(RowId(i)).parts;
    for (uint32_t part = 0; part < parts.size(); ++part) {
      const uint64_t begin = parts[part].lower_bound(span.begin.ticks);
      const uint64_t end = parts[part].lower_bound(span.end.ticks);
      const uint64_t base = parts_[first_of_row_[i] + part].base;
      if (begin < end) runs.push_back({base + begin, std::min(end - begin, kMostFollowed), lane});
    }
  }
}

LaneId AnswerSearch::follow(uint64_t message, std::vector<Run>& runs) const {
  std::atomic_ref<uint64_t> known(runs_[message]);
  std::atomic_ref<uint32_t> target(targets_[message]);
  if (const uint64_t run = known.load(std::memory_order_acquire); run != 0) {
    const LaneId lane(target.load(std::memory_order_relaxed));
    if (count_of(run) > 0) runs.push_back({first_of(run), count_of(run), lane});
    return lane;
  }
  const Record record = record_of(message);
  const size_t before = runs.size();
  if (!record.peer.is_none()) append_sent(record.peer, record.end(), runs);
  // A growing trace may have several runs, at the borders of its parts: rare, and not kept.
  if (runs.size() - before <= 1) {
    const bool has_run = runs.size() > before;
    target.store(record.peer.value(), std::memory_order_relaxed);
    known.store(has_run ? packed(runs.back().first, runs.back().count) : packed(0, 0),
                std::memory_order_release);
  }
  return record.peer;
}

void AnswerSearch::for_each_answer(const LinkEnds& ends,
                                   const std::function<bool(EventTypeId)>& take) const {
  if (!ends.is_received()) return;
  std::vector<Run> runs;
  if (const auto message = message_with(ends)) {
    follow(*message, runs);
  } else {
    append_sent(ends.target, ends.receive, runs);
  }
  Met met;
  for (size_t i = 0; i < runs.size(); ++i) {
    const Run run = runs[i];
    for (uint64_t message = run.first; message < run.first + run.count; ++message) {
      if (met.count() == kMostFollowed) return;
      if (!met.insert(message)) continue;
      const LaneId target = follow(message, runs);
      const bool goes_back = run.sender == ends.target && target == ends.source;
      if (goes_back && !take(record_of(message).type)) return;
    }
  }
}

}  // namespace weft::query
