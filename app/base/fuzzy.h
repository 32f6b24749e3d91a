// Finds commands by a few of their letters, as editors do. Pure functions; case is ignored, UTF-8
// is compared byte by byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::app {

// The words of a query, separated by spaces, in lower case.
std::vector<std::string> small_words(std::string_view query);

// How well the letters of `query` are found in `text`, in their order: higher is better; nullopt if
// they are not found. Letters at the beginning of words and runs of letters count most. Spaces
// separate words of the query, each of which must be found. O(query × text).
std::optional<int> fuzzy_score(std::string_view query, std::string_view text);

}  // namespace weft::app
