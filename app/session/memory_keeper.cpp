#include "app/session/memory_keeper.h"

#include <algorithm>

namespace weft::app {

void MemoryKeeper::set_limit(uint64_t limit_bytes) {
  if (limit_bytes == limit_bytes_) return;
  limit_bytes_ = limit_bytes;
  halvings_ = 0;
}

bool MemoryKeeper::note_use(uint64_t used_bytes) {
  used_bytes_ = used_bytes;
  if (limit_bytes_ == 0) return false;
  const bool is_over = used_bytes > limit_bytes_;
  // Far enough below that what comes back does not go over it again at once.
  const bool has_room = used_bytes < limit_bytes_ / 4 * 3;
  if (is_over) halvings_ = std::min(halvings_ + 1, kMostHalvings);
  if (has_room) halvings_ = std::max(halvings_ - 1, 0);
  return is_over;
}

bool MemoryKeeper::is_exceeded() const {
  return limit_bytes_ != 0 && used_bytes_ > limit_bytes_ && halvings_ == kMostHalvings;
}

const MemoryShares& MemoryKeeper::share_among(size_t traces) {
  shares_ = {};
  if (limit_bytes_ == 0) return shares_;
  const uint64_t parts = std::max<uint64_t>(traces, 1) << halvings_;
  shares_.tiles_bytes = std::min(shares_.tiles_bytes, limit_bytes_ / 8 / parts);
  shares_.filtered_bytes = std::min(shares_.filtered_bytes, limit_bytes_ / 4 / parts);
  shares_.answers_bytes = limit_bytes_ / 4 >> halvings_;
  return shares_;
}

uint64_t MemoryKeeper::for_import(uint64_t wanted_bytes, uint64_t used_bytes,
                                  uint64_t others_bytes) const {
  if (limit_bytes_ == 0) return wanted_bytes;
  constexpr uint64_t kLeast = uint64_t{16} << 20;
  const uint64_t taken = used_bytes + others_bytes;
  const uint64_t left = limit_bytes_ > taken ? limit_bytes_ - taken : 0;
  return std::min(wanted_bytes, std::max(left / 2, kLeast));
}

uint64_t MemoryKeeper::for_copy() const {
  constexpr uint64_t kMost = uint64_t{256} << 20;
  return limit_bytes_ == 0 ? kMost : std::min(kMost, limit_bytes_ / 16);
}

}  // namespace weft::app
