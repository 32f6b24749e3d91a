// Losses that have a place on the time line: stepped to in order, listed, gone to from the table,
// marked on their lanes. covers B-21, R6
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <vector>

#include "app/panels/timeline/time_axis.h"
#include "app/session/losses.h"
#include "core/query/event_index.h"
#include "core/query/metrics/metrics.h"
#include "core/store/builder.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

// Ends without begins at 100, 300, 500 and 700 µs on thread 2, a begin without an end at 650 on
// thread 3; threads 10 to 89 make the lanes more than the window holds.
std::string trace_with_losses() {
  std::string json = "[";
  const auto add = [&](char phase, int tid, int ts) {
    json += std::string(R"({"name":"work","ph":")") + phase + R"(","pid":1,"tid":)" +
            std::to_string(tid) + ",\"ts\":" + std::to_string(ts) +
            (phase == 'X' ? ",\"dur\":40" : "") + "},\n";
  };
  for (int tid = 10; tid < 90; ++tid) {
    for (int ts = 0; ts < 1000; ts += 50) add('X', tid, ts);
  }
  for (const int ts : {100, 300, 500, 700}) add('E', 2, ts);
  add('B', 3, 650);
  add('X', 3, 999);
  json += R"({"name":"thread_sort_index","ph":"M","pid":1,"tid":2,"args":{"sort_index":500}})";
  return json + "]";
}

class Losses : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(1200, 700));
    if (!host_) return;
    const auto path = folder_.path() / "lossy.json";
    std::ofstream(path) << trace_with_losses();
    ASSERT_TRUE(host_->open(path));
    ASSERT_TRUE(host_->settle());
  }
  const OpenTrace& trace() const { return *session().trace(); }
  int64_t shown_us() const { return trace().shown_loss().value().time.value().ticks / 1000; }
};

TEST_F(Losses, AreSteppedToInOrderOfTimeAndRoundTheEnd) {
  ASSERT_EQ(placed_losses(trace().trace()->dictionary().report).size(), 5u);
  ASSERT_TRUE(run("view.set", {{"from", "0%"}, {"to", "10%"}}));
  for (const int64_t us : {100, 300, 500, 650, 700, 100}) {
    press("F8");
    ASSERT_TRUE(host_->settle());
    EXPECT_EQ(shown_us(), us);
    EXPECT_TRUE(trace().view().window.range().contains(*trace().shown_loss()->time));
  }
  press("Shift+F8");
  EXPECT_EQ(shown_us(), 700);
  EXPECT_NE(session().messages.last.text.find("problem 5 of 5: end without a begin"),
            std::string::npos)
      << session().messages.last.text;
}

TEST_F(Losses, BeginAtTheFirstWhereAllOfTheTraceIsShown) {
  press("F8");
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(shown_us(), 100);
}

TEST_F(Losses, BeginAtTheLastIfTheyAreSteppedToBackwards) {
  press("Shift+F8");
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(shown_us(), 700);
}

