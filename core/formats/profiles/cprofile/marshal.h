// Values as Python's module marshal writes them, as far as profiles have them: numbers, texts,
// tuples, dictionaries, and references to what was there before. The module profile names what it
// ran by its code, which is passed over: only its name is kept.
//
// Source: Python/marshal.c of CPython 2.7 and 3.13.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/large_vector.h"

namespace weft::formats::cprofile {

struct Value {
  enum class Kind : uint8_t { kNone, kNumber, kText, kTuple, kDictionary };
  Kind kind = Kind::kNone;
  double number = 0;
  std::string_view text;  // as it is written; of the bytes that were read
  size_t first_item = 0, item_count = 0;
};

class Marshal {
 public:
  // The value that `bytes` begin with, by its number; nothing where it is damaged, cut, nested too
  // deep or of a kind that no profile has. Values live as long as this and the bytes.
  std::optional<uint32_t> read(std::string_view bytes);
  const Value& at(uint32_t value) const { return values_[value]; }
  // Of a tuple; of a dictionary: key, value, key, …
  std::span<const uint32_t> items(const Value& value) const {
    return std::span(items_).subspan(value.first_item, value.item_count);
  }

 private:
  std::optional<uint32_t> take(std::string_view& bytes, int depth);
  bool take_content(char tag, std::string_view& bytes, Value& value, int depth);
  bool take_tuple(std::string_view& bytes, uint32_t count, Value& value, int depth);
  bool take_dictionary(std::string_view& bytes, Value& value, int depth);
  bool take_code(std::string_view& bytes, Value& value, int depth);
  static bool take_long(std::string_view& bytes, Value& value);
  void set_items(Value& value, std::span<const uint32_t> items);

  LargeVector<Value> values_;
  LargeVector<uint32_t> items_;  // of all
  LargeVector<uint32_t> references_;
};

}  // namespace weft::formats::cprofile
