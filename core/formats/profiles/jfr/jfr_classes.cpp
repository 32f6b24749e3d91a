#include "core/formats/profiles/jfr/jfr_classes.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/formats/base/text.h"

namespace weft::formats::jfr {
namespace {

// Returns the name used by JDK 11 and later.
std::string modern_name(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kPrefixes = {
      {{"com.oracle.jdk.", "jdk."}, {"com.oracle.jfr.types.", "jdk.types."}}};
  for (const auto& [old, modern] : kPrefixes) {
    if (name.starts_with(old)) return std::string(modern).append(name.substr(old.size()));
  }
  return std::string(name);
}

// An element of the tree of classes, fields and annotations.
struct Element {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
  std::vector<Element> children;

  std::string_view attribute(std::string_view of) const {
    const auto it = std::ranges::find(attributes, of, [](const auto& each) { return each.first; });
    return it == attributes.end() ? std::string_view() : it->second;
  }
  uint64_t number(std::string_view of) const {
    return parse_number<uint64_t>(attribute(of)).value_or(0);
  }
};

class TreeReader {
 public:
  explicit TreeReader(Cursor cursor) : cursor_(cursor) {}

  // A table of all texts, and the tree, which names them.
  bool read(Element& root) {
    const auto texts = count();
    for (uint64_t i = 0; i < texts && !cursor_.has_failed(); ++i)
      texts_.push_back(take_encoded_text(cursor_).text);
    read_element(root, 0);
    return !cursor_.has_failed();
  }

 private:
  static constexpr int kMostDepth = 16;

  // Each takes a byte at least.
  uint64_t count() {
    const auto count = static_cast<uint32_t>(cursor_.integer<int32_t>());
    if (count > cursor_.left()) cursor_.fail();
    return cursor_.has_failed() ? 0 : count;
  }
  std::string_view text() {
    const auto i = static_cast<uint32_t>(cursor_.integer<int32_t>());
    if (i >= texts_.size()) cursor_.fail();
    return cursor_.has_failed() ? std::string_view() : std::string_view(texts_[i]);
  }
  void read_element(Element& element, int depth) {
    if (depth > kMostDepth) return cursor_.fail();
    element.name = text();
    for (uint64_t i = count(); i > 0 && !cursor_.has_failed(); --i) {
      const std::string_view key = text();
      element.attributes.emplace_back(key, text());
    }
    for (uint64_t i = count(); i > 0 && !cursor_.has_failed(); --i)
      read_element(element.children.emplace_back(), depth + 1);
  }

  Cursor cursor_;
  std::vector<std::string> texts_;
};

Class::Kind kind_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Class::Kind>, 9> kKinds = {{
      {"boolean", Class::Kind::kBoolean},
      {"byte", Class::Kind::kByte},
      {"char", Class::Kind::kChar},
      {"short", Class::Kind::kShort},
      {"int", Class::Kind::kInt},
      {"long", Class::Kind::kLong},
      {"float", Class::Kind::kFloat},
      {"double", Class::Kind::kDouble},
      {"java.lang.String", Class::Kind::kText},
  }};
  const auto* const it =
      std::ranges::find(kKinds, name, [](const auto& each) { return each.first; });
  return it == kKinds.end() ? Class::Kind::kObject : it->second;
}

// The class of what an element stands for.
const Class* class_in(const Classes& classes, const Element& element) {
  const auto it = classes.find(element.number("class"));
  return it == classes.end() ? nullptr : &it->second;
}

bool is_note_of(const Classes& classes, const Element& element, std::string_view annotation) {
  const Class* const of = class_in(classes, element);
  return element.name == "annotation" && of != nullptr && of->name == annotation;
}

Field field_of(const Element& described, const Classes& classes) {
  Field field;
  field.name = described.attribute("name");
  field.of = class_in(classes, described);
  field.is_constant = described.attribute("constantPool") == "true";
  field.is_array = described.number("dimension") > 0;
  for (const Element& note : described.children) {
    if (is_note_of(classes, note, "jdk.jfr.Unsigned")) field.is_unsigned = true;
    if (is_note_of(classes, note, "jdk.jfr.MemoryAddress")) field.is_address = true;
    if (!is_note_of(classes, note, "jdk.jfr.Timespan")) continue;
    const std::string_view unit = note.attribute("value");
    field.unit = unit == "TICKS"          ? Field::Unit::kTicks
                 : unit == "MILLISECONDS" ? Field::Unit::kMilliseconds
                                          : Field::Unit::kNanoseconds;
  }
  return field;
}

void describe(Class& of, const Element& described, const Classes& classes) {
  for (const Element& child : described.children) {
    if (child.name == "field") of.fields.push_back(field_of(child, classes));
    if (!is_note_of(classes, child, "jdk.jfr.Category")) continue;
    for (const auto& [key, value] : child.attributes) {
      if (key.starts_with("value")) of.categories.emplace_back(value);
    }
  }
}

template <class Visit>
void for_each_class(const Element& element, const Visit& visit) {
  if (element.name == "class") return visit(element);
  for (const Element& child : element.children) for_each_class(child, visit);
}

}  // namespace

