// Output of the window: tables and pictures of panels. covers B-16, B-28, FS-55, FS-58
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <string>

#include "app/session/panel_kinds.h"
#include "core/query/event_stream.h"
#include "tests/app/offscreen_test.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::app {
namespace {

class Output : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(1000, 700));
    if (host_) open_sample();
  }
  // And settles.
  void run(const std::string& name, Json args = Json::object()) {
    const Status status = OffscreenTest::run(name, std::move(args));
    ASSERT_TRUE(status) << status.error().message;
    const Status settled = host_->settle();
    ASSERT_TRUE(settled) << settled.error().message;
  }
  // All that were asked for, until they are written.
  Status take_snapshots() {
    do {
      WEFT_TRY(host_->settle());
      host_->snapshots().step(host_->workbench(), host_->gui(), host_->width(), host_->height());
    } while (host_->snapshots().is_busy() || host_->workbench().is_working());
    return host_->settle();
  }
  // The table as JSON.
  Json table(const std::string& panel, const std::string& which = "") {
    const auto file = folder_.path() / (panel + which + ".json");
    run("table.export", {{"panel", panel}, {"table", which}, {"file", file.string()}});
    return Json::parse(test::content_of(file), nullptr, /*allow_exceptions=*/false);
  }
  const store::Trace& trace() const { return *session().trace()->trace(); }
};

TEST_F(Output, EveryTableIsCopiedAndWritten) {
  query::EventStream stream(session().trace()->trace(), query::Selection::all(trace()));
  query::Event event{};
  while (stream.next(event) && event.row->kind != store::RowKind::kState) {
  }
  run("element.select", {{"kind", "state"},
                         {"lane", event.row->lane.value()},
                         {"depth", event.row->depth},
                         {"at", event.record->begin.ticks},
                         {"type", event.record->type.value()}});
  run("marker.add", {{"at", 100}, {"name", "here"}});
  press("Ctrl+C");
  EXPECT_TRUE(std::string(ImGui::GetClipboardText())
                  .ends_with(fmt::format("\t{}\t0", event.record->begin.ticks)));
  for (const PanelKind& kind : panel_kinds()) {
    if (!kind.has_table || kind.id == "compare") continue;  // of two traces: several_traces_test
    const std::string panel(kind.id);
    SCOPED_TRACE(panel);
    run("panel.open", {{"panel", panel}});
    if (panel == "sql") run("sql.run", {{"query", "SELECT * FROM types"}});
    ImGui::SetClipboardText("nothing");
    run("table.copy", {{"panel", panel}, {"format", "csv"}});
    EXPECT_STRNE(ImGui::GetClipboardText(), "nothing") << session().messages.last.text;
    EXPECT_TRUE(table(panel).is_array());
    EXPECT_FALSE(session().messages.last.is_error) << session().messages.last.text;
  }
}

TEST_F(Output, ColumnsThatAreHiddenAreInNoFileEither) {
  run("panel.open", {{"panel", "events"}});
  ASSERT_TRUE(shown_text().contains(">Category<"));
  const auto hide = [&](Json ids) {
    run("panel.set", {{"panel", "events"}, {"option", "hidden"}, {"value", std::move(ids)}});
  };
  hide({"category", "params", "time", 7});
  (void)picture("hidden-columns.png");
  EXPECT_FALSE(shown_text().contains(">Category<"));
  EXPECT_FALSE(shown_text().contains(">Parameters<"));
  EXPECT_TRUE(shown_text().contains(">Time<")) << "the first is always there";
  const Json row = table("events").at(0);
  EXPECT_FALSE(row.contains("category") || row.contains("params"));
  EXPECT_TRUE(row.contains("time") && row.contains("lane") && row.contains("duration"));
  hide({});
  EXPECT_TRUE(shown_text().contains(">Category<"));
  EXPECT_TRUE(table("events").at(0).contains("params"));
}

TEST_F(Output, ColumnsThatSayNothingOfTheTraceAreHiddenAtFirst) {
  const auto file = folder_.path() / "instants.json";
  std::ofstream(file) << R"([{"name":"a","ph":"i","pid":1,"tid":1,"ts":1},)"
                      << R"({"name":"b","ph":"i","pid":1,"tid":1,"ts":2}])";
  ASSERT_TRUE(host_->open(file));
  run("panel.open", {{"panel", "events"}});
  EXPECT_FALSE(shown_text().contains(">Category<") || shown_text().contains(">Duration<"));
  run("panel.set", {{"panel", "events"}, {"option", "hidden"}, {"value", Json::array()}});
  EXPECT_TRUE(shown_text().contains(">Category<") && shown_text().contains(">Duration<"));
}

