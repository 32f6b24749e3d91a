#include "core/formats/general/perfetto/annotations.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

#include "core/formats/general/perfetto/fields.h"

namespace weft::formats::perfetto {
namespace {

constexpr int kMostAnnotationDepth = 32;

// NestedValue, the older form of values within values.
bool add_nested_value(std::string_view message, ArgsText& args, int depth) {
  if (depth > kMostAnnotationDepth) {
    args.nothing();
    return false;
  }
  constexpr uint64_t kDictionary = 1, kArray = 2;
  uint64_t kind = 0;
  std::vector<std::string_view> keys, values;
  std::optional<Field> scalar;
  bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) kind = field.value;
    if (field.number == 2) keys.push_back(field.bytes);
    if (field.number == 3 || field.number == 4) values.push_back(field.bytes);
    if (field.number >= 5 && field.number <= 8) scalar = field;
  });
  if (kind != kDictionary && kind != kArray) {
    if (!scalar) {
      args.nothing();
    } else if (scalar->number == 5) {
      args.number(scalar->integer());
    } else if (scalar->number == 6) {
      args.number(scalar->real());
    } else if (scalar->number == 7) {
      args.flag(scalar->flag());
    } else {
      args.text(scalar->bytes);
    }
    return is_good;
  }
  args.begin(kind == kDictionary ? '{' : '[');
  for (size_t i = 0; i < values.size(); ++i) {
    if (kind == kDictionary) args.name(i < keys.size() ? keys[i] : std::string_view());
    is_good &= add_nested_value(values[i], args, depth + 1);
  }
  args.end(kind == kDictionary ? '}' : ']');
  return is_good;
}

struct Annotation {
  std::string_view name;
  std::optional<Field> value;
  std::vector<std::string_view> entries, elements;  // of a dictionary, of an array
};

bool parse(std::string_view message, const Sequence& sequence, Annotation& annotation) {
  return for_each_field(message, [&](const Field& field) {
    switch (field.number) {
      case 1:
        annotation.name = sequence.text(Interned::kAnnotationName, field.value);
        break;
      case 10:
        annotation.name = field.bytes;
        break;
      case 11:
        annotation.entries.push_back(field.bytes);
        break;
      case 12:
        annotation.elements.push_back(field.bytes);
        break;
      case 2:
      case 3:
      case 4:
      case 5:
      case 6:
      case 7:
      case 8:
      case 9:
      case 14:
      case 17:
        annotation.value = field;
        break;
      default:
        break;
    }
  });
}

bool add_value(const Annotation& annotation, const Sequence& sequence, ArgsText& args, int depth);

// With its name where it is a member, without where it is an element.
bool add(std::string_view message, const Sequence& sequence, ArgsText& args, bool is_member,
         int depth) {
  Annotation annotation;
  const bool is_good = depth <= kMostAnnotationDepth && parse(message, sequence, annotation);
  if (is_member) args.name(annotation.name);
  return add_value(annotation, sequence, args, depth) && is_good;
}

bool add_all(const std::vector<std::string_view>& messages, const Sequence& sequence,
             ArgsText& args, bool are_members, int depth) {
  bool is_good = true;
  args.begin(are_members ? '{' : '[');
  for (const std::string_view message : messages)
    is_good &= add(message, sequence, args, are_members, depth + 1);
  args.end(are_members ? '}' : ']');
  return is_good;
}

bool add_value(const Annotation& annotation, const Sequence& sequence, ArgsText& args, int depth) {
  if (!annotation.entries.empty()) return add_all(annotation.entries, sequence, args, true, depth);
  if (!annotation.elements.empty())
    return add_all(annotation.elements, sequence, args, false, depth);
  if (!annotation.value) {
    args.nothing();
    return true;
  }
  const Field& value = *annotation.value;
  switch (value.number) {
    case 2:
      args.flag(value.flag());
      return true;
    case 3:
      args.number(value.value);
      return true;
    case 4:
      args.number(value.integer());
      return true;
    case 5:
      args.number(value.real());
      return true;
    case 7:
      args.pointer(value.value);
      return true;
    case 8:
      return add_nested_value(value.bytes, args, depth + 1);
    case 9:
      args.json(value.bytes);
      return true;
    case 14:
      args.text(fmt::format("{} bytes of a message", value.bytes.size()));
      return true;
    case 17:
      args.text(sequence.text(Interned::kAnnotationText, value.value));
      return true;
    default:
      args.text(value.bytes);
      return true;
  }
}

}  // namespace

bool add_annotation(std::string_view message, const Sequence& sequence, ArgsText& args) {
  return add(message, sequence, args, true, 0);
}

}  // namespace weft::formats::perfetto
