#include "core/formats/general/perfetto/typed_args.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/binary.h"

namespace weft::formats::perfetto {
namespace {

constexpr int kMostMessageDepth = 16;
constexpr size_t kMostHexBytes = 32;

// A message begins with a small number, a text does not.
bool looks_like_text(std::string_view bytes) {
  constexpr std::string_view kSpace = "\n\r\t";
  const bool has_control = std::ranges::any_of(bytes, [&](char c) {
    return static_cast<uint8_t>(c) < 0x20 && kSpace.find(c) == std::string_view::npos;
  });
  return !has_control && (bytes.empty() || static_cast<uint8_t>(bytes.front()) >= 0x20) &&
         is_valid_utf8(bytes);
}

void add_value(const Field& field, const FieldName& name, ArgsText& args, int depth);

// One value, or several as an array.
void add_values(std::span<const Field> fields, const FieldName& name, ArgsText& args, int depth) {
  if (name.form == FieldName::Form::kCount) return args.number(fields.size());
  const bool is_array = fields.size() > 1;
  if (is_array) args.begin('[');
  for (const Field& field : fields) add_value(field, name, args, depth);
  if (is_array) args.end(']');
}

void add_members(std::span<Field> fields, const MessageNames& names, ArgsText& args, int depth) {
  static const FieldName unnamed;
  std::ranges::stable_sort(fields, {}, &Field::number);
  for (size_t begin = 0, end = 0; begin < fields.size(); begin = end) {
    const uint32_t number = fields[begin].number;
    while (end < fields.size() && fields[end].number == number) ++end;
    const FieldName* const name = names.find(number);
    if (name == nullptr && !names.shows_others) continue;
    if (name != nullptr) {
      args.name(name->name);
    } else {
      args.name((depth == 0 ? "field " : "") + std::to_string(number));
    }
    add_values(fields.subspan(begin, end - begin), name != nullptr ? *name : unnamed, args, depth);
  }
}

// The enumerator's name; empty: none.
std::string_view word_of(const Field& field, const FieldName& name) {
  const uint64_t index = field.value - name.first_value;
  return field.value >= name.first_value && index < name.values.size()
             ? name.values[static_cast<size_t>(index)]
             : std::string_view();
}

void add_number(const Field& field, const FieldName& name, ArgsText& args) {
  using Form = FieldName::Form;
  if (const std::string_view word = word_of(field, name); !word.empty()) return args.text(word);
  if (name.form == Form::kFlag) return args.flag(field.flag());
  if (name.form == Form::kFloat) return args.number(static_cast<double>(field.real32()));
  if (name.form == Form::kDouble) return args.number(field.real());
  args.number(name.form == Form::kSigned ? from_zigzag(field.value) : field.integer());
}

void add_value(const Field& field, const FieldName& name, ArgsText& args, int depth) {
  if (!field.is_bytes) return add_number(field, name, args);
  const bool is_known = !name.message.empty();
  if (!is_known && looks_like_text(field.bytes)) return args.text(field.bytes);
  std::vector<Field> fields;
  const bool is_message =
      depth < kMostMessageDepth &&
      for_each_field(field.bytes, [&](const Field& inner) { fields.push_back(inner); });
  if (!is_message) {
    const auto bytes = std::as_bytes(std::span(field.bytes.substr(0, kMostHexBytes)));
    return args.text(hexadecimal(bytes) + (field.bytes.size() > kMostHexBytes ? "…" : ""));
  }
  static const MessageNames none;
  args.begin('{');
  add_members(fields, name.names != nullptr ? *name.names : none, args, depth + 1);
  args.end('}');
}

}  // namespace

void add_typed_arguments(std::span<Field> fields, const MessageNames& names, ArgsText& args) {
  add_members(fields, names, args, 0);
}

std::string plain_value(const Field& field, const FieldName& name) {
  if (field.is_bytes) return valid_utf8(field.bytes);
  if (const std::string_view word = word_of(field, name); !word.empty()) return std::string(word);
  ArgsText args;
  add_number(field, name, args);
  return args.take_value();
}

std::string value_of_metadata(std::span<Field> fields, const FieldName& name) {
  const bool is_message = !name.message.empty() || name.form == FieldName::Form::kCount;
  if (fields.size() == 1 && !is_message) return plain_value(fields.front(), name);
  ArgsText args;
  add_values(fields, name, args, 0);
  return args.take_value();
}

}  // namespace weft::formats::perfetto
