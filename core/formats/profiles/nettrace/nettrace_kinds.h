// Kinds of events, as the file describes them: whose they are, their names, and the types of what
// their payloads hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/profiles/nettrace/nettrace_cursor.h"

namespace weft::formats::nettrace {

// The file's numbers, and three of the runtime's own events, which no file describes.
enum class Code : uint8_t {
  kObject = 1,
  kBoolean32 = 3,
  kUtf16Unit = 4,
  kInt8 = 5,
  kUint8 = 6,
  kInt16 = 7,
  kUint16 = 8,
  kInt32 = 9,
  kUint32 = 10,
  kInt64 = 11,
  kUint64 = 12,
  kSingle = 13,
  kDouble = 14,
  kDecimal = 15,
  kDateTime = 16,
  kGuid = 17,
  kUtf16Text = 18,
  kArray = 19,
  kVarInt = 20,
  kVarUint = 21,
  kFixedArray = 22,
  kUtf8Unit = 23,
  kRelativePlace = 24,
  kPlace = 25,
  kBoolean8 = 26,
  kPointer = 200,
  kBytesText = 201,
  kAddress = 202,
};

struct Field;
struct FieldType {
  Code code = Code::kObject;
  std::vector<FieldType> element;  // one, of an array
  uint32_t count = 0;              // of a fixed array
  std::vector<Field> fields;       // of an object
};
struct Field {
  std::string name;
  FieldType type;
};

struct Kind {
  std::string provider, name;
  uint32_t id = 0, version = 0, level = 0;
  uint64_t keywords = 0;
  std::optional<uint8_t> opcode;  // 1: it begins something, 2: it ends it
  std::vector<Field> fields;
  std::string message;      // how it is to be said, where the file says it
  bool has_unread = false;  // fields whose types are not known
};

struct NumberedKind {
  uint32_t number = 0;  // by which rows name it
  Kind kind;
};

// Takes a kind from a row's payload, up to version 5.
std::optional<NumberedKind> take_kind(std::string_view payload);
// Takes a kind from a block, from version 6 on; advances the cursor even if it is invalid.
std::optional<NumberedKind> take_kind_of_block(Cursor& block);

}  // namespace weft::formats::nettrace
