#include "core/base/lenient_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"

namespace weft {
namespace {

// The text as RFC 8259 has it, and where each of its bytes came from.
class StrictText {
 public:
  explicit StrictText(std::string_view source) : source_(source) {}

  void convert() {
    while (at_ < source_.size()) {
      const std::string_view rest = source_.substr(at_);
      if (rest.starts_with("/*")) {
        skip_to(rest.find("*/", 2), 2);
      } else if (rest.starts_with("//")) {
        skip_to(rest.find('\n'), 0);
      } else if (rest.front() == '"') {
        convert_string();
      } else {
        convert_sign(rest.front());
      }
    }
  }

  const std::string& text() const { return text_; }
  size_t members() const { return members_; }
  size_t source_of(size_t i) const { return i < from_.size() ? from_[i] : source_.size(); }

 private:
  static constexpr size_t kNone = std::string::npos;

  void put(char c) {
    text_ += c;
    from_.push_back(at_);
  }

  void skip_to(size_t end, size_t length) {
    at_ = end == std::string_view::npos ? source_.size() : at_ + end + length;
  }

  // A comma before which nothing stands since the last, or behind which nothing comes, is none.
  void convert_sign(char c) {
    const char last = last_ == kNone ? ' ' : text_[last_];
    if ((c == '}' || c == ']') && last == ',') text_[last_] = ' ';
    if (c == ',' && (last == ',' || last == '{' || last == '[')) c = ' ';
    if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) last_ = text_.size();
    if (c == ':') ++members_;
    put(c);
    ++at_;
  }

  void convert_string() {
    last_ = text_.size();
    put(source_[at_++]);
    while (at_ < source_.size() && source_[at_] != '"') {
      const char c = source_[at_];
      if (c == '\\') {
        convert_escape();
      } else if (static_cast<uint8_t>(c) < 0x20) {
        for (const char escaped : fmt::format("\\u{:04x}", c)) put(escaped);
        ++at_;
      } else {
        put(c);
        ++at_;
      }
    }
    if (at_ == source_.size()) return;
    put(source_[at_++]);
  }

  void convert_escape() {
    const std::string_view rest = source_.substr(at_ + 1);
    if (rest.empty()) return put(source_[at_++]);
    const bool is_escape = std::string_view("\"\\/bfnrtu").find(rest.front()) != kNone;
    put('\\');
    if (!is_escape) {
      put('\\');
      ++at_;
      return;  // what follows is a character like any other
    }
    ++at_;
    put(source_[at_++]);
  }

  std::string_view source_;
  std::string text_;
  std::vector<size_t> from_;
  size_t at_ = 0;
  size_t last_ = kNone;  // in text_: the last that is not white space
  size_t members_ = 0;
};

// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while …"
std::string reason_of(std::string_view what) {
  const size_t colon = what.find(": ");
  return printable(colon == std::string_view::npos ? what : what.substr(colon + 2));
}

}  // namespace

Result<OrderedJson> parse_lenient_json(std::string_view text) {
  if (text.size() > kMostLenientBytes)
    return fail(fmt::format("is longer than {}", format_bytes(kMostLenientBytes)));
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string repaired;
  if (!is_valid_utf8(text)) text = repaired = valid_utf8(text);
  StrictText strict(text);
  strict.convert();
  if (strict.members() > kMostLenientMembers)
    return fail(fmt::format("has more than {} members", kMostLenientMembers));
  try {
    return OrderedJson::parse(strict.text());
  } catch (const OrderedJson::exception& error) {
    const auto* const place = dynamic_cast<const OrderedJson::parse_error*>(&error);
    const size_t byte = place == nullptr || place->byte == 0 ? 0 : place->byte - 1;
    const std::string_view before = text.substr(0, std::min(text.size(), strict.source_of(byte)));
    const size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    return fail(fmt::format("line {}, column {}: {}", std::ranges::count(before, '\n') + 1,
                            before.size() - line_begin + 1, reason_of(error.what())));
  }
}

}  // namespace weft
