// Contributions of a trace's type: pages of statistics, columns of the event table, panels,
// options. covers NX-09, NX-10, NX-11, NX-12, NX-13
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/panels/panels.h"
#include "app/panels/tables/answer_table.h"
#include "app/panels/tables/event_table.h"
#include "app/session/commands.h"
#include "app/session/panel_kinds.h"
#include "app/session/statistics_pages.h"
#include "core/query/windows.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

// For this test alone: a type that was added exists for all tests after it.
constexpr const char* kTestType = "test-pages";

class TypePages : public ::testing::Test {
 protected:
  TypePages() : trace_(testing::opened(testing::write_sample_of(folder_.path(), kTestType))) {
    formats::Format type = *formats::format_from_id("chrome-json");
    type.id = kTestType;
    type.sniff = [](std::span<const std::byte>) { return 0; };
    type.columns = {{"Frame", "frame"}, {"Absent", "absent.deep"}};
    type.pages = {{"longest",
                   "Longest",
                   "SELECT type, max(dur) AS longest FROM states WHERE begin >= :from AND "
                   "begin < :to GROUP BY type ORDER BY type",
                   {"longest"}},
                  {"wrong", "Wrong", "SELECT nothing FROM nowhere", {}}};
    type.origin = "test";
    EXPECT_TRUE(formats::add_format(std::move(type)));
  }
  SqlAnswer page(const std::string& id, TimeRange range) {
    return *answer_page({trace_, id, range}, pool_, {})->answer;
  }
  int64_t number(const SqlAnswer& answer, size_t row, size_t column) const {
    return std::get<int64_t>(answer.rows[row][column]);
  }
  Session new_session() {
    Session session;
    session.host.open_file = [this](const std::filesystem::path& path, const TypeChoice& type) {
      OpenOptions options;
      options.type = type;
      options.use_cache = false;
      return Opening::start(path, std::move(options), pool_);
    };
    return session;
  }
  // The last one that was opened, as far as it can be.
  static Status wait(Session& session) {
    const auto trace = session.traces.back()->opening()->wait();
    session.refresh();
    return trace ? Status() : fail(trace.error());
  }
  TimeRange all() const { return query::Selection::all(*trace_).range; }

  testing::ScratchFolder folder_;
  ThreadPool pool_{2};
  store::TracePtr trace_;
};

TEST_F(TypePages, EventsAreCountedInTheWholeTraceAndInTheRange) {
  const TimeRange range = {{20'000}, {40'000}};
  const SqlAnswer answer = page("events", range);
  EXPECT_EQ(answer.rows.size(), 1 + trace_->dictionary().types.size());
  EXPECT_EQ(number(answer, 0, 2), static_cast<int64_t>(trace_->counts().total()));
  // Rows add up to the first, and agree with SQL, which counts one by one.
  int64_t total = 0, in_range = 0;
  for (size_t row = 1; row < answer.rows.size(); ++row) {
    total += number(answer, row, 2);
    in_range += number(answer, row, 4);
  }
  EXPECT_EQ(total, number(answer, 0, 2));
  EXPECT_EQ(in_range, number(answer, 0, 4));
  const SqlAnswer counted =
      *answer_sql({trace_,
                   "SELECT count(*) FROM events WHERE time < :to AND (time >= :from OR "
                   "(category = 'state' AND end > :from))",
                   10, range},
                  {});
  EXPECT_EQ(in_range, number(counted, 0, 0)) << counted.error;
  EXPECT_GT(in_range, 0);
  EXPECT_LT(in_range, total);
}

TEST_F(TypePages, PagesOfTheTypeAreOfTheRange) {
  const auto pages = pages_of(*trace_);
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_EQ(pages[0].id, kEventsPage);
  const SqlAnswer whole = page("longest", all());
  EXPECT_EQ(whole.rows.size(), 4u);
  EXPECT_EQ(number(whole, 2, 1), 2000);
  EXPECT_EQ(shown_text(whole, 2, 1), "2.000 µs");  // ticks that read as time
  EXPECT_TRUE(page("longest", {{0}, {10}}).rows.empty());
  EXPECT_NE(page("wrong", all()).error, "");
  EXPECT_NE(page("none", all()).error, "");
  // Without a type that is known there is the page of events.
  const auto unknown = testing::opened(testing::write_one_event(folder_.path()));
  EXPECT_GE(pages_of(*unknown).size(), 1u);
}

