#include "core/formats/kernel/ctf/fields.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/text.h"
#include "core/formats/general/chrome_json/json_text.h"

namespace weft::formats::ctf {
namespace {

bool is_one_of(bt_field_class_type type, bt_field_class_type group) {
  return bt_field_class_type_is(type, group) != BT_FALSE;
}

// The label of an enumeration's value; none where it has no name. Of several the one that sorts
// first: Babeltrace 2.1 gives them in no order.
std::string_view label_of(const bt_field* field, bt_field_class_type type) {
  bt_field_class_enumeration_mapping_label_array labels = nullptr;
  uint64_t count = 0;
  const auto status = is_one_of(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
                          ? bt_field_enumeration_unsigned_get_mapping_labels(field, &labels, &count)
                          : bt_field_enumeration_signed_get_mapping_labels(field, &labels, &count);
  if (status != BT_FIELD_ENUMERATION_GET_MAPPING_LABELS_STATUS_OK || count == 0) return {};
  std::string_view first = labels[0];
  for (uint64_t i = 1; i < count; ++i) first = std::min(first, std::string_view(labels[i]));
  return first;
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

}  // namespace

const bt_field* member(const bt_field* structure, const char* name) {
  if (structure == nullptr) return nullptr;
  return bt_field_structure_borrow_member_field_by_name_const(structure, name);
}

bool read_integer(const bt_field* field, int64_t& value) {
  if (field == nullptr) return false;
  const bt_field_class_type type = bt_field_get_class_type(field);
  const bool is_unsigned = is_one_of(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
  if (!is_unsigned && !is_one_of(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) return false;
  value = is_unsigned ? static_cast<int64_t>(bt_field_integer_unsigned_get_value(field))
                      : bt_field_integer_signed_get_value(field);
  return true;
}

std::optional<double> real_of(const bt_field* field) {
  if (field == nullptr) return std::nullopt;
  const bt_field_class_type type = bt_field_get_class_type(field);
  if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
    return bt_field_real_double_precision_get_value(field);
  if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
    return bt_field_real_single_precision_get_value(field);
  if (is_one_of(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
    return static_cast<double>(bt_field_integer_unsigned_get_value(field));
  if (is_one_of(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
    return static_cast<double>(bt_field_integer_signed_get_value(field));
  return std::nullopt;
}

std::string_view text_of(const bt_field* field) {
  if (field == nullptr) return {};
  const bt_field_class_type type = bt_field_get_class_type(field);
  if (type == BT_FIELD_CLASS_TYPE_STRING)
    return {bt_field_string_get_value(field), bt_field_string_get_length(field)};
  if (is_one_of(type, BT_FIELD_CLASS_TYPE_ENUMERATION)) return label_of(field, type);
  return {};
}

Members FieldWriter::members_of(const bt_field_class* structure, std::vector<std::string>& taken) {
  Members members;
  if (structure == nullptr) return members;
  const size_t before = taken.size();
  const uint64_t count = bt_field_class_structure_get_member_count(structure);
  for (uint64_t i = 0; i < count; ++i) {
    const auto* const each = bt_field_class_structure_borrow_member_by_index_const(structure, i);
    std::string name = valid_utf8(bt_field_class_structure_member_get_name(each));
    const auto old = taken.begin() + static_cast<ptrdiff_t>(before);
    if (std::find(taken.begin(), old, name) != old) name.insert(0, "context.");
    std::string key = ",";
    chrome_json::append_quoted(key, name);
    members.push_back(
        {key + ':',
         bt_field_class_get_type(bt_field_class_structure_member_borrow_field_class_const(each))});
    taken.push_back(std::move(name));
  }
  return members;
}

void FieldWriter::append_members(std::string& out, const bt_field* structure,
                                 const Members& members) {
  for (size_t i = 0; i < members.size(); ++i) {
    const Member& member = members[i];
    if (member.key.empty()) continue;
    const bool is_first = out.empty() || out.back() == '{';
    out.append(member.key, is_first ? 1 : 0);
    append(out, bt_field_structure_borrow_member_field_by_index_const(structure, i), member.type);
  }
}

void FieldWriter::append(std::string& out, const bt_field* field, bt_field_class_type type) {
  if (is_one_of(type, BT_FIELD_CLASS_TYPE_ENUMERATION)) {
    if (const std::string_view label = label_of(field, type); !label.empty())
      return chrome_json::append_quoted_bytes(out, label);
  }
  if (is_one_of(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
    append_number(out, bt_field_integer_unsigned_get_value(field));
  } else if (is_one_of(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
    append_number(out, bt_field_integer_signed_get_value(field));
  } else if (type == BT_FIELD_CLASS_TYPE_STRING) {
    chrome_json::append_quoted_bytes(out, text_of(field));
  } else if (is_one_of(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
    append_array(out, field);
  } else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
    const bt_field_class* const its_class = bt_field_borrow_class_const(field);
    auto it = members_.find(its_class);
    if (it == members_.end()) {
      std::vector<std::string> taken;
      it = members_.emplace(its_class, members_of(its_class, taken)).first;
    }
    out += '{';
    append_members(out, field, it->second);
    out += '}';
  } else if (is_one_of(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
    const bt_field* const option = bt_field_variant_borrow_selected_option_field_const(field);
    append(out, option, bt_field_get_class_type(option));
  } else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL) {
    append_real(out, bt_field_real_single_precision_get_value(field));
  } else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL) {
    append_real(out, bt_field_real_double_precision_get_value(field));
  } else {
    out += "null";  // what CTF 1.8 has not
  }
}

void FieldWriter::append_array(std::string& out, const bt_field* array) {
  constexpr uint64_t kMostElements = 1 << 16;  // nobody reads more, and they may have no bytes
  const uint64_t length = bt_field_array_get_length(array);
  out += '[';
  for (uint64_t i = 0; i < std::min(length, kMostElements); ++i) {
    if (i > 0) out += ',';
    const bt_field* const element = bt_field_array_borrow_element_field_by_index_const(array, i);
    append(out, element, bt_field_get_class_type(element));
  }
  if (length > kMostElements) out += fmt::format(",\"… of {}\"", length);
  out += ']';
}

}  // namespace weft::formats::ctf
