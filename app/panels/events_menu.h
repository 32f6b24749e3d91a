// The menu of a group of events that is drawn as one: the messages of a pair of lanes, the states
// of a bin. The events are identified by an expression that they pass.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/menu_item.h"
#include "app/panels/panels.h"

namespace weft::app {

class EventsMenu {
 public:
  struct Entry {
    std::string title;
    std::string filter;
  };
  struct Events {
    std::string text;  // describes them: "45 states, 1.2 ms … 1.5 ms"; any text
    std::string filter;
    bool pass_filter = false;         // they pass the view's filter, which is to stay
    bool are_messages = false;        // a sequence diagram can show them
    std::vector<Entry> others = {};   // further filters to offer
    std::optional<Offered> own = {};  // an action of the panel itself
  };
  // The menu opens at the next draw().
  void open(Events events) {
    events_ = std::move(events);
    opens_ = true;
  }
  // Call within the panel's ImGui window.
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  std::optional<Events> events_;
  bool opens_ = false;
};

// The command that filters to these events; with `pass_filter`, in addition to the view's present
// filter.
Command filter_to(std::string filter, bool pass_filter);

}  // namespace weft::app
