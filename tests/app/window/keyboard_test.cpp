#include "app/window/keyboard.h"

#include <gtest/gtest.h>

#include "app/window/window_keys.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

class Keys : public ::testing::Test {
 protected:
  Keys() {
    const auto path = testing::write_sample(folder_.path());
    session_.traces.push_back(std::make_unique<OpenTrace>(path, testing::opened(path)));
    EXPECT_TRUE(apply_command(session_, {"view.set", {{"from", 40'000}, {"to", 60'000}}}));
  }
  void frame(const Input& input) {
    for (const Command& command : keyboard_.commands(input, session_)) {
      EXPECT_TRUE(apply_command(session_, command));
    }
  }
  const TimeWindow& window() const { return session_.trace()->view().window; }

  testing::ScratchFolder folder_;
  Session session_;
  Keyboard keyboard_;
};

TEST_F(Keys, ZoomWhileHeld) {
  const double before = window().length;
  Input held;
  held.seconds = 1.0 / 60;
  held.zoom_in = true;
  for (int i = 0; i < 30; ++i) frame(held);
  EXPECT_LT(window().length, before / 1.8);  // half a second: about one doubling
  EXPECT_GT(window().length, before / 3);
  held.zoom_in = false;
  held.zoom_out = true;
  for (int i = 0; i < 30; ++i) frame(held);
  EXPECT_NEAR(window().length, before, before * 0.05);
}

// covers C-22
TEST(KeyNames, AreWhatTheLayoutWritesAndReachEveryCommand) {
  constexpr int kControl = 2;  // GLFW_MOD_CONTROL
  EXPECT_EQ(name_of_key('F', "f", 0), "F");
  EXPECT_EQ(name_of_key('Y', "z", 0), "Z");         // QWERTZ
  EXPECT_EQ(name_of_key('F', "\xd0\xb0", 0), "F");  // Cyrillic: as a US layout
  EXPECT_EQ(name_of_key('Q', "a", kControl), "A");  // AZERTY: Ctrl+A
  EXPECT_EQ(name_of_key('Z', "w", 0), "Z");         // … and Z, whose own place steers
  EXPECT_EQ(name_of_key(',', "w", 0), ",");         // Dvorak
  EXPECT_EQ(name_of_key(300, nullptr, 0), "F11");
}

TEST(WhileTyping, OnlyWhatEditsNoTextIsLeft) {
  Input input;
  input.chords = {"A",         "Shift+A",    "Left",         "Enter",        "Escape",
                  "F3",        "F1",         "Ctrl+C",       "Ctrl+V",       "Ctrl+A",
                  "Ctrl+Left", "Ctrl+0",     "Ctrl+O",       "Ctrl+Q",       "Alt+A",
                  "Ctrl+F",    "Ctrl+Alt+Q", "Ctrl+Shift+F", "Ctrl+Shift+P", "F6",
                  "Shift+F6",  "F10"};
  input.right = input.zoom_in = input.up = true;
  const Input left = without_typing(input);
  EXPECT_EQ(left.chords, (std::vector<std::string>{"F1", "Ctrl+O", "Ctrl+Q", "Ctrl+Shift+F",
                                                   "Ctrl+Shift+P", "F6", "Shift+F6", "F10"}));
  EXPECT_FALSE(left.right || left.zoom_in || left.up);
}

TEST_F(Keys, MoveInTime) {
  Input held;
  held.seconds = 1.0 / 60;
  held.right = true;
  frame(held);
  EXPECT_GT(window().begin.ticks, 40'000);
  frame({});
  held.right = false;
  held.left = true;
  frame(held);
  EXPECT_EQ(window().begin.ticks, 40'000);
}

TEST_F(Keys, HeldAreOneStepBack) {
  Input held;
  held.seconds = 1.0 / 60;
  held.right = true;
  for (int i = 0; i < 10; ++i) frame(held);
  EXPECT_TRUE(keyboard_.is_moving());
  frame({});
  EXPECT_FALSE(keyboard_.is_moving());
  ASSERT_TRUE(apply_command(session_, {"view.undo"}));
  EXPECT_EQ(window().begin.ticks, 40'000);
}

TEST_F(Keys, AfterAStallDoNotJump) {
  Input held;
  held.right = true;
  frame(held);
  const int64_t before = window().begin.ticks;
  held.seconds = 30;
  frame(held);
  EXPECT_LT(window().begin.ticks - before, 20'000 / 10);
}

TEST_F(Keys, ArrowsMoveOrStepFromWhatIsSelected) {
  Input arrow;
  arrow.seconds = 1.0 / 60;
  arrow.arrow_right = true;
  arrow.chords = {"Right"};
  frame(arrow);
  EXPECT_GT(window().begin.ticks, 40'000);
  frame({});
  query::ElementRef element;
  element.lane = LaneId(0);
  element.begin = {45'000};
  session_.trace()->select_element(element);
  const int64_t before = window().begin.ticks;
  const auto commands = keyboard_.commands(arrow, session_);
  ASSERT_EQ(commands.size(), 1u);
  EXPECT_EQ(commands[0].name, "element.next");
  EXPECT_EQ(window().begin.ticks, before);
}

// covers TM-31
TEST_F(Keys, ArrowsWalkMessagesInASequenceDiagram) {
  query::ElementRef element;
  element.lane = LaneId(0);
  session_.trace()->select_element(element);
  const auto panel = session_.desk.layout.open("sequence", "", Side::kRight);
  ASSERT_TRUE(panel && session_.desk.layout.focus(*panel));
  Input arrow;
  arrow.down = true;
  arrow.chords = {"Down", "Right"};
  auto commands = keyboard_.commands(arrow, session_);
  ASSERT_EQ(commands.size(), 2u);  // and the lanes are not scrolled
  EXPECT_EQ(commands[0].name, "element.next_of_type");
  EXPECT_EQ(commands[1].name, "element.along_link");
  session_.trace()->select_element(std::nullopt);
  commands = keyboard_.commands(arrow, session_);
  ASSERT_EQ(commands.size(), 1u);
  EXPECT_EQ(commands[0].name, "scroll");
}

TEST_F(Keys, RunTheirCommands) {
  Input input;
  input.chords = {"Home", "Ctrl+T", "Ctrl+Alt+Nothing"};
  const auto commands = keyboard_.commands(input, session_);
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].name, "view.fit");
  EXPECT_EQ(commands[1].name, "theme");
}

}  // namespace
}  // namespace weft::app
