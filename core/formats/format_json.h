// All that is said about a trace type, as JSON: what `weftscope formats --json` prints, and what
// the reader process says of a plugin.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

nlohmann::ordered_json json_from_format(const Format& format);
// Everything but how it sniffs, reads and writes. An error where something is not as
// json_from_format writes it.
Result<Format> format_from_json(const nlohmann::ordered_json& json);

}  // namespace weft::formats
