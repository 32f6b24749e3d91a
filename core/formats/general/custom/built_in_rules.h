// Definitions of trace types that the program brings: a text as a user would write it, with words
// in capitals for the parts of patterns that several rules have.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/general/custom/rules.h"

namespace weft::formats::custom {

// A word, and what stands for it. Those that hold others stand before them.
using PatternParts = std::vector<std::pair<std::string_view, std::string_view>>;

std::string with_parts(std::string definition, const PatternParts& parts);
RulesPtr built_in_rules(std::string_view definition);

}  // namespace weft::formats::custom
