// Counts with their noun, for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/text.h"

namespace weft {

// "1 event", "12,345 events".
inline std::string counted(uint64_t n, std::string_view noun) {
  std::string text = format_count(n);
  text += ' ';
  text += noun;
  if (n != 1) text += 's';
  return text;
}

}  // namespace weft
