// The scopes and variables of an FST file, as they are declared to the signals of a dump. A
// variable's changes name its handle; several variables may share one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/formats/embedded/vcd/vcd_signals.h"

namespace weft::formats::fst {

// The code by which the signals know a handle.
class Handle {
 public:
  explicit Handle(uint64_t number) : number_(number) {}
  std::string_view code() const {
    return {reinterpret_cast<const char*>(&number_), sizeof number_};
  }

 private:
  uint64_t number_;
};

// The form of a handle's changes.
struct Geometry {
  uint32_t length = 0;     // characters of a value; 0: a text of any length
  uint32_t port_bits = 0;  // non-zero: a port, whose value begins with its drivers for that many
                           // bits
  bool is_real = false;
};
constexpr uint32_t kRealBytes = 8;

// Appends the geometry of each handle. Returns false if the hierarchy is truncated; what was
// declared until then stays.
bool declare_all(std::string_view hierarchy, vcd::Signals& signals, std::vector<Geometry>& handles);

}  // namespace weft::formats::fst
