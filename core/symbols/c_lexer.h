// Tokenises C sources and collects their macros.
//
// There is no preprocessing: macros are not expanded, files not included, and of conditions only
// `#if 0` is honoured, so that a name defined in any branch is known. Never fails: anything that is
// not C becomes a token of its own. Tokens are views into the text, 24 bytes each.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::symbols {

struct Token {
  enum class Kind : uint8_t {
    kWord,
    kNumber,
    kText,  // a string or character literal, with its quotes
    kSign,  // punctuation, one or more characters
    kPack,  // #pragma pack; its arguments follow in parentheses
    kEnd,
  };
  std::string_view text;
  Kind kind = Kind::kEnd;
  uint32_t line = 0;

  bool is(std::string_view what) const { return text == what && kind != Kind::kText; }
  bool is_word() const { return kind == Kind::kWord; }
};

// #define NAME body; function-like macros are left out.
struct Macro {
  Token name;
  std::vector<Token> body;
};

struct Tokens {
  std::vector<Token> tokens;  // ends with kEnd
  std::vector<Macro> macros;
};

Tokens tokens_of(std::string_view text);

}  // namespace weft::symbols
