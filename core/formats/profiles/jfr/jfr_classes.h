// The classes that a chunk of Java's Flight Recorder describes: those of its events and of what
// they hold, and where its constants are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/profiles/jfr/jfr_cursor.h"

namespace weft::formats::jfr {

struct Class;

struct Field {
  enum class Unit : uint8_t { kNone, kTicks, kNanoseconds, kMilliseconds };  // of a span of time
  std::string name;
  const Class* of = nullptr;   // null: it is not described
  const Class* key = nullptr;  // of a constant; null: a long
  bool is_constant = false;    // the value is a key
  bool is_array = false;
  bool is_unsigned = false;
  bool is_address = false;  // in memory
  Unit unit = Unit::kNone;
};

struct Class {
  enum class Kind : uint8_t {
    kObject,
    kBoolean,
    kByte,
    kChar,
    kShort,
    kInt,
    kLong,
    kFloat,
    kDouble,
    kText,
    // JDK 7 and 8 only.
    kUnsignedByte,
    kUnsignedInt,
    kShortUtf8,   // at most 64 KiB
    kCharacters,  // of Java
    kKey          // of the constant itself, which lies before it
  };
  std::string name;  // "jdk.CPULoad"
  Kind kind = Kind::kObject;
  bool is_event = false;
  const Class* key = nullptr;  // of constants of JDK 7 and 8
  std::vector<Field> fields;
  std::vector<std::string> categories;  // the outermost first
};

// By number. Fields refer to each other: move, do not copy.
using Classes = std::map<uint64_t, Class>;

// Takes a text of JDK 7 and 8.
std::string take_old_text(Cursor& cursor, Class::Kind kind);

// The metadata that the cursor stands at.
Result<Classes> read_classes(Cursor cursor);

}  // namespace weft::formats::jfr
