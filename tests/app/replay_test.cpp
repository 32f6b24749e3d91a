// Journals of commands, replayed without a window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "app/window/host_offscreen.h"
#include "app/window/run.h"
#include "tests/app/sample_trace.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::app {
namespace {

class Replay : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto host = OffscreenHost::create({}); !host) GTEST_SKIP() << host.error().message;
    sample_ = testing::write_sample(folder_.path());
  }
  Status replay(const std::string& journal) {
    WEFT_TRY_ASSIGN(const ReplayReport report, measured(journal));
    return report.status;
  }
  Result<ReplayReport> measured(const std::string& journal) {
    const auto path = folder_.path() / "journal";
    std::ofstream(path) << journal;
    ReplayOptions options;
    options.journal = path;
    options.files = {sample_};
    options.width = 800;
    options.height = 600;
    options.report = report_;
    return run_replay(options);
  }
  std::string picture(const std::string& name) const { return (folder_.path() / name).string(); }

  testing::ScratchFolder folder_;
  std::filesystem::path sample_;
  std::filesystem::path report_;
};

// covers FS-49
TEST_F(Replay, WritesAReportOfWhatItDid) {
  report_ = picture("report.html");
  ASSERT_TRUE(replay(R"({"command":"report.add","args":{"panel":"gantt","note":"a & b"}})"));
  const std::string report = test::content_of(report_);
  EXPECT_NE(report.find("a &amp; b"), std::string::npos);
  EXPECT_NE(report.find("data:image/svg+xml;base64,"), std::string::npos);
  report_ = picture("report.md");
  ASSERT_TRUE(replay(R"({"command":"view.zoom","args":{"factor":2}})"));
  EXPECT_TRUE(std::filesystem::exists(report_));
}

TEST_F(Replay, TellsWhatItMeasuredBeforeACommandThatFails) {
  const auto report = measured("{\"command\":\"view.fit\"}\n{\"command\":\"view.zoom\"}\n");
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_FALSE(report->status);
  EXPECT_TRUE(report->status.error().message.contains("line 2")) << report->status.error().message;
  const auto fit = std::ranges::find(report->commands, "view.fit", &CommandCost::command);
  ASSERT_NE(fit, report->commands.end());
  EXPECT_GE(fit->frames, 1u);
}

TEST_F(Replay, DrawsWhatASnapshotOfTheSameViewDraws) {
  const Status status =
      replay(R"({"command":"view.set","args":{"from":20000,"to":40000}})"
             "\n\n"
             R"({"command":"snapshot","args":{"panel":"gantt","size":"640x400","output":")" +
             picture("a.png") + "\"}}\n");
  ASSERT_TRUE(status) << status.error().message;
  PictureOptions options;
  options.file = sample_;
  options.width = 640;
  options.height = 400;
  options.from = "20000";
  options.to = "40000";
  options.output = picture("b.png");
  ASSERT_TRUE(run_snapshot(options));
  EXPECT_FALSE(test::content_of(picture("a.png")).empty());
  EXPECT_EQ(test::content_of(picture("a.png")), test::content_of(picture("b.png")));
}

size_t count_of(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST_F(Replay, APanelAsSvgHoldsItsShapesAndItsText) {
  PictureOptions options;
  options.file = sample_;
  options.width = 900;
  options.height = 500;
  options.output = picture("a.svg");
  ASSERT_TRUE(run_snapshot(options));
  const std::string svg = test::content_of(picture("a.svg"));
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 100);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(count_of(svg, "<g "), count_of(svg, "</g>"));
  EXPECT_EQ(count_of(svg, "<clipPath "), count_of(svg, "<g "));
  EXPECT_GT(count_of(svg, "<rect x="), 50u);
  const auto trace = testing::opened(sample_);
  for (const trace::Lane& lane : trace->dictionary().lanes) {
    if (lane.name.find_first_of("<>&") != std::string::npos) continue;
    EXPECT_NE(svg.find('>' + lane.name + '<'), std::string::npos) << lane.name;
  }
  // Names are text, never markup.
  EXPECT_EQ(count_of(svg, "<script"), 0u);
}

