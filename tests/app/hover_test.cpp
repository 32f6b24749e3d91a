// What the pointer shows: tooltips and the status bar.
#include <fmt/core.h>

#include <fstream>
#include <regex>

#include "app/panels/element/element_details.h"
#include "app/panels/timeline/time_axis.h"
#include "app/session/element_args.h"
#include "core/base/text.h"
#include "tests/app/offscreen_test.h"
#include "tests/core/base/eventually.h"

namespace weft::app {
namespace {

class Hovering : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(1240, 700));
    if (host_) open_sample();
  }
  // Text of the window with the pointer `below` px down a panel, at a share of its axis.
  std::string text_at(const char* panel, double share, float below) {
    EXPECT_TRUE(host_->settle());
    const Area area = host_->workbench().place_of(panel).value();
    const float left = area.x0 + static_cast<float>(session().look.gutter_px);
    const float x = left + static_cast<float>(share) * (area.x1 - left);
    EXPECT_TRUE(host_->settle({.x = x, .y = area.y0 + below}));
    return shown_text();
  }
};

// covers FS-26
TEST_F(Hovering, AStateSaysItsTypeAndTheStatusBarWhereThePointerIs) {
  // A state of 2 µs is 20 px of 100 µs: too narrow for its name, which the tooltip alone tells.
  ASSERT_TRUE(run("select.range", {{"from", 50'000}, {"to", 62'500}}));
  constexpr float kFirstRow = 26 + 22 + 9;  // below the ruler and the name of the process
  const std::string away = text_at("gantt", 0.5, 10);
  EXPECT_FALSE(away.contains(">render<"));
  const std::string over = text_at("gantt", 0.02, kFirstRow);
  EXPECT_TRUE(over.contains(">render<")) << over;
  EXPECT_TRUE(over.contains(">ticks of 1 ns<"));
  EXPECT_TRUE(over.contains(">selected: 12.5 µs<"));
  EXPECT_TRUE(over.contains(">at ")) << over;
}

// Between rows, the pointer is on the row above: nothing flickers on the way.
TEST_F(Hovering, NoPixelBetweenRowsFallsThrough) {
  host_->workbench().show_only("gantt");
  ASSERT_TRUE(host_->settle());
  const double share = session().trace()->view().window.fraction_from_time(Time{1'250});
  const auto x = static_cast<float>(240 + share * 1000);
  const layout::LaneHeights heights = lane_heights(session().look.row_height_px, 1);
  // On the first thread: a state, one within it, and an instant near it.
  float y = 26 + heights.header + heights.gap;
  for (const auto& [name, height] :
       {std::pair(">render<", heights.state), std::pair(">wait<", heights.state),
        std::pair(">tick<", heights.punctual + heights.gap)}) {
    for (const float end = y + height; y < end; ++y) {
      ASSERT_TRUE(host_->settle({.x = x, .y = y}));
      EXPECT_TRUE(shown_text().contains(name)) << name << " at " << y << shown_text();
    }
  }
  click(100, y - 1, /*is_right=*/true);
  EXPECT_TRUE(find_text("Keep it at the top")) << "the lane's menu";
}

TEST_F(Hovering, NoTooltipCoversADialogThatComesUp) {
  constexpr float kFirstRow = 26 + 22 + 9;
  ASSERT_TRUE(text_at("gantt", 0.02, kFirstRow).contains(">render<"));
  const ImVec2 at = ImGui::GetIO().MousePos;
  ASSERT_TRUE(run("view.go.ask"));
  ASSERT_TRUE(host_->settle({.x = at.x, .y = at.y}));
  EXPECT_FALSE(shown_text().contains(">render<"));
  EXPECT_TRUE(session().hover) << "a marker that is set now stands where the pointer is";
  ASSERT_TRUE(host_->settle({.x = at.x + 1, .y = at.y}));
  EXPECT_TRUE(shown_text().contains(">render<"));
}

TEST_F(Hovering, TooltipsHideNothingBesideWhatTheyExplain) {
  const auto file = folder_.path() / "one.json";
  std::ofstream(file) << R"([{"name":"a","ph":"X","pid":1,"tid":1,"ts":0,"dur":9}])";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "inspector"}}));
  ASSERT_TRUE(host_->settle());
  const auto chip = find_text("ticks of 1 ns<");
  ASSERT_TRUE(chip);
  ASSERT_TRUE(host_->settle({.x = chip->x + 4, .y = chip->y - 4}));
  const auto help = find_text("The trace counts its times");
  ASSERT_TRUE(help) << shown_text();
  EXPECT_LT(help->y, chip->y - 20) << "above the bar at the bottom";
  const Area area = host_->workbench().place_of("gantt").value();
  ASSERT_LT(area.x1, 1000) << "the inspector is at its right";
  for (const float x : {area.x0 + 400, area.x1 - 20}) {
    ASSERT_TRUE(host_->settle({.x = x, .y = area.y0 + 26 + 22 + 9}));
    const auto told = find_text("Process 1/Thread 1<");
    ASSERT_TRUE(told) << shown_text();
    EXPECT_EQ(told->x > x, x < 800) << shown_text();
    EXPECT_LT(told->x, area.x1);
  }
}

