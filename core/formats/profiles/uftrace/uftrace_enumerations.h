// Names of numbers, as uftrace writes the enumerations of C that it knows, in `info` and NAME.dbg:
//
//   enum colour {RED,GREEN=5,BLUE}
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats::uftrace {

class Enumerations {
 public:
  // Any number of definitions, with semicolons between them.
  void add(std::string_view text);

  // "GREEN"; "PROT_READ|PROT_WRITE" of what is not a value itself, but flags, with what is left of
  // it in hexadecimal. Returns an empty text if there is no such enumeration.
  std::string text_of(std::string_view name, int64_t number) const;

 private:
  struct Value {
    int64_t number;
    std::string name;
  };
  std::map<std::string, std::vector<Value>, std::less<>> values_;  // from the greatest on
  size_t count_ = 0;  // of values, which are no more than a million
};

}  // namespace weft::formats::uftrace
