// Cuts the text of a filter expression into tokens. Internal to the parser and to completion.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/query/filter/filter_expression.h"

namespace weft::query {

struct Token {
  enum class Kind : uint8_t {
    kWord,     // dur, params.size, and, contains: what has no quotes
    kText,     // "…", escapes resolved
    kPattern,  // /…/flags; `text` is what Regex takes
    kNumber,   // 5, -2.5, 0x1f, 5ms, 5 ms, +3s, 40%: what begins as a number
    kSymbol,   // ( ) [ ] , ! && || == and the other comparisons
    kEnd
  };
  Kind kind = Kind::kEnd;
  std::string text;
  TextSpan where;
};

// The last token is kEnd. An unclosed quote and a character that begins nothing are errors; where
// `partial` is given, the tokens before the error are left in it.
FilterResult<std::vector<Token>> lex_filter(std::string_view text,
                                            std::vector<Token>* partial = nullptr);

// Whether a text is read back as one word, without quotes.
bool is_filter_word(std::string_view text);
// The text as the language writes it: in quotes where it needs them.
std::string quoted_for_filter(std::string_view text);

}  // namespace weft::query
