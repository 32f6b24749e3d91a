// The input of a rule: one line, row, element or object, split into fields. Views; valid until the
// next record is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::formats::custom {

struct Field {
  std::string_view name;   // empty: addressed by number only
  std::string_view value;  // data() is null if absent
};

struct Record {
  std::string_view text;  // of a line or row; elements keep none
  std::string_view path;  // of an element: "log/entry"
  uint64_t offset = 0;    // in the input
  uint64_t size_bytes = 0;
  std::vector<Field> fields;
};

// Field names may list alternatives for records that lack them: "time|timestamp". Calls is_it(name)
// for each until it returns true; returns whether it did.
template <class IsIt>
bool any_name_of(std::string_view names, const IsIt& is_it) {
  for (size_t begin = 0; begin <= names.size();) {
    const size_t end = std::min(names.find('|', begin), names.size());
    if (is_it(names.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

// Returns the first non-empty field with one of these names or numbers (from 1), else the first
// that exists, else null.
const Field* find_field(const Record& record, std::string_view names);

}  // namespace weft::formats::custom
