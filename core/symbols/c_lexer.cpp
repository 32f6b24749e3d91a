#include "core/symbols/c_lexer.h"

#include <algorithm>
#include <array>

#include "core/base/ascii.h"

namespace weft::symbols {
namespace {

bool is_word_start(char c) {
  return is_letter(c) || c == '_' || c == '$' || static_cast<uint8_t>(c) >= 0x80;
}
bool is_word_part(char c) { return is_word_start(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Tokens run() {
    while (at_ < text_.size()) {
      const bool is_first = is_line_start_;
      if (skip_space()) continue;
      is_line_start_ = false;
      if (is_first && peek() == '#') {
        read_directive();
      } else {
        tokens_.tokens.push_back(take());
      }
    }
    tokens_.tokens.push_back({.text = {}, .kind = Token::Kind::kEnd, .line = line_});
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool has(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  // Passes over one stretch that is not a token; false: there is none.
  bool skip_space() {
    if (peek() == '\n') {
      ++at_;
      ++line_;
      is_line_start_ = true;
      return true;
    }
    if (is_blank(peek())) {
      ++at_;
      return true;
    }
    if (has("\\\n") || has("\\\r\n")) {
      at_ += peek(1) == '\n' ? 2 : 3;
      ++line_;
      return true;
    }
    if (has("//")) {
      at_ = std::min(text_.size(), text_.find('\n', at_));
      return true;
    }
    if (!has("/*")) return false;
    const size_t end = text_.find("*/", at_ + 2);
    const size_t behind = end == std::string_view::npos ? text_.size() : end + 2;
    line_ += static_cast<uint32_t>(std::ranges::count(text_.substr(at_, behind - at_), '\n'));
    at_ = behind;
    return true;
  }

  Token take() {
    const size_t begin = at_;
    const char c = peek();
    Token::Kind kind = Token::Kind::kSign;
    if (is_word_start(c)) {
      kind = Token::Kind::kWord;
      while (is_word_part(peek())) ++at_;
    } else if (is_digit(c)) {
      kind = Token::Kind::kNumber;
      while (is_word_part(peek()) || peek() == '.' || peek() == '\'') ++at_;
    } else if (c == '"' || c == '\'') {
      kind = Token::Kind::kText;
      take_text(c);
    } else {
      constexpr std::array<std::string_view, 11> kLong = {
          "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::", "->"};
      const auto sign = std::ranges::find_if(kLong, [&](std::string_view s) { return has(s); });
      at_ += sign == kLong.end() ? 1 : sign->size();
    }
    return {.text = text_.substr(begin, at_ - begin), .kind = kind, .line = line_};
  }

  // Up to its quote or the end of the line.
  void take_text(char quote) {
    ++at_;
    while (at_ < text_.size() && peek() != quote && peek() != '\n') {
      at_ += peek() == '\\' && at_ + 1 < text_.size() ? 2 : 1;
    }
    if (peek() == quote) ++at_;
    at_ = std::min(at_, text_.size());
  }

  // The tokens up to the end of the line.
  std::vector<Token> rest_of_line() {
    std::vector<Token> rest;
    while (at_ < text_.size() && peek() != '\n') {
      if (!skip_space()) rest.push_back(take());
    }
    return rest;
  }

  void read_directive() {
    ++at_;
    while (is_blank(peek())) ++at_;
    const Token word = is_word_start(peek()) ? take() : Token{};
    if (word.text == "define") {
      read_macro();
    } else if (word.text == "pragma") {
      read_pragma();
    } else if (word.text == "if" && rest_of_line_is("0")) {
      skip_dead_lines();
    } else {
      rest_of_line();
    }
  }

  bool rest_of_line_is(std::string_view what) {
    const std::vector<Token> rest = rest_of_line();
    return rest.size() == 1 && rest[0].text == what;
  }

  void read_macro() {
    while (is_blank(peek())) ++at_;
    if (!is_word_start(peek())) return void(rest_of_line());
    Macro macro{.name = take(), .body = {}};
    const bool has_parameters = peek() == '(';
    macro.body = rest_of_line();
    if (!has_parameters && !macro.body.empty()) tokens_.macros.push_back(std::move(macro));
  }

  void read_pragma() {
    const uint32_t line = line_;
    const std::vector<Token> rest = rest_of_line();
    if (rest.empty() || !rest[0].is("pack")) return;
    tokens_.tokens.push_back({.text = rest[0].text, .kind = Token::Kind::kPack, .line = line});
    tokens_.tokens.insert(tokens_.tokens.end(), rest.begin() + 1, rest.end());
  }

  // Up to the #else, #elif or #endif that belongs to an #if 0.
  void skip_dead_lines() {
    for (uint32_t depth = 0; at_ < text_.size();) {
      const size_t end = std::min(text_.size(), text_.find('\n', at_));
      std::string_view line = text_.substr(at_, end - at_);
      at_ = std::min(text_.size(), end + 1);
      ++line_;
      is_line_start_ = true;
      const auto skip_blanks = [&] {
        while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
      };
      skip_blanks();
      if (!line.starts_with('#')) continue;
      line.remove_prefix(1);
      skip_blanks();
      if (line.starts_with("if")) ++depth;
      const bool is_branch = line.starts_with("else") || line.starts_with("elif");
      if (depth == 0 && (is_branch || line.starts_with("endif"))) return;
      if (line.starts_with("endif")) --depth;
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  bool is_line_start_ = true;
  Tokens tokens_;
};

}  // namespace

Tokens tokens_of(std::string_view text) { return Lexer(text).run(); }

}  // namespace weft::symbols