// The default, until the user chooses something else.
TEST_F(Output, FiguresAreOfWhatIsSelected) {
  run("panel.open", {{"panel", "events"}});
  const size_t all = table("events").size();
  run("select.range", {{"from", 10'000}, {"to", 20'000}});
  const size_t selected = table("events").size();
  EXPECT_LT(selected, all);
  run("panel.set", {{"panel", "events"}, {"option", "scope"}, {"value", "window"}});
  EXPECT_EQ(table("events").size(), all);
  run("panel.set", {{"panel", "events"}, {"option", "scope"}, {"value", Json()}});
  EXPECT_EQ(table("events").size(), selected);
  run("select.clear");
  EXPECT_EQ(table("events").size(), all);
}

TEST_F(Output, TablesHoldWhatTheTraceHolds) {
  const auto total = trace().counts().total();
  run("panel.open", {{"panel", "events"}});
  EXPECT_EQ(table("events").size(), total);

  run("panel.open", {{"panel", "statistics"}});
  uint64_t events = 0;
  for (const Json& slice : table("statistics")) events += slice["count"].get<uint64_t>();
  EXPECT_EQ(events, total);  // also those in a folder that is closed

  run("panel.open", {{"panel", "durations"}});
  uint64_t states = 0;
  for (const Json& bin : table("durations", "bins")) states += bin["count"].get<uint64_t>();
  EXPECT_EQ(states, trace().counts()[trace::Category::kState]);
  // The types beside them: those of most states first, until a title is clicked.
  const auto types_are_sorted = [&](const char* by, bool is_descending) {
    std::vector<Json> values;
    for (const Json& type : table("durations", "types")) values.push_back(type[by]);
    EXPECT_GT(values.size(), 2u);
    return is_descending ? std::ranges::is_sorted(values, std::ranges::greater())
                         : std::ranges::is_sorted(values);
  };
  const auto sort_by = [&](const char* by) {
    run("panel.set", {{"panel", "durations"}, {"option", "types.sort"}, {"value", by}});
  };
  EXPECT_TRUE(types_are_sorted("count", true));
  sort_by("count");
  EXPECT_TRUE(types_are_sorted("count", false));
  sort_by("-name");
  EXPECT_TRUE(types_are_sorted("name", true));

  events = 0;
  for (const Json& bin : table("density")) events += bin["events"].get<uint64_t>();
  EXPECT_EQ(events, total);
  EXPECT_EQ(table("gantt").size(), trace().dictionary().lanes.size());
}

// covers FS-11, FS-24: a table that is opened beside the density or the timeline
TEST_F(Output, ATableShowsTheIntervalThatIsShown) {
  run("view.set", {{"from", 20'000}, {"to", 40'000}});
  run("panel.open", {{"panel", "events"}});
  query::Selection selection = query::Selection::all(trace());
  selection.range = {{20'000}, {40'000}};
  query::EventStream stream(session().trace()->trace(), selection);
  size_t events = 0;
  query::Event event{};
  while (stream.next(event)) ++events;
  EXPECT_GT(events, 10U);
  EXPECT_EQ(table("events").size(), events);
  run("view.fit");
  EXPECT_EQ(table("events").size(), trace().counts().total());
}

