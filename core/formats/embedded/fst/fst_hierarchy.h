// The scopes and variables of an FST file, as they are declared to the signals of a dump. A
// variable's changes name its handle; several variables may share one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/formats/embedded/vcd/vcd_signals.h"

namespace weft::formats::fst {

// By what the signals know it.
class Handle {
 public:
  explicit Handle(uint64_t number) : number_(number) {}
  std::string_view code() const {
    return {reinterpret_cast<const char*>(&number_), sizeof number_};
  }

 private:
  uint64_t number_;
};

// What the changes of a handle are.
struct Geometry {
  uint32_t length = 0;     // characters of a value; 0: a text of any length
  uint32_t port_bits = 0;  // not 0: of a port, whose value begins with what drives so many bits
  bool is_real = false;
};
constexpr uint32_t kRealBytes = 8;

// Appends what is known of each handle. False where it ends within a part; what was declared until
// then stays.
bool declare_all(std::string_view hierarchy, vcd::Signals& signals, std::vector<Geometry>& handles);

}  // namespace weft::formats::fst
