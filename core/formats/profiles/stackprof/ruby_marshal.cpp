#include "core/formats/profiles/stackprof/ruby_marshal.h"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/formats/base/binary.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"

namespace weft::formats::ruby {
namespace {

constexpr std::string_view kVersion = "\4\10";
constexpr int kMostDepth = 64;

class Converter {
 public:
  Converter(std::string_view bytes, uint64_t most_bytes)
      : all_(bytes), left_(bytes), most_bytes_(most_bytes) {}

  Result<std::string> convert() {
    left_.remove_prefix(kVersion.size());
    if (add_value(0, false)) return std::move(json_);
    const size_t at = all_.size() - left_.size();
    if (json_.size() > most_bytes_)
      return fail("is too long for the memory (--memory gives it more)");
    return fail(fmt::format("is a dump of Ruby that is damaged or cut, at byte {}", at));
  }

 private:
  // The position of the value whose tag was taken last.
  size_t at_tag() const { return all_.size() - left_.size() - 1; }

  // `is_key`: as the name of a member, a text.
  bool add_value(int depth, bool is_key) {
    const auto tag = take_little<char>(left_);
    if (!tag || depth == kMostDepth || json_.size() > most_bytes_) return false;
    switch (*tag) {
      case '0':
        return add_word("null", is_key);
      case 'T':
        return add_word("true", is_key);
      case 'F':
        return add_word("false", is_key);
      case 'i':
        return add_integer(is_key);
      case 'l':
        return add_big_integer(is_key);
      case 'f':
        return add_float(is_key);
      case ':':
      case '"':
        return add_text(*tag == ':');
      case ';':
        return add_again(symbols_, true);
      case '@':
        return add_again(objects_, is_key);
      case 'I':
        return add_with_variables(depth, is_key);
      case '[':
        return !is_key && add_array(depth);
      case '{':
        return !is_key && add_hash(depth);
      default:
        return false;
    }
  }

  // One byte for what is near 0; else how many bytes follow, and with which sign.
  std::optional<int64_t> take_integer() {
    const auto first = take_little<int8_t>(left_);
    constexpr int8_t kOffset = 5, kMostBytes = 4;
    if (!first || *first == 0) return first ? std::optional<int64_t>(0) : std::nullopt;
    if (*first >= kOffset) return *first - kOffset;
    if (*first <= -kOffset) return *first + kOffset;
    const int bytes = std::abs(*first);
    static_assert(kMostBytes == kOffset - 1);
    int64_t value = *first < 0 ? -1 : 0;
    for (int i = 0; i < bytes; ++i) {
      const auto byte = take_little<uint8_t>(left_);
      if (!byte) return std::nullopt;
      value &= ~(int64_t{0xFF} << (8 * i));
      value |= int64_t{*byte} << (8 * i);
    }
    return value;
  }
  std::optional<std::string_view> take_sized() {
    const auto size = take_integer();
    if (!size || *size < 0) return std::nullopt;
    return take_bytes(left_, static_cast<uint64_t>(*size));
  }

  bool add_word(std::string_view word, bool is_key) {
    if (is_key) {
      json::append_quoted_bytes(json_, word);
    } else {
      json_ += word;
    }
    return true;
  }
  bool add_integer(bool is_key) {
    const auto value = take_integer();
    return value && add_word(std::to_string(*value), is_key);
  }
  // A sign, and how many words of 16 bits follow, the lowest first.
  bool add_big_integer(bool is_key) {
    const size_t at = at_tag();
    const auto sign = take_little<char>(left_);
    const auto words = sign ? take_integer() : std::nullopt;
    const auto bytes =
        words && *words >= 0 ? take_bytes(left_, 2 * static_cast<uint64_t>(*words)) : std::nullopt;
    if (!bytes || bytes->size() > sizeof(uint64_t)) return false;
    objects_.push_back(at);
    uint64_t value = 0;
    for (size_t i = 0; i < bytes->size(); ++i)
      value |= uint64_t{static_cast<uint8_t>((*bytes)[i])} << (8 * i);
    return add_word(fmt::format("{}{}", *sign == '-' ? "-" : "", value), is_key);
  }
  bool add_float(bool is_key) {
    const size_t at = at_tag();
    const auto text = take_sized();
    if (!text) return false;
    objects_.push_back(at);
    const auto value = parse_number<double>(until_zero(*text));
    return add_word(value && std::isfinite(*value) ? fmt::format("{}", *value) : "null", is_key);
  }
  bool add_text(bool is_symbol) {
    const size_t at = at_tag();
    const auto text = take_sized();
    if (!text) return false;
    (is_symbol ? symbols_ : objects_).push_back(at);
    json::append_quoted_bytes(json_, *text);
    return true;
  }

  // Adds a reference to an earlier value. Arrays and hashes are not expanded again, as references
  // could grow them without end.
  bool add_again(const std::vector<size_t>& places, bool is_key) {
    const auto number = take_integer();
    if (!number || *number < 0 || static_cast<size_t>(*number) >= places.size()) return false;
    const size_t at = places[static_cast<size_t>(*number)];
    if (all_[at] == '[' || all_[at] == '{') return add_word("null", is_key);
    const std::string_view behind = std::exchange(left_, all_.substr(at));
    const size_t objects = objects_.size(), symbols = symbols_.size();
    const bool is_right = add_value(0, is_key);
    objects_.resize(objects);
    symbols_.resize(symbols);
    left_ = behind;
    return is_right;
  }

  // A text, and what it is encoded in.
  bool add_with_variables(int depth, bool is_key) {
    if (!add_value(depth + 1, is_key)) return false;
    const auto count = take_integer();
    const size_t end = json_.size();
    for (int64_t i = 0; count && i < 2 * *count; ++i) {
      if (!add_value(depth + 1, false)) return false;
      json_.resize(end);
    }
    return count.has_value();
  }

  bool add_array(int depth) {
    objects_.push_back(at_tag());
    const auto count = take_integer();
    if (!count) return false;
    json_ += '[';
    for (int64_t i = 0; i < *count; ++i) {
      if (i > 0) json_ += ',';
      if (!add_value(depth + 1, false)) return false;
    }
    json_ += ']';
    return true;
  }
  bool add_hash(int depth) {
    objects_.push_back(at_tag());
    const auto count = take_integer();
    if (!count) return false;
    json_ += '{';
    for (int64_t i = 0; i < *count; ++i) {
      if (i > 0) json_ += ',';
      if (!add_value(depth + 1, true)) return false;
      json_ += ':';
      if (!add_value(depth + 1, false)) return false;
    }
    json_ += '}';
    return true;
  }

  std::string_view all_, left_;
  uint64_t most_bytes_;
  std::string json_;
  std::vector<size_t> objects_, symbols_;  // where they stand, by number
};

}  // namespace

bool is_marshal(std::string_view bytes) { return bytes.starts_with(kVersion); }

Result<std::string> json_of_marshal(std::string_view bytes, uint64_t most_bytes) {
  if (!is_marshal(bytes)) return fail("is not a dump of Ruby");
  return Converter(bytes, most_bytes).convert();
}

}  // namespace weft::formats::ruby
