// The text of a sequence chart as tokens: names, texts in quotes, signs. White space and comments
// (# and // to the line's end, /* */) are between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft::formats::charts {

struct Token {
  enum class Kind : uint8_t { kEnd, kName, kText, kSign };
  Kind kind = Kind::kEnd;
  std::string_view text;  // of a text what is within the quotes, as it stands there
  size_t offset = 0;

  bool is(std::string_view sign) const { return kind == Kind::kSign && text == sign; }
  bool is(char sign) const {
    return kind == Kind::kSign && text.size() == 1 && text.front() == sign;
  }
  bool is_word() const { return kind == Kind::kName || kind == Kind::kText; }
};

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) { next_ = read(); }

  const Token& peek() const { return next_; }
  Token take() {
    const Token token = next_;
    next_ = read();
    return token;
  }
  bool take(char sign) {
    if (!next_.is(sign)) return false;
    next_ = read();
    return true;
  }
  // Takes the value of an attribute or option: a text, or a name that may contain characters of
  // numbers, colours and addresses. Returns the end token, and takes nothing, if there is neither.
  Token take_value();
  // Takes a label of MsGenny: a text in quotes, or everything up to a comma, semicolon or brace.
  std::string_view take_label();
  // Returns true if the text ended within quotes or a comment.
  bool is_cut() const { return is_cut_; }

 private:
  Token read();
  void skip_space();
  Token quoted();

  std::string_view text_;
  size_t at_ = 0;
  Token next_;
  bool is_cut_ = false;
};

// Whether a text is meant as it stands there.
bool is_plain(std::string_view text);
// "say \"hi\"\nagain" as it is meant: quotes without their stroke, "\n" and breaks of lines as
// breaks, without the spaces that a line begins with in the file.
std::string meant(std::string_view text);

}  // namespace weft::formats::charts
