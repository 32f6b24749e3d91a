// What a rule looks at: one line, row or element, taken apart into fields. Views; valid until the
// next record is read.
#pragma once

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

// The field of this name, or of this number, counted from 1; none where there is none.
const Field* find_field(const Record& record, std::string_view name);

}  // namespace weft::formats::custom
