#include "core/query/event_stream.h"

#include <algorithm>

#include "core/aggregate/filtered_scan.h"
#include "core/store/segment.h"

namespace weft::query {

EventStream::EventStream(store::TracePtr trace, Selection selection, size_t read_ahead,
                         bool reads_all)
    : trace_(std::move(trace)), selection_(std::move(selection)) {
  for (const store::Row& row : trace_->rows()) {
    if (row.count == 0 || row.first_begin >= selection_.range.end) continue;
    RowSelection events = selection_.of(*trace_, row);
    if (events.takes_nothing()) continue;
    for (size_t part = 0; part < row.parts.size(); ++part) {
      const Time first{row.parts[part].row().first_begin};
      heap_.push_back({first, static_cast<uint32_t>(cursors_.size())});
      cursors_.push_back({.row = &row, .part = part, .events = events});
    }
  }
  std::ranges::make_heap(heap_, std::greater{});
  max_read_ahead_ = std::max<size_t>(1, read_ahead / std::max<size_t>(1, cursors_.size()));
  if (!reads_all) return;
  for (Cursor& cursor : cursors_) cursor.read_ahead = max_read_ahead_;
}

bool EventStream::next(Event& event) {
  while (!heap_.empty()) {
    Cursor& cursor = cursors_[heap_.front().cursor];
    if (has_given_top_) ++cursor.at;
    const bool was_read = cursor.at < cursor.records.size();
    if (was_read && !has_given_top_) {
      event = {cursor.row, &cursor.records[cursor.at]};
      has_given_top_ = true;
      return true;
    }
    has_given_top_ = false;
    if (!was_read && !cursor.is_at_end) refill(cursor);
    if (cursor.at < cursor.records.size()) {
      heap_.front().time = cursor.records[cursor.at].begin;
    } else {
      cursor.records = {};
      heap_.front() = heap_.back();
      heap_.pop_back();
    }
    settle_top();
  }
  return false;
}

void EventStream::refill(Cursor& cursor) const {
  store::Row row = *cursor.row;
  row.parts = row.parts.subspan(cursor.part, 1);
  const bool is_resumed = cursor.is_begun;
  const Time resume_at = cursor.passed_until;
  uint64_t to_skip = cursor.passed_there;
  cursor.records.clear();
  cursor.at = 0;
  cursor.is_begun = true;
  cursor.is_at_end = true;
  // One tick earlier, so that a state without length at `resume_at` counts as overlapping, too.
  const Time from = is_resumed ? resume_at - Duration{1} : selection_.range.begin;
  const TimeRange range{from, selection_.range.end};
  const auto read = [&](const aggregate::PassingRecords& passing) {
    for (const store::Record& record : passing.records) {
      if (!lies_in(row, record, selection_.range)) continue;
      if (is_resumed && record.begin < resume_at) continue;
      if (is_resumed && record.begin == resume_at && to_skip > 0) {
        --to_skip;
        continue;
      }
      if (record.begin != cursor.passed_until) {
        cursor.passed_until = record.begin;
        cursor.passed_there = 0;
      }
      ++cursor.passed_there;
      if (cursor.events.takes(record)) cursor.records.push_back(record);
    }
    cursor.is_at_end = cursor.records.size() < cursor.read_ahead;
    return cursor.is_at_end;
  };
  for_each_passing(row, cursor.events.filter(), range, aggregate::ScanOrder::kForwards, read);
  // A long run of one time is passed again by every refill within it, so the steps grow with it.
  const size_t twice = 2 * std::max(cursor.read_ahead, cursor.records.size());
  cursor.read_ahead = std::max<size_t>(std::min(twice, max_read_ahead_), cursor.passed_there);
}

void EventStream::settle_top() {
  if (heap_.empty()) return;
  const Entry moving = heap_.front();
  size_t at = 0;
  for (size_t child = 1; child < heap_.size(); child = 2 * at + 1) {
    if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
    if (moving <= heap_[child]) break;
    heap_[at] = heap_[child];
    at = child;
  }
  heap_[at] = moving;
}

}  // namespace weft::query
