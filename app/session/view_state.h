// How a trace was looked at, as JSON: kept between two runs of the program.
//
// Lanes are named by number, so a state is for the trace that it was taken of: one that has other
// lanes takes what does not speak of them.
#pragma once

#include "app/base/json.h"
#include "app/session/session.h"

namespace weft::app {

Json json_from_view_state(const OpenTrace& trace);
// Adds to a state what a later version of the program has said in the one before, beside what is
// known here; no more of it than kMostUnknownBytes, as text.
inline constexpr size_t kMostUnknownBytes = 16 << 10;
void keep_unknown(const Json& before, Json& state);
// The trace must be loaded. What is of the wrong kind or out of range is left out.
void apply_view_state(OpenTrace& trace, const Json& state);
// Of a view of one's own; its window is taken as it is, since the trace may not be there yet.
Json json_from_own_view(const ViewHistory& history);
Result<ViewHistory> own_view_from_json(const Json& json);
// Of a group of views.
Json json_from_group(const ViewGroup& group);
Result<ViewGroup> group_from_json(const Json& json);
// How its lanes are arranged and folded, by their paths: for other traces, too. Null: as the trace
// has them. O(lanes), as is reading it.
Json json_from_named_lanes(const OpenTrace& trace);
// Lanes that the trace does not have are left out.
LaneView lanes_from_names(const Json& json, const OpenTrace& trace);
// From where its names came; for OpenTrace::set_symbols.
std::vector<std::filesystem::path> symbol_paths_of(const Json& state);

}  // namespace weft::app
