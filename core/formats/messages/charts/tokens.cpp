#include "core/formats/messages/charts/tokens.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "core/base/ascii.h"
#include "core/formats/base/text.h"

namespace weft::formats::charts {
namespace {

// Signs of several characters, the longer of those that begin alike first. Those that begin with a
// character stand together, so that the first of them is found by it (kFirstSign).
constexpr std::string_view kSigns[] = {
    "<<=>>", "<<>>", "<<=", "<=>", "<->", "<:>", "<<", "<=", "<-", "<:", "=>>",
    "=>",    "==",   "|||", "...", "..",  "---", "->", "--", ">>", ":>", "::"};
constexpr auto kFirstSign = [] {
  std::array<uint8_t, 256> first{};
  first.fill(std::size(kSigns));
  for (size_t i = std::size(kSigns); i-- > 0;)
    first[static_cast<uint8_t>(kSigns[i].front())] = static_cast<uint8_t>(i);
  return first;
}();

// How many characters the sign has with which the text begins.
size_t sign_bytes(std::string_view text) {
  const char begin = text.front();
  for (size_t i = kFirstSign[static_cast<uint8_t>(begin)];
       i < std::size(kSigns) && kSigns[i].front() == begin; ++i) {
    if (text.starts_with(kSigns[i])) return kSigns[i].size();
  }
  return 1;
}

// Also bytes of other alphabets, which the languages that mscgen inspired allow.
constexpr bool is_name_sign(char c) { return is_word_char(c) || static_cast<uint8_t>(c) >= 0x80; }

// "web.server" is a name, too; "a..b" is a dotted line.
bool is_point_within(std::string_view text, size_t i) {
  return text[i] == '.' && i > 0 && text[i - 1] != '.' && i + 1 < text.size() &&
         is_name_sign(text[i + 1]);
}

}  // namespace

void Tokens::skip_space() {
  while (at_ < text_.size()) {
    const char first = text_[at_];
    if (is_space(first)) {
      ++at_;
      continue;
    }
    if (first != '#' && first != '/') return;
    const std::string_view rest = text_.substr(at_);
    if (first == '#' || rest.starts_with("//")) {
      at_ += find_any<'\n', '\r'>(rest);
    } else if (rest.starts_with("/*")) {
      const size_t end = rest.find("*/", 2);
      is_cut_ = is_cut_ || end == std::string_view::npos;
      at_ = is_cut_ ? text_.size() : at_ + end + 2;
    } else {
      return;
    }
  }
}

Token Tokens::read() {
  skip_space();
  Token out;
  out.offset = at_;
  const std::string_view rest = text_.substr(at_);
  if (rest.empty()) return out;
  if (rest.front() == '"') return quoted();
  // "a -x b" and "a x- b" are lost messages.
  constexpr size_t kLost = 2;
  const bool is_lost = rest.size() >= kLost && ((rest[0] == '-' && to_lower(rest[1]) == 'x') ||
                                                (rest[1] == '-' && to_lower(rest[0]) == 'x'));
  if (is_lost) {
    out.kind = Token::Kind::kSign;
    out.text = rest[0] == '-' ? "-x" : "x-";
    at_ += kLost;
    return out;
  }
  size_t size = 0;
  while (size < rest.size() && (is_name_sign(rest[size]) || is_point_within(rest, size))) ++size;
  out.kind = size > 0 ? Token::Kind::kName : Token::Kind::kSign;
  if (size == 0) size = sign_bytes(rest);
  out.text = rest.substr(0, size);
  at_ += size;
  return out;
}

Token Tokens::quoted() {
  const size_t begin = at_ + 1;
  size_t end = begin;
  while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
  is_cut_ = is_cut_ || end >= text_.size();
  end = std::min(end, text_.size());
  const Token out{Token::Kind::kText, text_.substr(begin, end - begin), at_};
  at_ = std::min(end + 1, text_.size());
  return out;
}

Token Tokens::take_value() {
  if (next_.kind == Token::Kind::kText || next_.kind == Token::Kind::kEnd) return take();
  Token out{Token::Kind::kText, {}, next_.offset};
  const std::string_view rest = text_.substr(next_.offset);
  constexpr std::string_view kBeside = ".#%+-:/";
  size_t size = 0;
  while (size < rest.size() &&
         (is_name_sign(rest[size]) || kBeside.find(rest[size]) != std::string_view::npos))
    ++size;
  if (size == 0) return {Token::Kind::kEnd, {}, next_.offset};
  out.text = rest.substr(0, size);
  at_ = next_.offset + size;
  next_ = read();
  return out;
}

bool is_plain(std::string_view text) { return find_any<'\\', '\r', '\n'>(text) == text.size(); }

std::string_view Tokens::take_label() {
  if (next_.kind == Token::Kind::kText) return take().text;
  const std::string_view rest = text_.substr(next_.offset);
  const std::string_view label = rest.substr(0, find_any<',', ';', '{'>(rest));
  at_ = next_.offset + label.size();
  next_ = read();
  return trimmed(label);
}

std::string meant(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) {
      out += text[++i];
    } else if (c == '\\' && i + 1 < text.size() && text[i + 1] == 'n') {
      ++i;
      out += '\n';
    } else if (c == '\r') {
      continue;
    } else if (c == '\n') {
      while (out.ends_with(' ') || out.ends_with('\t')) out.pop_back();
      out += '\n';
      while (i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '\t')) ++i;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace weft::formats::charts
