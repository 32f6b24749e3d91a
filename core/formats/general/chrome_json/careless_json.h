// What writers make that put JSON together by hand, or take Python's word for it → JSON.
#pragma once

#include <string>
#include <string_view>

namespace weft::formats::chrome_json {

// The object that was meant: line ends and other control characters in texts are escaped, a comma
// behind the last member is none, a bare word (NaN, -Infinity, None, a name) is a text, and = is a
// colon. What is wrong in another way remains so.
std::string mended_json(std::string_view object);

}  // namespace weft::formats::chrome_json
