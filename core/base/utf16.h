// A decoder from UTF-16 code units to UTF-8. Unpaired surrogates become U+FFFD.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/base/utf8.h"

namespace weft {

class Utf16Letters {
 public:
  // Appends to `out` the character that this unit completes, if it does.
  void add(uint32_t unit, std::string& out) {
    const uint32_t high = std::exchange(high_, 0);
    if (high != 0 && is_low(unit))
      return append_utf8(out, 0x10000 + ((high & 0x3FF) << 10) + (unit & 0x3FF));
    if (high != 0) append_utf8(out, kReplacement);
    if (is_high(unit)) {
      high_ = unit;
    } else {
      append_utf8(out, is_low(unit) ? kReplacement : unit);
    }
  }
  // Ends the text: a pending high surrogate becomes U+FFFD.
  void finish(std::string& out) {
    if (std::exchange(high_, 0) != 0) append_utf8(out, kReplacement);
  }
  bool has_half() const { return high_ != 0; }

 private:
  static constexpr uint32_t kReplacement = 0xFFFD;
  static bool is_high(uint32_t unit) { return unit >> 10 == 0xD800 >> 10; }
  static bool is_low(uint32_t unit) { return unit >> 10 == 0xDC00 >> 10; }

  uint32_t high_ = 0;  // a pending high surrogate; 0: none
};

}  // namespace weft
