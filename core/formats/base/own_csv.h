// Names in Weftscope's own CSV tables: each on one line, without active characters, and read back
// unchanged.
#pragma once

#include <string>
#include <string_view>

#include "core/trace/model.h"

namespace weft::formats {

// The first columns of such a table.
inline constexpr std::string_view kOwnCsvColumns =
    "category,time,lane,type,duration,depth,target_lane,target_time,value,params,payload";

// Returns the name as printable() shows it: "a\tb". If a backslash in the name could be mistaken
// for such an escape, all of its backslashes are doubled.
std::string visible_name(std::string_view name);
std::string name_from_visible(std::string_view text);
// Returns the names from the root down to a lane, joined by '/', as such a name. Slashes in them
// stand behind a backslash (lane_paths.h).
std::string visible_path(const trace::Dictionary& dictionary, LaneId lane);

}  // namespace weft::formats