// covers B-05
TEST_F(Output, TheSelectionsTableIsThatOfAPlainLoop) {
  const TimeRange range{{20'100}, {40'000}};
  struct Sum {
    int64_t count = 0, total = 0, min = INT64_MAX, max = 0;
  };
  std::map<std::string, Sum> expected;
  for (const store::Row& row : trace().rows()) {
    if (row.kind != store::RowKind::kState) continue;
    trace().for_each(row, range, [&](const store::Record& record) {
      const Duration part = std::min(record.end(), range.end) - std::max(record.begin, range.begin);
      Sum& sum = expected[std::string(trace().dictionary().type(record.type).name)];
      ++sum.count;
      sum.total += part.ticks;
      sum.min = std::min(sum.min, part.ticks);
      sum.max = std::max(sum.max, part.ticks);
      return true;
    });
  }
  run("select.range", {{"from", range.begin.ticks}, {"to", range.end.ticks}});
  run("panel.open", {{"panel", "selection"}});
  size_t compared = 0;
  for (const Json& line : table("selection")) {
    const auto found = expected.find(line["name"].get<std::string>());
    if (found == expected.end()) continue;  // a name made printable
    ++compared;
    const Sum& sum = found->second;
    EXPECT_EQ(line["count"], sum.count);
    EXPECT_EQ(line["total"], sum.total);
    EXPECT_EQ(line["min"], sum.min);
    EXPECT_EQ(line["max"], sum.max);
  }
  EXPECT_GE(compared, 2U);
  ImGui::SetClipboardText("nothing");
  run("table.copy", {{"panel", "selection"}, {"format", "csv"}});
  EXPECT_TRUE(std::string(ImGui::GetClipboardText()).starts_with("name,count,total,"));
}

TEST_F(Output, TheLegendCountsEveryEventAndColoursItsTypes) {
  run("panel.open", {{"panel", "legend"}});
  run("panel.set", {{"panel", "legend"}, {"option", "scope"}, {"value", "trace"}});
  Json legend = table("legend");
  uint64_t events = 0;
  for (const Json& type : legend) events += type["count"].get<uint64_t>();
  EXPECT_EQ(events, trace().counts().total());
  const std::string name = legend[0]["name"];
  const std::string before = legend[0]["color"];
  run("type.color", {{"type", name}, {"color", "#010203"}});
  EXPECT_EQ(table("legend")[0]["color"], "#010203");
  run("type.color", {{"type", name}});
  EXPECT_EQ(table("legend")[0]["color"], before);
  EXPECT_FALSE(host_->workbench().run({"type.color", {{"type", name}, {"color", "red"}}}));
}

// covers FS-28, FS-33: a colour that is chosen is there at once, the same in every view
TEST_F(Output, ATypeHasOneColourInEveryView) {
  const std::vector<const char*> panels = {"gantt", "events", "statistics", "legend", "selection"};
  for (const char* panel : panels) run("panel.open", {{"panel", panel}});
  const Json legend = table("legend");
  const auto state =
      std::ranges::find_if(legend, [](const Json& type) { return type["category"] == "state"; });
  ASSERT_NE(state, legend.end());
  const auto count_of = [&](const char* panel) {
    host_->workbench().show_only(panel);
    const render::Image image = picture((std::string("colour-") + panel + ".png").c_str());
    return std::ranges::count(image.pixels, 0xFFFE01FFU);
  };
  for (const char* panel : panels) EXPECT_EQ(count_of(panel), 0) << panel;
  run("type.color", {{"type", (*state)["name"]}, {"color", "#ff01fe"}});
  for (const char* panel : panels) EXPECT_GT(count_of(panel), 20) << panel;
  run("type.color", {{"type", (*state)["name"]}});
  for (const char* panel : panels) EXPECT_EQ(count_of(panel), 0) << panel;
  // Reset gives all of them back.
  host_->workbench().show_only("legend");
  const Json at_first = table("legend");
  for (const Json& type : at_first) {
    run("type.color", {{"type", type["name"]}, {"color", "#ff01fe"}});
  }
  EXPECT_NE(table("legend"), at_first);
  run("colors.use");
  EXPECT_EQ(table("legend"), at_first);
}

// covers FS-33
TEST_F(Output, ALaneHasOneColourInEveryView) {
  run("panel.open", {{"panel", "legend"}});
  run("panel.set", {{"panel", "legend"}, {"option", "of"}, {"value", "lanes"}});
  run("panel.set", {{"panel", "legend"}, {"option", "scope"}, {"value", "trace"}});
  const Json at_first = table("legend");
  uint64_t events = 0;
  for (const Json& lane : at_first) events += lane["count"].get<uint64_t>();
  EXPECT_EQ(events, trace().counts().total());
  run("panel.open", {{"panel", "statistics"}});
  run("panel.set", {{"panel", "statistics"}, {"option", "by"}, {"value", "lane"}});
  const auto count_of = [&](const char* panel) {
    host_->workbench().show_only(panel);
    const render::Image image = picture((std::string("lane-colour-") + panel + ".png").c_str());
    return std::ranges::count(image.pixels, 0xFFFE01FFU);
  };
  const std::string name = at_first[0]["name"];
  run("lane.color", {{"lane", name}, {"color", "#ff01fe"}});
  for (const char* panel : {"legend", "statistics"}) EXPECT_GT(count_of(panel), 20) << panel;
  host_->workbench().show_only("legend");
  EXPECT_EQ(table("legend")[0]["color"], "#ff01fe");
  run("colors.use");
  for (const char* panel : {"legend", "statistics"}) EXPECT_EQ(count_of(panel), 0) << panel;
  host_->workbench().show_only("legend");
  EXPECT_EQ(table("legend"), at_first);
  EXPECT_FALSE(host_->workbench().run({"lane.color", {{"lane", name}, {"color", "red"}}}));
}

