#include "core/formats/kernel/trace_dat/record.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"

namespace weft::formats::trace_dat {
namespace {

bool has(const tep_format_field& field, tep_format_flags flag) {
  return (field.flags & static_cast<unsigned long>(flag)) != 0;
}

}  // namespace

std::optional<int64_t> Record::number(const char* field) const {
  tep_format_field* const found = tep_find_field(&event_, field);
  return found == nullptr ? std::nullopt : number(*found);
}

std::string_view Record::text(const char* field) const {
  const tep_format_field* const found = tep_find_field(&event_, field);
  const bool is_text =
      found != nullptr && (has(*found, TEP_FIELD_IS_STRING) || has(*found, TEP_FIELD_IS_ARRAY));
  return is_text ? until_zero(bytes(*found)) : std::string_view();
}

std::string Record::function(const char* field) const {
  const auto address = number(field);
  if (!address) return {};
  const char* const name = tep_find_function(&tep_, static_cast<uint64_t>(*address));
  return name == nullptr ? fmt::format("{:#x}", static_cast<uint64_t>(*address)) : name;
}

std::string Record::printed() const {
  tep_record record = record_;  // which the library does not change
  trace_seq text;
  trace_seq_init(&text);
  tep_print_event(&tep_, &text, &record, "%s", TEP_PRINT_INFO);
  std::string printed(text.buffer, text.len);
  trace_seq_destroy(&text);
  return std::string(trimmed(printed));
}

void Record::append_json(std::string& out) const {
  out += '{';
  for (tep_format_field* field = event_.format.fields; field != nullptr; field = field->next) {
    if (out.back() != '{') out += ',';
    json::append_quoted(out, valid_utf8(field->name));
    out += ':';
    append_value(out, *field);
  }
  out += '}';
}

bool Record::is_number(const tep_format_field& field) {
  return !has(field, TEP_FIELD_IS_STRING) && !has(field, TEP_FIELD_IS_ARRAY);
}

std::optional<int64_t> Record::number(tep_format_field& field) const {
  const bool is_inside = field.offset >= 0 && field.size > 0 && field.size <= 8 &&
                         field.offset <= record_.size - field.size;
  unsigned long long value = 0;
  if (!is_inside || tep_read_number_field(&field, record_.data, &value) != 0) return std::nullopt;
  const int unused_bits = 64 - 8 * field.size;
  if (!has(field, TEP_FIELD_IS_SIGNED)) return static_cast<int64_t>(value);
  return static_cast<int64_t>(value << unused_bits) >> unused_bits;
}

// Returns the bytes of an array or text, wherever they lie. Fields without a size extend to the
// record's end.
std::string_view Record::bytes(const tep_format_field& field) const {
  int64_t offset = field.offset, size = field.size;
  if (has(field, TEP_FIELD_IS_DYNAMIC)) {
    tep_format_field place = field;
    place.size = sizeof(uint32_t);
    const auto value = number(place);
    if (!value) return {};
    constexpr int64_t kOffsetMask = 0xFFFF;
    offset = *value & kOffsetMask;
    if (has(field, TEP_FIELD_IS_RELATIVE)) offset += field.offset + place.size;
    size = *value >> 16 & kOffsetMask;
  }
  if (offset < 0 || offset > record_.size) return {};
  if (size == 0 && !has(field, TEP_FIELD_IS_DYNAMIC)) size = record_.size - offset;
  size = std::clamp<int64_t>(size, 0, record_.size - offset);
  return {static_cast<const char*>(record_.data) + offset, static_cast<size_t>(size)};
}

void Record::append_value(std::string& out, tep_format_field& field) const {
  const auto back = std::back_inserter(out);
  if (has(field, TEP_FIELD_IS_STRING)) {
    return json::append_quoted(out, valid_utf8(until_zero(bytes(field))));
  }
  if (is_number(field)) {
    const auto value = number(field);
    const std::string name =
        value && names_ != nullptr ? names_->of(field.name, static_cast<uint64_t>(*value)) : "";
    if (!value) {
      out += "null";
    } else if (!name.empty()) {
      json::append_quoted(out, valid_utf8(name));
    } else if (has(field, TEP_FIELD_IS_SIGNED)) {
      fmt::format_to(back, "{}", *value);
    } else {
      fmt::format_to(back, "{}", static_cast<uint64_t>(*value));
    }
    return;
  }
  const std::string_view all = bytes(field);
  const size_t step = field.elementsize;
  const bool are_numbers = step == 1 || step == 2 || step == 4 || step == 8;
  if (!are_numbers) {
    return json::append_quoted(out, hexadecimal(std::as_bytes(std::span(all))));
  }
  out += '[';
  for (size_t at = 0; at + step <= all.size(); at += step) {
    if (at > 0) out += ',';
    fmt::format_to(back, "{}", tep_read_number(&tep_, all.data() + at, static_cast<int>(step)));
  }
  out += ']';
}

}  // namespace weft::formats::trace_dat
