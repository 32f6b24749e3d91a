// The event table against the plain list of all events.
// covers FS-15, FS-16, FS-17, FS-58, B-13
#include "app/panels/tables/event_table.h"
#include "app/panels/tables/event_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/base/json.h"
#include "core/query/filter/filter_compiler.h"
#include "core/store/builder.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

using Lines = std::vector<std::vector<std::string>>;

class EventTables : public ::testing::Test {
 protected:
  EventTables() : trace_(testing::opened(testing::write_sample(folder_.path()))) {}

  std::shared_ptr<const EventTable> table(const Json& options) {
    const TimeRange all = query::whole_range(*trace_);
    auto made = make_event_table({{trace_, all}, table_options(options)}, pool_, {});
    return std::make_shared<const EventTable>(std::move(*made));
  }
  static Lines lines(const std::shared_ptr<const EventTable>& table) {
    Lines lines;
    for (auto& line : make_event_page({table, 0, table->count()}).lines) {
      lines.push_back(line.cells);
    }
    return lines;
  }
  // All events in order of time, by the plain stream.
  Lines expected() const {
    Lines lines;
    query::EventStream stream(trace_, query::Selection::all(*trace_));
    const EventText text(*trace_, std::make_shared<const EventColumns>(*trace_), {});
    for (query::Event event{}; stream.next(event);) {
      auto& line = lines.emplace_back();
      for (size_t i = 0; i < kEventColumnCount; ++i) line.push_back(text.cell(event, i));
    }
    return lines;
  }

  testing::ScratchFolder folder_;
  ThreadPool pool_{2};
  store::TracePtr trace_;
};

TEST_F(EventTables, ListEveryEventInOrderOfTime) {
  const auto all = table(Json::object());
  EXPECT_EQ(all->count(), trace_->counts().total());
  EXPECT_EQ(all->unfiltered, all->count());
  EXPECT_EQ(lines(all), expected());
}

