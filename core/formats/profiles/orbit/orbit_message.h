// A message of a capture, whose fields are looked up by their numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/time.h"
#include "core/formats/general/perfetto/fields.h"

namespace weft::formats::orbit {

using perfetto::Field;

// Of a repeated field, the last occurrence counts; for_each_field() finds the others.
class Message {
 public:
  explicit Message(std::string_view bytes) : bytes_(bytes) {
    is_whole_ = perfetto::for_each_field(bytes, [this](const Field& field) {
      if (field.number < fields_.size()) fields_[field.number] = field;
    });
  }

  bool is_whole() const { return is_whole_; }
  const Field& operator[](uint32_t number) const { return fields_[number]; }
  uint64_t number(uint32_t field) const { return fields_[field].value; }
  uint32_t uint32(uint32_t field) const { return fields_[field].uint32(); }
  std::string_view text(uint32_t field) const { return fields_[field].bytes; }
  bool has(uint32_t field) const { return fields_[field].number != 0; }
  Time time(uint32_t field) const { return Time{} + fields_[field].duration(); }
  Duration duration(uint32_t field) const { return fields_[field].duration(); }
  template <class Each>
  bool for_each(uint32_t number, const Each& each) const {
    return perfetto::for_each_field(bytes_, [&](const Field& field) {
      if (field.number == number) each(field);
    });
  }

 private:
  static constexpr size_t kFields = 24;  // no message has more
  std::string_view bytes_;
  std::array<Field, kFields> fields_{};
  bool is_whole_ = false;
};

// A text in numbers of eight bytes: eight fields from `first` on, then a repeated one.
std::string encoded_text(const Message& message, uint32_t first);

}  // namespace weft::formats::orbit
