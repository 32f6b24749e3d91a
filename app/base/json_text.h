// Text from a trace as JSON for files, terminals and the clipboard.
#pragma once

#include <string>
#include <string_view>

namespace weft::app {

// Text as a quoted JSON string: always valid UTF-8, and escaped as by tame_json().
std::string json_string(std::string_view text);

// The same JSON on one line, with escapes for everything that would act on a terminal or end a
// line: control characters, direction marks, line separators. `json` must be valid UTF-8 and valid
// JSON.
std::string tame_json(std::string json);

}  // namespace weft::app
