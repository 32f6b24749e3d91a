#include "core/formats/profiles/cprofile/marshal.h"

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"

namespace weft::formats::cprofile {
namespace {

constexpr int kMostDepth = 64;

template <class Number>
bool take_number_of(std::string_view& bytes, Value& value) {
  const auto number = take_little<Number>(bytes);
  value.kind = Value::Kind::kNumber;
  value.number = static_cast<double>(number.value_or(0));
  return number.has_value();
}

template <class Length>
bool take_text(std::string_view& bytes, Value& value) {
  const auto length = take_little<Length>(bytes);
  const auto text = length ? take_bytes(bytes, *length) : std::nullopt;
  value.kind = Value::Kind::kText;
  value.text = text.value_or(std::string_view());
  return text.has_value();
}

}  // namespace

std::optional<uint32_t> Marshal::read(std::string_view bytes) {
  values_.clear();
  items_.clear();
  references_.clear();
  return take(bytes, 0);
}

void Marshal::set_items(Value& value, std::span<const uint32_t> items) {
  value.first_item = items_.size();
  value.item_count = items.size();
  items_.insert(items_.end(), items.begin(), items.end());
}

std::optional<uint32_t> Marshal::take(std::string_view& bytes, int depth) {
  constexpr uint8_t kIsReferredTo = 0x80;
  const auto byte = take_little<uint8_t>(bytes);
  if (!byte || depth == kMostDepth) return std::nullopt;
  const char tag = static_cast<char>(*byte & ~kIsReferredTo);
  // 'R' refers to the texts that 't' wrote, in Python 2.
  if (tag == 'r' || tag == 'R') {
    const auto reference = take_little<uint32_t>(bytes);
    if (!reference || *reference >= references_.size()) return std::nullopt;
    return references_[*reference];
  }
  const auto index = static_cast<uint32_t>(values_.size());
  values_.emplace_back();
  if ((*byte & kIsReferredTo) != 0 || tag == 't') references_.push_back(index);
  Value value;
  if (!take_content(tag, bytes, value, depth)) return std::nullopt;
  values_[index] = value;
  return index;
}

bool Marshal::take_content(char tag, std::string_view& bytes, Value& value, int depth) {
  switch (tag) {
    case 'N':
    case 'T':
    case 'F':
      value.kind = tag == 'N' ? Value::Kind::kNone : Value::Kind::kNumber;
      value.number = tag == 'T' ? 1 : 0;
      return true;
    case 'i':
      return take_number_of<int32_t>(bytes, value);
    case 'I':
      return take_number_of<int64_t>(bytes, value);
    case 'g':
      return take_number_of<double>(bytes, value);
    case 'l':
      return take_long(bytes, value);
    case 'f': {  // as text
      const bool is_text = take_text<uint8_t>(bytes, value);
      value.kind = Value::Kind::kNumber;
      value.number = parse_number<double>(value.text).value_or(0);
      return is_text;
    }
    case 'z':
    case 'Z':
      return take_text<uint8_t>(bytes, value);
    case 'a':
    case 'A':
    case 's':
    case 't':
    case 'u':
      return take_text<uint32_t>(bytes, value);
    case '.':  // an ellipsis and a complex number, of code
      return true;
    case 'y':
      return take_bytes(bytes, 2 * sizeof(double)).has_value();
    case 'c':
      return take_code(bytes, value, depth);
    case ')': {
      const auto count = take_little<uint8_t>(bytes);
      return count && take_tuple(bytes, *count, value, depth);
    }
    case '<':  // sets
    case '>':
    case '(': {
      const auto count = take_little<uint32_t>(bytes);
      return count && take_tuple(bytes, *count, value, depth);
    }
    case '{':
      return take_dictionary(bytes, value, depth);
    default:
      return false;
  }
}

bool Marshal::take_tuple(std::string_view& bytes, uint32_t count, Value& value, int depth) {
  value.kind = Value::Kind::kTuple;
  std::vector<uint32_t> items;
  for (uint32_t i = 0; i < count; ++i) {
    const auto item = take(bytes, depth + 1);
    if (!item) return false;
    items.push_back(*item);
  }
  set_items(value, items);
  return true;
}

// Ends with a key that is null, '0'.
bool Marshal::take_dictionary(std::string_view& bytes, Value& value, int depth) {
  value.kind = Value::Kind::kDictionary;
  LargeVector<uint32_t> items;
  while (!bytes.starts_with('0')) {
    const auto key = take(bytes, depth + 1);
    const auto item = key ? take(bytes, depth + 1) : std::nullopt;
    if (!item) return false;
    items.push_back(*key);
    items.push_back(*item);
  }
  bytes.remove_prefix(1);
  set_items(value, items);
  return true;
}

// Four to six numbers as the version has them, the code's bytes, seven values of which the sixth
// but one is its file and its name follows; the first line and the table of lines. Since 3.11 the
// fourth is text, and a table of exceptions follows.
bool Marshal::take_code(std::string_view& bytes, Value& value, int depth) {
  constexpr uint8_t kIsReferredTo = 0x80;
  constexpr size_t kLeastNumbers = 4, kMostNumbers = 6, kKinds = 4, kName = 6;
  const auto is_code_at = [&](size_t numbers) {
    const size_t at = numbers * sizeof(uint32_t);
    return at < bytes.size() && (static_cast<uint8_t>(bytes[at]) & ~kIsReferredTo) == 's';
  };
  size_t numbers = kLeastNumbers;
  while (numbers < kMostNumbers && !is_code_at(numbers)) ++numbers;
  if (!is_code_at(numbers)) return false;
  bytes.remove_prefix(numbers * sizeof(uint32_t));
  std::vector<uint32_t> parts;
  const auto take_parts = [&](size_t until) {
    while (parts.size() < until) {
      const auto part = take(bytes, depth + 1);
      if (!part) return false;
      parts.push_back(*part);
    }
    return true;
  };
  if (!take_parts(8)) return false;
  const bool has_exceptions = values_[parts[kKinds]].kind == Value::Kind::kText;
  if (!take_little<uint32_t>(bytes) || !take_parts(has_exceptions ? 10 : 9)) return false;
  const Value& name = values_[parts[has_exceptions ? kName : kName + 1]];
  value.kind = Value::Kind::kText;
  value.text = name.text;
  return true;
}

// Digits of 15 bits, the lowest first; how many there are has the sign.
bool Marshal::take_long(std::string_view& bytes, Value& value) {
  constexpr int kDigitBits = 15;
  const auto count = take_little<int32_t>(bytes);
  if (!count) return false;
  value.kind = Value::Kind::kNumber;
  const int64_t digits = std::abs(int64_t{*count});
  double scale = *count < 0 ? -1 : 1;
  for (int64_t i = 0; i < digits; ++i) {
    const auto digit = take_little<uint16_t>(bytes);
    if (!digit) return false;
    value.number += scale * *digit;
    scale = std::ldexp(scale, kDigitBits);
  }
  return true;
}

}  // namespace weft::formats::cprofile
