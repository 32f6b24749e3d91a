// The fields of a protobuf message, one after the other. Numbers of more than a byte are decoded by
// protozero where the message ends soon, and by all their bytes at once elsewhere: they are of all
// lengths, and the end of a loop is guessed wrongly.
//
// A field keeps what its wire type gave; one that was written with another wire type than its
// reader expects reads as 0 or as empty text. Views into the message.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <protozero/varint.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/time.h"

namespace weft::formats::perfetto {

struct Field {
  uint32_t number = 0;
  bool is_bytes = false;  // a text, bytes, a message or packed numbers
  uint64_t value = 0;     // of a varint or fixed number
  std::string_view bytes;

  int64_t integer() const { return static_cast<int64_t>(value); }
  int32_t int32() const { return static_cast<int32_t>(value); }
  uint32_t uint32() const { return static_cast<uint32_t>(value); }
  bool flag() const { return value != 0; }
  // The value as nanoseconds, clamped such that an end can be computed.
  Duration duration() const {
    return {static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX / 2))};
  }
  double real() const { return std::bit_cast<double>(value); }
  float real32() const { return std::bit_cast<float>(uint32()); }
};

// Calls each(const Field&), until one says false, where it says anything. Returns false if it did,
// or where the message is damaged: the fields before were given.
template <class Each>
bool for_each_field(std::string_view message, const Each& each);

// The numbers of a repeated field, packed or not: calls each(uint64_t). False: damaged.
template <class Each>
bool for_each_number(const Field& field, const Each& each);

// The same for fixed64 numbers and doubles.
template <class Each>
bool for_each_fixed64(const Field& field, const Each& each);

// ---- inline

struct Number {
  uint64_t value;
  const char* behind;  // null: it is cut, or too long
};

inline Number number_of_any_length(const char* at, const char* end) {
  try {
    const uint64_t value = protozero::decode_varint(&at, end);
    return {value, at};
  } catch (const protozero::exception&) {
    return {0, nullptr};
  }
}

// Reads a number of more than a byte. Not inlined: it is used in hundreds of places.
[[gnu::noinline]] inline Number long_number_at(const char* at, const char* end) {
  constexpr ptrdiff_t kWord = sizeof(uint64_t);
  if (std::endian::native != std::endian::little || end - at < kWord)
    return number_of_any_length(at, end);
  uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  const uint64_t ends = ~word & 0x8080808080808080;  // the top bits of bytes that are last
  if (ends == 0) return number_of_any_length(at, end);
  word &= (ends ^ (ends - 1)) & 0x7f7f7f7f7f7f7f7f;  // seven bits each of the number's bytes
  word = (word & 0x007f007f007f007f) | (word & 0x7f007f007f007f00) >> 1;
  word = (word & 0x00003fff00003fff) | (word & 0x3fff00003fff0000) >> 2;
  word = (word & 0x000000000fffffff) | (word & 0x0fffffff00000000) >> 4;
  return {word, at + std::countr_zero(ends) / 8 + 1};
}

[[gnu::always_inline]] inline Number number_at(const char* at, const char* end) {
  if (at == end) return {0, nullptr};
  const auto first = static_cast<uint8_t>(*at);
  return first < 0x80 ? Number{first, at + 1} : long_number_at(at, end);
}

template <class T>
Number fixed_number_at(const char* at, const char* end) {
  T number{};
  if (end - at < static_cast<ptrdiff_t>(sizeof number)) return {0, nullptr};
  std::memcpy(&number, at, sizeof number);
  if constexpr (std::endian::native == std::endian::big) number = std::byteswap(number);
  return {number, at + sizeof number};
}

// Most fields: a number below 128, after a tag of a byte.
[[gnu::always_inline]] inline bool take_small(const char*& at, const char* end, Field& field) {
  if (end - at < 2) return false;
  const auto tag = static_cast<uint8_t>(at[0]), value = static_cast<uint8_t>(at[1]);
  constexpr uint8_t kHasMore = 0x80, kType = 0x07;
  if (((tag | value) & kHasMore) != 0 || (tag & kType) != 0 || tag == 0) return false;
  field.number = tag >> 3;
  field.value = value;
  at += 2;
  return true;
}

[[gnu::always_inline]] inline bool take_any(const char*& at, const char* end, Field& field) {
  const Number tag = number_at(at, end);
  if (tag.behind == nullptr) return false;
  field.number = static_cast<uint32_t>(tag.value) >> 3;
  // By the language of protobuf, no field has these.
  constexpr uint32_t kFirstReserved = 19000, kLastReserved = 19999;
  if (field.number == 0) return false;
  if (field.number >= kFirstReserved && field.number <= kLastReserved) return false;
  Number number{};
  switch (tag.value & 7) {
    case 0:
    case 2:
      number = number_at(tag.behind, end);
      break;
    case 1:
      number = fixed_number_at<uint64_t>(tag.behind, end);
      break;
    case 5:
      number = fixed_number_at<uint32_t>(tag.behind, end);
      break;
    default:
      return false;
  }
  at = number.behind;
  if (at == nullptr) return false;
  if ((tag.value & 7) != 2) {
    field.value = number.value;
    return true;
  }
  if (number.value > static_cast<uint64_t>(end - at)) return false;
  field.is_bytes = true;
  field.bytes = {at, static_cast<size_t>(number.value)};
  at += number.value;
  return true;
}

template <class Each>
bool for_each_field(std::string_view message, const Each& each) {
  const char* at = message.data();
  const char* const end = at + message.size();
  while (at != end) {
    Field field;
    if (!take_small(at, end, field) && !take_any(at, end, field)) return false;
    if constexpr (std::is_same_v<decltype(each(std::as_const(field))), bool>) {
      if (!each(std::as_const(field))) return false;
    } else {
      each(std::as_const(field));
    }
  }
  return true;
}

template <class Each>
bool for_each_number(const Field& field, const Each& each) {
  if (!field.is_bytes) {
    each(field.value);
    return true;
  }
  const char* at = field.bytes.data();
  const char* const end = at + field.bytes.size();
  while (at != end) {
    const Number number = number_at(at, end);
    if (number.behind == nullptr) return false;
    each(number.value);
    at = number.behind;
  }
  return true;
}

template <class Each>
bool for_each_fixed64(const Field& field, const Each& each) {
  if (!field.is_bytes) {
    each(field.value);
    return true;
  }
  constexpr size_t kBytes = 8;
  for (size_t i = 0; i + kBytes <= field.bytes.size(); i += kBytes) {
    uint64_t value = 0;
    std::memcpy(&value, field.bytes.data() + i, kBytes);
    if constexpr (std::endian::native == std::endian::big) value = std::byteswap(value);
    each(value);
  }
  return field.bytes.size() % kBytes == 0;
}

}  // namespace weft::formats::perfetto
