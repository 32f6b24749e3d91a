// Saves the view of a trace as JSON between runs of the program.
//
// Lanes are identified by number, so a state fits only the trace that it was taken from: a trace
// with other lanes takes only the parts that do not refer to lanes.
#pragma once

#include "app/base/json.h"
#include "app/session/session.h"

namespace weft::app {

Json json_from_view_state(const OpenTrace& trace);
// Copies members of `before` that are unknown here into `state`: a later version of the program has
// written them. At most kMostUnknownBytes, as text.
inline constexpr size_t kMostUnknownBytes = 16 << 10;
void keep_unknown(const Json& before, Json& state);
// The trace must be loaded. Members of the wrong type or out of range are left out.
void apply_view_state(OpenTrace& trace, const Json& state);
// The own view of a pinned panel; its window is taken as it is, since the trace may not be loaded
// yet.
Json json_from_own_view(const ViewHistory& history);
Result<ViewHistory> own_view_from_json(const Json& json);
// A group of views.
Json json_from_group(const ViewGroup& group);
Result<ViewGroup> group_from_json(const Json& json);
// The arrangement and folding of the lanes by their paths, also for use with other traces. Null: as
// in the trace itself. O(lanes), as is lanes_from_names().
Json json_from_named_lanes(const OpenTrace& trace);
// Lanes that the trace does not have are left out.
LaneView lanes_from_names(const Json& json, const OpenTrace& trace);
// The sources of names, for OpenTrace::set_symbols().
std::vector<std::filesystem::path> symbol_paths_of(const Json& state);

}  // namespace weft::app
