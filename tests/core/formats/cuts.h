// Inputs that end anywhere.
#pragma once

#include <cstddef>
#include <vector>

namespace weft::test {

// The sizes that an input is cut to: all where they are few, else four hundred. Races do not depend
// on where an input ends, so TSan, which makes reading slow, is content with a few.
inline std::vector<size_t> cuts_of(size_t bytes) {
#ifdef __SANITIZE_THREAD__
  constexpr size_t kMost = 16;
#else
  constexpr size_t kMost = 400;
#endif
  std::vector<size_t> sizes;
  for (size_t size = 1; size < bytes; size += 1 + bytes / kMost) sizes.push_back(size);
  return sizes;
}

}  // namespace weft::test
