#include "core/query/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/aggregate/columns.h"
#include "core/base/thread_pool.h"
#include "core/query/element.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

class SearchTest : public testing::Test {
 protected:
  SearchTest() {
    Events events = random_events(41, 3, 4000);
    for (size_t i = 0; i < events.links.size(); i += 3) {  // lost on the way
      (i % 2 == 0 ? events.links[i].source : events.links[i].target) = LaneId::none();
    }
    trace_ = build(events, folder_ / "t.weft");
    all_ = flat_events(*trace_);
  }

  // The events that a selection has, those that begin in its range.
  std::vector<FlatEvent> hits_of(const Selection& selection) const {
    std::vector<FlatEvent> hits;
    std::ranges::copy_if(all_, std::back_inserter(hits), [&](const FlatEvent& event) {
      return is_in(selection, event) && selection.range.contains(event.record.begin);
    });
    return hits;
  }
  bool is_same(const std::optional<SearchHit>& hit, const FlatEvent& event) const {
    return hit && &trace_->row(hit->place.row) == event.row &&
           hit->record.begin == event.record.begin && hit->place.time == event.record.begin &&
           hit->record.duration == event.record.duration && hit->record.type == event.record.type;
  }

  ScratchFolder folder_;
  store::TracePtr trace_;
  std::vector<FlatEvent> all_;
  ThreadPool pool_{3};
  std::mt19937_64 random_{42};
};

TEST_F(SearchTest, CountsEveryEventOnceAndWhereItBegins) {
  for (int i = 0; i < 80; ++i) {
    SCOPED_TRACE(i);
    const Selection selection = random_selection(*trace_, random_);
    if (selection.range.is_empty()) continue;
    Search search(trace_, selection, 1 + static_cast<uint32_t>(random_() % 90));
    EXPECT_FALSE(search.is_done());
    search.run(pool_);
    EXPECT_TRUE(search.is_done());
    EXPECT_EQ(search.progress().done, search.progress().total);
    const auto is_hit = [&](const FlatEvent& event) { return is_in(selection, event); };
    EXPECT_EQ(search.hits(), static_cast<uint64_t>(std::ranges::count_if(all_, is_hit)));
    std::vector<uint64_t> rows(trace_->rows().size());
    for (const FlatEvent& event : all_) {
      if (is_hit(event)) ++rows[static_cast<size_t>(event.row - trace_->rows().data())];
    }
    ASSERT_EQ(search.rows(), rows.size());
    for (uint32_t row = 0; row < rows.size(); ++row) {
      EXPECT_EQ(search.hits_of(RowId(row)), rows[row]);
    }
    // A link is counted once, but seen at both ends.
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const store::Row& row = trace_->row(RowId(i));
      const RowSelection events = selection.of(*trace_, row);
      bool passes = false;
      for (uint64_t k = 0; k < row.count; ++k) {
        const store::Record record = trace_->record(row, k);
        passes |= events.filter().passes(record) && lies_in(row, record, selection.range);
      }
      EXPECT_EQ(search.passes_in(RowId(i)), passes);
    }
    std::vector<uint64_t> bins(search.bins());
    for (const FlatEvent& event : hits_of(selection)) {
      ++bins[aggregate::bin_of(event.record.begin, selection.range, search.bins())];
    }
    for (uint32_t bin = 0; bin < search.bins(); ++bin) EXPECT_EQ(search.hits_in(bin), bins[bin]);
  }
}

TEST_F(SearchTest, ItsBinsCoverTheRange) {
  const Search search(trace_, Selection::all(*trace_), 7);
  Time end = search.selection().range.begin;
  for (uint32_t i = 0; i < 7; ++i) {
    EXPECT_EQ(search.bin_range(i).begin, end);
    end = search.bin_range(i).end;
  }
  EXPECT_EQ(end, search.selection().range.end);
}

