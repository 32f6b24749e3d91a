// The sequence diagram, offscreen: what the mouse and the keys do in it, and what its commands
// show. covers TM-01, TM-07, TM-27, TM-31
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "app/panels/sequence/sequence_picture.h"
#include "app/session/trace_model.h"
#include "render/batch.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

constexpr int kWidth = 1000;
constexpr int kHeight = 600;

TEST(SequenceLabels, StandApartAsFarAsLettersAreLarge) {
  const ArrowLabel left{.x = 10, .y = 10, .width = 20, .height = 12, .text = "a"};
  ArrowLabel right = left;
  right.x = left.x + left.width + 4;
  EXPECT_TRUE(are_apart(left, right, 1));
  EXPECT_FALSE(are_apart(left, right, 2));
  EXPECT_TRUE(are_apart(left, {.x = 10, .y = 21, .width = 20, .height = 12, .text = "b"}, 1));
}

class Sequence : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(kWidth, kHeight));
    if (!host_) return;
    ASSERT_TRUE(host_->open(testing::write_sample(folder_.path())));
    ASSERT_TRUE(host_->workbench().run({"panel.open", {{"panel", "sequence"}}}));
    host_->workbench().show_only("sequence");
    ASSERT_TRUE(host_->settle());
  }
  void run(const char* command, Json args = Json::object()) {
    const Status status = host_->workbench().run({command, std::move(args)});
    ASSERT_TRUE(status) << status.error().message;
    ASSERT_TRUE(host_->settle());
  }
  void click(float x, float y) {
    at(x, y);
    at(x, y, true);
    at(x, y);
    at(x, y);
  }
  void right_click(float x, float y) {
    for (const bool is_down : {false, true, false, false}) {
      Pointer pointer;
      pointer.x = x;
      pointer.y = y;
      pointer.is_right_down = is_down;
      host_->frame({}, pointer);
    }
  }
  void press(const char* chord) {
    Input input;
    input.chords = {chord};
    host_->frame(input, {});
    ASSERT_TRUE(host_->settle());
  }
  const OpenTrace& trace() const { return *host_->workbench().session().trace(); }
  const TimeWindow& window() const { return trace().view().window; }
  // The message sent at 2000 and received at 2900.
  void select_message() {
    run("element.select", {{"lane", 1},
                           {"kind", "link_out"},
                           {"type", type_of_messages()},
                           {"at", 2000},
                           {"duration", 900},
                           {"peer", 5}});
  }
  std::string option(const char* name) const {
    return host_->workbench().session().desk.layout.first_of("sequence")->options.value(name, "");
  }
  uint32_t type_of_messages() const {
    const auto& types = trace().trace()->dictionary().types;
    const auto type = std::ranges::find(types, trace::Category::kLink, &trace::EventType::category);
    return static_cast<uint32_t>(std::distance(types.begin(), type));
  }
};

TEST_F(Sequence, WheelKeepsTheTimeUnderThePointer) {
  const double length = window().length;
  at(400, 300);
  const auto before = host_->workbench().session().hover;
  ASSERT_TRUE(before);
  for (int i = 0; i < 5; ++i) {
    at(400, 300, false, 1);
    at(400, 300);
  }
  EXPECT_LT(window().length, length / 2);
  const auto after = host_->workbench().session().hover;
  ASSERT_TRUE(after);
  EXPECT_NEAR(static_cast<double>(after->time.ticks), static_cast<double>(before->time.ticks),
              length / kHeight);
}