// covers FS-49
TEST_F(Output, TheJournalHasWhatWasDoneAndNotTheDialogsOnTheWay) {
  const size_t before = session().journal.size();
  run("palette.show", {{"shown", true}});
  run("palette.show", {{"shown", false}});
  run("view.go.ask");
  run("view.go", {{"at", "50%"}});
  run("settings.show");
  ASSERT_EQ(session().journal.size(), before + 1);
  EXPECT_EQ(session().journal.back().command, "view.go");
}

TEST_F(Output, TheJournalIsSavedForReplayAndGoesBack) {
  const View before = session().trace()->view();
  run("theme", {{"name", "light"}});
  const size_t entry = session().journal.size() - 1;
  run("view.zoom", {{"factor", 8}});
  ASSERT_NE(session().trace()->view(), before);
  run("journal.return", {{"entry", entry}});
  EXPECT_EQ(session().trace()->view(), before);

  const auto file = folder_.path() / "done.jsonl";
  const size_t count = session().journal.size();
  run("journal.save", {{"file", file.string()}});
  std::ifstream in(file);
  size_t lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    ASSERT_TRUE(command_from_json(line)) << line;
  }
  EXPECT_EQ(lines, count);
}

// covers FS-49
TEST_F(Output, TheReportInHtmlHoldsPanelsTablesAndNotes) {
  run("marker.add", {{"at", 100}, {"name", "odd <b> & \x1b"}, {"note", "look here"}});
  const auto picture = folder_.path() / "density.png";
  run("snapshot", {{"panel", "density"}, {"output", picture.string()}});
  run("panel.open", {{"panel", "legend"}});
  run("report.add", {{"panel", "gantt"}, {"note", "<script>alert(1)</script>"}});
  run("report.add", {{"panel", "legend"}});
  EXPECT_FALSE(host_->workbench().run({"report.add", {{"panel", "no such"}}}));
  ASSERT_TRUE(take_snapshots());
  const auto file = folder_.path() / "report.html";
  run("journal.report", {{"file", file.string()}});
  const std::string report = test::content_of(file);
  EXPECT_NE(report.find("odd &lt;b&gt; &amp; \\x1b"), std::string::npos);
  EXPECT_EQ(report.find("<script"), std::string::npos);
  EXPECT_NE(report.find("&lt;script&gt;"), std::string::npos);
  size_t pictures = 0;
  for (size_t at = 0; (at = report.find("<img ", at)) != std::string::npos; ++at) ++pictures;
  EXPECT_EQ(pictures, 3u) << "two panels and the picture that was saved";
  EXPECT_NE(report.find("data:image/png;base64,iVBOR"), std::string::npos);
  EXPECT_NE(report.find("data:image/svg+xml;base64,PHN2ZyB4bWxucz"), std::string::npos);
  EXPECT_NE(report.find("<th>category</th>"), std::string::npos) << "the legend's table";
  EXPECT_NE(report.find("<li>Add a panel to the report: "), std::string::npos);
  run("report.clear", Json::object());
  EXPECT_TRUE(session().report.items.empty());
}

TEST_F(Output, TheReportTellsWhatWasMarkedSavedAndDone) {
  run("marker.add", {{"at", 100}, {"name", "odd `name`\n# no title"}, {"note", "look here"}});
  const auto picture = folder_.path() / "density.png";
  run("snapshot", {{"panel", "density"}, {"output", picture.string()}});
  const auto file = folder_.path() / "report.md";
  run("journal.report", {{"file", file.string()}});
  const std::string report = test::content_of(file);
  const size_t note = report.find(": look here`");
  ASSERT_NE(note, std::string::npos);
  const size_t begin = report.rfind('`', note);  // of the line's value
  const std::string line = report.substr(begin, note - begin);
  EXPECT_EQ(line.find(" to "), std::string::npos) << "one instant is no range";
  EXPECT_NE(report.find("![`density`](<" + picture.string() + ">)"), std::string::npos);
  EXPECT_NE(report.find(". `Marker here: "), std::string::npos);
  EXPECT_EQ(report.find("\n# no title"), std::string::npos);
}