TEST_F(Losses, BringTheirLaneIntoView) {
  ASSERT_TRUE(run("losses.goto", {{"number", 1}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_GT(trace().view().scroll_px, 0) << "the lane is the last of 83";
  (void)picture("loss-marks.png");
  EXPECT_FALSE(run("losses.goto", {{"number", 6}}));
  EXPECT_FALSE(run("losses.goto", {{"number", 0}}));
}

TEST_F(Losses, AreListedByKindWithTheirPlaces) {
  ASSERT_TRUE(run("panel.open", {{"panel", "quality"}}));
  ASSERT_TRUE(run(
      "panel.set",
      {{"panel", "quality"}, {"option", "open"}, {"value", Json::array({"end without a begin"})}}));
  (void)picture("losses-table.png");
  const auto file = folder_.path() / "losses.csv";
  ASSERT_TRUE(run("table.export", {{"panel", "quality"}, {"file", file.string()}}));
  ASSERT_TRUE(host_->settle());
  std::ifstream csv(file);
  std::string line;
  size_t lines = 0;
  while (std::getline(csv, line)) ++lines;
  EXPECT_EQ(lines, 6u) << "titles and every place";
}

// covers C-08
TEST_F(Losses, LeadFromTheirSumsToThePanelThatSaysWhere) {
  ASSERT_TRUE(host_->settle());
  click_on("4 lost, 1 note");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(host_->workbench().place_of("quality"));
  EXPECT_TRUE(find_text("nothing lost<")) << "of the begin without an end";
}

TEST_F(Losses, AreCountedApartFromNotesAndPlacedInWhatAPackedFileHolds) {
  ASSERT_TRUE(run("panel.open", {{"panel", "quality"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains("all read")) << "4 ends have no begin";
  EXPECT_TRUE(find_text("In the input<"));
  const auto cut = folder_.path() / "cut.json.gz";
  ASSERT_EQ(std::system(("gzip -c '" + (folder_.path() / "lossy.json").string() +
                         "' | head -c 4000 > '" + cut.string() + "'")
                            .c_str()),
            0);
  ASSERT_TRUE(host_->open(cut));
  ASSERT_TRUE(run("panel.open", {{"panel", "quality"}}));
  (void)picture("cut-quality.png");
  EXPECT_TRUE(find_text("In the unpacked input<")) << shown_text();
  EXPECT_FALSE(shown_text().contains("all read"));
}

TEST_F(Losses, MarkFiguresAsIncomplete) {
  ASSERT_TRUE(run("select.range", {{"from", "0%"}, {"to", "50%"}}));
  for (const char* panel : {"statistics", "selection", "durations"}) {
    ASSERT_TRUE(run("panel.open", {{"panel", panel}}));
    ASSERT_TRUE(host_->settle());
    // The state that is open at the end is a note.
    EXPECT_TRUE(shown_text().contains(">the trace is incomplete: 4 lost or damaged<")) << panel;
    ASSERT_TRUE(run("panel.close", {{"panel", panel}}));
  }
  const auto whole = folder_.path() / "whole.json";
  std::ofstream(whole) << R"([{"name":"work","ph":"X","pid":1,"tid":1,"ts":0,"dur":9}])";
  ASSERT_TRUE(host_->open(whole));
  ASSERT_TRUE(run("panel.open", {{"panel", "statistics"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">1 slice<"));
  EXPECT_FALSE(shown_text().contains("incomplete"));
}

// covers R6
class DamagedFile : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(1200, 700));
    if (!host_) return;
    ThreadPool pool(1);
    auto builder = store::StoreBuilder::create({.path = path_, .format = "test"}, pool);
    ASSERT_TRUE(builder);
    const LaneId lane = (*builder)->add_lane({"lane", LaneId::none(), trace::LaneKind::kThread});
    const EventTypeId never = (*builder)->type(trace::Category::kState, "never", "");
    const EventTypeId work = (*builder)->type(trace::Category::kState, "work", "");
    (*builder)->states({{{{0}, {1}, ParamsId::none(), lane, never}}});
    for (int64_t i = 1; i < 60'000; ++i)
      (*builder)->states({{{{i * i % 977 + 1000 * i}, {20}, ParamsId::none(), lane, work}}});
    ASSERT_TRUE((*builder)->finish());
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    const auto size = static_cast<std::streamoff>(std::filesystem::file_size(path_));
    file.seekp(size / 5);
    file << std::string(static_cast<size_t>(size) / 2, 'x');
  }
  std::filesystem::path path_ = folder_.path() / "damaged.weft";
};

TEST_F(DamagedFile, IsNotShownAsIfItWereSound) {
  ASSERT_TRUE(host_->open(path_));
  ASSERT_TRUE(run("view.set", {{"from", "50%"}, {"to", "50.1%"}}));
  (void)picture("damaged.png");
  ASSERT_EQ(session().messages.all.size(), 1u);
  const Message& message = session().messages.all.front();
  EXPECT_TRUE(message.is_error);
  EXPECT_TRUE(message.text.starts_with("damaged.weft: checksum does not match at byte "))
      << message.text;
  EXPECT_TRUE(shown_text().contains(">damaged<")) << "the badge";
  ASSERT_TRUE(run("panel.open", {{"panel", "quality"}}));
  (void)picture("damaged-quality.png");
  EXPECT_TRUE(shown_text().contains(">damaged.weft: checksum does not match at byte "));
  EXPECT_FALSE(shown_text().contains("nothing lost, nothing amiss"));
}

TEST_F(DamagedFile, IsToldOfIfItIsCutWhileItIsOpen) {
  ASSERT_TRUE(host_->open(path_));
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 8);
  ASSERT_TRUE(run("view.set", {{"from", "50%"}, {"to", "50.1%"}}));
  ASSERT_TRUE(host_->settle());
  ASSERT_FALSE(session().messages.all.empty());
  EXPECT_TRUE(session().messages.all.back().text.starts_with("damaged.weft: the file was cut"))
      << session().messages.all.back().text;
}

// The type of number 0 runs at the very begin alone.
TEST_F(DamagedFile, HasNoInventedFigures) {
  ASSERT_TRUE(host_->open(path_));
  ASSERT_TRUE(run("panel.open", {{"panel", "statistics"}}));
  (void)picture("damaged-statistics.png");
  const std::string text = shown_text();
  EXPECT_TRUE(text.contains("parts of its file cannot be read"));
  EXPECT_TRUE(text.contains(">work<"));
  const store::Trace& trace = *session().trace()->trace();
  auto shown = query::Selection::all(trace);
  shown.range.begin = shown.range.begin - Duration{100};  // as a window with a margin
  ThreadPool pool(1);
  const auto statistics =
      query::metric_from_id("count")->measure(trace, shown, query::GroupBy::kType, pool);
  ASSERT_FALSE(statistics.groups.empty());
  for (const query::Group& group : statistics.groups) {
    const bool is_never = trace.dictionary().types[group.id].name == "never";
    EXPECT_LE(group.count, is_never ? 1u : 40'000u);
  }
}

TEST_F(DamagedFile, HasNoRowsOfEventsThatCannotBeRead) {
  ASSERT_TRUE(host_->open(path_));
  ThreadPool pool(1);
  const auto& trace = session().trace()->trace();
  const auto index = query::EventIndex::make(trace, query::Selection::all(*trace), pool);
  ASSERT_TRUE(index);
  uint64_t read = 0;
  index->read(0, [&](const query::Event&) { return ++read > 0; });
  EXPECT_GT(read, 10'000u);
  EXPECT_EQ(index->total(), read);
}

TEST(LossPlaces, AreSaidInTheirUnits) {
  trace::Loss loss{"lost", 9, {17, {20, trace::PlaceUnit::kByte}, {3, trace::PlaceUnit::kEvent}}};
  EXPECT_EQ(in_input(loss.first[2]), "event 3");
  EXPECT_EQ(in_input(trace::LossPlace::nowhere()), "");
  EXPECT_EQ(in_input(loss, 2), "byte 17, 20, …");
  EXPECT_EQ(in_input(loss, 8), "byte 17, 20, event 3, …");
  loss.count = 3;
  EXPECT_EQ(in_input(loss, 8), "byte 17, 20, event 3");
  loss.first = {trace::LossPlace::nowhere()};
  EXPECT_EQ(in_input(loss, 8), "");
}

// covers C-08
TEST_F(Losses, TheGapThatIsOfNoLaneIsHatchedOnAll) {
  start(sized(900, 500));
  ASSERT_TRUE(
      host_->open(WEFT_SOURCE_DIR "/tests/core/formats/ctf_text/succeed/kernel.babeltrace"));
  host_->workbench().show_only("gantt");
  const render::Image image = picture("gap.png");
  const Area area = host_->workbench().place_of("gantt").value();
  size_t edges = 0;
  bool was_yellow = false;
  for (int x = static_cast<int>(area.x0) + 250; x < static_cast<int>(area.x1) - 20; ++x) {
    const uint32_t c = image.at(x, static_cast<int>(area.y1) - 20);  // below the lanes
    const bool is_yellow = (c & 0xFF) > (c >> 16 & 0xFF) + 50;
    edges += is_yellow != was_yellow ? 1 : 0;
    was_yellow = is_yellow;
  }
  EXPECT_GT(edges, 8u);
}

// covers C-06
TEST(UnpairedEnds, AreThoseWhosePlacesAreKnown) {
  const LaneId a(1), b(2);
  trace::ImportReport report;
  EXPECT_TRUE(UnpairedEnds(report, {100}).is_empty());
  report.add("begin without an end", {0, a, Time{10}}, 1, false);
  report.add("begin without an end", {0, b, Time{30}}, 1, false);
  report.add("end without a begin", {0, b, Time{20}}, 1, false);
  report.add("asynchronous end without a begin", {0, a, Time{25}});  // damage: marked as that
  report.add("end without a begin", 77, 1, false);                   // nobody knows where
  const UnpairedEnds ends(report, {100});
  EXPECT_TRUE(ends.lacks_end(a, {10}, {100}));
  EXPECT_TRUE(ends.lacks_end(b, {30}, {40})) << "a lane may have ended before";
  EXPECT_FALSE(ends.lacks_end(a, {30}, {100}));
  EXPECT_FALSE(ends.lacks_end(b, {10}, {100}));
  EXPECT_EQ(ends.count_without_end(a, {{0}, {50}}), 1u);
  EXPECT_EQ(ends.count_without_end(a, {{11}, {50}}), 0u);
  ASSERT_EQ(ends.ends_alone().size(), 1u);
  EXPECT_EQ(ends.ends_alone()[0], (UnpairedEnds::At{b, {20}}));
}

TEST(UnpairedEnds, BeyondThePlacesThatAreKnownEndWithTheTrace) {
  const LaneId lane(1);
  trace::ImportReport report;
  report.add("begin without an end", {0, lane, Time{10}}, 1'000, false);
  const UnpairedEnds ends(report, {100});
  EXPECT_TRUE(ends.lacks_end(lane, {50}, {100}));
  EXPECT_FALSE(ends.lacks_end(lane, {50}, {99}));
}

// A trace that stops while a request runs, and one of which the begin was lost.
TEST_F(Losses, StatesThatGoOnBeyondTheTraceHaveATornEdge) {
  const auto path = folder_.path() / "open.ftrace.txt";
  std::ofstream(path) << "# tracer: nop\n"
                         "  app-7 [000] .... 1.000000: tracing_mark_write: B|7|whole\n"
                         "  app-7 [000] .... 1.004000: tracing_mark_write: E|7\n"
                         "  app-7 [000] .... 1.005000: tracing_mark_write: E|7\n"
                         "  app-7 [000] .... 1.006000: tracing_mark_write: B|7|open\n"
                         "  app-7 [000] .... 1.010000: tracing_mark_write: I|7|last\n";
  ASSERT_TRUE(host_->open(path));
  ASSERT_TRUE(host_->settle());
  host_->workbench().show_only("gantt");
  const render::Image image = picture("torn-ends.png");
  const Area area = host_->workbench().place_of("gantt").value();
  const TimeAxis axis(trace().view().window, area.x0 + static_cast<float>(session().look.gutter_px),
                      area.x1);
  constexpr int kRulerPx = 26;
  const auto column = [&](int64_t us, int px) {
    const double x = axis.x_from_time({1'000'000'000 + us * 1000});
    std::vector<uint32_t> pixels;
    for (int y = static_cast<int>(area.y0) + kRulerPx; y < static_cast<int>(area.y1) - 20; ++y)
      pixels.push_back(image.at(static_cast<int>(std::lround(x)) + px, y));
    return pixels;
  };
  const std::vector<uint32_t> nothing = column(5'500, 0);
  // The number of pixels of one column that another one lacks.
  const auto lacks = [&](const std::vector<uint32_t>& whole, const std::vector<uint32_t>& part) {
    int pixels = 0;
    for (size_t i = 0; i < whole.size(); ++i)
      pixels += whole[i] != nothing[i] && part[i] != whole[i] ? 1 : 0;
    return pixels;
  };
  EXPECT_EQ(lacks(column(2'500, 0), column(4'000, -3)), 0) << "to its end it is as in its middle";
  EXPECT_GT(lacks(column(8'500, 0), column(10'000, -3)), 4) << "teeth are bitten out of its end";
  EXPECT_GT(lacks(column(5'000, -4), nothing), 4) << "a stub stands before the lone end";
}

// covers C-07: a state of no length, and the notch of a loss at the same time
TEST_F(Losses, ANotchLeavesWhatHappensAtItsTimeInSight) {
  const auto path = folder_.path() / "notch.json";
  std::ofstream(path) << R"([{"name":"work","ph":"X","pid":1,"tid":2,"ts":0,"dur":1},
    {"name":"work","ph":"X","pid":1,"tid":2,"ts":102.4,"dur":0},
    {"name":"work","ph":"E","pid":1,"tid":2,"ts":102.4},
    {"name":"work","ph":"X","pid":1,"tid":2,"ts":512,"dur":0},
    {"name":"work","ph":"X","pid":1,"tid":2,"ts":1900,"dur":1}])";
  ASSERT_TRUE(host_->open(path));
  host_->workbench().show_only("gantt");
  ASSERT_TRUE(host_->settle());
  ASSERT_EQ(placed_losses(trace().trace()->dictionary().report).size(), 1u);
  const Area area = host_->workbench().place_of("gantt").value();
  const float left = area.x0 + static_cast<float>(session().look.gutter_px);
  // 1000 ns a pixel, so that a column of the grid is 1024 ns, and both states begin one.
  const auto width = static_cast<int64_t>(area.x1 - left);
  ASSERT_TRUE(run("view.set", {{"from", 0}, {"to", 1'000 * width}}));
  const render::Image image = picture("notch.png");
  const auto column = [&](int px) {
    std::vector<uint32_t> pixels;
    for (int y = static_cast<int>(area.y0) + 26; y < static_cast<int>(area.y0) + 90; ++y)
      pixels.push_back(image.at(static_cast<int>(left) + px, y));
    return pixels;
  };
  const std::vector<uint32_t> nothing = column(700), alone = column(512), notched = column(102);
  int of_state = 0, of_notch = 0;
  for (size_t i = 0; i < nothing.size(); ++i) {
    if (alone[i] == nothing[i]) continue;
    (notched[i] == alone[i] ? of_state : of_notch) += 1;
  }
  EXPECT_GT(of_state, 5);
  EXPECT_GT(of_notch, 2);
}

// Some kinds have a number of the input in them.
TEST(ImportReport, CountsKindsBeyondABoundTogether) {
  trace::ImportReport report;
  constexpr size_t kMost = 1000;
  for (size_t i = 0; i < 3 * kMost; ++i) report.add("field " + std::to_string(i), i, 1, i % 3 == 0);
  report.add("field 7", 7, 1, false);
  EXPECT_LE(report.losses().size(), kMost + 2);
  uint64_t lost = 0, damaged = 0;
  for (const trace::Loss& loss : report.losses()) {
    lost += loss.count;
    damaged += loss.is_damage ? loss.count : 0;
  }
  EXPECT_EQ(lost, 3 * kMost + 1);
  EXPECT_EQ(damaged, kMost);
}

TEST(FurtherLosses, AreThoseBeyondThePlacesThatAreKept) {
  const LaneId a(1), b(2);
  trace::ImportReport report;
  for (int i = 0; i < 64; ++i)
    report.add("full", {static_cast<uint64_t>(i), i % 2 ? a : b, Time{i}, Duration{3}});
  report.add("many at one place", {0, a, Time{5}}, 900);
  EXPECT_TRUE(further_losses(report).empty());
  for (int i = 64; i < 70; ++i)
    report.add("full", {static_cast<uint64_t>(i), LaneId(3), Time{1'000}});
  for (int i = 0; i < 90; ++i) {
    report.add("a note", {static_cast<uint64_t>(i), a, Time{i}}, 1, /*is_damage=*/false);
    report.add("without a time", static_cast<uint64_t>(i));
  }
  const std::vector<FurtherLosses> further = further_losses(report);
  ASSERT_EQ(further.size(), 1u);
  EXPECT_EQ(further[0].loss->kind, "full");
  EXPECT_EQ(further[0].from, Time{66});
  EXPECT_EQ(further[0].lanes, (std::vector<LaneId>{a, b}));
  EXPECT_EQ(in_words(further[0]), "6 more losses of this kind, whose places were not kept");
  EXPECT_EQ(in_words(FurtherLosses{nullptr, 1, {}, {}}),
            "1 more loss of this kind, whose place was not kept");
}

TEST_F(Losses, BeyondThePlacesThatAreKeptAreSaid) {
  // Losses at 10, 20, … µs on the only thread, and an event at the end.
  const auto open = [&](int losses) {
    const auto path = folder_.path() / (std::to_string(losses) + ".json");
    std::ofstream file(path);
    file << "[";
    for (int i = 1; i <= losses; ++i)
      file << R"({"name":"work","ph":"E","pid":1,"tid":2,"ts":)" << 10 * i << "},\n";
    file << R"({"name":"work","ph":"X","pid":1,"tid":2,"ts":999,"dur":1}])";
    file.close();
    EXPECT_TRUE(host_->open(path));
    EXPECT_TRUE(host_->settle());
  };
  // How often the colour changes along the lane, behind all losses.
  const auto stripes = [&](const char* name) {
    host_->workbench().show_only("gantt");
    const render::Image image = picture(name);
    const Area area = host_->workbench().place_of("gantt").value();
    const int left = static_cast<int>(area.x0) + static_cast<int>(session().look.gutter_px);
    const int width = static_cast<int>(area.x1) - left;
    const int y = static_cast<int>(area.y0) + 26 + 22 + 9;  // below the ruler and the process
    int changes = 0;
    for (int x = left + width * 8 / 10; x < left + width * 95 / 100; ++x)
      changes += image.at(x, y) != image.at(x - 1, y) ? 1 : 0;
    return changes;
  };
  open(64);
  const int before = stripes("losses-all-kept.png");
  open(70);
  EXPECT_GT(stripes("losses-further.png"), before + 10);
  const Area area = host_->workbench().place_of("gantt").value();
  const float left = area.x0 + static_cast<float>(session().look.gutter_px);
  ASSERT_TRUE(host_->settle({.x = left + 0.9F * (area.x1 - left), .y = area.y0 + 3}));
  EXPECT_TRUE(shown_text().contains("6 more losses of this kind, whose places were not kept"))
      << shown_text();
  ASSERT_TRUE(run("losses.goto", {{"number", 63}}));
  EXPECT_FALSE(session().messages.last.text.contains("more"));
  ASSERT_TRUE(run("losses.next"));
  EXPECT_TRUE(session().messages.last.text.contains("problem 64 of 64: end without a begin"));
  EXPECT_TRUE(session().messages.last.text.ends_with("; 6 more, places not kept"))
      << session().messages.last.text;
}

TEST_F(Losses, BeyondThePlacesThatAreKeptEndTheListOfTheirKind) {
  start(sized(1200, 2000));
  if (!host_) return;
  const auto path = folder_.path() / "many.json";
  std::ofstream file(path);
  file << "[";
  for (int i = 1; i <= 70; ++i)
    file << R"({"name":"work","ph":"E","pid":1,"tid":2,"ts":)" << 10 * i << "},\n";
  file << R"({"name":"work","ph":"X","pid":1,"tid":2,"ts":999,"dur":1}])";
  file.close();
  ASSERT_TRUE(host_->open(path));
  ASSERT_TRUE(run("panel.open", {{"panel", "quality"}}));
  host_->workbench().show_only("quality");
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains("6 more: places not kept"));
  ASSERT_TRUE(run(
      "panel.set",
      {{"panel", "quality"}, {"option", "open"}, {"value", Json::array({"end without a begin"})}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains("6 more: places not kept")) << shown_text();
}

TEST_F(Losses, OfATraceWithoutAnyAreNowhere) {
  open_sample();
  EXPECT_FALSE(run("losses.next"));
}

}  // namespace
}  // namespace weft::app
