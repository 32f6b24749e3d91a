#include "core/formats/profiles/nettrace/nettrace_kinds.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace weft::formats::nettrace {
namespace {

// How fields are described: until version 4, as an extension of version 5, from version 6 on.
enum class Form : uint8_t { kFirst, kSized, kCompact };
constexpr int kMostDepth = 16;

bool take_fields(Cursor& cursor, Form form, int depth, std::vector<Field>& fields);

bool is_array(Code code) {
  return code == Code::kArray || code == Code::kFixedArray || code == Code::kRelativePlace ||
         code == Code::kPlace;
}

bool is_known(uint32_t code) {
  constexpr uint32_t kNothing = 2;
  return code != 0 && code != kNothing && code <= static_cast<uint32_t>(Code::kBoolean8);
}

bool take_type(Cursor& cursor, Form form, int depth, FieldType& type) {
  const uint32_t code =
      form == Form::kCompact ? cursor.little<uint8_t>() : cursor.little<uint32_t>();
  if (!is_known(code) || depth > kMostDepth) return false;
  type.code = static_cast<Code>(code);
  if (type.code == Code::kObject) return take_fields(cursor, form, depth + 1, type.fields);
  if (!is_array(type.code)) return true;
  if (!take_type(cursor, form, depth + 1, type.element.emplace_back())) return false;
  if (type.code == Code::kFixedArray) type.count = cursor.little<uint16_t>();
  return true;
}

bool take_field(Cursor& cursor, Form form, int depth, Field& field) {
  if (form == Form::kFirst) {
    const bool is_known = take_type(cursor, form, depth, field.type);
    field.name = cursor.utf16();
    return is_known;
  }
  constexpr uint32_t kSizeBytes = 4;
  const uint32_t size = form == Form::kCompact
                            ? cursor.little<uint16_t>()
                            : std::max(cursor.little<uint32_t>(), kSizeBytes) - kSizeBytes;
  Cursor part(cursor.bytes(size));
  field.name = form == Form::kCompact ? valid_utf8(part.utf8()) : part.utf16();
  return take_type(part, form, depth, field.type) && !part.has_failed();
}

// Returns false if one cannot be read: those behind it have no place then.
bool take_fields(Cursor& cursor, Form form, int depth, std::vector<Field>& fields) {
  const uint32_t count =
      form == Form::kCompact ? cursor.little<uint16_t>() : cursor.little<uint32_t>();
  for (uint32_t i = 0; i < count; ++i) {
    Field field;
    if (!take_field(cursor, form, depth, field) || cursor.has_failed()) return false;
    fields.push_back(std::move(field));
  }
  return !cursor.has_failed();
}

void take_extensions(Cursor& cursor, Kind& kind) {
  constexpr uint8_t kOpcode = 1, kFields = 2;
  while (!cursor.is_at_end()) {
    const auto size = cursor.little<uint32_t>();
    const auto tag = cursor.little<uint8_t>();
    Cursor part(cursor.bytes(size));
    if (cursor.has_failed()) return;
    if (tag == kOpcode) kind.opcode = part.little<uint8_t>();
    if (tag == kFields) {
      kind.fields.clear();
      kind.has_unread = !take_fields(part, Form::kSized, 0, kind.fields);
    }
  }
}

void take_properties(Cursor& cursor, Kind& kind) {
  enum : uint8_t {
    kOpcode = 1,
    kKeywords = 3,
    kMessage = 4,
    kDescription = 5,
    kKeyValue = 6,
    kGuid = 7,
    kLevel = 8,
    kVersion = 9,
  };
  Cursor part(cursor.bytes(cursor.little<uint16_t>()));
  while (!part.is_at_end()) {
    switch (part.little<uint8_t>()) {
      case kOpcode:
        kind.opcode = part.little<uint8_t>();
        break;
      case kKeywords:
        kind.keywords = part.little<uint64_t>();
        break;
      case kMessage:
        kind.message = valid_utf8(part.utf8());
        break;
      case kDescription:
        part.utf8();
        break;
      case kKeyValue:
        part.utf8();
        part.utf8();
        break;
      case kGuid:
        part.bytes(kGuidBytes);
        break;
      case kLevel:
        kind.level = part.little<uint8_t>();
        break;
      case kVersion:
        kind.version = part.little<uint8_t>();
        break;
      default:
        return;
    }
  }
}

}  // namespace

std::optional<NumberedKind> take_kind(std::string_view payload) {
  Cursor cursor(payload);
  NumberedKind taken;
  taken.number = cursor.little<uint32_t>();
  taken.kind.provider = cursor.utf16();
  taken.kind.id = cursor.little<uint32_t>();
  taken.kind.name = cursor.utf16();
  taken.kind.keywords = cursor.little<uint64_t>();
  taken.kind.version = cursor.little<uint32_t>();
  taken.kind.level = cursor.little<uint32_t>();
  if (cursor.has_failed()) return std::nullopt;
  if (!cursor.is_at_end())
    taken.kind.has_unread = !take_fields(cursor, Form::kFirst, 0, taken.kind.fields);
  if (!taken.kind.has_unread) take_extensions(cursor, taken.kind);
  return taken;
}

std::optional<NumberedKind> take_kind_of_block(Cursor& block) {
  Cursor cursor(block.bytes(block.little<uint16_t>()));
  NumberedKind taken;
  taken.number = cursor.varint32();
  taken.kind.provider = valid_utf8(cursor.utf8());
  taken.kind.id = cursor.varint32();
  taken.kind.name = valid_utf8(cursor.utf8());
  if (block.has_failed() || cursor.has_failed()) return std::nullopt;
  taken.kind.has_unread = !take_fields(cursor, Form::kCompact, 0, taken.kind.fields);
  if (!taken.kind.has_unread) take_properties(cursor, taken.kind);
  return taken;
}

}  // namespace weft::formats::nettrace
