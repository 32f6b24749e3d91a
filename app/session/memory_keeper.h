// Keeps the program within a memory limit: decides how much each cache may keep and how much an
// import may take, and shrinks the caches if the program uses more than expected.
//
// The limit covers the memory that the program allocated, and that on the GPU. Pages of mapped
// files do not count: the kernel drops them when it needs them.
//
// Tiles get an eighth of the limit, filtered rows and answers a quarter each; the rest is for the
// program itself and for imports.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/large_vector.h"

namespace weft::app {

struct MemoryShares {
  // What the caches of each trace that is shown may keep.
  uint64_t tiles_bytes = uint64_t{48} << 20;
  uint64_t filtered_bytes = uint64_t{256} << 20;
  // What all answers together may take, whether shown or being computed; the excess lies in files.
  uint64_t answers_bytes = kNoLimit;
  bool operator==(const MemoryShares&) const = default;
};

inline constexpr uint64_t kLeastMemoryLimit = uint64_t{256} << 20;

class MemoryKeeper {
 public:
  // In bytes; 0: no limit, and the caches are never shrunk.
  void set_limit(uint64_t limit_bytes);
  uint64_t limit() const { return limit_bytes_; }

  // Call after each measurement, once the effects of the previous call have had time to show.
  // Returns true if caches must shrink.
  bool note_use(uint64_t used_bytes);
  // Whether more is used than the limit, and the caches have nothing left to give.
  bool is_exceeded() const;

  // Computes the shares of each of `traces` traces.
  const MemoryShares& share_among(size_t traces);
  const MemoryShares& shares() const { return shares_; }
  // The memory for one more import or export, while those under way may take `others_bytes`: half
  // of what is left, so that any number fit; at most `wanted_bytes`, and at least what an import
  // needs.
  uint64_t for_import(uint64_t wanted_bytes, uint64_t used_bytes, uint64_t others_bytes) const;
  // The most that a text for the clipboard may take.
  uint64_t for_copy() const;

 private:
  static constexpr int kMostHalvings = 5;

  uint64_t limit_bytes_ = 0;
  uint64_t used_bytes_ = 0;
  int halvings_ = 0;  // how often the shares were halved
  MemoryShares shares_;
};

}  // namespace weft::app
