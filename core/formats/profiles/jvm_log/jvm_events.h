// Turns the lines of a Java VM's log, in any of its forms, into states on a lane for each kind,
// memory sizes as variables, and punctual events.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/formats/base/lane_paths.h"
#include "core/formats/base/types_by_name.h"
#include "core/trace/event_sink.h"

namespace weft::formats::jvm_log {

class Events {
 public:
  explicit Events(trace::EventSink& sink) : sink_(sink), lanes_(sink) {}

  trace::EventSink& sink() { return sink_; }
  LaneId lane(std::string_view name) { return lanes_.lane_of(name); }
  // `members` are those of a JSON object, without its braces.
  ParamsId params(std::string_view members);
  void add_state(std::string_view lane, std::string_view name, Time begin, Duration length,
                 std::string_view members, uint32_t nesting = 0);
  void add_message(std::string_view type, Time time, std::string_view members);
  // "24M->4M(256M)", with what is reserved behind each, or only the last, in brackets. False: it is
  // none.
  bool add_sizes(std::string_view what, std::string_view text, std::optional<Time> begin, Time end);
  // "438765 K (1922432 K)", of one time.
  bool add_size(std::string_view what, std::string_view text, Time time);

 private:
  void add_sample(std::string_view what, Time time, double value);

  void add_capacity(std::string_view what, Time time, double value);

  trace::EventSink& sink_;
  LanePaths lanes_;
  TypesByName states_{sink_, trace::Category::kState};
  TypesByName messages_{sink_, trace::Category::kPunctual};
  TypesByName samples_{sink_, trace::Category::kVariable};
  std::string text_, name_;  // kept for their memory
};

}  // namespace weft::formats::jvm_log
