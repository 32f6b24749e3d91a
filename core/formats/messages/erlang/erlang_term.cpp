#include "core/formats/messages/erlang/erlang_term.h"

#include <array>

#include "core/formats/base/text.h"

namespace weft::formats::erlang {
namespace {

// Which bytes may say how a term is built.
constexpr auto kSigns = [] {
  std::array<bool, 256> signs{};
  for (const char c : std::string_view("\"'\\{}[]()<>,")) signs[static_cast<uint8_t>(c)] = true;
  return signs;
}();

// The next of them, or the end.
size_t next_sign(std::string_view text, size_t at) {
  while (at < text.size() && !kSigns[static_cast<uint8_t>(text[at])]) ++at;
  return at;
}

// Steps over one sign, or two that belong together. Brackets of pids hold no commas; those of
// binaries, "<<1,2>>", do.
void step(std::string_view text, size_t& at, size_t& depth, char& quote) {
  const char c = text[at++];
  if (quote != 0) {
    if (c == '\\') {
      ++at;
    } else if (c == quote) {
      quote = 0;
    }
    return;
  }
  const bool is_double = at < text.size() && text[at] == c;
  switch (c) {
    case '"':
    case '\'':
      quote = c;
      break;
    case '{':
    case '[':
    case '(':
      ++depth;
      break;
    case '}':
    case ']':
    case ')':
      depth -= depth > 0 ? 1 : 0;
      break;
    case '<':
      if (is_double) ++at, ++depth;
      break;
    case '>':
      if (is_double && depth > 0) ++at, --depth;
      break;
    default:
      break;
  }
}

}  // namespace

bool Terms::add(std::string_view line) {
  if (is_whole_) clear();
  if (!text_.empty()) {
    text_ += ' ';
    line = trimmed(line);
  }
  text_ += line;
  while ((looked_at_ = next_sign(text_, looked_at_)) < text_.size())
    step(text_, looked_at_, depth_, quote_);
  looked_at_ = text_.size();
  if (depth_ > 0 || quote_ != 0) return false;
  std::string_view whole = trimmed(text_);
  if (whole.ends_with('.')) whole.remove_suffix(1);
  // Behind it may stand what separates or ends a list of them.
  if (whole.starts_with('{')) whole = whole.substr(0, whole.rfind('}') + 1);
  text_ = std::string(whole);
  return is_whole_ = true;
}

void Terms::clear() { *this = Terms(); }

bool split(std::string_view term, std::vector<std::string_view>& parts) {
  parts.clear();
  term = trimmed(term);
  const bool is_tuple = term.starts_with('{') && term.ends_with('}');
  const bool is_list = term.starts_with('[') && term.ends_with(']');
  if (term.size() < 2 || (!is_tuple && !is_list)) return false;
  term = trimmed(term.substr(1, term.size() - 2));
  size_t depth = 0, begin = 0;
  char quote = 0;
  for (size_t at = 0; (at = next_sign(term, at)) < term.size();) {
    if (depth == 0 && quote == 0 && term[at] == ',') {
      parts.push_back(trimmed(term.substr(begin, at - begin)));
      begin = at + 1;
    }
    step(term, at, depth, quote);
  }
  if (!term.empty()) parts.push_back(trimmed(term.substr(begin)));
  return true;
}

std::string_view atom(std::string_view term) {
  const bool is_quoted = term.size() >= 2 && term.front() == '\'' && term.back() == '\'';
  return is_quoted ? term.substr(1, term.size() - 2) : term;
}

}  // namespace weft::formats::erlang