TEST_F(Replay, WhatStandsAtTheUpperEdgeOfASequenceDiagramIsNamedToo) {
  std::ofstream(picture("two.msc"))
      << "msc { a, b; a->b [label=\"first\"]; a->b [label=\"second\"]; }";
  PictureOptions options;
  options.file = picture("two.msc");
  options.panel = "sequence";
  options.width = 600;
  options.height = 400;
  options.output = picture("two.svg");
  ASSERT_TRUE(run_snapshot(options));
  const std::string svg = test::content_of(picture("two.svg"));
  for (const char* text : {">first<", ">second<", ">0 ticks<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST_F(Replay, StopsAtTheLineThatFails) {
  const Status status = replay("{\"command\":\"view.fit\"}\n{\"command\":\"view.zoom\"}\n");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("line 2: view.zoom: 'factor' must be a number"),
            std::string::npos)
      << status.error().message;
}

TEST_F(Replay, StopsWhereWhatWasAskedForCannotBe) {
  const auto exported = [&](const std::string& panel, const std::string& file) {
    const Json open = {{"command", "panel.open"}, {"args", {{"panel", panel}}}};
    const Json write = {{"command", "table.export"}, {"args", {{"panel", panel}, {"file", file}}}};
    const Status status = replay(open.dump() + '\n' + write.dump() + '\n');
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(exported("statistics", picture("t.csv")), "");
  EXPECT_FALSE(test::content_of(picture("t.csv")).empty());
  EXPECT_THAT(exported("console", picture("c.csv")),
              ::testing::HasSubstr("line 2: panel 'console' shows no table"));
  EXPECT_THAT(exported("statistics", picture("no/such/folder/t.csv")),
              ::testing::HasSubstr("line 2: "));
}

TEST_F(Replay, StopsWhereTheSessionEnded) {
  EXPECT_TRUE(replay("{\"command\":\"quit\"}\nnonsense\n"));
}

TEST_F(Replay, OfAMissingFileSaysSo) {
  const Status status = replay(R"({"command":"open","args":{"path":"/no/such/trace"}})");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("/no/such/trace"), std::string::npos);
}

TEST_F(Replay, BearsEveryCommandOfTheTable) {
  std::string journal;
  for (const CommandRow& row : command_table()) {
    // The commands that need no argument; the others are refused, and tested on their own.
    Session session;
    session.traces.push_back(std::make_unique<OpenTrace>(sample_, testing::opened(sample_)));
    const Command command = {std::string(row.name)};
    if (row.name == "quit" || row.name == "close" || row.name == "snapshot") continue;
    if (apply_command(session, command)) journal += json_from_command(command) + "\n";
  }
  const Status status = replay(journal);
  EXPECT_TRUE(status) << status.error().message;
}

// The journal that frame times are taken with: whoever adds a command adds it there.
TEST_F(Replay, TheJournalOfFrameTimesHasEveryCommand) {
  // Commands that need something to cancel, a trace that still grows, or a loss.
  const std::set<std::string> left_out = {"load.cancel", "job.cancel",      "live.hold",
                                          "live.ask",    "live.keep",       "live.trigger",
                                          "losses.next", "losses.previous", "losses.goto"};
  std::ifstream file(WEFT_SOURCE_DIR "/tests/app/every_command.journal");
  ASSERT_TRUE(file);
  std::string journal;
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (const size_t at = line.find("@FOLDER@"); at != std::string::npos) {
      line.replace(at, std::string_view("@FOLDER@").size(), folder_.path().string());
    }
    const auto command = command_from_json(line);
    ASSERT_TRUE(command) << line;
    names.insert(command->name);
    journal += line + "\n";
  }
  for (const CommandRow& row : command_table()) {
    const std::string name(row.name);
    EXPECT_NE(names.contains(name), left_out.contains(name)) << name;
  }
  std::filesystem::copy_file(sample_, folder_.path() / "second.weft");
  const auto report = measured(journal);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->status) << report->status.error().message;
  EXPECT_EQ(report->commands.size(), names.size());
  for (const CommandCost& cost : report->commands) {
    EXPECT_GE(cost.frames, 2u) << cost.command;
    EXPECT_GT(cost.cpu_ms.p50, 0) << cost.command;
    EXPECT_GE(cost.cpu_ms.max, cost.cpu_ms.p99) << cost.command;
    EXPECT_GT(cost.settled_ms, 0) << cost.command;
  }
}

TEST_F(Replay, TourReportsWhatItMeasured) {
  TourOptions options;
  options.picture.file = sample_;
  options.picture.width = 640;
  options.picture.height = 400;
  options.frames = 30;
  const auto report = run_tour(options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->frames, 30u);
  EXPECT_GT(report->cpu_ms.p50, 0);
  EXPECT_GE(report->cpu_ms.max, report->cpu_ms.p99);
  EXPECT_GT(report->tiles_made, 0u);
  EXPECT_FALSE(report->renderer.empty());
}

}  // namespace
}  // namespace weft::app
