// Integer constant expressions of C, over tokens: what a macro stands for, an enumerator's value,
// an array's length. 64 bits, wrapping; casts are looked through.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "core/symbols/c_lexer.h"

namespace weft::symbols {

struct ExpressionNames {
  // The value of a name; none where it has none.
  std::function<std::optional<int64_t>(std::string_view name)> value;
  // sizeof what stands between the brackets.
  std::function<std::optional<int64_t>(std::span<const Token> type)> size;
};

// None where the tokens are no such expression, or name something that is not known.
std::optional<int64_t> evaluate(std::span<const Token> tokens, const ExpressionNames& names);

}  // namespace weft::symbols
