// One spelling of JSON's texts: a character is escaped only where JSON needs that, and then in the
// shortest way. So texts that mean the same are the same: "p\/q", "p\u002fq" and "p/q".
#pragma once

#include <string>
#include <string_view>

namespace weft::formats::chrome_json {

// Both take the text of a string or of any other value that was scanned before.
//
// Whether there is nothing to spell in another way.
bool is_spelled_plainly(std::string_view json);
// Escapes that stand for no character stay as they are.
std::string spelled_plainly(std::string_view json);

}  // namespace weft::formats::chrome_json