TEST_F(Sequence, DragsMoveTheViewDownwards) {
  run("view.set", {{"from", 40'000}, {"to", 50'000}});
  at(400, 300);
  at(400, 300, true);
  at(400, 350, true);
  at(400, 350);
  EXPECT_LT(window().begin.ticks, 39'500);
  EXPECT_NEAR(window().length, 10'000, 1);
}

TEST_F(Sequence, TheStripLeadsToOtherTimes) {
  run("view.set", {{"from", 0}, {"to", 10'000}});
  at(kWidth - 30, 500);
  at(kWidth - 30, 500, true);
  at(kWidth - 30, 500);
  EXPECT_GT(window().begin.ticks, 50'000);
  EXPECT_NEAR(window().length, 10'000, 1);
}

TEST_F(Sequence, ADoubleClickZoomsToTheMessageAndKeepsItSelected) {
  run("view.set", {{"from", 0}, {"to", 10'000}});
  float y = 70;
  for (; y < 590 && !trace().element(); y += 7) click(510, y);
  const auto message = trace().element();
  ASSERT_TRUE(message);
  // No longer a part of what was clicked before.
  for (int i = 0; i < 60; ++i) at(510, y - 7);
  click(510, y - 7);
  click(510, y - 7);
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(trace().element(), message);
  const TimeRange times = {message->begin, message->begin + message->duration};
  EXPECT_TRUE(window().range().contains(times.begin) && window().range().contains(times.end));
  EXPECT_LT(window().length, 2.0 * static_cast<double>(times.length().ticks));
}

// covers TM-28
TEST_F(Sequence, AClickSelectsTheMessageUnderThePointer) {
  run("view.set", {{"from", 0}, {"to", 10'000}});
  for (float y = 70; y < 590 && !trace().element(); y += 7) {
    at(510, y);
    at(510, y, true);
    at(510, y);
    ASSERT_TRUE(host_->settle());
  }
  ASSERT_TRUE(trace().element());
  EXPECT_EQ(trace().element()->kind, store::RowKind::kLinkOut);
  EXPECT_EQ(trace().element()->begin, Time{2000});
  const render::Image selected = host_->picture();
  run("element.clear");
  EXPECT_NE(host_->picture().pixels, selected.pixels);
}

// covers TM-29
TEST_F(Sequence, TheMenuOfALanesNameFiltersToItsMessages) {
  run("view.set", {{"from", 0}, {"to", 10'000}});
  // Down the window to where the names are, and in the menu to its first item.
  const auto has_filter = [&] { return trace().view().filter.is_set(); };
  for (float name_y = 40; name_y < 100 && !has_filter(); name_y += 8) {
    for (float below = 34; below < 54 && !has_filter(); below += 6) {
      right_click(400, name_y);
      at(420, name_y + below);
      at(420, name_y + below, true);
      at(420, name_y + below);
      if (!has_filter()) press("Escape");
    }
  }
  EXPECT_TRUE(trace().view().filter.text.starts_with("source == ")) << trace().view().filter.text;
}

TEST_F(Sequence, AnInstantHasAMenuOnTheRulerAndWhereNothingIsDrawn) {
  run("view.set", {{"from", 0}, {"to", 10'000}});
  right_click(30, 400);
  EXPECT_TRUE(testing::find_text(*host_, "Set a marker here")) << "on the ruler";
  press("Escape");
  host_->frame();
  ASSERT_FALSE(testing::find_text(*host_, "Set a marker here"));
  bool has_menu = false;
  for (float y = 200; y < 500 && !has_menu; y += 7) {
    right_click(300, y);
    has_menu = testing::find_text(*host_, "Set the cursor A here").has_value();
    if (!has_menu) press("Escape");  // an element's
  }
  ASSERT_TRUE(has_menu);
  const auto entry = testing::find_text(*host_, "Set the cursor A here");
  click(entry->x + 3, entry->y - 3);
  const auto a = trace().markers.a();
  ASSERT_TRUE(a);
  EXPECT_TRUE(window().range().contains(*a));
}

TEST_F(Sequence, CursorsAndFlagsAreDraggedAlongTheRuler) {
  run("view.set", {{"from", 0}, {"to", 10'000}});
  const auto shown_at = [&](float y) {
    at(30, y);
    at(30, y);
    return host_->workbench().session().hover->time;
  };
  const auto drag = [&](float from, float to) {
    at(30, from);
    at(30, from, true);
    at(30, (from + to) / 2, true);
    at(30, to, true);
    at(30, to);
  };
  run("marker.a", {{"at", shown_at(200).ticks}});
  run("marker.add", {{"at", shown_at(420).ticks}});
  const TimeWindow before = window();
  drag(200, 300);
  EXPECT_NEAR(static_cast<double>(trace().markers.a()->ticks),
              static_cast<double>(shown_at(300).ticks), 200);
  drag(420, 500);
  const Time flag = trace().markers.all().front().range.begin;
  EXPECT_NEAR(static_cast<double>(flag.ticks), static_cast<double>(shown_at(500).ticks), 200);
  EXPECT_EQ(window(), before);
  EXPECT_FALSE(trace().selection);
  // Near a message's end they lie on it.
  float y = 100;
  while (y < 580 && shown_at(y).ticks < 2000) ++y;
  drag(300, y - 4);
  EXPECT_EQ(trace().markers.a(), Time{2000});
}

TEST_F(Sequence, AFlagHasItsMenu) {
  run("view.set", {{"from", 0}, {"to", 10'000}});
  at(30, 420);
  at(30, 420);
  run("marker.add", {{"at", host_->workbench().session().hover->time.ticks}});
  right_click(30, 420);
  const auto entry = testing::find_text(*host_, "Remove");
  ASSERT_TRUE(entry);
  click(entry->x + 3, entry->y - 3);
  EXPECT_TRUE(trace().markers.all().empty());
}

TEST_F(Sequence, TheTimeBetweenTheCursorsStandsBetweenThem) {
  run("marker.a", {{"at", 20'000}});
  run("marker.b", {{"at", 60'000}});
  const auto apart = testing::find_text(*host_, "B − A = 40 µs");
  const auto a = testing::find_text(*host_, "A<"), b = testing::find_text(*host_, "B<");
  ASSERT_TRUE(apart && a && b);
  EXPECT_GT(apart->y, a->y);
  EXPECT_LT(apart->y, b->y);
}

constexpr int kGlyphPx = 9;

// The corners of squares of this colour, filled or with something else in the middle.
std::vector<std::pair<int, int>> squares(const render::Image& image, uint32_t color,
                                         bool is_filled) {
  const auto is_color = [&](int x, int y) { return image.at(x, y) == color; };
  const auto is_square = [&](int left, int top) {
    for (int i = 0; i < kGlyphPx; ++i) {
      const int last = kGlyphPx - 1;
      if (!is_color(left + i, top) || !is_color(left + i, top + last) || !is_color(left, top + i) ||
          !is_color(left + last, top + i))
        return false;
    }
    return is_color(left + kGlyphPx / 2, top + kGlyphPx / 2) == is_filled;
  };
  std::vector<std::pair<int, int>> found;
  for (int y = 0; y + kGlyphPx <= image.height; ++y) {
    for (int x = 0; x + kGlyphPx <= image.width; ++x) {
      if (is_square(x, y)) found.emplace_back(x, y);
    }
  }
  return found;
}

int distance(uint32_t a, uint32_t b) {
  int sum = 0;
  for (const int shift : {0, 8, 16})
    sum += std::abs(static_cast<int>(a >> shift & 0xFF) - static_cast<int>(b >> shift & 0xFF));
  return sum;
}

// The pixel of a column that differs most from the first one.
uint32_t brightest(const render::Image& image, int x, int from_y, int to_y) {
  uint32_t best = image.at(x, from_y);
  const uint32_t ground = best;
  for (int y = from_y; y < to_y; ++y) {
    if (distance(image.at(x, y), ground) > distance(best, ground)) best = image.at(x, y);
  }
  return best;
}

// covers TM-03, TM-06
TEST_F(Sequence, ASendIsASquareAReceiveHasACircleAndTheArrowIsOfItsSender) {
  const auto log = folder_.path() / "two.btrace";
  std::ofstream(log) << "# time_base: us\n"
                        "1000\tMESSAGE_SEND\tUid:1\tSender:0x1\tReceiver:0x2\tType:0x7\n"
                        "5000\tMESSAGE_RECEIVE\tUid:1\tSender:0x1\tReceiver:0x2\n"
                        "6000\tMESSAGE_SEND\tUid:2\tSender:0x2\tReceiver:0x1\tType:0x7\n"
                        "9000\tMESSAGE_RECEIVE\tUid:2\tSender:0x2\tReceiver:0x1\n";
  run("open", {{"path", log.string()}});
  ASSERT_TRUE(host_->workbench().wait_until_loaded());
  run("view.set", {{"from", 0}, {"to", 10'000}});
  const Session& session = host_->workbench().session();
  ModelKey key;
  key.trace = trace().trace();
  key.type_colors = key.lane_colors = std::make_shared<const NamedColors>();
  key.message_classes = std::make_shared<const MessageClasses>();
  const TraceModel model = ModelMaker().make(key);
  ASSERT_EQ(session.look.theme, key.theme);
  const auto color_of = [&](std::string_view name) {
    const auto& lanes = key.trace->dictionary().lanes;
    const auto lane = std::ranges::find(lanes, name, &trace::Lane::name);
    return render::color_from_rgb(
        model.lane_color(LaneId(static_cast<uint32_t>(lane - lanes.begin()))));
  };
  const render::Image image = host_->picture();
  const uint32_t first = color_of("0x1"), second = color_of("0x2");
  const auto sent = squares(image, first, true), received = squares(image, second, false);
  const auto answered = squares(image, second, true), heard = squares(image, first, false);
  ASSERT_EQ(sent.size(), 1u);
  ASSERT_EQ(received.size(), 1u);
  ASSERT_EQ(answered.size(), 1u);
  ASSERT_EQ(heard.size(), 1u);
  const int middle = (sent[0].first + received[0].first) / 2;
  const uint32_t there = brightest(image, middle, sent[0].second, received[0].second);
  const uint32_t back = brightest(image, middle, answered[0].second, heard[0].second);
  EXPECT_LT(distance(there, first), distance(there, second));
  EXPECT_LT(distance(back, second), distance(back, first));
}

TEST_F(Sequence, ArrowsThatDoNotPassTheFilterDoNotAddUpToBrightOnes) {
  const auto contrast = [&](int messages) {
    const auto log = folder_.path() / (std::to_string(messages) + ".btrace");
    std::ofstream file(log);
    for (int i = 0; i < messages; ++i) {
      file << 60 * i << "\tMESSAGE_SEND\tUid:" << i << "\tSender:a\tReceiver:b\n"
           << 4500 + i << "\tMESSAGE_RECEIVE\tUid:" << i << "\tReceiver:b\n";
    }
    file.close();
    run("open", {{"path", log.string()}});
    EXPECT_TRUE(host_->workbench().wait_until_loaded());
    run("view.set", {{"from", 0}, {"to", 5'000}});
    run("filter.set", {{"text", "latency < 0"}, {"mode", "dim"}});
    const render::Image image = host_->picture();
    constexpr int kBesideTheTarget = 600, kTop = 110, kBottom = 580;
    return distance(brightest(image, kBesideTheTarget, kTop, kBottom),
                    image.at(kBesideTheTarget, kTop));
  };
  const int of_few = contrast(3);
  EXPECT_GT(of_few, 10);
  EXPECT_LT(contrast(60), 2 * of_few);
}

TEST_F(Sequence, ArrowKeysWalkAlongMessages) {
  select_message();
  press("Down");
  ASSERT_TRUE(trace().element());
  EXPECT_EQ(trace().element()->begin, Time{10'000});
  EXPECT_EQ(trace().element()->kind, store::RowKind::kLinkOut);
  const LaneId sender = trace().element()->lane, receiver = trace().element()->peer;
  press("Right");
  EXPECT_EQ(trace().element()->lane, receiver);
  press("Left");
  EXPECT_EQ(trace().element()->lane, sender);
}

// covers TM-24
TEST_F(Sequence, AMarkerOfAMessageLeadsBackToItByAClick) {
  select_message();
  const auto message = trace().element();
  run("marker.add_selection");
  run("element.clear");
  run("view.set", {{"from", 40'000}, {"to", 50'000}});
  run("panel.open", {{"panel", "markers"}});
  host_->workbench().show_only("markers");
  ASSERT_TRUE(host_->settle());
  for (float y = 30; y < 200 && !trace().element(); y += 8) click(200, y);
  EXPECT_EQ(trace().element(), message);
  EXPECT_TRUE(window().range().contains({2'000}));
}

// covers TM-21
TEST_F(Sequence, ItsControlsChooseWhatItShows) {
  for (float x = 10; x < kWidth && option("spacing") != "events"; x += 15) click(x, 15);
  EXPECT_EQ(option("spacing"), "events");
  // The lists, at the entry below the one that is shown.
  for (const char* list : {"order", "runs", "colors", "widths"}) {
    for (float x = 10; x < kWidth && option(list).empty(); x += 30) {
      click(x, 15);
      click(x, 58);
      press("Escape");
    }
    EXPECT_FALSE(option(list).empty()) << list;
  }
}

TEST_F(Sequence, ItsToolbarCutsNothingHoweverNarrowItIs) {
  int shortened = 0;
  for (const int width : {1000, 620, 580, 540, 500, 420, 260, 200}) {
    start(sized(width, kHeight));
    if (!host_) return;
    ASSERT_TRUE(host_->open(testing::write_sample(folder_.path())));
    run("panel.open", {{"panel", "sequence"}});
    host_->workbench().show_only("sequence");
    ASSERT_TRUE(host_->settle());
    EXPECT_TRUE(width < 1000 || find_text("2 lanes, arrows add up to "));
    if (const auto said = find_text("2 lanes<")) {
      ++shortened;
      ASSERT_TRUE(host_->settle({.x = said->x + 5, .y = said->y - 3}));
      host_->frame({}, {.x = said->x + 5, .y = said->y - 3});
      EXPECT_TRUE(find_text("2 lanes, arrows add up to ")) << "in a tooltip";
    } else {
      EXPECT_TRUE(find_text("2 lanes, arrows add up to ")) << width;
    }
  }
  EXPECT_GT(shortened, 0);
  // The same holds for the line below, which is cut.
  const auto around = [&] { return shown_text().contains("window<"); };
  EXPECT_FALSE(around());
  for (int i = 0; i < 3; ++i) host_->frame({}, {.x = 100, .y = kHeight - 10});
  EXPECT_TRUE(around());
}

TEST_F(Sequence, OptionsChangeWhatIsDrawn) {
  render::Image before = host_->picture();
  run("sequence.spacing");
  const render::Image by_event = host_->picture();
  EXPECT_NE(by_event.pixels, before.pixels);
  run("sequence.runs");  // thread 0 sends to thread 1 of the other process again and again
  EXPECT_NE(host_->picture().pixels, by_event.pixels);
  run("sequence.runs");
  run("sequence.spacing");
  EXPECT_EQ(host_->picture().pixels, before.pixels);
  run("sequence.widths", {{"by", "size"}});
  EXPECT_NE(host_->picture().pixels, before.pixels);
  run("sequence.widths");
  EXPECT_EQ(host_->picture().pixels, before.pixels);
  run("sequence.colors");
  EXPECT_NE(host_->picture().pixels, before.pixels);
  run("sequence.order", {{"by", "short"}});
  EXPECT_FALSE(host_->workbench().run({"sequence.order", {{"by", "whim"}}}));
  before = host_->picture();
  run("lane.hide", {{"lane", 1}});  // that sends all messages
  EXPECT_NE(host_->picture().pixels, before.pixels);
}

TEST_F(Sequence, TheMenuOfABundleZoomsToWhereItsMessagesPart) {
  const auto log = folder_.path() / "close.btrace";
  std::ofstream file(log);
  int uid = 0;
  for (const int at : {0, 50'000, 50'010, 50'020, 50'030, 100'000}) {
    file << at << "\tMESSAGE_SEND\tUid:" << uid << "\tSender:a\tReceiver:b\n"
         << at + 5 << "\tMESSAGE_RECEIVE\tUid:" << uid << "\tSender:a\tReceiver:b\n";
    ++uid;
  }
  file.close();
  run("open", {{"path", log.string()}});
  ASSERT_TRUE(host_->workbench().wait_until_loaded());
  ASSERT_TRUE(host_->settle());
  ASSERT_GT(window().length, 90'000);
  for (float y = 270; y < 400 && window().length > 90'000; y += 2) {
    right_click(510, y);
    const auto entry = testing::find_text(*host_, "Zoom to where they part");
    if (entry) click(entry->x + 3, entry->y - 3);
    press("Escape");
  }
  EXPECT_LT(window().length, 100);
  EXPECT_TRUE(window().range().contains(Time{50'000}) && window().range().contains(Time{50'035}));
  EXPECT_FALSE(trace().view().filter.is_set());
}

// Two lanes that ask and answer six times, by event, as one.
class SequenceRuns : public Sequence {
 protected:
  void SetUp() override {
    Sequence::SetUp();
    if (IsSkipped()) return;
    const auto log = folder_.path() / "asked.btrace";
    std::ofstream file(log);
    for (int i = 0; i < 12; ++i) {
      const char* ends[] = {"Sender:a\tReceiver:b", "Sender:b\tReceiver:a"};
      file << 10 * i << "\tMESSAGE_SEND\tUid:" << i << '\t' << ends[i % 2] << '\n'
           << 10 * i + 4 << "\tMESSAGE_RECEIVE\tUid:" << i << '\t' << ends[i % 2] << '\n';
    }
    file.close();
    run("open", {{"path", log.string()}});
    ASSERT_TRUE(host_->workbench().wait_until_loaded());
    run("sequence.spacing");
    run("sequence.runs");
  }
  const std::vector<TimeRange>& open_runs() const { return trace().view().open_runs; }
  // Without the pointer over anything.
  std::vector<uint32_t> diagram() {
    at(-1, -1);
    EXPECT_TRUE(host_->settle());
    return host_->picture().pixels;
  }
  // Down the left edge of the lanes, until a click there does something.
  void click_triangle() {
    const size_t before = open_runs().size();
    for (float y = 60; y < 300 && open_runs().size() == before; y += 7) click(93, y);
    EXPECT_TRUE(host_->settle());
  }
};

TEST_F(SequenceRuns, ATriangleOpensOneAndClosesItAgain) {
  const auto closed = diagram();
  click_triangle();
  EXPECT_EQ(open_runs(), (std::vector<TimeRange>{{{0}, {111}}}));
  const auto open = diagram();
  EXPECT_NE(open, closed);
  run("view.undo");
  EXPECT_EQ(diagram(), closed);
  run("view.redo");
  EXPECT_EQ(diagram(), open);
  click_triangle();
  EXPECT_TRUE(open_runs().empty());
  EXPECT_EQ(diagram(), closed);
  const auto& journal = host_->workbench().session().journal;
  EXPECT_EQ(std::ranges::count(journal, "sequence.run", &JournalEntry::command), 2);
}

TEST_F(SequenceRuns, ADoubleClickOnItsArrowOpensIt) {
  const TimeRange shown = window().range();
  for (float y = 60; y < 300 && open_runs().empty(); y += 3) {
    for (int i = 0; i < 60; ++i) at(510, y);  // no longer a part of the click before
    click(510, y);
    click(510, y);
  }
  EXPECT_EQ(open_runs(), (std::vector<TimeRange>{{{0}, {111}}}));
  EXPECT_EQ(window().range(), shown);
}

TEST_F(SequenceRuns, TheMenuOfItsArrowOpensIt) {
  for (float y = 60; y < 300 && open_runs().empty(); y += 3) {
    right_click(510, y);
    click(530, y + 16);
    press("Escape");
  }
  EXPECT_EQ(open_runs(), (std::vector<TimeRange>{{{0}, {111}}}));
}

TEST_F(SequenceRuns, TheCommandTakesTheOneOfTheSelectedMessage) {
  EXPECT_FALSE(host_->workbench().run({"sequence.run"}));
  const auto closed = diagram();
  const auto& lanes = trace().trace()->dictionary().lanes;
  const auto lane = std::ranges::find(lanes, "a", &trace::Lane::name) - lanes.begin();
  run("element.select", {{"lane", lane},
                         {"kind", "link_in"},  // the answer that is sent at 50
                         {"type", type_of_messages()},
                         {"at", 54},
                         {"duration", 4},
                         {"peer", 1 - lane}});
  run("sequence.run");
  EXPECT_EQ(open_runs(), (std::vector<TimeRange>{{{50}, {51}}}));
  run("element.clear");
  const auto open = diagram();
  EXPECT_NE(open, closed);
  // All of it, as the triangle would.
  run("sequence.run", {{"from", 0}, {"to", 111}, {"open", true}});
  EXPECT_EQ(open_runs().size(), 1u);
  EXPECT_EQ(diagram(), open);
  run("sequence.run", {{"from", 70}, {"to", 71}});
  EXPECT_EQ(diagram(), closed);
}

// The two lanes are thread 0 of the first process and thread 1 of the second.
TEST_F(Sequence, LanesAreMovedByTheirNames) {
  const auto options = [&]() -> const Json& {
    return host_->workbench().session().desk.layout.first_of("sequence")->options;
  };
  // The diagram alone, without controls and names.
  const auto diagram = [&] {
    const render::Image image = host_->picture();
    return std::vector<uint32_t>(image.pixels.begin() + kWidth * 120, image.pixels.end());
  };
  const std::vector<uint32_t> before = diagram();
  at(300, 40);
  at(300, 40, true);
  at(800, 40, true);
  at(800, 40);
  ASSERT_TRUE(options().contains("moves"));
  EXPECT_EQ(options()["moves"], Json::parse(R"([["process 0/thread 0", null]])"));
  at(-1, -1);
  ASSERT_TRUE(host_->settle());
  EXPECT_NE(diagram(), before);
  run("sequence.reset");
  EXPECT_FALSE(options().contains("moves"));
  EXPECT_EQ(diagram(), before);
}

TEST_F(Sequence, AnotherTraceTakesItsPlace) {
  ASSERT_TRUE(host_->open(testing::write_one_event(folder_.path())));
  for (float y = 70; y < 590; y += 20) at(510, y);  // while the old one's messages are still there
  ASSERT_TRUE(host_->settle());
  const render::Image without = host_->picture();
  run("trace.select", {{"index", 0}});
  EXPECT_NE(host_->picture().pixels, without.pixels);
  for (float y = 70; y < 590; y += 20) at(510, y);
}

}  // namespace
}  // namespace weft::app