// A figure without its unit, or with fewer digits, reads as another.
TEST_F(Hovering, WhereATableIsNarrowItsNumbersStayWhole) {
  const auto file = folder_.path() / "long.json";
  std::ofstream(file) << R"([{"name":"a","ph":"X","pid":1,"tid":1,"ts":0,"dur":987654},)"
                      << R"({"name":"b","ph":"X","pid":1,"tid":2,"ts":0,"dur":123456}])";
  start(sized(320, 400));
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "legend"}}));
  host_->workbench().show_only("legend");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">987.654 ms<")) << shown_text();
  EXPECT_TRUE(shown_text().contains(">123.456 ms<"));
}

TEST_F(Hovering, WhereATableIsNarrowTheLastNamesOfALaneStay) {
  const auto shown_in = [&](int width, const char* thread) {
    const auto file = folder_.path() / "deep.json";
    std::ofstream(file)
        << R"([{"name":"process_name","ph":"M","pid":1,"args":{"name":"a longer program"}},)"
        << fmt::format(
               R"({{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{{"name":"{}"}}}},)",
               thread)
        << R"({"name":"a","ph":"X","pid":1,"tid":1,"ts":0,"dur":987654}])";
    start(sized(width, 400));
    EXPECT_TRUE(host_->open(file));
    EXPECT_TRUE(run("panel.open", {{"panel", "events"}}));
    host_->workbench().show_only("events");
    EXPECT_TRUE(host_->settle());
    return shown_text();
  };
  EXPECT_TRUE(shown_in(1600, "poller").contains(">a longer program/poller<"));
  EXPECT_TRUE(shown_in(500, "poller").contains(">…/poller<")) << shown_text();
  EXPECT_TRUE(shown_in(500, "irq/1").contains(">…/irq/1<")) << shown_text();
}

// Several processes have a thread of the same name.
TEST_F(Hovering, PicturesOfTrafficTellLanesOfOneNameApart) {
  const auto log = folder_.path() / "same.btrace";
  std::ofstream file(log);
  for (int i = 0; i < 3; ++i) {
    const std::string ends = fmt::format("Uid:{}\tSender:left/main\tReceiver:right/main", i);
    file << 10 * i << "\tMESSAGE_SEND\t" << ends << '\n'
         << 10 * i + 5 << "\tMESSAGE_RECEIVE\t" << ends << '\n';
  }
  file.close();
  ASSERT_TRUE(run("open", {{"path", log.string()}}));
  ASSERT_TRUE(host_->workbench().wait_until_loaded());
  ASSERT_TRUE(run("panel.open", {{"panel", "traffic"}}));
  host_->workbench().show_only("traffic");
  for (const char* view : {"chord", "matrix"}) {
    ASSERT_TRUE(run("panel.set", {{"panel", "traffic"}, {"option", "view"}, {"value", view}}));
    ASSERT_TRUE(host_->settle());
    size_t named = 0;  // in the table, and in the picture
    const std::string text = shown_text();
    for (size_t at = 0; (at = text.find(">left/main", at)) != std::string::npos; ++at) ++named;
    EXPECT_EQ(named, 2U) << view << text;
  }
}

