// Queues keyboard events, and passes each frame a portion from which ImGui loses nothing.
//
// ImGui 1.86 reads the state of keys once a frame: it never sees a key that goes down and up
// between two frames, and cannot tell the order of letters and Enter within a frame. Under load,
// people type that fast. So a frame gets letters, or one other key with the modifiers before it,
// and no two changes of the same key; the rest waits for the next frame.
#pragma once

#include <deque>
#include <set>
#include <variant>

namespace weft::app {

struct KeyEvent {  // as GLFW's key callback
  int key = 0, scancode = 0, action = 0, mods = 0;
  bool operator==(const KeyEvent&) const = default;
};
struct LetterEvent {  // as GLFW's character callback
  unsigned int letter = 0;
  bool operator==(const LetterEvent&) const = default;
};

class KeyQueue {
 public:
  using Event = std::variant<KeyEvent, LetterEvent>;

  void add(const Event& event) { waiting_.push_back(event); }
  bool is_empty() const { return waiting_.empty(); }

  // Passes to `take` the events of the next frame.
  template <class Take>
  void next_frame(const Take& take) {
    Frame frame;
    while (!waiting_.empty() && frame.admits(waiting_.front())) {
      take(waiting_.front());
      waiting_.pop_front();
    }
  }

 private:
  struct Frame {
    bool admits(const Event& event);

    std::set<int> changed;
    bool has_text = false;   // letters, or keys that write them
    bool has_press = false;  // a press of another key
  };

  std::deque<Event> waiting_;
};

}  // namespace weft::app
