// Names in the tables of events that Weftscope itself writes: each on one line, nothing in it acts,
// and what was written is read back.
#pragma once

#include <string>
#include <string_view>

namespace weft::formats {

// The columns that such a table begins with.
inline constexpr std::string_view kOwnCsvColumns =
    "category,time,lane,type,duration,depth,target_lane,target_time,value,params,payload";

// As printable() shows it: "a\tb"; a backslash that would be taken for one of these signs is
// doubled, with all others of the name.
std::string visible_name(std::string_view name);
std::string name_from_visible(std::string_view text);

}  // namespace weft::formats
