// The fields of a protobuf message, one after the other, by protozero.
//
// A field keeps what its wire type gave; one that was written with another wire type than its
// reader expects reads as 0 or as empty text. Views into the message.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <protozero/pbf_reader.hpp>
#include <string_view>

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
  // Of nanoseconds; none that is so long that its end is none.
  Duration duration() const {
    return {static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX / 2))};
  }
  double real() const { return std::bit_cast<double>(value); }
  float real32() const { return std::bit_cast<float>(uint32()); }
};

// Calls each(const Field&). False where the message is damaged: the fields before were given.
template <class Each>
bool for_each_field(std::string_view message, const Each& each);

// The numbers of a repeated field, packed or not: calls each(uint64_t). False: damaged.
template <class Each>
bool for_each_number(const Field& field, const Each& each);

// The same of fixed64 numbers, and of doubles.
template <class Each>
bool for_each_fixed64(const Field& field, const Each& each);

// ---- inline

template <class Each>
bool for_each_field(std::string_view message, const Each& each) {
  protozero::pbf_reader reader(message.data(), message.size());
  try {
    Field field;
    while (reader.next()) {
      field.number = reader.tag();
      field.is_bytes = false;
      field.bytes = {};
      switch (reader.wire_type()) {
        case protozero::pbf_wire_type::varint:
          field.value = reader.get_uint64();
          break;
        case protozero::pbf_wire_type::fixed64:
          field.value = reader.get_fixed64();
          break;
        case protozero::pbf_wire_type::fixed32:
          field.value = reader.get_fixed32();
          break;
        default: {
          const protozero::data_view view = reader.get_view();
          field.value = 0;
          field.is_bytes = true;
          field.bytes = {view.data(), view.size()};
        }
      }
      each(static_cast<const Field&>(field));
    }
  } catch (const protozero::exception&) {
    return false;
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
  try {
    while (at != end) each(protozero::decode_varint(&at, end));
  } catch (const protozero::exception&) {
    return false;
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
    if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
    each(value);
  }
  return field.bytes.size() % kBytes == 0;
}

}  // namespace weft::formats::perfetto