// In a header with little room the names stand in two lines, as close as can be read.
TEST_F(Hovering, ShortNamesOfLanesAreWhole) {
  const auto log = folder_.path() / "twelve.btrace";
  std::ofstream file(log);
  for (int i = 0; i < 12; ++i) {
    const std::string ends =
        fmt::format("Uid:{}\tSender:0x{}0\tReceiver:0x{}1", i, i / 2 + 1, i / 2 + 1);
    file << 10 * i << "\tMESSAGE_SEND\t" << ends << '\n'
         << 10 * i + 5 << "\tMESSAGE_RECEIVE\t" << ends << '\n';
  }
  file.close();
  for (const int width : {320, 340, 360, 400}) {
    start(sized(width, 400));
    if (!host_) return;
    ASSERT_TRUE(host_->open(log));
    ASSERT_TRUE(run("panel.open", {{"panel", "sequence"}}));
    host_->workbench().show_only("sequence");
    (void)picture("sequence-narrow.png");
    EXPECT_TRUE(shown_text().contains(">0x10<")) << width;
    EXPECT_FALSE(shown_text().contains(">…")) << width << shown_text();
  }
}

// A capture at one place sees each message once: its latency was not measured.
TEST_F(Hovering, LatenciesThatNobodyMeasuredAreNotTold) {
  ASSERT_TRUE(run("panel.open", {{"panel", "traffic"}}));
  host_->workbench().show_only("traffic");
  for (const int latency : {0, 1}) {
    const auto log = folder_.path() / fmt::format("latency-{}.btrace", latency);
    std::ofstream file(log);
    for (int i = 0; i < 300; ++i) {  // the heights of latencies are other numbers
      const std::string ends = fmt::format("Uid:{}\tSender:left\tReceiver:right", i);
      file << 10 * i << "\tMESSAGE_SEND\t" << ends << '\n'
           << 10 * i + (i == 1 ? latency : 0) << "\tMESSAGE_RECEIVE\t" << ends << '\n';
    }
    file.close();
    ASSERT_TRUE(run("open", {{"path", log.string()}}));
    ASSERT_TRUE(host_->workbench().wait_until_loaded());
    ASSERT_TRUE(host_->settle());
    EXPECT_EQ(shown_text().contains("not known"), latency == 0) << shown_text();
    EXPECT_EQ(shown_text().contains("p50 0"), latency != 0) << shown_text();
  }
}

// covers TM-53
TEST_F(Hovering, TheMatrixCallsItsColumnsByNameWhereNamesFit) {
  host_->workbench().show_only("traffic");
  const auto shows_numbers = [&](const std::string& sender) {
    const auto log = folder_.path() / (sender + ".btrace");
    std::ofstream file(log);
    for (int i = 0; i < 300; ++i) {  // the heights of latencies are other numbers
      const std::string ends = fmt::format("Uid:{}\tSender:{}\tReceiver:q", i, sender);
      file << 10 * i << "\tMESSAGE_SEND\t" << ends << '\n'
           << 10 * i + 5 << "\tMESSAGE_RECEIVE\t" << ends << '\n';
    }
    file.close();
    EXPECT_TRUE(run("open", {{"path", log.string()}}));
    EXPECT_TRUE(host_->workbench().wait_until_loaded());
    EXPECT_TRUE(run("panel.set", {{"panel", "traffic"}, {"option", "view"}, {"value", "matrix"}}));
    EXPECT_TRUE(host_->settle());
    const std::string text = shown_text();
    EXPECT_TRUE(text.contains("senders down")) << text;
    return text.contains(">1<") && text.contains(">2<");
  };
  EXPECT_FALSE(shows_numbers("p"));
  EXPECT_TRUE(shows_numbers("a_queue_of_a_long_name"));
}

