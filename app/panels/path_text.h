// Shortens paths of lanes.
#pragma once

#include <string>
#include <string_view>

#include "app/session/trace_model.h"

namespace weft::app {

// The path made safe to show (printable()); of a very long path, only the last names.
std::string printable_path(std::string_view path);

// Shortens a printable path to `room_px` in the current font, keeping what distinguishes it: its
// last names, "…/rx queue" for "net/eth0/rx queue"; if even the last name is too long, both its
// ends, "QUEU…T_A". `of`: the trace whose lanes it names; null: no name has a '/' of its own.
std::string path_within(const std::string& path, float room_px, const TraceModel* of = nullptr);

// Shortens the printable name that tells a lane of `of` apart from others (TraceModel::lane_name)
// to `room_px`: of "rank 0/main thread", its first name does that, "rank 0/mai…ead".
std::string lane_within(const std::string& name, float room_px, const TraceModel* of = nullptr);

// Shortens a printable name to `room_px`, keeping both its ends.
std::string without_middle(const std::string& name, float room_px);

}  // namespace weft::app