TEST_F(SearchTest, StepsThroughAllHitsInBothDirections) {
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    Selection selection = random_selection(*trace_, random_);
    if (i % 3 == 0) selection.range = whole_range(*trace_);
    std::vector<FlatEvent> hits = hits_of(selection);
    constexpr size_t kMost = 400;
    EventPlace place = EventPlace::before(selection.range.begin);
    for (size_t k = 0; k < std::min(hits.size(), kMost); ++k) {
      const auto hit = next_hit(*trace_, selection, place, pool_);
      ASSERT_TRUE(is_same(hit, hits[k])) << k;
      place = successor(hit->place);
    }
    EXPECT_TRUE(hits.size() > kMost || !next_hit(*trace_, selection, place, pool_));
    place = EventPlace::after(selection.range.end);
    for (size_t k = 0; k < std::min(hits.size(), kMost); ++k) {
      const auto hit = previous_hit(*trace_, selection, place, pool_);
      ASSERT_TRUE(is_same(hit, hits[hits.size() - 1 - k])) << k;
      place = hit->place;
    }
    EXPECT_TRUE(hits.size() > kMost || !previous_hit(*trace_, selection, place, pool_));
  }
}

TEST_F(SearchTest, TellsHowManyHitsComeBeforeOneAndWhichElementItIs) {
  const Elements elements(trace_);
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    Selection selection = random_selection(*trace_, random_);
    selection.range = whole_range(*trace_);
    const std::vector<FlatEvent> hits = hits_of(selection);
    Search search(trace_, selection, 1 + static_cast<uint32_t>(random_() % 50));
    search.run(pool_);
    EventPlace place = EventPlace::before(selection.range.begin);
    for (size_t k = 0; k < std::min<size_t>(hits.size(), 60); ++k) {
      const auto hit = next_hit(*trace_, selection, place, pool_);
      ASSERT_TRUE(hit);
      ASSERT_EQ(search.rank_of(hit->place, pool_), k);
      const auto element = elements.at(hit->place);
      ASSERT_TRUE(element);
      ASSERT_EQ(element->row, hit->place.row);
      ASSERT_EQ(element->record.duration, hit->record.duration);
      ASSERT_EQ(element->record.type, hit->record.type);
      const auto named = elements.find(element->ref);
      ASSERT_TRUE(named);
      ASSERT_EQ(named->record.params, hit->record.params);
      place = successor(hit->place);
    }
  }
}

TEST_F(SearchTest, FindsTheNearestHitFromAnyTime) {
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const Selection selection = random_selection(*trace_, random_);
    const std::vector<FlatEvent> hits = hits_of(selection);
    const auto length = static_cast<uint64_t>(trace_->range().length().ticks);
    const Time time = trace_->range().begin + Duration{static_cast<int64_t>(random_() % length)};
    const auto begin_of = [](const FlatEvent& event) { return event.record.begin; };
    const auto next = std::ranges::lower_bound(hits, time, {}, begin_of);
    SearchProgress progress;
    const auto found = next_hit(*trace_, selection, EventPlace::before(time), pool_, &progress);
    EXPECT_EQ(found.has_value(), next != hits.end());
    EXPECT_TRUE(!found || is_same(found, *next));
    EXPECT_LE(progress.done, progress.total);
    const auto before = previous_hit(*trace_, selection, EventPlace::before(time), pool_);
    EXPECT_EQ(before.has_value(), next != hits.begin());
    EXPECT_TRUE(!before || is_same(before, *(next - 1)));
  }
}

TEST_F(SearchTest, StopsWhenItIsToldTo) {
  std::stop_source source;
  source.request_stop();
  Search search(trace_, Selection::all(*trace_), 10);
  search.run({pool_, source.get_token()});
  EXPECT_FALSE(search.is_done());
  EXPECT_EQ(search.hits(), 0u);
  EXPECT_FALSE(next_hit(*trace_, Selection::all(*trace_), EventPlace::before(Time::min()),
                        {pool_, source.get_token()}));
}

}  // namespace
}  // namespace weft::query
