// Keys that go down and up between two frames. covers C-22
#include "app/window/key_queue.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weft::app {
namespace {

class KeysOfFrames : public ::testing::Test {
 protected:
  void press(int key, int mods = 0) { queue_.add(KeyEvent{key, 0, GLFW_PRESS, mods}); }
  void hold(int key) { queue_.add(KeyEvent{key, 0, GLFW_REPEAT, 0}); }
  void release(int key, int mods = 0) { queue_.add(KeyEvent{key, 0, GLFW_RELEASE, mods}); }
  void tap(int key, int mods = 0) {
    press(key, mods);
    release(key, mods);
  }
  void type(char letter) {
    press(letter);
    queue_.add(LetterEvent{static_cast<unsigned char>(letter)});
    release(letter);
  }
  // The events of each frame: "+" pressed, "-" released, "=" still held, otherwise a letter.
  std::vector<std::string> frames() {
    std::vector<std::string> all;
    while (!queue_.is_empty()) {
      std::string& frame = all.emplace_back();
      queue_.next_frame([&](const KeyQueue::Event& event) {
        if (const auto* letter = std::get_if<LetterEvent>(&event)) {
          frame += static_cast<char>(letter->letter);
          return;
        }
        const auto& key = std::get<KeyEvent>(event);
        frame += key.action == GLFW_PRESS ? '+' : key.action == GLFW_RELEASE ? '-' : '=';
        frame += name_of(key.key);
      });
    }
    return all;
  }
  static std::string name_of(int key) {
    if (key == GLFW_KEY_ENTER) return "Enter";
    if (key == GLFW_KEY_BACKSPACE) return "Back";
    if (key == GLFW_KEY_LEFT_CONTROL) return "Ctrl";
    if (key == GLFW_KEY_LEFT_SHIFT) return "Shift";
    return {static_cast<char>(key)};
  }

  KeyQueue queue_;
};

using Frames = std::vector<std::string>;

TEST_F(KeysOfFrames, AShortPressIsDownForAFrame) {
  tap(GLFW_KEY_ENTER);
  EXPECT_EQ(frames(), (Frames{"+Enter", "-Enter"}));
}

TEST_F(KeysOfFrames, EveryPressIsSeen) {
  tap(GLFW_KEY_BACKSPACE);
  tap(GLFW_KEY_BACKSPACE);
  EXPECT_EQ(frames(), (Frames{"+Back", "-Back", "+Back", "-Back"}));
}

TEST_F(KeysOfFrames, WhatIsTypedBeforeEnterIsThereFirst) {
  press('A');
  queue_.add(LetterEvent{'a'});
  press('B');
  queue_.add(LetterEvent{'b'});
  press(GLFW_KEY_ENTER);
  press('C');
  queue_.add(LetterEvent{'c'});
  EXPECT_EQ(frames(), (Frames{"+Aa+Bb", "+Enter", "+Cc"}));
}

TEST_F(KeysOfFrames, LettersComeAtOnceHoweverOften) {
  press(GLFW_KEY_LEFT_SHIFT, GLFW_MOD_SHIFT);
  type('A');
  release(GLFW_KEY_LEFT_SHIFT);
  type('n');
  type('n');
  EXPECT_EQ(frames(), (Frames{"+Shift+AA-A-Shift+nn-n+nn-n"}));
}

TEST_F(KeysOfFrames, AModifierIsDownWithItsKey) {
  press(GLFW_KEY_LEFT_CONTROL, GLFW_MOD_CONTROL);
  tap('A', GLFW_MOD_CONTROL);
  release(GLFW_KEY_LEFT_CONTROL);
  type('x');
  EXPECT_EQ(frames(), (Frames{"+Ctrl+A", "-A-Ctrl+xx-x"}));
}

TEST_F(KeysOfFrames, RepeatsDoNotPileUp) {
  press(GLFW_KEY_BACKSPACE);
  for (int i = 0; i < 3; ++i) hold(GLFW_KEY_BACKSPACE);
  release(GLFW_KEY_BACKSPACE);
  EXPECT_EQ(frames(), (Frames{"+Back=Back=Back=Back", "-Back"}));
}

}  // namespace
}  // namespace weft::app
