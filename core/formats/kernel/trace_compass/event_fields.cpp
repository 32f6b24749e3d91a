#include "core/formats/kernel/trace_compass/event_fields.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/formats/base/text.h"

namespace weft::formats::trace_compass {
namespace {

using Kind = ctf::FieldClass::Kind;

// Of "long", "int", "double", "longArray".
constexpr std::string_view kArray = "Array";

ctf::FieldClass class_of_kind(Kind kind) {
  ctf::FieldClass of_kind;
  of_kind.kind = kind;
  return of_kind;
}

bool is_real(std::string_view type) { return type == "double" || type == "float"; }
bool is_integer(std::string_view type) { return type == "int" || type == "long"; }

// Returns false if the text is no such number.
bool read(std::string_view text, Kind kind, ctf::Field& field) {
  if (kind == Kind::kDouble) {
    const auto number = parse_number<double>(text);
    field.real = number.value_or(0);
    return number.has_value();
  }
  const auto number = parse_number<int64_t>(text);
  field.bits = static_cast<uint64_t>(number.value_or(0));
  return number.has_value();
}

// Reads "1,2,3". Returns false if not all are numbers, or if there are too many.
bool read_elements(std::string_view text, Kind kind, std::vector<ctf::Field>& elements) {
  elements.clear();
  while (!text.empty()) {
    ctf::Field element;
    if (elements.size() == ctf::kMostElements || !read(trimmed(take_to(text, ',')), kind, element))
      return false;
    elements.push_back(element);
  }
  return true;
}

}  // namespace

bool EventFields::add(std::string_view name, std::string_view type, std::string_view value) {
  constexpr size_t kMost = 1 << 10;
  if (size_ == kMost) return false;
  if (size_ == texts_.size()) texts_.emplace_back();
  Text& text = texts_[size_++];
  text.name = name;
  text.type = type;
  text.value = value;
  return true;
}

ctf::FieldClass EventFields::class_of(Text& text, ctf::Field& field) {
  std::string_view type = text.type;
  const bool is_array = type.ends_with(kArray);
  if (is_array) type.remove_suffix(kArray.size());
  const Kind kind = is_real(type) ? Kind::kDouble : Kind::kSigned;
  const bool is_number = is_real(type) || is_integer(type);
  if (is_array && is_number && read_elements(text.value, kind, text.elements)) {
    ctf::FieldClass array = class_of_kind(Kind::kArray);
    array.parts.push_back(class_of_kind(kind));
    field.parts = text.elements.data();
    field.size = text.elements.size();
    return array;
  }
  if (!is_array && is_number && read(trimmed(text.value), kind, field)) return class_of_kind(kind);
  field.text = text.value.data();
  field.size = text.value.size();
  return class_of_kind(Kind::kText);
}

const ctf::Field& EventFields::structure() {
  class_ = class_of_kind(Kind::kStructure);
  values_.assign(size_, {});
  for (size_t i = 0; i < size_; ++i) {
    const auto same = std::ranges::count(texts_.begin(), texts_.begin() + static_cast<ptrdiff_t>(i),
                                         texts_[i].name, &Text::name);
    class_.names.push_back(same == 0 ? texts_[i].name
                                     : fmt::format("{} {}", texts_[i].name, same + 1));
    class_.parts.push_back(class_of(texts_[i], values_[i]));
  }
  for (size_t i = 0; i < size_; ++i) {
    values_[i].its_class = &class_.parts[i];
    for (ctf::Field& element : texts_[i].elements)
      if (values_[i].kind() == Kind::kArray) element.its_class = class_.parts[i].parts.data();
  }
  structure_ = {};
  structure_.its_class = &class_;
  structure_.parts = values_.data();
  return structure_;
}

std::string EventFields::json_without(std::initializer_list<std::string_view> names) const {
  std::vector<std::string> taken;
  ctf::Keys keys = ctf::keys_of(&class_, taken);
  for (size_t i = 0; i < keys.size(); ++i) {
    if (std::ranges::find(names, class_.names[i]) != names.end()) keys[i].clear();
  }
  std::string json = "{";
  ctf::append_members(json, structure_, keys);
  return json.size() == 1 ? std::string() : json + '}';
}

}  // namespace weft::formats::trace_compass