// Encodings as in JDK's own reader: null, empty, a constant, UTF-8, Java characters, Latin-1.
EncodedText take_encoded_text(Cursor& cursor) {
  enum : uint8_t { kNull, kEmpty, kConstant, kUtf8, kCharacters, kLatin1 };
  EncodedText taken;
  switch (cursor.byte()) {
    case kNull:
      taken.is_null = true;
      break;
    case kEmpty:
      break;
    case kConstant:
      taken.is_constant = true;
      taken.key = cursor.integer<uint64_t>();
      break;
    case kUtf8:
      taken.text = cursor.text(static_cast<uint32_t>(cursor.integer<int32_t>()));
      break;
    case kCharacters:
      for (auto i = static_cast<uint32_t>(cursor.integer<int32_t>()); i > 0 && !cursor.has_failed();
           --i)
        append_utf8(taken.text, cursor.integer<uint16_t>());
      break;
    case kLatin1:
      for (const char c : cursor.text(static_cast<uint32_t>(cursor.integer<int32_t>())))
        append_utf8(taken.text, static_cast<uint8_t>(c));
      break;
    default:
      cursor.fail();
  }
  taken.text = valid_utf8(taken.text);
  return taken;
}

std::string take_old_text(Cursor& cursor, Class::Kind kind) {
  if (kind == Class::Kind::kShortUtf8) return valid_utf8(cursor.text(cursor.fixed<uint16_t>()));
  const uint64_t characters = cursor.fixed<uint32_t>();
  std::string_view wide = cursor.text(characters * sizeof(uint16_t));
  std::string text;
  while (const auto each = take_big<uint16_t>(wide)) append_utf8(text, *each);
  return valid_utf8(text);
}

Result<Classes> read_classes(Cursor cursor) {
  cursor.integer<int32_t>();  // the event's size, type, begin, duration and own number
  cursor.integer<int64_t>();
  cursor.integer<int64_t>();
  cursor.integer<int64_t>();
  cursor.integer<int64_t>();
  Element root;
  TreeReader tree(cursor);
  if (!tree.read(root)) return fail("the description of the events is damaged");
  Classes classes;
  for_each_class(root, [&](const Element& each) {
    Class& of = classes[each.number("id")];
    of.name = modern_name(each.attribute("name"));
    of.kind = kind_of(of.name);
    of.is_event = each.attribute("superType") == "jdk.jfr.Event";
  });
  for_each_class(root, [&](const Element& each) {
    Class& of = classes[each.number("id")];
    if (of.fields.empty()) describe(of, each, classes);
  });
  return classes;
}

}  // namespace weft::formats::jfr