// The sample's variable goes from 10 to 110.
TEST_F(Hovering, ACurveHasItsGreatestAndLeastValueBesideItsName) {
  const std::string text = text_at("gantt", 0.5, 10);
  EXPECT_TRUE(text.contains(">110<")) << text;
  EXPECT_TRUE(text.contains(">10<")) << text;
  ASSERT_TRUE(run("row_height", {{"px", 5}}));  // too low for both
  EXPECT_FALSE(text_at("gantt", 0.5, 10).contains(">110<"));
}

// A window is never as short as the one tick that this trace takes.
TEST_F(Hovering, TheWholeOfAnInstantIsOfferedOnlyWhereItIsNotShown) {
  const auto file = folder_.path() / "one.json";
  std::ofstream(file) << R"([{"name":"a","ph":"i","pid":1,"tid":1,"ts":1}])";
  ASSERT_TRUE(host_->open(file));
  EXPECT_FALSE(text_at("gantt", 0.5, 10).contains(">Whole trace: F<"));
  ASSERT_TRUE(run("view.zoom", {{"factor", 0.6}}));
  EXPECT_TRUE(text_at("gantt", 0.5, 10).contains(">Whole trace: F<"));
}

// Between two samples the one before holds.
TEST_F(Hovering, AValueSaysSinceWhenItHolds) {
  const auto file = folder_.path() / "counter.json";
  std::ofstream(file) << R"([{"name":"load","ph":"C","pid":1,"ts":5000,"args":{"load":3}},)"
                      << R"({"name":"load","ph":"C","pid":1,"ts":9000,"args":{"load":4}}])";
  ASSERT_TRUE(host_->open(file));
  std::string text;
  for (float below = 30; below < 90 && !text.contains(">since<"); below += 8)
    text = text_at("gantt", 0.5, below);
  EXPECT_TRUE(text.contains(">since<")) << text;
  EXPECT_TRUE(text.contains(">0.000000 ms<")) << text;
  EXPECT_TRUE(text.contains(">3<")) << text;
}

TEST_F(Hovering, AVariableSaysBesideItsNameWhatItHoldsThere) {
  const auto file = folder_.path() / "counter.json";
  std::ofstream(file) << R"([{"name":"load","ph":"C","pid":1,"ts":0,"args":{"load":3}},)"
                      << R"({"name":"load","ph":"C","pid":1,"ts":4000,"args":{"load":7}},)"
                      << R"({"name":"load","ph":"C","pid":1,"ts":8000,"args":{"load":20}}])";
  ASSERT_TRUE(host_->open(file));
  EXPECT_FALSE(text_at("gantt", 0.25, 10).contains(">7<"));
  EXPECT_TRUE(text_at("gantt", 0.75, 10).contains(">7<")) << "from the ruler, too";
  ASSERT_TRUE(host_->settle({.x = 2, .y = 2}));
  EXPECT_FALSE(shown_text().contains(">7<"));
}

// covers TM-28, TM-49
TEST_F(Hovering, ADroppedMessageSaysWhyAndWhatWaitedInItsQueue) {
  const auto file = folder_.path() / "full.btrace";
  std::ofstream(file) << "100\tMESSAGE_SEND\tUid:1\tSender:0x10\tReceiver:0x20\n"
                         "110\tMESSAGE_SEND\tUid:2\tSender:0x10\tReceiver:0x20\n"
                         "120\tMESSAGE_SEND\tUid:3\tSender:0x10\tReceiver:0x20\n"
                         "150\tMESSAGE_DROP\tUid:3\tSender:0x10\tReceiver:0x20\tReason:no room\n"
                         "300\tMESSAGE_RECEIVE\tUid:1\tSender:0x10\tReceiver:0x20\n"
                         "400\tMESSAGE_RECEIVE\tUid:2\tSender:0x10\tReceiver:0x20\n";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "sequence"}}));
  host_->workbench().show_only("sequence");
  ASSERT_TRUE(run("view.set", {{"from", 100}, {"to", 200}}));
  ASSERT_TRUE(host_->settle());
  // The tooltip at `x` if it begins with `heading`, once everything is read.
  const auto told = [&](float x, const char* heading) {
    for (float y = 150; y < 450; y += 3) {
      std::string text;
      EXPECT_TRUE(test::eventually([&] {
        EXPECT_TRUE(host_->settle({.x = x, .y = y}));
        text = shown_text();
        return !text.contains(heading) || text.contains(">no room<");
      }));
      if (!text.contains(heading)) continue;
      EXPECT_TRUE(host_->settle({.x = x, .y = y}));  // a tooltip has its size one frame late
      return shown_text();
    }
    return std::string();
  };
  EXPECT_TRUE(told(530, ">nowhere: it was dropped<").contains(">no room<"));
  EXPECT_TRUE(told(753, ">message dropped<").contains(">2 messages sent, not yet handled<"));
}

