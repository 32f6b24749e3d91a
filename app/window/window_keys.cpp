#include "app/window/window_keys.h"

#include <GLFW/glfw3.h>
#include <fmt/core.h>

#include <cctype>
#include <utility>

namespace weft::app {
namespace {

constexpr std::pair<int, const char*> kNamedKeys[] = {{GLFW_KEY_ESCAPE, "Escape"},
                                                      {GLFW_KEY_ENTER, "Enter"},
                                                      {GLFW_KEY_TAB, "Tab"},
                                                      {GLFW_KEY_BACKSPACE, "Backspace"},
                                                      {GLFW_KEY_DELETE, "Delete"},
                                                      {GLFW_KEY_HOME, "Home"},
                                                      {GLFW_KEY_END, "End"},
                                                      {GLFW_KEY_PAGE_UP, "PageUp"},
                                                      {GLFW_KEY_PAGE_DOWN, "PageDown"},
                                                      {GLFW_KEY_LEFT, "Left"},
                                                      {GLFW_KEY_RIGHT, "Right"},
                                                      {GLFW_KEY_UP, "Up"},
                                                      {GLFW_KEY_DOWN, "Down"},
                                                      {GLFW_KEY_SPACE, "Space"}};

constexpr int kModifiers = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;

// The keys that steer, by their place.
constexpr bool steers(int key) {
  return key == GLFW_KEY_W || key == GLFW_KEY_A || key == GLFW_KEY_S || key == GLFW_KEY_D;
}

}  // namespace

std::string name_of_key(int key, const char* written, int mods) {
  for (const auto& [named, name] : kNamedKeys) {
    if (key == named) return name;
  }
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25) return fmt::format("F{}", key - GLFW_KEY_F1 + 1);
  int letter = written && written[0] > ' ' && written[1] == 0 ? std::toupper(written[0]) : 0;
  // On AZERTY the place of Z writes W, and the place of W steers: Z could be typed nowhere.
  if (steers(letter) && !steers(key) && (mods & kModifiers) == 0) letter = 0;
  if (letter == 0 && key > GLFW_KEY_SPACE && key < 128) letter = std::toupper(key);
  return letter == 0 ? "" : std::string(1, static_cast<char>(letter));
}

WindowKeys::Held* WindowKeys::held_of(int key) {
  switch (key) {
    // GLFW's letters are places on the keyboard, found by scancode, whatever the layout writes.
    case GLFW_KEY_W:
      return &w_;
    case GLFW_KEY_A:
      return &a_;
    case GLFW_KEY_S:
      return &s_;
    case GLFW_KEY_D:
      return &d_;
    case GLFW_KEY_LEFT:
      return &left_;
    case GLFW_KEY_RIGHT:
      return &right_;
    case GLFW_KEY_UP:
      return &up_;
    case GLFW_KEY_DOWN:
      return &down_;
    default:
      return nullptr;
  }
}

void WindowKeys::on_key(int key, int scancode, int action, int mods) {
  Held* held = held_of(key);
  if (action == GLFW_RELEASE) {
    if (held) held->is_down = false;
    return;
  }
  if (held && (mods & kModifiers) == 0) {
    if (action == GLFW_PRESS) *held = {true, true};
    if (key < GLFW_KEY_ESCAPE) return;  // a letter; arrows choose in lists, too
  }
  const std::string name = name_of_key(key, glfwGetKeyName(key, scancode), mods);
  if (name.empty()) return;
  std::string chord;
  if (mods & GLFW_MOD_CONTROL) chord += "Ctrl+";
  if (mods & GLFW_MOD_ALT) chord += "Alt+";
  if (mods & GLFW_MOD_SHIFT) chord += "Shift+";
  chords_.push_back(chord + name);
}

void WindowKeys::on_char(unsigned int letter) {
  if (letter == '?') chords_.emplace_back("?");
}

void WindowKeys::release_all() {
  for (Held* held : {&w_, &a_, &s_, &d_, &left_, &right_, &up_, &down_}) *held = {};
}

bool WindowKeys::is_any_held() const {
  for (const Held* held : {&w_, &a_, &s_, &d_, &left_, &right_, &up_, &down_}) {
    if (held->is_down || held->was_pressed) return true;
  }
  return false;
}

Input WindowKeys::take() {
  const auto take = [](Held& held) {
    return std::exchange(held.was_pressed, false) || held.is_down;
  };
  Input input;
  input.chords = std::exchange(chords_, {});
  input.zoom_in = take(w_);
  input.zoom_out = take(s_);
  input.left = take(a_);
  input.right = take(d_);
  input.arrow_left = take(left_);
  input.arrow_right = take(right_);
  input.up = take(up_);
  input.down = take(down_);
  return input;
}

}  // namespace weft::app
