// A lenient parser for hand-written JSON. Accepts a byte order mark, comments (/* */ and //),
// trailing commas, unknown escapes ("\[", "\d" in a regular expression), and tabs and line feeds
// inside strings. For small files: rules, resources, settings.
//
// Members keep their order. Errors give line and column. Size and number of members are bounded,
// because look-up in an ordered object is linear.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/result.h"

namespace weft {

using OrderedJson = nlohmann::ordered_json;

inline constexpr size_t kMostLenientBytes = size_t{8} << 20;
inline constexpr size_t kMostLenientMembers = size_t{32} << 10;  // in all objects together

Result<OrderedJson> parse_lenient_json(std::string_view text);

}  // namespace weft
