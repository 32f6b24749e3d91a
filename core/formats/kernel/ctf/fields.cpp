#include "core/formats/kernel/ctf/fields.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/text.h"
#include "core/formats/base/json_text.h"
#include "core/formats/kernel/ctf/escaped_name.h"

namespace weft::formats::ctf {
namespace {

using Kind = FieldClass::Kind;

bool is_one_of(bt_field_class_type type, bt_field_class_type group) {
  return bt_field_class_type_is(type, group) != BT_FALSE;
}

Kind kind_of(bt_field_class_type type) {
  if (is_one_of(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) return Kind::kUnsigned;
  if (is_one_of(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) return Kind::kSigned;
  if (is_one_of(type, BT_FIELD_CLASS_TYPE_ARRAY)) return Kind::kArray;
  if (is_one_of(type, BT_FIELD_CLASS_TYPE_VARIANT)) return Kind::kVariant;
  switch (type) {
    case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
      return Kind::kSingle;
    case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
      return Kind::kDouble;
    case BT_FIELD_CLASS_TYPE_STRING:
      return Kind::kText;
    case BT_FIELD_CLASS_TYPE_STRUCTURE:
      return Kind::kStructure;
    default:
      return Kind::kOther;
  }
}

// The label of an enumeration's value; none where it has no name. Of several the one that sorts
// first: Babeltrace 2.1 gives them in no order.
std::string_view label_of(const Field& field) {
  const bt_field_class* const enumeration = field.its_class->enumeration;
  bt_field_class_enumeration_mapping_label_array labels = nullptr;
  uint64_t count = 0;
  const auto status = field.kind() == Kind::kUnsigned
                          ? bt_field_class_enumeration_unsigned_get_mapping_labels_for_value(
                                enumeration, field.bits, &labels, &count)
                          : bt_field_class_enumeration_signed_get_mapping_labels_for_value(
                                enumeration, static_cast<int64_t>(field.bits), &labels, &count);
  if (status != BT_FIELD_CLASS_ENUMERATION_GET_MAPPING_LABELS_BY_VALUE_STATUS_OK || count == 0)
    return {};
  std::string_view first;
  for (uint64_t i = 0; i < count; ++i) {
    const std::string_view label = labels[i];
    if (!is_hidden_name(label) && (first.empty() || label < first)) first = label;
  }
  return first;
}

// What labels say of bits; empty of an enumeration of values.
std::vector<Flag> flags_of(const bt_field_class* bit_map) {
  std::vector<Flag> flags;
  if (kind_of(bt_field_class_get_type(bit_map)) != Kind::kUnsigned) return flags;
  const uint64_t count = bt_field_class_enumeration_get_mapping_count(bit_map);
  for (uint64_t i = 0; i < count; ++i) {
    const auto* const mapping =
        bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(bit_map, i);
    const auto name = flag_of(bt_field_class_enumeration_mapping_get_label(
        bt_field_class_enumeration_unsigned_mapping_as_mapping_const(mapping)));
    if (!name) continue;
    Flag flag{.name = std::string(*name)};
    const auto* const ranges =
        bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(mapping);
    const uint64_t range_count = bt_integer_range_set_get_range_count(
        bt_integer_range_set_unsigned_as_range_set_const(ranges));
    for (uint64_t j = 0; j < range_count; ++j) {
      constexpr uint64_t kWordBits = 64;
      const auto* const range =
          bt_integer_range_set_unsigned_borrow_range_by_index_const(ranges, j);
      const uint64_t end = std::min(bt_integer_range_unsigned_get_upper(range), kWordBits - 1) + 1;
      for (uint64_t bit = bt_integer_range_unsigned_get_lower(range); bit < end; ++bit)
        flag.bits |= uint64_t{1} << bit;
    }
    flags.push_back(std::move(flag));
  }
  return flags;
}

// The shortest text that is this number.
template <class Number>
void append_number(std::string& out, Number value) {
  constexpr size_t kMostDigits = 32;
  const size_t before = out.size();
  out.resize_and_overwrite(before + kMostDigits, [&](char* text, size_t size) {
    return static_cast<size_t>(std::to_chars(text + before, text + size, value).ptr - text);
  });
}

template <class Real>
void append_real(std::string& out, Real value) {
  if (std::isfinite(value)) return append_number(out, value);
  out += fmt::format("\"{}\"", value);
}

void append_flags(std::string& out, const Field& field) {
  std::string text;
  uint64_t rest = field.bits;
  for (const Flag& flag : field.its_class->flags) {
    if ((field.bits & flag.bits) == 0) continue;
    text.append(text.empty() ? "" : "|").append(flag.name);
    rest &= ~flag.bits;
  }
  if (text.empty()) return append_number(out, field.bits);
  if (rest != 0) text += fmt::format("|{:#x}", rest);
  json::append_quoted_bytes(out, text);
}

void append(std::string& out, const Field& field);

void append_array(std::string& out, const Field& array) {
  out += '[';
  const std::span<const Field> elements = elements_of(&array);
  for (size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) out += ',';
    append(out, elements[i]);
  }
  if (array.size > kMostElements) out += fmt::format(",\"… of {}\"", array.size);
  out += ']';
}

void append(std::string& out, const Field& field) {
  if (!field.its_class->flags.empty()) return append_flags(out, field);
  if (field.its_class->enumeration != nullptr) {
    if (const std::string_view label = label_of(field); !label.empty())
      return json::append_quoted_bytes(out, label);
  }
  switch (field.kind()) {
    case Kind::kUnsigned:
      return append_number(out, field.bits);
    case Kind::kSigned:
      return append_number(out, static_cast<int64_t>(field.bits));
    case Kind::kText:
      return json::append_quoted_bytes(out, {field.text, field.size});
    case Kind::kArray:
      return append_array(out, field);
    case Kind::kStructure:
      out += '{';
      append_members(out, field, field.its_class->keys);
      out += '}';
      return;
    case Kind::kSingle:
      return append_real(out, static_cast<float>(field.real));
    case Kind::kDouble:
      return append_real(out, field.real);
    case Kind::kVariant:
    case Kind::kOther:
      out += "null";
  }
}

}  // namespace

FieldClass::FieldClass(const bt_field_class& its_class) {
  const bt_field_class_type type = bt_field_class_get_type(&its_class);
  kind = kind_of(type);
  if (is_one_of(type, BT_FIELD_CLASS_TYPE_ENUMERATION)) {
    flags = flags_of(&its_class);
    if (flags.empty()) enumeration = &its_class;
  }
  if (kind == Kind::kArray) {
    parts.emplace_back(*bt_field_class_array_borrow_element_field_class_const(&its_class));
  } else if (kind == Kind::kVariant) {
    const uint64_t count = bt_field_class_variant_get_option_count(&its_class);
    parts.reserve(count);
    for (uint64_t i = 0; i < count; ++i) {
      parts.emplace_back(*bt_field_class_variant_option_borrow_field_class_const(
          bt_field_class_variant_borrow_option_by_index_const(&its_class, i)));
    }
  } else if (kind == Kind::kStructure) {
    const uint64_t count = bt_field_class_structure_get_member_count(&its_class);
    parts.reserve(count);
    for (uint64_t i = 0; i < count; ++i) {
      const auto* const each = bt_field_class_structure_borrow_member_by_index_const(&its_class, i);
      names.push_back(unescaped_name(bt_field_class_structure_member_get_name(each)));
      parts.emplace_back(*bt_field_class_structure_member_borrow_field_class_const(each));
    }
    std::vector<std::string> taken;
    keys = keys_of(this, taken);
  }
}

const Field* member(const Field* structure, std::string_view name) {
  if (structure == nullptr || structure->kind() != Kind::kStructure) return nullptr;
  const std::vector<std::string>& names = structure->its_class->names;
  const auto it = std::ranges::find(names, name);
  return it == names.end() ? nullptr : &structure->parts[it - names.begin()];
}

std::optional<double> real_of(const Field* field) {
  if (field == nullptr) return std::nullopt;
  switch (field->kind()) {
    case Kind::kSingle:
    case Kind::kDouble:
      return field->real;
    case Kind::kUnsigned:
      return static_cast<double>(field->bits);
    case Kind::kSigned:
      return static_cast<double>(static_cast<int64_t>(field->bits));
    default:
      return std::nullopt;
  }
}

std::string_view text_of(const Field* field) {
  if (field == nullptr) return {};
  if (field->kind() == Kind::kText) return {field->text, field->size};
  return field->its_class->enumeration == nullptr ? std::string_view() : label_of(*field);
}

std::span<const Field> elements_of(const Field* array) {
  if (!is_array(array)) return {};
  return {array->parts, std::min(array->size, kMostElements)};
}

Keys keys_of(const FieldClass* structure, std::vector<std::string>& taken) {
  Keys keys;
  if (structure == nullptr) return keys;
  const size_t before = taken.size();
  for (const std::string& each : structure->names) {
    if (is_hidden_name(each)) {
      keys.emplace_back();
      continue;
    }
    std::string name = valid_utf8(each);
    const auto old = taken.begin() + static_cast<ptrdiff_t>(before);
    if (std::find(taken.begin(), old, name) != old) name.insert(0, "context.");
    std::string key = ",";
    json::append_quoted(key, name);
    keys.push_back(key + ':');
    taken.push_back(std::move(name));
  }
  return keys;
}

void append_members(std::string& out, const Field& structure, const Keys& keys) {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].empty()) continue;
    const bool is_first = out.empty() || out.back() == '{';
    out.append(keys[i], is_first ? 1 : 0);
    append(out, structure.parts[i]);
  }
}

}  // namespace weft::formats::ctf
