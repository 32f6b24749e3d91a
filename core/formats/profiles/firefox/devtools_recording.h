// Reads what Firefox's former performance tools (until 2020) recorded beside the profile: markers
// of the document, ticks of the refresh driver, memory, allocations with their stacks. Times are
// milliseconds since the recording began.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/json_document.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/stack_tree.h"
#include "core/trace/event_sink.h"

namespace weft::formats::firefox {

// A marker of either clock, by its name.
struct NamedTime {
  std::string name;
  double ms;
};

class DevtoolsRecording {
 public:
  DevtoolsRecording(json::Element root, trace::EventSink& sink, stacks::StackTimeline& timeline)
      : root_(root), sink_(sink), timeline_(timeline) {}

  // On lanes of their own, if there is anything.
  void read();
  // Returns how far the clock of the profile's markers is ahead, from document work that both
  // recorded; nullopt if too little of it agrees.
  std::optional<double> clock_ahead_ms(const std::vector<NamedTime>& markers) const;

 private:
  void read_markers(std::optional<json::Element> markers, int depth);
  void read_ticks();
  void read_memory();
  void read_allocations();
  ParamsId params_of(json::Element marker);
  void append_stack(std::string& out, int64_t frame);
  LaneId lane_of(std::string_view name, trace::LaneKind kind);
  stacks::StackTree stacks_of(std::optional<json::Element> frames);

  json::Element root_;
  trace::EventSink& sink_;
  stacks::StackTimeline& timeline_;
  std::vector<json::Element> frames_;  // that markers refer to
  LaneId recording_ = LaneId::none();  // a group of the lanes
  LaneId document_ = LaneId::none(), off_main_ = LaneId::none();
  uint64_t markers_ = 0;
};

// Whether a profile begins as their files do.
bool begins_as_devtools_recording(std::string_view head);

}  // namespace weft::formats::firefox
