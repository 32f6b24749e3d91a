// The menu of what a picture draws as one: the messages of a pair of lanes, the states of a bin.
// They are named by an expression that they pass.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panels.h"

namespace weft::app {

class EventsMenu {
 public:
  struct Entry {
    std::string title;
    std::string filter;
  };
  struct Events {
    std::string text;  // "45 states, 1.2 ms … 1.5 ms": what they are; any text
    std::string filter;
    bool pass_filter = false;         // they are of what passes the view's filter: it stays
    bool are_messages = false;        // there is a diagram of them
    std::vector<Entry> others = {};   // what else to filter to
    std::optional<Command> own = {};  // what the panel itself can do about them …
    std::string own_title = {};
  };
  // Opens with the next draw().
  void open(Events events) {
    events_ = std::move(events);
    opens_ = true;
  }
  // Within the panel's ImGui window.
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  std::optional<Events> events_;
  bool opens_ = false;
};

// Only they pass; where they are of what passes already, what did not pass stays out.
Command filter_to(std::string filter, bool pass_filter);

}  // namespace weft::app