TEST_F(Hovering, APanelSaysThatTheTraceHasNothingForIt) {
  const auto file = folder_.path() / "instants.json";
  std::ofstream(file) << R"([{"name":"a","ph":"i","pid":1,"tid":1,"ts":1},)"
                      << R"({"name":"b","ph":"i","pid":1,"tid":1,"ts":2}])";
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
  EXPECT_TRUE(text_at("gantt", 0.5, 10).contains(">The trace holds no states<")) << shown_text();
  ASSERT_TRUE(run("panel.open", {{"panel", "durations"}}));
  EXPECT_TRUE(text_at("gantt", 0.5, 10).contains(">The trace holds no states<")) << shown_text();
  ASSERT_TRUE(run("panel.open", {{"panel", "selection"}}));
  EXPECT_TRUE(text_at("gantt", 0.5, 10).contains(">Per second<")) << "it sums up what there is";
}

// Only what says something: a state that calls nothing is its own as long as it takes, and one that
// nothing calls has no depth.
TEST_F(Hovering, AFlatStateIsToldInFewLines) {
  const auto file = folder_.path() / "flat.json";
  std::ofstream(file) << R"([{"name":"outer","ph":"X","pid":1,"tid":1,"ts":0,"dur":100},)"
                      << R"({"name":"inner","ph":"X","pid":1,"tid":1,"ts":0,"dur":50}])";
  ASSERT_TRUE(host_->open(file));
  const std::string outer = text_at("gantt", 0.25, 26 + 22 + 4 + 8);
  EXPECT_TRUE(outer.contains(">duration<")) << outer;
  EXPECT_TRUE(outer.contains(">self<"));
  EXPECT_FALSE(outer.contains(">depth<"));
  const std::string inner = text_at("gantt", 0.25, 26 + 22 + 4 + 8 + 18);
  EXPECT_TRUE(inner.contains(">depth<")) << inner;
  EXPECT_FALSE(inner.contains(">self<"));
}

TEST(Details, TellWhatBeganBefore) {
  Details details;
  details.count = 3;
  EXPECT_EQ(began_before(details, 3), "");
  EXPECT_EQ(began_before(details, 2), "1 of them began before");
  details.is_complete = false;
  EXPECT_EQ(began_before(details, 2), "");
}

TEST_F(Hovering, AChoiceSaysWhatItMeans) {
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
  host_->workbench().show_only("flame");
  ASSERT_TRUE(host_->settle());
  const auto told = [&](const char* title) {
    const auto text = find_text(title);
    EXPECT_TRUE(text) << title;
    if (!text) return std::string();
    Pointer pointer{.x = text->x + 4, .y = text->y - 4};
    for (int frame = 0; frame < 3; ++frame) host_->frame({}, pointer);
    return shown_text();
  };
  EXPECT_TRUE(told("Whole trace").contains(">Of all that there is<"));
  EXPECT_TRUE(told("Time order").contains(">Every call at its time<"));
}

