// Inputs that end anywhere.
#pragma once

#include <cstddef>
#include <vector>

namespace weft::test {

// Whether TSan runs the tests, which makes reading slow. It is spared what no thread takes part in.
#ifdef __SANITIZE_THREAD__
inline constexpr bool kLooksForRaces = true;
#else
inline constexpr bool kLooksForRaces = false;
#endif

// The sizes that an input is cut to: all where they are few, else four hundred. Races do not depend
// on where an input ends.
inline std::vector<size_t> cuts_of(size_t bytes) {
  constexpr size_t kMost = kLooksForRaces ? 16 : 400;
  std::vector<size_t> sizes;
  for (size_t size = 1; size < bytes; size += 1 + bytes / kMost) sizes.push_back(size);
  return sizes;
}

}  // namespace weft::test
