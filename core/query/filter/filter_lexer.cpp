#include "core/query/filter/filter_lexer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/base/time.h"

namespace weft::query {
namespace {

bool begins_word(char c) {
  return is_letter(c) || static_cast<uint8_t>(c) >= 0x80 || std::string_view("_$@#.:").contains(c);
}
bool goes_on_word(char c) { return begins_word(c) || is_digit(c) || c == '-'; }

// Longest first.
constexpr std::array<std::string_view, 17> kSymbols = {
    "&&", "||", "==", "!=", "<=", ">=", "=~", "!~", "<", ">", "!", "(", ")", "[", "]", ",", "="};

class Lexer {
 public:
  Lexer(std::string_view text, std::vector<Token>& tokens) : text_(text), tokens_(&tokens) {}

  FilterResult<void> run() {
    while (true) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      begin_ = at_;
      if (at_ == text_.size()) break;
      if (auto done = token(); !done) return done;
    }
    add(Token::Kind::kEnd, "");
    return {};
  }

 private:
  FilterResult<void> token() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return quoted(c);
    if (c == '/') return pattern();
    if (begins_number()) {
      number();
      return {};
    }
    if (begins_word(c)) {
      while (at_ < text_.size() && goes_on_word(text_[at_])) ++at_;
      add(Token::Kind::kWord, std::string(text_.substr(begin_, at_ - begin_)));
      return {};
    }
    for (const std::string_view symbol : kSymbols) {
      if (!text_.substr(at_).starts_with(symbol)) continue;
      at_ += symbol.size();
      add(Token::Kind::kSymbol, std::string(symbol));
      return {};
    }
    at_ += 1;
    if (c == '&') return error("'&' is not an operator; '&&' is");
    if (c == '|') return error("'|' is not an operator; '||' is; a regular expression is /a|b/");
    return error(fmt::format("'{}' begins nothing that is known here", printable({&c, 1})));
  }

  // "…" or '…'; \n \t \r \0, and any other character after a backslash stands for itself.
  FilterResult<void> quoted(char quote) {
    std::string value;
    for (++at_; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == quote) {
        ++at_;
        add(Token::Kind::kText, std::move(value));
        return {};
      }
      if (c == '\\' && at_ + 1 < text_.size()) c = escaped(text_[++at_]);
      value += c;
    }
    return error(fmt::format("the text has no closing {}", quote));
  }

  static char escaped(char c) {
    switch (c) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case '0':
        return '\0';
      default:
        return c;
    }
  }

  // /…/flags. Within, \/ is a slash; other escapes are the regular expression's own.
  FilterResult<void> pattern() {
    std::string value;
    for (++at_; at_ < text_.size() && text_[at_] != '/'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        if (text_[at_] != '/') value += '\\';
      }
      value += text_[at_];
    }
    if (at_ == text_.size()) return error("the regular expression has no closing /");
    const size_t flags_at = ++at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    const std::string flags(text_.substr(flags_at, at_ - flags_at));
    if (flags.find_first_not_of("ims") != std::string::npos) {
      begin_ = flags_at;
      return error(
          fmt::format("'{}' are not flags of a regular expression (i, m, s)", printable(flags)));
    }
    if (!flags.empty()) value = "(?" + flags + ")" + value;
    add(Token::Kind::kPattern, std::move(value));
    return {};
  }

  bool begins_number() const {
    size_t at = at_;
    if (text_[at] == '+' || text_[at] == '-') ++at;
    if (at < text_.size() && text_[at] == '.') ++at;
    return at < text_.size() && is_digit(text_[at]);
  }

  // Digits, and what stands behind them: an exponent with its sign, a unit, a percent sign.
  void number() {
    if (!is_digit(text_[at_])) ++at_;
    const auto goes_on = [&](char c) {
      const bool is_sign = c == '+' || c == '-';
      if (!is_sign) return goes_on_word(c) || c == '%';
      const bool follows_exponent = text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E';
      const bool has_digit = at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
      return c == '-' || (follows_exponent && has_digit);
    };
    while (at_ < text_.size() && goes_on(text_[at_])) ++at_;
    if (is_digit(text_[at_ - 1])) take_unit();
    add(Token::Kind::kNumber, std::string(text_.substr(begin_, at_ - begin_)));
  }

  // "12.5 ms", as times are shown: a blank parts the unit from its number.
  void take_unit() {
    const size_t begin = std::min(text_.find_first_not_of(' ', at_), text_.size());
    size_t end = begin;
    while (end < text_.size() && goes_on_word(text_[end])) ++end;
    if (is_time_unit(text_.substr(begin, end - begin))) at_ = end;
  }

  void add(Token::Kind kind, std::string value) {
    tokens_->push_back({kind, std::move(value), {begin_, at_}});
  }
  std::unexpected<FilterError> error(std::string message) const {
    return std::unexpected(FilterError{std::move(message), {begin_, at_}});
  }

  std::string_view text_;
  std::vector<Token>* tokens_;
  size_t begin_ = 0;  // of the current token
  size_t at_ = 0;
};

constexpr std::array<std::string_view, 5> kKeywords = {"and", "or", "not", "in", "contains"};

}  // namespace

FilterResult<std::vector<Token>> lex_filter(std::string_view text, std::vector<Token>* partial) {
  std::vector<Token> tokens;
  const auto done = Lexer(text, tokens).run();
  if (!done) {
    if (partial != nullptr) *partial = std::move(tokens);
    return std::unexpected(done.error());
  }
  return tokens;
}

bool is_filter_word(std::string_view text) {
  return !text.empty() && begins_word(text[0]) && std::ranges::all_of(text, goes_on_word) &&
         std::ranges::find(kKeywords, text) == kKeywords.end();
}

std::string quoted_for_filter(std::string_view text) {
  if (is_filter_word(text)) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    switch (c) {
      case '\n':
        quoted += "\\n";
        break;
      case '\t':
        quoted += "\\t";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\0':
        quoted += "\\0";
        break;
      case '"':
      case '\\':
        quoted += '\\';
        [[fallthrough]];
      default:
        quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace weft::query
