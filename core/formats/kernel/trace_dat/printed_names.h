// Which numbers of an event have names where it is printed, by its own format: those of values
// (__print_symbolic), of bits (__print_flags), of functions at addresses (%pS, %ps), and devices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/kernel/trace_dat/libtracecmd.h"

namespace weft::formats::trace_dat {

class PrintedNames {
 public:
  // The event must outlive it.
  explicit PrintedNames(const tep_event& event);

  // "W|0x10"; empty where the field, or this value of it, is printed as a number.
  std::string of(std::string_view field, uint64_t value) const;

 private:
  enum class Kind : uint8_t { kValues, kBits, kFunction, kPlaceInFunction, kDevice };
  struct Named {
    uint64_t value;
    std::string_view name;
  };
  struct Rule {
    std::string_view field;
    Kind kind;
    std::vector<Named> names = {};
    std::string_view between = {};  // the names of bits
  };
  static std::vector<Named> names_of(const tep_print_flag_sym* named);
  static std::string names_of_bits(const Rule& rule, uint64_t bits);
  void add_printed(const tep_print_arg& arg, std::string_view conversion);
  std::string name_of_function(uint64_t address, bool has_offset) const;

  tep_handle* tep_;
  std::vector<Rule> rules_;
};

}  // namespace weft::formats::trace_dat
