// Values of a CTF event: looked up by name, and written as JSON.
#pragma once

#include <babeltrace2/babeltrace.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weft::formats::ctf {

// Null where `structure` is null or has no such member.
const bt_field* member(const bt_field* structure, const char* name);
// False where it is null or no integer; of an unsigned one the bits.
bool read_integer(const bt_field* field, int64_t& value);
inline std::optional<int64_t> integer_of(const bt_field* field) {
  int64_t value = 0;
  return read_integer(field, value) ? std::optional(value) : std::nullopt;
}
// Of any number; nothing where it is none.
std::optional<double> real_of(const bt_field* field);
// A string's, or the label of an enumeration's value; empty where it is neither.
std::string_view text_of(const bt_field* field);

// A structure's member as JSON writes it.
struct Member {
  std::string key;  // `,"name":`; empty where it is left out
  bt_field_class_type type;
};
using Members = std::vector<Member>;

// Writes fields as JSON: nested ones as objects and arrays, enumerations by their labels, integers
// with all their digits, what is no number in JSON (NaN) as text.
class FieldWriter {
 public:
  // Names that are in `taken`, too, are written as "context.name"; those written are added to it.
  static Members members_of(const bt_field_class* structure, std::vector<std::string>& taken);
  // `"a":1,"b":[2]`, with a comma before it where `out` is behind a member.
  void append_members(std::string& out, const bt_field* structure, const Members& members);

 private:
  void append(std::string& out, const bt_field* field, bt_field_class_type type);
  void append_array(std::string& out, const bt_field* array);

  std::unordered_map<const bt_field_class*, Members> members_;  // of nested structures
};

}  // namespace weft::formats::ctf
