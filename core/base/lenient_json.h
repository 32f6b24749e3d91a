// JSON as people write it by hand, read kindly: a byte order mark, comments (/* */ and //), commas
// behind the last member, backslashes that escape nothing ("\[", "\d": a regular expression), tabs
// and line feeds inside strings. For small files: rules, resources, settings.
//
// Members keep their order. Errors give line and column. Bounded, because an ordered object
// is searched from its begin.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/result.h"

namespace weft {

using OrderedJson = nlohmann::ordered_json;

inline constexpr size_t kMostLenientBytes = size_t{8} << 20;
inline constexpr size_t kMostLenientMembers = size_t{32} << 10;  // of all objects together

Result<OrderedJson> parse_lenient_json(std::string_view text);

}  // namespace weft