// From the release of a task until it waits again: by instances, or, without them, between waits. A
// row leads to the longest.
TEST_F(TypePages, ResponsesOfTasks) {
  const auto longest = [&](const char* name, const char* text) {
    const std::filesystem::path file = folder_.path() / name;
    std::ofstream(file) << text;
    OpenOptions options;
    options.use_cache = false;
    const auto trace = Opening::start(file, std::move(options), pool_)->wait();
    if (!trace) return std::vector<Cell>();
    const TimeRange range = query::Selection::all(**trace).range;
    const SqlAnswer answer = *answer_page({*trace, "responses", range}, pool_, {})->answer;
    EXPECT_EQ(answer.error, "");
    const size_t shown = 5;  // task, jobs, mean, longest, begin; what follows finds the element
    EXPECT_EQ(answer.columns.size(), shown + 2);
    if (answer.rows.empty()) return std::vector<Cell>();
    return std::vector<Cell>(answer.rows[0].begin(), answer.rows[0].begin() + shown);
  };
  EXPECT_EQ(longest("two.btf",
                    "#version 2.2.0\n#timeScale us\n"
                    "0,TIMER,0,T,TASK_A,0,activate\n1,Core_1,0,T,TASK_A,0,start\n"
                    "3,Core_1,0,T,TASK_A,0,preempt\n5,Core_1,0,T,TASK_A,0,resume\n"
                    "6,Core_1,0,T,TASK_A,0,terminate\n"
                    "6,TIMER,0,T,TASK_A,1,activate\n11,Core_1,0,T,TASK_A,1,start\n"
                    "15,Core_1,0,T,TASK_A,1,terminate\n"),
            (std::vector<Cell>{"Tasks/TASK_A", int64_t{2}, 7.5, int64_t{9}, int64_t{6}}));
}

// The longest wait of each task; a row leads to it.
TEST_F(TypePages, WhoRanWhileATaskWaited) {
  const std::filesystem::path file = folder_.path() / "sched.ftrace";
  std::ofstream(file) << testing::schedule_of_three();
  OpenOptions options;
  options.use_cache = false;
  const auto trace = Opening::start(file, std::move(options), pool_)->wait();
  ASSERT_TRUE(trace);
  const TimeRange range = query::Selection::all(**trace).range;
  const SqlAnswer answer = *answer_page({*trace, "instead", range}, pool_, {})->answer;
  EXPECT_EQ(answer.error, "");
  ASSERT_EQ(answer.rows.size(), 3u);
  const auto shown = [&](size_t row) {
    return std::vector<Cell>(answer.rows[row].begin(), answer.rows[row].begin() + 6);
  };
  const int64_t ms = 1'000'000;
  EXPECT_EQ(shown(0),
            (std::vector<Cell>{"Tasks/bash-100", 4 * ms, int64_t{0}, "make", int64_t{1}, 3 * ms}));
  EXPECT_EQ(shown(1),
            (std::vector<Cell>{"Tasks/bash-100", 4 * ms, int64_t{0}, "cc", int64_t{1}, ms}));
  EXPECT_EQ(shown(2), (std::vector<Cell>{"Tasks/cc-300", ms, int64_t{0}, "make", int64_t{1}, ms}));
  // The table has no column for what leads there.
  EXPECT_EQ(answer.integer(0, "dur"), 4 * ms);
  const SqlOrder order = arrange_answer({std::make_shared<const SqlAnswer>(answer), {}, {}});
  EXPECT_EQ(order.columns.back().id, "begin");
}

// Logs are there to be read.
TEST_F(TypePages, LogsOpenWithTheEventTable) {
  for (const char* id : {"logcat", "syslog", "journal", "dlt", "gstreamer"}) {
    const auto panels = formats::format_from_id(id)->panels;
    EXPECT_NE(std::ranges::find(panels, "events"), panels.end()) << id;
  }
}

