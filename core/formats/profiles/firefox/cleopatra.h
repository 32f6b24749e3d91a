// Profiles of Firefox until 2013, as the page "Cleopatra" kept them: each sample lists its frames,
// numbers of a table of names, the outermost first.
//
//   {"format": "profileJSONWithSymbolicationTable,1", "symbolicationTable": {"1": "main"},
//    "profileJSON": [{"frames": [1], "extraInfo": {"time": 12, "responsiveness": 3}}]}
#pragma once

#include "core/formats/base/json_document.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::firefox {

bool is_cleopatra(json::Element root);
void read_cleopatra(json::Element root, trace::EventSink& sink, stacks::StackTimeline& timeline);

}  // namespace weft::formats::firefox
