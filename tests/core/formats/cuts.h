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

// Of how many sizes an input is cut to. Where ASan makes reading slow, the fuzz targets end it
// anywhere, too.
#ifdef __SANITIZE_ADDRESS__
inline constexpr size_t kMostCuts = 100;
#else
inline constexpr size_t kMostCuts = 400;
#endif

// The sizes that an input is cut to: all where they are few.
inline std::vector<size_t> cuts_of(size_t bytes) {
  std::vector<size_t> sizes;
  for (size_t size = 1; size < bytes; size += 1 + bytes / kMostCuts) sizes.push_back(size);
  return sizes;
}

}  // namespace weft::test