// covers B-20
TEST_F(Output, OnlyTheMemoryPanelDrawsByItself) {
  EXPECT_EQ(host_->workbench().redraw_after_s(), 0);
  run("panel.open", {{"panel", "memory"}});
  EXPECT_GE(host_->workbench().redraw_after_s(), 1);
  const Json memory = table("memory");
  EXPECT_GT(memory[0]["bytes"].get<uint64_t>(), 1'000'000u);
  const auto bytes_of_tables = [&] {
    for (const Json& line : table("memory")) {
      if (line["kind"] == "Tables") return line["bytes"].get<uint64_t>();
    }
    return uint64_t{0};
  };
  run("panel.open", {{"panel", "events"}});
  const uint64_t unsorted = bytes_of_tables();
  EXPECT_GT(unsorted, 0u);
  run("panel.set", {{"panel", "events"}, {"option", "sort"}, {"value", "type"}});
  run("panel.open", {{"panel", "events"}});
  const uint64_t sorted = bytes_of_tables();
  EXPECT_GT(sorted, unsorted + trace().counts().total());
  run("panel.open", {{"panel", "flame"}});
  const uint64_t with_stacks = bytes_of_tables();
  EXPECT_GT(with_stacks, sorted);
  run("panel.open", {{"panel", "statistics"}});
  EXPECT_GT(bytes_of_tables(), with_stacks);
  run("panel.close", {{"panel", "memory"}});
  EXPECT_EQ(host_->workbench().redraw_after_s(), 0);
}

// covers B-20
TEST_F(Output, ALimitOfMemoryIsSharedOutAndShown) {
  const auto most_of = [&](const char* kind) {
    run("panel.open", {{"panel", "memory"}});
    for (const Json& line : table("memory")) {
      if (line["kind"] == kind && line["most_bytes"].is_number()) {
        return line["most_bytes"].get<uint64_t>();
      }
    }
    return uint64_t{0};
  };
  EXPECT_EQ(most_of("Its own"), 0u);
  const uint64_t tiles = most_of("Tiles");
  const uint64_t filtered = most_of("Rows under filters");
  EXPECT_GT(tiles, 0u);
  run("set", {{"name", "memory_limit"}, {"value", "256M"}});
  EXPECT_EQ(most_of("Its own"), 256u << 20);
  EXPECT_LT(most_of("Tiles"), tiles);
  EXPECT_LT(most_of("Rows under filters"), filtered);
  EXPECT_EQ(most_of("Answers"), 64u << 20);
  run("set", {{"name", "memory_limit"}, {"value", "none"}});
  EXPECT_EQ(most_of("Its own"), 0u);
  EXPECT_EQ(most_of("Tiles"), tiles);
  EXPECT_EQ(most_of("Answers"), 0u);
  EXPECT_FALSE(host_->workbench().run({"set", {{"name", "memory_limit"}, {"value", "1M"}}}));
}