// A wire's value is read wherever it fits, however narrow its box.
TEST_F(Hovering, ANarrowStateHasItsNameWhereAllOfItFits) {
  const auto file = folder_.path() / "values.json";
  std::ofstream out(file);
  out << "[";
  for (int i = 0; i < 50; ++i) {
    out << fmt::format(R"({}{{"name":"{}","ph":"X","pid":1,"tid":1,"ts":{},"dur":20}})",
                       i > 0 ? "," : "", i % 2 == 0 ? "7" : "seven", 20 * i);
  }
  out << "]";
  out.close();
  ASSERT_TRUE(host_->open(file));
  const std::string text = text_at("gantt", 0.5, 10);
  EXPECT_TRUE(text.contains(">7<")) << text;
  EXPECT_FALSE(text.contains(">seven<")) << text;
  EXPECT_FALSE(text.contains("…<")) << text;
}

// covers FS-10
TEST_F(Hovering, ABinOfTheDensitySaysItsMiddleAndItsCount) {
  ASSERT_TRUE(run("panel.open", {{"panel", "density"}}));
  const auto file = folder_.path() / "bins.csv";
  ASSERT_TRUE(run("table.export", {{"panel", "density"}, {"file", file.string()}}));
  constexpr double kAt = 0.31;
  const std::string text = text_at("density", kAt, 60);
  const OpenTrace& trace = *session().trace();
  const Area area = host_->workbench().place_of("density").value();
  const TimeAxis axis(trace.view().window, area.x0 + static_cast<float>(session().look.gutter_px),
                      area.x1);
  const Time at = axis.time_from_x(axis.x0 + kAt * axis.width);
  std::ifstream bins(file);
  std::string line;
  ASSERT_TRUE(std::getline(bins, line));  // titles
  bool is_found = false;
  for (int64_t begin = 0, end = 0, events = 0; std::getline(bins, line);) {
    ASSERT_EQ(std::sscanf(line.c_str(), "%ld,%ld,%ld", &begin, &end, &events), 3) << line;
    if (at.ticks < begin || at.ticks >= end) continue;
    is_found = true;
    ASSERT_GT(events, 1);
    EXPECT_TRUE(text.contains(">" + counted(static_cast<uint64_t>(events), "event") + "<")) << text;
    const std::string middle = axis.label(Time{begin + (end - begin) / 2}, trace);
    EXPECT_TRUE(text.contains(">around " + middle + "<")) << middle << text;
  }
  EXPECT_TRUE(is_found);
}

// Four threads; a message a millisecond from the first to the last, and two more among the others,
// which makes more arrows than can be told apart.
std::string threads_with_messages() {
  std::string text = "[";
  int id = 0;
  for (int i = 0; i < 80; ++i) {
    for (const auto& [from, to] : {std::pair(1, 4), {2, 3}, {3, 1}}) {
      ++id;
      text += fmt::format(
          R"({{"ph":"X","name":"work","pid":1,"tid":{0},"ts":{2},"dur":800}},)"
          R"({{"ph":"s","cat":"m","name":"message","id":{4},"pid":1,"tid":{1},"ts":{3}}},)"
          R"({{"ph":"f","bp":"e","cat":"m","name":"message","id":{4},"pid":1,"tid":{0},"ts":{2}}},)",
          to, from, i * 1000 + 100, i * 1000, id);
    }
  }
  text += R"({"ph":"i","name":"end","pid":1,"tid":1,"ts":80000}])";
  return text;
}

TEST_F(Hovering, WhatTellsLanesApartIsLeftOfTheirNames) {
  const auto file = folder_.path() / "pool.json";
  std::ofstream out(file);
  out << '[';
  for (const int thread : {4711, 4712}) {
    out << R"({"ph":"M","name":"thread_name","pid":1,"tid":)" << thread
        << R"(,"args":{"name":"A worker of a pool with a long name"}},)"
        << R"({"ph":"X","name":"work","pid":1,"tid":)" << thread << R"(,"ts":1,"dur":5},)";
  }
  out << R"({"ph":"i","name":"end","pid":1,"tid":4711,"ts":80}])";
  out.close();
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(host_->settle());
  const std::regex name(">A worker of a pool[^<]*… ?\\((4711|4712)\\)<");
  const std::string text = shown_text();
  EXPECT_FALSE(text.contains("with a long name (4711)"));
  EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), name), {}), 2) << text;
}

