// Values of a CTF event, copied from Babeltrace's: looked up by name, and written as JSON.
#pragma once

#include <babeltrace2/babeltrace.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats::ctf {

// Names of a structure's members as JSON writes them: `,"name":`; empty where it is left out.
using Keys = std::vector<std::string>;

struct Flag {
  std::string name;
  uint64_t bits = 0;
};

// Properties shared by all fields of a class.
struct FieldClass {
  enum class Kind : uint8_t {
    kUnsigned,
    kSigned,
    kSingle,
    kDouble,
    kText,
    kStructure,
    kArray,
    kVariant,
    kOther,  // what CTF 1.8 has not
  };
  FieldClass() = default;
  explicit FieldClass(const bt_field_class& its_class);

  Kind kind = Kind::kOther;
  const bt_field_class* enumeration = nullptr;  // whose labels its values have
  std::vector<Flag> flags;                      // of a bit map
  std::vector<std::string> names;               // of a structure's members
  Keys keys;                                    // of the same
  // Classes of a structure's members, a variant's options or an array's elements.
  std::vector<FieldClass> parts;
};

// One value. What it points to lives as long as the event.
struct Field {
  using Kind = FieldClass::Kind;
  const FieldClass* its_class = nullptr;  // never a variant's: the field is what is selected
  union {
    uint64_t bits = 0;  // of integers
    double real;
    const char* text;
    const Field* parts;  // members, elements
  };
  uint64_t size = 0;  // a text's bytes, an array's length

  Kind kind() const { return its_class->kind; }
  const Field* member(uint64_t index) const { return &parts[index]; }
};

inline constexpr uint64_t kMostElements = 1 << 16;  // nobody reads more, and they may have no bytes

// Returns null if `structure` is null or has no such member.
const Field* member(const Field* structure, std::string_view name);
// Returns false if it is null or no integer; of an unsigned one the bits.
inline bool read_integer(const Field* field, int64_t& value) {
  if (field == nullptr || field->kind() > Field::Kind::kSigned) return false;
  value = static_cast<int64_t>(field->bits);
  return true;
}
inline std::optional<int64_t> integer_of(const Field* field) {
  int64_t value = 0;
  return read_integer(field, value) ? std::optional(value) : std::nullopt;
}
// Reads any number; nullopt if it is none.
std::optional<double> real_of(const Field* field);
// A string's, or the label of an enumeration's value; empty where it is neither.
std::string_view text_of(const Field* field);
inline bool is_array(const Field* field) {
  return field != nullptr && field->kind() == Field::Kind::kArray;
}
// Returns up to kMostElements elements of an array; empty if it is none.
std::span<const Field> elements_of(const Field* array);

// The keys of a structure's members. Names that are in `taken`, too, are written as "context.name";
// those written are added to it. None of a class that is none.
Keys keys_of(const FieldClass* structure, std::vector<std::string>& taken);
// Writes a structure's members as JSON, `"a":1,"b":[2]`, with a comma before where `out` is behind
// a member: nested ones as objects and arrays, enumerations by their labels, bit maps by the flags
// that are set (and the bits that none stands for, "a|b|0x4"), integers with all
// their digits, what is not a number in JSON (NaN) as text.
void append_members(std::string& out, const Field& structure, const Keys& keys);

}  // namespace weft::formats::ctf
