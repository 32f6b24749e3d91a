// JSON descriptions of trace types: what `weftscope formats --json` prints, and what the reader
// process reports about a plugin.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

nlohmann::ordered_json json_from_format(const Format& format);
// Reads a description; everything but the functions that sniff, read and write. Fails if `json` is
// not what json_from_format() writes.
Result<Format> format_from_json(const nlohmann::ordered_json& json);

}  // namespace weft::formats