TEST_F(EventTables, TimesOfManyDaysHaveRoom) {
  const int64_t day = int64_t{86'400} * 1'000'000'000;
  const auto width = [&](const TableTimes& times) {
    return EventColumns(*trace_, times).all()[kEventTime].width_px;
  };
  const float usual = width({});
  EXPECT_EQ(usual, EventColumns(*trace_).all()[kEventTime].width_px);
  // "12 d 6:57:36.000000000"
  EXPECT_GT(width({.reach = TimeRange{{0}, {12 * day}}}), usual + 30);
}

TEST_F(EventTables, SayNothingOfLatenciesThatNobodyMeasured) {
  const auto cells_of = [&](int64_t latency) {
    trace_ = testing::opened(testing::write_one_link(folder_.path(), latency));
    const auto links = table(Json::object());
    std::string cells;
    for (const auto& line : lines(links)) cells += line[kEventDuration] + '|';
    const auto take = [&](std::span<const Cell> row) {
      cells += std::holds_alternative<std::monostate>(row[kEventDuration]) ? '-' : '+';
      return true;
    };
    sheet_of(links).read(take, {});
    return cells;
  };
  EXPECT_EQ(cells_of(0), "|-");
  EXPECT_EQ(cells_of(1), "1 ns|+");
}

TEST_F(EventTables, TellEventsApartThatBeginTogether) {
  trace_ = testing::opened(testing::write_twins(folder_.path()));
  for (const Json& options :
       {Json::object(), Json{{"sort", "-time"}}, Json{{"sort", "lane"}},
        Json{{"filters", {{"params", "n='2'"}}}}, Json{{"filters", {{"params", "n='1'"}}}}}) {
    SCOPED_TRACE(options.dump());
    const auto made = table(options);
    const query::Elements elements(trace_);
    for (uint64_t first = 0; first < made->count(); ++first) {
      const EventPage page = make_event_page({made, first, 2});
      for (uint64_t row = first; const EventPage::Line* line = page.find(row); ++row) {
        const query::ElementRef element = element_of(*trace_, *line);
        const auto found = elements.find(element);
        ASSERT_TRUE(found) << row;
        EXPECT_EQ(found->record.params, line->record.params) << row;
        EXPECT_EQ(row_of(*made, element), row);
      }
    }
  }
}

// covers B-27: one setting for all times
TEST_F(EventTables, SayTimesAsTheyAreSaidEverywhere) {
  const TimeRange all = query::whole_range(*trace_);
  EventTableKey key{{trace_, all}, table_options({{"filters", {{"time", "^1,050 ns$"}}}})};
  key.times.display = {TimeOrigin::kClock, TimeUnit::kNanoseconds};
  const auto found = make_event_table(key, pool_, {});
  const std::string said = time_label(key.times.display, {1'050}, trace_->range(),
                                      trace_->dictionary().time_base, all.length(), {1});
  EXPECT_EQ(found->count(), said == "1,050 ns" ? 1u : 0u) << said;
  key.options = {};
  const auto table = std::make_shared<const EventTable>(*make_event_table(key, pool_, {}));
  const auto page = make_event_page({table, 0, 50});
  EXPECT_EQ(page.lines.size(), 50u);
  for (const auto& line : page.lines) {
    EXPECT_EQ(line.cells[kEventTime],
              time_label(key.times.display, line.record.begin, trace_->range(),
                         trace_->dictionary().time_base, trace_->range().length(), {1}));
  }
}

// covers XC-30
TEST_F(EventTables, WhatPassesStandsOutAmongAllEvents) {
  const auto all = table(Json::object());
  const auto filter = query::compile_filter("dur >= 1000 && depth == 0", *trace_);
  ASSERT_TRUE(filter);
  size_t marked = 0;
  for (const auto& line : make_event_page({all, 0, all->count(), *filter}).lines) {
    const store::Row& row = trace_->row(line.row);
    const bool passes = row.kind == store::RowKind::kState && row.depth == 0 &&
                        line.record.duration >= Duration{1'000};
    EXPECT_EQ(line.stands_out, passes);
    marked += passes;
  }
  EXPECT_GT(marked, 0u);
  EXPECT_LT(marked, all->count());
  for (const auto& line : make_event_page({all, 0, 50}).lines) EXPECT_TRUE(line.stands_out);
}

TEST_F(EventTables, CountTimesFromTheBeginOfTheLineThatTracesShare) {
  const TimeRange own = trace_->range();
  EventTableKey key{{trace_, query::whole_range(*trace_)}, {}};
  key.times = {{TimeOrigin::kTrace, TimeUnit::kNanoseconds},
               TimeRange{own.begin - Duration{5'000}, own.end}};
  const auto table = std::make_shared<const EventTable>(*make_event_table(key, pool_, {}));
  const auto page = make_event_page({table, 0, 50});
  EXPECT_EQ(page.lines.size(), 50u);
  for (const auto& line : page.lines) {
    EXPECT_EQ(line.cells[kEventTime],
              time_label(key.times.display, line.record.begin, *key.times.reach,
                         trace_->dictionary().time_base, key.times.reach->length(), {1}));
  }
}

TEST_F(EventTables, KnowTheRowOfAnElement) {
  for (const Json& options :
       {Json::object(), Json{{"sort", "-time"}}, Json{{"sort", "-duration"}}}) {
    SCOPED_TRACE(options.dump());
    const auto table = this->table(options);
    uint64_t row = 0;
    const EventPage page = make_event_page({table, 0, table->count()});
    for (const EventPage::Line& line : page.lines)
      EXPECT_EQ(row_of(*table, element_of(*trace_, line)), row++);
    EXPECT_EQ(row, table->count());
  }
  query::ElementRef none;
  none.begin = {1};
  EXPECT_FALSE(row_of(*table(Json::object()), none));
}

TEST_F(EventTables, RunBackwardsInTime) {
  Lines reversed = expected();
  std::ranges::reverse(reversed);
  const auto backwards = table({{"sort", "-time"}});
  EXPECT_EQ(lines(backwards), reversed);
  const EventPage page = make_event_page({backwards, 3, 2});
  ASSERT_EQ(page.lines.size(), 2u);
  EXPECT_EQ(page.lines[0].cells, reversed[3]);
  EXPECT_EQ(page.find(4)->cells, reversed[4]);
  EXPECT_EQ(page.find(5), nullptr);
}

TEST_F(EventTables, AreFilteredByWhatTheirCellsSay) {
  for (size_t column = 0; column < kEventColumnCount; ++column) {
    for (const char* pattern : {"e", "^$", "1.*2", "state|link", "nothing is called so"}) {
      SCOPED_TRACE(std::string(EventColumns(*trace_).all()[column].id) + " =~ " + pattern);
      const auto regex = ColumnFilter::compile(pattern);
      Lines matching = expected();
      std::erase_if(matching, [&](const auto& line) { return !regex->matches(line[column]); });
      const auto filtered =
          table({{"filters", {{std::string(EventColumns(*trace_).all()[column].id), pattern}}}});
      EXPECT_EQ(lines(filtered), matching);
      EXPECT_EQ(filtered->unfiltered, trace_->counts().total());
    }
  }
}

TEST_F(EventTables, DurationsAreComparedBelowTheirTitle) {
  const auto longer = table({{"filters", {{"duration", "> 500 ns"}}}});
  uint64_t expected = 0;
  for (const store::Row& row : trace_->rows()) {
    trace_->for_each(row, trace_->range(), [&](const store::Record& record) {
      const bool is_state = row.kind == store::RowKind::kState;
      const bool is_link = row.kind == store::RowKind::kLinkOut && !record.peer.is_none();
      expected += (is_state || is_link) && record.duration.ticks > 500 ? 1 : 0;
      return true;
    });
  }
  EXPECT_GT(expected, 0u);
  EXPECT_LT(expected, trace_->counts().total());
  EXPECT_EQ(longer->count(), expected);
}

TEST_F(EventTables, ABrokenFilterTakesEverything) {
  EXPECT_EQ(table({{"filters", {{"type", "("}}}})->count(), trace_->counts().total());
}

TEST_F(EventTables, AreSortedByAnyColumn) {
  for (const size_t column : {kEventLane, kEventCategory, kEventType, kEventParams}) {
    Lines sorted = expected();
    std::ranges::stable_sort(sorted, {}, [&](const auto& line) { return line[column]; });
    const std::string id(EventColumns(*trace_).all()[column].id);
    EXPECT_EQ(lines(table({{"sort", id}})), sorted) << id;
    std::ranges::reverse(sorted);
    EXPECT_EQ(lines(table({{"sort", "-" + id}})), sorted) << id;
  }
}

// A column of its own, between the common ones and those of the type.
TEST_F(EventTables, SayTheCpuWhereTheTraceKnowsIt) {
  EXPECT_EQ(EventColumns(*trace_).count(), kEventColumnCount);
  const std::filesystem::path path = folder_.path() / "cpus.weft";
  auto builder = store::StoreBuilder::create({path, "test"}, pool_);
  ASSERT_TRUE(builder);
  trace::EventSink& sink = **builder;
  const LaneId cpu = sink.add_lane({"CPU 10", LaneId::none(), trace::LaneKind::kCpu, 0});
  const LaneId task = sink.add_lane({"task", LaneId::none(), trace::LaneKind::kThread, 0});
  const EventTypeId tick = sink.type(trace::Category::kPunctual, "tick");
  for (int64_t time = 0; time < 6; ++time) {
    const ParamsId params = sink.params("{\"cpu\":" + std::to_string(time) + "}");
    const bool is_silent = time == 5;
    sink.punctuals(
        {{{{time}, is_silent ? ParamsId::none() : params, time == 4 ? cpu : task, tick}}});
  }
  ASSERT_TRUE((*builder)->finish());
  trace_ = testing::opened(path);
  const EventColumns columns(*trace_);
  ASSERT_EQ(columns.count(), kEventColumnCount + 1);
  EXPECT_EQ(columns.all()[kEventColumnCount].id, "cpu");
  const auto cpus = [&](const Json& options) {
    std::vector<std::string> cells;
    for (const auto& line : lines(table(options))) cells.push_back(line[kEventColumnCount]);
    return cells;
  };
  using Cells = std::vector<std::string>;
  EXPECT_EQ(cpus(Json::object()), (Cells{"0", "1", "2", "3", "10", ""}));
  EXPECT_EQ(cpus({{"sort", "-cpu"}}), (Cells{"", "10", "3", "2", "1", "0"}));
  EXPECT_EQ(cpus({{"filters", {{"cpu", "^1"}}}}), (Cells{"1", "10"}));
  EXPECT_THAT(sheet_of(table(Json::object())).columns, ::testing::Contains("cpu"));
}

// If there are more events than an order other than time keeps, the first ones are kept.
TEST_F(EventTables, KeepTheFirstOfAnOrder) {
  const EventText text(*trace_, std::make_shared<const EventColumns>(*trace_), {});
  for (const char* pattern : {"", "e"}) {
    const Json filters = *pattern ? Json{{"params", pattern}} : Json::object();
    for (size_t column = 0; column < kEventColumnCount; ++column) {
      for (const bool is_descending : {false, true}) {
        const std::string id(EventColumns(*trace_).all()[column].id);
        const auto whole = table({{"sort", (is_descending ? "-" : "") + id}, {"filters", filters}});
        for (const size_t most : {1u, 7u, 100u, 100'000u}) {
          SCOPED_TRACE(id + " " + std::to_string(most));
          const auto first =
              first_events_by(column, is_descending, whole->index, text, most, pool_);
          ASSERT_TRUE(first);
          ASSERT_EQ(first->size(), std::min<uint64_t>(most, whole->count()));
          size_t row = 0;
          whole->read(0, first->size(), [&](const query::Event& event) {
            const EventTable::Event& own = first->at(row);
            EXPECT_EQ(own.row, event.row);
            EXPECT_EQ(own.record.begin, event.record->begin);
            EXPECT_EQ(own.record.type, event.record->type);
            EXPECT_EQ(own.record.params, event.record->params);
            return ++row > 0;
          });
        }
      }
    }
  }
  std::stop_source stop;
  stop.request_stop();
  const auto all = table(Json::object());
  EXPECT_FALSE(first_events_by(kEventType, false, all->index, {*trace_, all->columns, {}}, 5,
                               {pool_, stop.get_token()}));
}

TEST_F(EventTables, AreSortedByTheLengthAndNotItsText) {
  const auto sorted = table({{"sort", "duration"}});
  ASSERT_EQ(sorted->sorted.size(), sorted->count());
  EXPECT_TRUE(std::ranges::is_sorted(sorted->sorted, {}, [](const EventTable::Event& event) {
    const bool has_none = event.row->kind != store::RowKind::kState && event.record.peer.is_none();
    return has_none ? Duration{-1} : event.record.duration;
  }));
}

TEST_F(EventTables, AreWrittenWholeAndExactly) {
  const auto filtered = table({{"filters", {{"category", "state"}}}});
  const Sheet sheet = sheet_of(filtered);
  EXPECT_EQ(sheet.row_count, filtered->count());
  uint64_t rows = 0;
  sheet.read(
      [&](std::span<const Cell> cells) {
        EXPECT_EQ(std::get<int64_t>(cells[kEventTime]),
                  make_event_page({filtered, rows, 1}).lines[0].record.begin.ticks);
        EXPECT_TRUE(std::holds_alternative<int64_t>(cells[kEventDuration]));
        ++rows;
        return true;
      },
      {});
  EXPECT_EQ(rows, filtered->count());
}

TEST(TableOptions, LeaveOutWhatIsOfTheWrongType) {
  const Json hostile = {{"sort", 3}, {"filters", {{"a", 1}, {"b", ""}, {"c", "x"}}}};
  const TableOptions options = table_options(hostile);
  EXPECT_EQ(options.sort, "");
  EXPECT_EQ(options.filters, (std::map<std::string, std::string>{{"c", "x"}}));
  EXPECT_TRUE(table_options(Json::array()).filters.empty());
}

}  // namespace
}  // namespace weft::app