// The lanes end where it begins, and can be scrolled until the last of them is seen.
TEST_F(Hovering, TheNoteOnLinksLiesUponNoLane) {
  start(sized(900, 200));
  if (!host_) return;
  const auto file = folder_.path() / "messages.json";
  std::ofstream(file) << threads_with_messages();
  ASSERT_TRUE(host_->open(file));
  host_->workbench().show_only("gantt");
  ASSERT_TRUE(run("row_height", {{"px", 70}}));
  ASSERT_TRUE(run("scroll", {{"to", 100'000}}));
  (void)picture("note-on-links.png");
  const auto note = find_text("240 links not drawn");
  const auto last = find_text("Thread 2");
  ASSERT_TRUE(note && last) << shown_text();
  const Area area = host_->workbench().place_of("gantt").value();
  EXPECT_GT(note->y, area.y1 - 22);
  EXPECT_LT(last->y, area.y1 - 22);
  EXPECT_GT(last->y, area.y1 - 22 - 70) << "scrolled to the end of its row";
}

TEST_F(Hovering, AThreadThatWaitsSaysWhoRanInstead) {
  const auto file = folder_.path() / "sched.ftrace";
  std::ofstream(file) << testing::schedule_of_three();
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(host_->settle());
  const auto& dictionary = session().trace()->trace()->dictionary();
  LaneId bash;
  for (uint32_t i = 0; i < dictionary.lanes.size(); ++i) {
    if (dictionary.lanes[i].name == "bash-100") bash = LaneId(i);
  }
  const query::Elements elements(session().trace()->trace());
  const auto waits =
      elements.states_at(bash, session().trace()->range().begin + Duration{2'000'000});
  ASSERT_EQ(waits.size(), 1u);
  ASSERT_TRUE(run("element.select", args_from_element(waits[0].ref)));
  ASSERT_TRUE(run("panel.open", {{"panel", "inspector"}}));
  (void)picture("ran-instead.png");
  const std::string shown = shown_text();
  EXPECT_TRUE(shown.contains(">Ran instead on CPU 0<")) << shown;
  EXPECT_TRUE(shown.contains(">where it ran next<"));
  EXPECT_TRUE(shown.contains("75.0 %<"));
  EXPECT_TRUE(shown.contains("25.0 %<"));
  EXPECT_FALSE(shown.contains(">no thread<"));
  // A click on a row leads to what ran.
  const auto make = find_text("3 ms");
  ASSERT_TRUE(make);
  for (const bool is_down : {false, true, false}) at(make->x + 3, make->y - 3, is_down);
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(session().trace()->element());
  EXPECT_EQ(dictionary.type(session().trace()->element()->type).name, "make");
}

TEST_F(Hovering, AThreadThatWaitsSaysWhoWokeIt) {
  const auto file = folder_.path() / "sched.ftrace";
  std::ofstream(file) << testing::schedule_of_three();
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(host_->settle());
  const store::TracePtr trace = session().trace()->trace();
  const auto& lanes = trace->dictionary().lanes;
  const auto cc = std::ranges::find(lanes, "cc-300", &trace::Lane::name);
  ASSERT_NE(cc, lanes.end());
  const auto waits = query::Elements(trace).states_at(
      LaneId(static_cast<uint32_t>(cc - lanes.begin())), {10'003'500'000});
  ASSERT_EQ(waits.size(), 1u);
  ASSERT_TRUE(run("element.select", args_from_element(waits[0].ref)));
  ASSERT_TRUE(run("panel.open", {{"panel", "inspector"}}));
  (void)picture("woken-by.png");
  const std::string shown = shown_text();
  EXPECT_TRUE(shown.contains(">Woken by<")) << shown;
  EXPECT_TRUE(shown.contains("make-200: running"));
  EXPECT_TRUE(shown.contains("1 ms before it ran"));
  ASSERT_TRUE(run("element.cause"));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(session().trace()->element());
  EXPECT_TRUE(query::is_link(session().trace()->element()->kind));
}

TEST_F(Hovering, TheTooltipOfAWaitSaysWhoRanInstead) {
  const auto file = folder_.path() / "sched.ftrace";
  std::ofstream(file) << testing::schedule_of_three();
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(host_->settle());
  const auto lane = find_text("bash-100");
  ASSERT_TRUE(lane) << shown_text();
  const Area area = host_->workbench().place_of("gantt").value();
  (void)text_at("gantt", 0.5, lane->y - 4 - area.y0);  // it is measured before it is seen
  const std::string over = text_at("gantt", 0.5, lane->y - 4 - area.y0);
  EXPECT_TRUE(over.contains(">waited for<")) << over;
  EXPECT_TRUE(over.contains(">make-200 3 ms, cc-300 1 ms<")) << over;
}

// covers B-09, FS-60
TEST_F(Hovering, ManyLinksAreThoseOfWhatThePointerIsOn) {
  const auto file = folder_.path() / "messages.json";
  std::ofstream(file) << threads_with_messages();
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">240 links not drawn: point at an element for its own"));
  const render::Image without = picture("links-few.png");
  ASSERT_TRUE(run("links.all"));
  EXPECT_NE(picture("links-all.png").pixels, without.pixels);
  EXPECT_FALSE(shown_text().contains("links not drawn"));
  ASSERT_TRUE(run("links.all"));
  EXPECT_EQ(picture("links-few.png").pixels, without.pixels);

  // If there are few, all are drawn, unless they are switched off.
  ASSERT_TRUE(run("view.set", {{"from", "+10ms"}, {"to", "+14ms"}}));
  const render::Image few = picture("links-near.png");
  EXPECT_FALSE(shown_text().contains("links not drawn")) << shown_text();
  ASSERT_TRUE(run("links.show"));
  const render::Image none = picture("links-none.png");
  EXPECT_NE(few.pixels, none.pixels);

  // The first lane is that of thread 4; its message comes from the lane below, left of the state.
  const Area area = host_->workbench().place_of("gantt").value();
  const float split = area.x0 + static_cast<float>(session().look.gutter_px);
  const float ms = (area.x1 - split) / 4;
  const float y = area.y0 + 61;
  ASSERT_TRUE(host_->settle({.x = split + 2.5F * ms, .y = y}));
  const render::Image hovered = host_->picture();
  int changed = 0;
  for (int row = static_cast<int>(y) + 2; row < static_cast<int>(y) + 18; ++row) {
    for (int x = static_cast<int>(split + 2 * ms); x < static_cast<int>(split + 2.08F * ms); ++x) {
      changed += hovered.at(x, row) != none.at(x, row);
    }
  }
  EXPECT_GE(changed, 16) << "at least a pixel a line of the arrow";
}

// A glance tells that links are many; before few arrows are drawn, all links are counted.
TEST_F(Hovering, ManyLinksThatMakeFewArrowsAreDrawnWhole) {
  const auto file = folder_.path() / "burst.json";
  std::string text = "[";
  for (int i = 0; i < 21'000; ++i) {
    text += fmt::format(
        R"({{"ph":"s","cat":"m","name":"message","id":{0},"pid":1,"tid":1,"ts":{0}}},)"
        R"({{"ph":"f","cat":"m","name":"message","id":{0},"pid":1,"tid":{1},"ts":{0}.5}},)",
        i, 2 + i % 3);
  }
  text += R"({"ph":"i","name":"end","pid":1,"tid":1,"ts":9000000}])";
  std::ofstream(file) << text;
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains("links not drawn")) << shown_text();
  EXPECT_FALSE(shown_text().contains("links are drawn")) << "less than all of them";
  ASSERT_TRUE(run("view.set", {{"from", "+0ms"}, {"to", "+21ms"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">about 21,000 links not drawn")) << shown_text();
}

}  // namespace
}  // namespace weft::app
