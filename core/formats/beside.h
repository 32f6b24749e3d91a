// Which files beside a trace its reader may open, too (Format::opens_beside), by their names alone.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats {

using OpensBeside = std::function<bool(std::string_view trace, std::string_view other)>;

// Called as the trace, unpacked, with or without its extension, and then one of `endings`; or
// anything with one of `endings_of_any`.
OpensBeside opens_endings(std::vector<std::string> endings,
                          std::vector<std::string> endings_of_any = {});
// "data.0" and "data.1" of "data".
OpensBeside opens_numbered();
// Called as the trace up to the first dot: for readers of which it is not known.
OpensBeside opens_namesakes();
// For traces that name the others, whatever these are called.
OpensBeside opens_any();

}  // namespace weft::formats
