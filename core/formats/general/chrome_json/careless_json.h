// Repairs the near-JSON of writers that build it by hand, or in Python's notation.
#pragma once

#include <string>
#include <string_view>

namespace weft::formats::chrome_json {

// Returns the intended object: control characters in texts are escaped, trailing commas removed,
// bare words (NaN, -Infinity, None, names) quoted, and = becomes a colon. Other errors remain.
std::string mended_json(std::string_view object);

}  // namespace weft::formats::chrome_json
