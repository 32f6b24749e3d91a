// Finding commands by a few of their letters, as editors do. Pure; no case, bytes of UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::app {

// The words of a query, parted by spaces, in small letters.
std::vector<std::string> small_words(std::string_view query);

// How well the letters of `query` are found in `text`, in their order: higher is better; nothing
// where they are not. Letters at the beginning of words and runs of letters count most. Spaces in
// the query part it into words, each of which must be found. O(query × text).
std::optional<int> fuzzy_score(std::string_view query, std::string_view text);

}  // namespace weft::app
