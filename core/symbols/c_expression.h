// Evaluates integer constant expressions of C over tokens: macro values, enumerators, array
// lengths. 64-bit wrapping arithmetic; casts are ignored.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "core/symbols/c_lexer.h"

namespace weft::symbols {

struct ExpressionNames {
  // Returns the value of a name, if it has one.
  std::function<std::optional<int64_t>(std::string_view name)> value;
  // Returns sizeof for the tokens between its parentheses.
  std::function<std::optional<int64_t>(std::span<const Token> type)> size;
};

// Returns nullopt if the tokens are no such expression, or use an unknown name.
std::optional<int64_t> evaluate(std::span<const Token> tokens, const ExpressionNames& names);

}  // namespace weft::symbols