// Raw numbers and names of columns are for queries and files.
TEST_F(TypePages, AreThereToBeRead) {
  formats::Format type = *formats::format_from_id(kTestType);
  type.pages = {{"read",
                 "Read",
                 "SELECT type, type_id, 1234567 AS never_seen, -1234 AS lost, 0.5 AS \"% of it\", "
                 "1234.5 AS mean, 7000 AS longest, 20000 AS begin FROM states LIMIT 1",
                 {"longest"}}};
  ASSERT_TRUE(formats::add_format(std::move(type)));
  const PageAnswer page = *answer_page({trace_, "read", all()}, pool_, {});
  const SqlOrder shown = arrange_answer({page.answer, {}});
  std::vector<std::string> titles, cells;
  for (size_t i = 0; i < shown.columns.size(); ++i) {
    titles.emplace_back(shown.columns[i].title);
    cells.push_back(shown.cell(shown.rows.at(0), i));
  }
  EXPECT_EQ(titles, (std::vector<std::string>{"Type", "Never seen", "Lost", "% of it", "Mean",
                                              "Longest", "Begin"}));
  EXPECT_EQ(std::vector<std::string>(cells.begin() + 1, cells.end()),
            (std::vector<std::string>{
                "1,234,567", "-1,234", "0.50", "1,234.50", "7.000 µs",
                time_label({}, Time{20'000}, trace_->range(), trace_->dictionary().time_base,
                           trace_->range().length(), {1})}));
  EXPECT_EQ(arrange_answer({page.answer, table_options({{"sort", "-begin"}})}).rows.size(), 1u);
  EXPECT_EQ(sheet_of(page.answer).columns[2], "never_seen");
}

TEST_F(TypePages, ColumnsOfTheTypeStandBehindTheOthers) {
  const EventColumns columns(*trace_);
  ASSERT_EQ(columns.count(), kEventColumnCount + 2);
  EXPECT_EQ(columns.all()[kEventColumnCount].id, "params.frame");
  const auto table = [&](const Json& options) {
    return std::make_shared<const EventTable>(
        *make_event_table({{trace_, all()}, table_options(options)}, pool_, {}));
  };
  const auto found = table({{"filters", {{"params.frame", "^7$"}}}, {"sort", "-params.frame"}});
  ASSERT_GT(found->count(), 0u);
  EXPECT_LT(found->count(), trace_->counts().total());
  for (const EventPage::Line& line : make_event_page({found, 0, found->count()}).lines) {
    EXPECT_EQ(line.cells[kEventColumnCount], "7");
    EXPECT_FALSE(line.cells[kEventParams].contains("frame=")) << "it has a column";
    EXPECT_EQ(line.cells[kEventColumnCount + 1], "");
  }
  EXPECT_THAT(sheet_of(found).columns, ::testing::Contains("params.absent.deep"));
}

std::vector<std::string> kinds(const PanelLayout& layout) {
  std::vector<std::string> kinds;
  for (const PanelInstance& panel : layout.panels()) kinds.push_back(panel.kind);
  return kinds;
}

TEST(TypePanels, OfEveryTypeAreThere) {
  for (const formats::FormatPtr& format : formats::formats()) {
    for (const std::string& kind : format->panels)
      EXPECT_NE(find_panel_kind(kind), nullptr) << format->id << ": " << kind;
  }
}

TEST_F(TypePages, PanelsOfTheTypeOpenWithItsFiles) {
  Session session = new_session();
  session.host.on_opened = [&](const OpenTrace& trace) { arrange_for_opened(session, trace); };
  arrange_as_at_first(session);
  EXPECT_EQ(session.desk.layout.to_json(), default_layout().to_json());
  const auto open = [&](const std::string& sample) {
    EXPECT_TRUE(apply_command(session, {"open", {{"path", WEFT_SOURCE_DIR "/samples/" + sample}}}));
    EXPECT_TRUE(wait(session));
    arrange_for_current(session);  // as before a frame that shows another trace
  };
  open("queues.btrace.gz");
  const PanelLayout of_messages = session.desk.layout;
  EXPECT_EQ(kinds(of_messages),
            (std::vector<std::string>{"overview", "gantt", "sequence", "traffic"}));
  EXPECT_FALSE(session.desk.has_own_layout());
  open("board.nexuslite");
  EXPECT_EQ(kinds(session.desk.layout),
            (std::vector<std::string>{"overview", "gantt", "density", "events"}));
  // What the user makes of it is that of traces of this kind, until it is reset.
  const PanelLayout of_logs = session.desk.layout;
  ASSERT_TRUE(apply_command(session, {"panel.close", {{"panel", "density"}}}));
  EXPECT_TRUE(session.desk.has_own_layout());
  open("queues.btrace.gz");
  EXPECT_EQ(session.desk.layout.to_json(), of_messages.to_json());
  EXPECT_FALSE(session.desk.has_own_layout());
  ASSERT_TRUE(apply_command(session, {"panel.close", {{"panel", "traffic"}}}));
  open("board.nexuslite");
  EXPECT_EQ(kinds(session.desk.layout), (std::vector<std::string>{"overview", "gantt", "events"}));
  open("queues.btrace.gz");
  EXPECT_EQ(kinds(session.desk.layout),
            (std::vector<std::string>{"overview", "gantt", "sequence"}));
  open("board.nexuslite");
  ASSERT_TRUE(apply_command(session, {"layout.reset"}));
  EXPECT_EQ(session.desk.layout.to_json(), of_logs.to_json());
  EXPECT_FALSE(session.desk.has_own_layout());
  EXPECT_EQ(session.desk.all_own_layouts().size(), 1u);
  EXPECT_TRUE(std::ranges::none_of(session.messages.all, &Message::is_error));
}

TEST_F(TypePages, PanelsWithNothingToShowAreLeftOutOnceAllIsRead) {
  Session session = new_session();
  session.host.on_opened = [&](const OpenTrace& trace) { arrange_for_opened(session, trace); };
  const auto open = [&](const char* name, const char* text) {
    std::ofstream(folder_.path() / name) << text;
    EXPECT_TRUE(apply_command(session, {"open", {{"path", (folder_.path() / name).string()}}}));
    session.refresh();  // its type may be known, and nothing else
    EXPECT_TRUE(wait(session));
    EXPECT_EQ(session.trace()->format(), "perf-script");
    EXPECT_FALSE(session.desk.has_own_layout());
    return kinds(session.desk.layout);
  };
  EXPECT_EQ(open("calls.txt",
                 "# ========\n# captured on    : Sat Nov 21 00:14:56 2026\n"
                 "   xz  4749 [000]  4024.011806:   kmem:mm_page_free: pfn=0x12 order=0\n"
                 "   xz  4749 [000]  4024.012030:   kmem:mm_page_free: pfn=0x13 order=0\n"),
            (std::vector<std::string>{"overview", "gantt", "density"}));
  // A schedule has states, and no stacks.
  EXPECT_EQ(open("schedule.txt",
                 "# ========\n# captured on    : Sat Nov 21 00:14:56 2026\n"
                 "   xz  4749 [000]  4024.011806: sched:sched_switch: prev_comm=xz prev_pid=4749 "
                 "prev_prio=120 prev_state=S ==> next_comm=cat next_pid=4750 next_prio=120\n"
                 "  cat  4750 [000]  4024.012030: sched:sched_switch: prev_comm=cat prev_pid=4750 "
                 "prev_prio=120 prev_state=S ==> next_comm=xz next_pid=4749 next_prio=120\n"),
            (std::vector<std::string>{"overview", "gantt", "density"}));
  EXPECT_EQ(open("stacks.txt", "a     7 [001] 5.000000: cycles: \n\t   400 main+0x1 (/bin/a)\n\n"),
            (std::vector<std::string>{"overview", "gantt", "flame"}));
  const auto weight_of = [&](const char* panel) {
    const LayoutNode* group = session.desk.layout.group_of(panel);
    return group && group->px == 0 ? group->weight : 0;
  };
  EXPECT_EQ(weight_of("flame"), 0) << "it has a height of its own";
  // Where no time is known, the timeline says nothing that the stacks do not.
  std::ofstream(folder_.path() / "stacks.folded") << "main;read 5\nmain;write 7\n";
  EXPECT_TRUE(
      apply_command(session, {"open", {{"path", (folder_.path() / "stacks.folded").string()}}}));
  EXPECT_TRUE(wait(session));
  EXPECT_EQ(kinds(session.desk.layout), (std::vector<std::string>{"overview", "gantt", "flame"}));
  EXPECT_NEAR(weight_of("flame"), 4 * weight_of("gantt"), 1e-9);
  EXPECT_GT(weight_of("flame"), 0);
}

TEST_F(TypePages, PanelsThatThereAreNoneOfAreToldAbout) {
  formats::Format type = *formats::format_from_id(kTestType);
  type.panels = {"nonsense", "flame"};
  type.sniff = [](std::span<const std::byte>) { return 0; };
  ASSERT_TRUE(formats::add_format(std::move(type)));
  Session session;
  session.traces.push_back(std::make_unique<OpenTrace>("sample", trace_));
  arrange_as_at_first(session);
  EXPECT_EQ(kinds(session.desk.layout), (std::vector<std::string>{"overview", "gantt", "flame"}));
  ASSERT_EQ(session.messages.all.size(), 1u);
  EXPECT_NE(session.messages.all[0].text.find("'nonsense'"), std::string::npos);
}

TEST_F(TypePages, AreForcedWithOptionsOfTheirOwn) {
  Session session = new_session();
  const std::filesystem::path log = WEFT_SOURCE_DIR "/samples/board.nexuslite";
  const auto open = [&](const std::string& format, Json options) -> Status {
    WEFT_TRY(apply_command(
        session,
        {"open", {{"path", log.string()}, {"format", format}, {"options", std::move(options)}}}));
    return wait(session);
  };
  EXPECT_FALSE(open("no-such", Json::object()));
  EXPECT_FALSE(open("nexus-lite", {{"no", "x"}}));
  EXPECT_FALSE(open("nexus-lite", {{"states", 1}}));
  // A trace that could not be opened is reported and removed.
  EXPECT_TRUE(session.traces.empty());
  EXPECT_TRUE(session.recent.files.empty());
  ASSERT_EQ(session.messages.all.size(), 2u);
  EXPECT_NE(session.messages.all[0].text.find("no-such"), std::string::npos);
  ASSERT_TRUE(open("nexus-lite", {{"states", "a/b"}}));
  EXPECT_EQ(session.traces.back()->trace()->dictionary().format, "nexus-lite");
  EXPECT_EQ(session.recent.files, std::vector{log});
  const Command again = open_command(log, session.traces.back()->opening()->type());
  EXPECT_EQ(again.args["options"]["states"], "a/b");
}

}  // namespace
}  // namespace weft::app
