// What a rule looks at: one line, row, element or object, taken apart into fields. Views; valid
// until the next record is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::formats::custom {

struct Field {
  std::string_view name;   // empty: it goes by its number alone
  std::string_view value;  // data() is null where it is not there
};

struct Record {
  std::string_view text;  // of lines or a row; an element's is not kept
  std::string_view path;  // of an element: "log/entry"
  uint64_t offset = 0;    // in the input
  uint64_t size_bytes = 0;
  std::vector<Field> fields;
};

// Fields may be named with others that stand in where a record lacks them: "time|timestamp". Calls
// is_it(name) for each, until it says true; whether it did.
template <class IsIt>
bool any_name_of(std::string_view names, const IsIt& is_it) {
  for (size_t begin = 0; begin <= names.size();) {
    const size_t end = std::min(names.find('|', begin), names.size());
    if (is_it(names.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

// The first field of these names, or numbers, counted from 1, that says something; else the first
// that is there; none where there is none.
const Field* find_field(const Record& record, std::string_view names);

}  // namespace weft::formats::custom