// covers FS-12
TEST_F(Output, StatisticsOnPlayKeepWhatWasPlayed) {
  run("panel.open", {{"panel", "statistics"}});
  run("panel.set", {{"panel", "statistics"}, {"option", "update"}, {"value", "play"}});
  run("table.copy", {{"panel", "statistics"}});
  EXPECT_TRUE(session().messages.last.is_error);  // nothing is there before Play
  const Json played = {{"metric", "count"}, {"by", "lane"}, {"from", 0}, {"to", 200'000}};
  run("panel.set", {{"panel", "statistics"}, {"option", "played"}, {"value", played}});
  uint64_t events = 0;
  run("view.zoom", {{"factor", 50}});
  for (const Json& slice : table("statistics")) events += slice["count"].get<uint64_t>();
  EXPECT_EQ(events, trace().counts().total());
}

// covers FS-12, FS-44
TEST_F(Output, StatisticsOnPlayAreOfTheLanesThatWereSelected) {
  const TimeRange all = trace().range();
  run("panel.open", {{"panel", "statistics"}});
  run("select.range", {{"from", all.begin.ticks}, {"to", all.end.ticks}});
  run("select.lanes", {{"lanes", {1}}});
  run("panel.set", {{"panel", "statistics"}, {"option", "scope"}, {"value", "selection"}});
  const Json live = table("statistics");
  ASSERT_FALSE(live.empty());
  run("panel.set", {{"panel", "statistics"}, {"option", "update"}, {"value", "play"}});
  Json played = {{"metric", "count"}, {"by", "type"}};
  played["from"] = all.begin.ticks;
  played["to"] = all.end.ticks;
  played["lanes"] = {1};
  run("panel.set", {{"panel", "statistics"}, {"option", "played"}, {"value", played}});
  EXPECT_EQ(table("statistics"), live);
  played.erase("lanes");
  run("panel.set", {{"panel", "statistics"}, {"option", "played"}, {"value", played}});
  EXPECT_NE(table("statistics"), live);
}

// covers FS-45
TEST_F(Output, TypesThatWereChosenInAnotherTraceNarrowNoDurations) {
  run("panel.open", {{"panel", "durations"}});
  const Json all = table("durations");
  ASSERT_FALSE(all.empty());
  const auto choose = [&](Json types) {
    run("panel.set", {{"panel", "durations"}, {"option", "types"}, {"value", std::move(types)}});
    return table("durations");
  };
  EXPECT_EQ(choose({"of another trace"}), all);
  const Json types = table("durations", "types");
  EXPECT_NE(choose({types[0]["name"], "of another trace"}), all);
}

TEST_F(Output, ATableThatIsNotThereIsAnError) {
  run("table.copy", {{"panel", "overview"}});
  EXPECT_TRUE(session().messages.last.is_error);
  run("table.copy", {{"panel", "density"}, {"table", "other"}});
  EXPECT_TRUE(session().messages.last.is_error);
  EXPECT_FALSE(host_->workbench().run({"table.copy", {{"panel", "not open"}}}));
  EXPECT_FALSE(host_->workbench().run({"table.copy", {{"format", "xml"}}}));
}

TEST_F(Output, ATableThatCannotBeWrittenIsAnError) {
  run("table.export",
      {{"panel", "density"}, {"file", (folder_.path() / "no" / "folder.csv").string()}});
  EXPECT_TRUE(session().messages.last.is_error);
}

// covers B-16, C-27, TM-36
TEST_F(Output, TheTraceIsSavedWholeOrInPart) {
  const auto whole = folder_.path() / "whole.weft", part = folder_.path() / "part.json";
  const TimeRange all = trace().range();
  const TimeRange half = {all.begin, all.begin + Duration{all.length().ticks / 2}};
  const trace::Counts counts = trace().counts();
  run("trace.export", {{"file", whole.string()}});
  EXPECT_FALSE(session().messages.last.is_error) << session().messages.last.text;
  run("select.range", {{"from", half.begin.ticks}, {"to", half.end.ticks}});
  run("trace.export", {{"file", part.string()}, {"part", "selection"}});
  EXPECT_FALSE(session().messages.last.is_error) << session().messages.last.text;

  ASSERT_TRUE(host_->open(whole));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(trace().counts(), counts);
  EXPECT_EQ(trace().range(), all);
  ASSERT_TRUE(host_->open(part));
  ASSERT_TRUE(host_->settle());
  EXPECT_LT(trace().counts().total(), counts.total());
  EXPECT_GT(trace().counts().total(), 0u);
  EXPECT_LE(trace().range().length(), half.length());
}

TEST_F(Output, WhatDoesNotPassTheFilterIsLeftOutOfWhatIsSaved) {
  const auto file = folder_.path() / "long.weft";
  run("filter.set", {{"text", "dur > 1us"}});
  run("trace.export", {{"file", file.string()}, {"filtered", true}});
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(host_->settle());
  EXPECT_GT(trace().counts()[trace::Category::kState], 0u);
  EXPECT_EQ(trace().counts()[trace::Category::kPunctual], 0u);
}

TEST_F(Output, ATraceIsNotSavedAsWhatNobodyReads) {
  const auto refuses = [&](Json args) {
    return !host_->workbench().run({"trace.export", std::move(args)});
  };
  EXPECT_TRUE(refuses({{"file", (folder_.path() / "picture.png").string()}}));
  EXPECT_TRUE(refuses({{"file", (folder_.path() / "a.weft").string()}, {"part", "some"}}));
  EXPECT_TRUE(refuses({{"file", (folder_.path() / "a.weft").string()}, {"part", "selection"}}))
      << "nothing is selected";
  EXPECT_TRUE(refuses({{"file", (folder_.path() / "a.weft").string()}, {"format", "vcd"}}));
  run("trace.export", {{"file", (folder_.path() / "no" / "folder.weft").string()}});
  EXPECT_TRUE(session().messages.last.is_error);
}

TEST_F(Output, TheDialogNamesAFile) {
  const auto file = folder_.path() / "lanes.csv";
  run("file.ask", {{"command", "table.export"},
                   {"argument", "file"},
                   {"args", {{"panel", "gantt"}}},
                   {"file", file.string()}});
  host_->frame();
  press("Enter");
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(session().dialogs.file_wish);
  EXPECT_TRUE(test::content_of(file).starts_with("id,path,kind,pinned\n"));

  run("file.ask", {{"command", "table.export"}, {"argument", "file"}});
  press("Escape");
  EXPECT_FALSE(session().dialogs.file_wish);
}

TEST_F(Output, APanelIsSavedAtItsOwnSizeAndAtAnyOther) {
  const auto own = folder_.path() / "own.png", wide = folder_.path() / "wide.svg";
  run("snapshot", {{"panel", "density"}, {"output", own.string()}, {"context", true}});
  ASSERT_TRUE(take_snapshots());
  const auto place = host_->workbench().place_of("density");
  ASSERT_TRUE(place);
  const std::string png = test::content_of(own);
  ASSERT_GT(png.size(), 24u);
  const auto number_at = [&](size_t i) {
    return static_cast<int>(static_cast<unsigned char>(png[i + 2]) << 8 |
                            static_cast<unsigned char>(png[i + 3]));
  };
  EXPECT_EQ(number_at(16), static_cast<int>(place->width()));
  EXPECT_EQ(number_at(20), static_cast<int>(place->height()));
  EXPECT_NE(test::content_of(own.string() + ".txt").find("shown: "), std::string::npos);

  // Also what was left out, and of a pinned panel its own.
  run("panel.pin", {{"panel", "density"}});
  run("filter.set", {{"text", "dur > 5"}, {"mode", "hide"}, {"in", "density"}});
  run("snapshot", {{"panel", "density"}, {"output", own.string()}, {"context", true}});
  ASSERT_TRUE(take_snapshots());
  EXPECT_NE(test::content_of(own.string() + ".txt").find("\nfilter: dur > 5 (hide)\n"),
            std::string::npos);
  run("snapshot", {{"panel", "gantt"}, {"output", own.string()}, {"context", true}});
  ASSERT_TRUE(take_snapshots());
  EXPECT_EQ(test::content_of(own.string() + ".txt").find("filter:"), std::string::npos);

  const render::Image before = host_->picture();
  run("snapshot", {{"panel", "gantt"}, {"output", wide.string()}, {"size", "1600x500"}});
  ASSERT_TRUE(take_snapshots());
  const std::string svg = test::content_of(wide);
  EXPECT_NE(svg.find("width=\"1600\" height=\"500\""), std::string::npos);
  EXPECT_NE(svg.find("<text"), std::string::npos);
  ASSERT_TRUE(host_->settle());
}

// covers FS-25: a picture has lanes and cuts of its own, and is complete although they say less
TEST_F(Output, APictureIsSavedWhileTimeIsCutOut) {
  const auto file = folder_.path() / "sparse.json", saved = folder_.path() / "cut.png";
  std::ofstream(file) << R"([{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":5},
                             {"ph":"X","pid":1,"tid":1,"name":"b","ts":900,"dur":5}])";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(host_->settle());
  ASSERT_GT(session().trace()->empty_share, 0.9);
  run("view.compress");
  run("snapshot", {{"panel", "gantt"}, {"output", saved.string()}, {"size", "600x300"}});
  const Status taken = take_snapshots();
  EXPECT_TRUE(taken) << taken.error().message;
  EXPECT_GT(test::content_of(saved).size(), 24u);
}

}  // namespace
}  // namespace weft::app
