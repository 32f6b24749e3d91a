// The tokens of a C source, and what its preprocessor defines.
//
// No preprocessor: macros are not expanded, files not included, and of conditions only `#if 0` is
// believed, so that a name defined in any branch is known. Never fails: what is no C is a token of
// its own. Memory: 24 bytes a token; views into the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::symbols {

struct Token {
  enum class Kind : uint8_t {
    kWord,
    kNumber,
    kText,  // a string or a character, with its quotes
    kSign,  // one or more characters of punctuation
    kPack,  // #pragma pack: its arguments follow in brackets
    kEnd,
  };
  std::string_view text;
  Kind kind = Kind::kEnd;
  uint32_t line = 0;

  bool is(std::string_view what) const { return text == what && kind != Kind::kText; }
  bool is_word() const { return kind == Kind::kWord; }
};

// #define NAME body; those with parameters are left out.
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
