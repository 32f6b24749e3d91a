// Keeps the program within a limit of memory: says how much each cache may keep, how much an import
// may take, and takes from the caches where the program uses more than was expected.
//
// What counts is the program's own: what it allocated, and what is on the GPU. Pages of mapped
// files are not: the kernel drops them when it needs them.
//
// Of the limit, tiles have an eighth, rows under filters and answers a quarter each; the rest is
// the program's, and imports'.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/large_vector.h"

namespace weft::app {

struct MemoryShares {
  // What each trace that is shown may keep.
  uint64_t tiles_bytes = uint64_t{48} << 20;
  uint64_t filtered_bytes = uint64_t{256} << 20;
  // What answers to all questions may take, shown or being worked out; what is more lies in files.
  uint64_t answers_bytes = kNoLimit;
  bool operator==(const MemoryShares&) const = default;
};

inline constexpr uint64_t kLeastMemoryLimit = uint64_t{256} << 20;

class MemoryKeeper {
 public:
  // In bytes; 0: there is none, and nothing is ever taken.
  void set_limit(uint64_t limit_bytes);
  uint64_t limit() const { return limit_bytes_; }

  // After each measurement, once what it led to had time to come about. True: caches must give
  // back.
  bool note_use(uint64_t used_bytes);
  // More is used than the limit, and the caches have nothing left to give.
  bool is_exceeded() const;

  // Of each of so many traces.
  const MemoryShares& share_among(size_t traces);
  const MemoryShares& shares() const { return shares_; }
  // For one more import or export, of which `others_bytes` may be taken by those under way: half of
  // what is left, so that any number fit; at most what it wants, and at least what it needs.
  uint64_t for_import(uint64_t wanted_bytes, uint64_t used_bytes, uint64_t others_bytes) const;
  // For a text on its way to the clipboard.
  uint64_t for_copy() const;

 private:
  static constexpr int kMostHalvings = 5;

  uint64_t limit_bytes_ = 0;
  uint64_t used_bytes_ = 0;
  int halvings_ = 0;  // of the shares
  MemoryShares shares_;
};

}  // namespace weft::app
