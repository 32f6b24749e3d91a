// The payload of an event, taken apart by the types of its fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/nettrace/nettrace_cursor.h"
#include "core/formats/profiles/nettrace/nettrace_kinds.h"

namespace weft::formats::nettrace {

struct Value {
  enum class Form : uint8_t {
    kNothing,
    kSigned,
    kUnsigned,
    kPointer,
    kReal,
    kFlag,
    kText,
    kList,
    kObject
  };
  Form form = Form::kNothing;
  std::string_view name;  // of the field; lives as long as the kind
  uint64_t integer = 0;   // bits of a signed one, too
  double real = 0;
  std::string text;
  std::vector<Value> parts;

  std::optional<double> number() const;
};

// The values of an event. Fields beyond the payload are left out: older runtimes wrote fewer.
class Values {
 public:
  Values(const std::vector<Field>& fields, std::string_view payload, uint32_t pointer_bytes);

  const std::vector<Value>& all() const { return values_; }
  const Value* find(std::string_view name) const { return find_in(values_, name); }
  uint64_t integer(std::string_view name) const;
  std::string_view text(std::string_view name) const { return text_in(values_, name); }
  // The bytes after the last field.
  std::string_view rest() const { return rest_; }
  // Something in it was too much to be taken.
  bool is_cut() const { return left_ == 0; }

  static const Value* find_in(const std::vector<Value>& values, std::string_view name);
  static std::string_view text_in(const std::vector<Value>& values, std::string_view name);

 private:
  Value take(Cursor& cursor, const FieldType& type, int depth);
  // Without parts.
  Value take_single(Cursor& cursor, Code code) const;
  void take_list(Cursor& cursor, const FieldType& element, uint64_t count, int depth, Value& value);
  std::string_view place_of(Cursor& cursor, bool is_relative) const;

  std::string_view payload_, rest_;
  uint32_t pointer_bytes_;
  uint32_t left_;  // values that may still be taken
  std::vector<Value> values_;
};

// Appends a value as a member of an object, or without its name.
void add_value(ArgsText& json, const Value& value, bool has_name = true);

}  // namespace weft::formats::nettrace
