// Options chosen for all timelines at once (commands/panel.cpp), kept among the options of each.
#pragma once

#include "app/base/json.h"
#include "app/session/session.h"

namespace weft::app {

struct TimelineOption {
  const char* name;
  bool fallback;
};
inline constexpr TimelineOption kGridLines{"grid", true};  // lines at the ruler's ticks
inline constexpr TimelineOption kAllLinks{"all_links", false};

inline bool has_option(const Json& options, const TimelineOption& option) {
  return options.value(option.name, Json(option.fallback)) != Json(false);
}

inline bool timelines_have(const Session& session, const TimelineOption& option) {
  const PanelInstance* first = session.desk.layout.first_of("gantt");
  return first && has_option(first->options, option);
}

}  // namespace weft::app
