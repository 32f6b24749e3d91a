// The lexer of filter expressions. Internal to the parser and to completion.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/query/filter/filter_expression.h"

namespace weft::query {

struct Token {
  enum class Kind : uint8_t {
    kWord,     // dur, params.size, and, contains: unquoted text
    kText,     // "…", escapes resolved
    kPattern,  // /…/flags; `text` is what Regex takes
    kNumber,   // 5, -2.5, 0x1f, 5ms, 5 ms, +3s, 40%: whatever begins as a number
    kSymbol,   // ( ) [ ] , ! && || == and the other comparisons
    kEnd
  };
  Kind kind = Kind::kEnd;
  std::string text;
  TextSpan where;
};

// Returns the tokens, kEnd last. Fails on an unclosed quote or a character that begins no token;
// then `partial`, if given, holds the tokens before the error.
FilterResult<std::vector<Token>> lex_filter(std::string_view text,
                                            std::vector<Token>* partial = nullptr);

// Whether `text` lexes as a single word without quotes.
bool is_filter_word(std::string_view text);
// Returns `text` as written in the language, quoted if necessary.
std::string quoted_for_filter(std::string_view text);

}  // namespace weft::query
