// What a selected range adds up to, and which time is cut out. covers B-05, FS-25, C-30
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>

#include "tests/app/offscreen_test.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::app {
namespace {

class RangeFigures : public testing::OffscreenTest {
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
  // The panel's table of these, as JSON.
  Json table_of(const char* of, const char* by) {
    run("panel.set", {{"panel", "selection"}, {"option", "of"}, {"value", of}});
    run("panel.set", {{"panel", "selection"}, {"option", "by"}, {"value", by}});
    const auto file = folder_.path() / "selection.json";
    run("table.export", {{"panel", "selection"}, {"file", file.string()}});
    return Json::parse(test::content_of(file), nullptr, /*allow_exceptions=*/false);
  }
  const store::Trace& trace() const { return *session().trace()->trace(); }
};

TEST_F(RangeFigures, OfWhatIsNoStateAreThoseOfAPlainLoop) {
  const TimeRange range{{20'100}, {90'000}};
  const auto for_each = [&](store::RowKind kind, const auto& body) {
    for (const store::Row& row : trace().rows()) {
      if (row.kind != kind) continue;
      trace().for_each(row, range, [&](const store::Record& record) {
        body(row, record);
        return true;
      });
    }
  };
  run("select.range", {{"from", range.begin.ticks}, {"to", range.end.ticks}});
  run("panel.open", {{"panel", "selection"}});

  std::map<std::string, uint64_t> ticks;  // by lane
  for_each(store::RowKind::kPunctual, [&](const store::Row& row, const store::Record&) {
    ++ticks[trace().dictionary().path_text(row.lane)];
  });
  const Json by_lane = table_of("punctual", "lane");
  ASSERT_EQ(by_lane.size(), ticks.size());
  for (const Json& line : by_lane) {
    const uint64_t count = ticks[line["name"].get<std::string>()];
    EXPECT_EQ(line["count"], count);
    EXPECT_DOUBLE_EQ(line["rate"].get<double>(), static_cast<double>(count) * 1e9 / 69'900);
  }

  uint64_t links = 0, measured = 0;
  for_each(store::RowKind::kLinkOut, [&](const store::Row&, const store::Record& record) {
    ++links;
    measured += record.peer.is_none() ? 0 : 1;
  });
  ASSERT_EQ(links, measured + 1) << "one is never received";
  const Json by_type = table_of("links", "type");
  ASSERT_EQ(by_type.size(), 1u);
  EXPECT_EQ(by_type[0]["count"], links);
  EXPECT_EQ(by_type[0]["measured"], measured);
  for (const char* figure : {"mean", "min", "max", "p50", "p99"})
    EXPECT_EQ(by_type[0][figure], 900) << figure;
  const Json by_pair = table_of("links", "pair");
  ASSERT_EQ(by_pair.size(), 2u);
  EXPECT_EQ(by_pair[0]["count"], measured);
  EXPECT_EQ(by_pair[1]["count"], 1);
  EXPECT_EQ(by_pair[1]["name"], "process 0/thread 0 → nowhere");
  EXPECT_TRUE(by_pair[1]["mean"].is_null()) << "it has no latency";

  // A sample every 1000 ticks: the first value holds from 20'100 on.
  double sum = 0, least = 1e9, most = 0, last = 0;
  uint64_t samples = 0;
  for (int i = 20; i < 90; ++i) {
    const double value = std::sin(i * 0.2) * 50 + 60;
    sum += value * (i == 20 ? 900 : 1000);
    least = std::min(least, value);
    most = std::max(most, value);
    last = value;
    samples += i == 20 ? 0 : 1;
  }
  const Json variables = table_of("variables", "lane");
  ASSERT_EQ(variables.size(), 1u);
  EXPECT_EQ(variables[0]["name"], "process 0/thread 1 · memory");
  EXPECT_EQ(variables[0]["count"], samples);
  EXPECT_NEAR(variables[0]["mean"].get<double>(), sum / 69'900, 1e-9);
  EXPECT_EQ(variables[0]["min"], least);
  EXPECT_EQ(variables[0]["max"], most);
  EXPECT_EQ(variables[0]["last"], last);
  run("table.copy", {{"panel", "selection"}, {"format", "csv"}});
  EXPECT_TRUE(std::string(ImGui::GetClipboardText()).starts_with("name,count,mean,min,max,last\n"));
}

// Idle time is not an activity if the filter hides it, or the command says so
TEST_F(RangeFigures, WhatIsHiddenOrCountsAsIdleIsCutOut) {
  const auto file = folder_.path() / "idle.json";
  std::ofstream(file) << R"([{"ph":"X","pid":1,"tid":1,"name":"work","ts":0,"dur":5},
                             {"ph":"X","pid":1,"tid":1,"name":"idle","ts":5,"dur":895},
                             {"ph":"X","pid":1,"tid":1,"name":"work","ts":900,"dur":5}])";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(host_->settle());
  const auto cuts = [&] {
    const auto& found = session().trace()->folded_time().cuts();
    return found ? found->cuts().size() : 99;
  };
  run("view.compress");
  EXPECT_EQ(cuts(), 0u);
  run("filter.set", {{"text", "type == work"}, {"mode", "hide"}});
  ASSERT_EQ(cuts(), 1u) << "the filter is applied to cuts that are there";
  const TimeRange cut = session().trace()->folded_time().cuts()->cuts()[0];
  EXPECT_TRUE(cut.begin >= Time{5'000} && cut.end <= Time{900'000});
  EXPECT_GT(cut.length(), Duration{800'000});
  run("filter.set", {{"text", "type == work"}, {"mode", "dim"}});
  EXPECT_EQ(cuts(), 0u) << "nothing is hidden";
  run("view.compress", {{"where", "type != idle"}});
  EXPECT_EQ(cuts(), 1u);
  EXPECT_EQ(session().trace()->cut_rule()->where, "type != idle");
  run("filter.set", {{"text", "type == idle"}, {"mode", "hide"}});
  EXPECT_EQ(cuts(), 1u) << "the command's own expression holds";
  run("view.compress", {{"where", "cause_of == 77"}});
  EXPECT_EQ(cuts(), 0u) << "as without an expression";
  EXPECT_TRUE(session().trace()->cut_problem.starts_with("column 13"))
      << session().trace()->cut_problem;
  for (const char* wrong : {"dur >", "type =~ /(/"})
    EXPECT_FALSE(OffscreenTest::run("view.compress", {{"where", wrong}})) << wrong;
  run("view.undo");
  run("view.undo");
  EXPECT_EQ(session().trace()->cut_rule()->where, "type != idle");
  run("view.compress");
  EXPECT_FALSE(session().trace()->cut_rule());
}

TEST_F(RangeFigures, CutsAreMarkedAcrossTheTimeOfEachPicture) {
  const auto file = folder_.path() / "idle.btrace";
  std::ofstream(file) << "0\tMESSAGE_SEND\tUid:1\tSender:A\tReceiver:B\n"
                         "10\tMESSAGE_RECEIVE\tUid:1\tReceiver:B\n"
                         "90000\tMESSAGE_SEND\tUid:2\tSender:A\tReceiver:B\n"
                         "90010\tMESSAGE_RECEIVE\tUid:2\tReceiver:B\n";
  ASSERT_TRUE(host_->open(file));
  run("view.compress");
  ASSERT_TRUE(session().trace()->folded_time().cuts());
  for (const std::string panel : {"gantt", "sequence"}) {
    run("panel.open", {{"panel", panel}});
    host_->workbench().show_only(panel);
    ASSERT_TRUE(host_->settle());
    const auto& size = ImGui::GetIO().DisplaySize;
    int told = 0;
    for (float share = 0.1F; share < 1; share += 0.002F) {
      const bool is_down = panel == "sequence";
      at(size.x * (is_down ? 0.25F : share), size.y * (is_down ? share : 0.8F));
      if (shown_text().contains("cut out here")) ++told;
    }
    EXPECT_GT(told, 0) << panel;
    EXPECT_LT(told, 100) << panel;
  }
}

}  // namespace
}  // namespace weft::app
