#include "app/window/key_queue.h"

#include <GLFW/glfw3.h>

namespace weft::app {
namespace {

constexpr int kCommandModifiers = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;

bool is_shift(int key) { return key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT; }
bool is_modifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }

bool writes_text(const KeyEvent& event) {
  return event.key < GLFW_KEY_ESCAPE && (event.mods & kCommandModifiers) == 0;
}

}  // namespace

bool KeyQueue::Frame::admits(const Event& event) {
  const KeyEvent* key = std::get_if<KeyEvent>(&event);
  if (!key) {
    has_text |= !has_press;
    return !has_press;
  }
  // A key that is held changes nothing; what repeats must not pile up.
  if (key->action == GLFW_REPEAT) return true;
  const bool is_press = key->action == GLFW_PRESS;
  // Letters come as such: whether their keys are down matters to nobody.
  if (writes_text(*key) || is_shift(key->key)) {
    if (has_press && (is_press || is_shift(key->key))) return false;
    has_text |= is_press && !is_shift(key->key);
    return true;
  }
  const bool must_wait = has_text || has_press;
  if ((must_wait && (is_press || is_modifier(key->key))) || !changed.insert(key->key).second)
    return false;
  has_press |= is_press && !is_modifier(key->key);
  return true;
}

}  // namespace weft::app
