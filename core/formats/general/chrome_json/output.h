// Events on their way to the sink, in the sink's own numbers, handed over in batches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/trace/event_sink.h"

namespace weft::formats::chrome_json {

// A state, or a punctual event, whose parameters name frames of "stackFrames".
struct StackedEvent {
  trace::Category category;
  trace::StateEvent event;
  std::string json;
};

struct Output {
  explicit Output(trace::EventSink& s) : sink(s) {}

  trace::EventSink& sink;
  std::vector<trace::StateEvent> states;
  std::vector<trace::PunctualEvent> punctuals;
  std::vector<trace::LinkEvent> links;
  std::vector<trace::VariableSample> variables;
  bool has_stacks = false;            // begins or ends name them
  std::vector<StackedEvent> stacked;  // states; not flushed

  // For many events at once, as at the end of a trace.
  void flush_full() {
    constexpr size_t kMany = 1 << 14;
    if (states.size() >= kMany || links.size() >= kMany) flush();
  }
  void flush() {
    if (!states.empty()) sink.states(states);
    if (!punctuals.empty()) sink.punctuals(punctuals);
    if (!links.empty()) sink.links(links);
    if (!variables.empty()) sink.variables(variables);
    states.clear();
    punctuals.clear();
    links.clear();
    variables.clear();
  }
};

// Whether parameters may name frames as an event's stacks do.
inline bool may_name_stack(std::string_view json) { return json.contains("sf\":"); }

// Joins an event's parameters from two objects as text, either of which may be empty.
std::string join_params(std::string_view first, std::string_view second);

}  // namespace weft::formats::chrome_json
