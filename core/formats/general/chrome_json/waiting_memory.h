// The memory of events that wait for others: begins, ends and flows that are open.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace weft::formats::chrome_json {

// Reserve memory before keeping an event and release the same amount afterwards; keep nothing more
// when it is full.
class WaitingMemory {
 public:
  explicit WaitingMemory(uint64_t limit) : limit_(limit) {}
  bool is_full() const { return held_ >= limit_; }
  void hold(uint64_t bytes) { held_ += bytes; }
  void release(uint64_t bytes) { held_ -= std::min(bytes, held_); }

 private:
  uint64_t limit_;
  uint64_t held_ = 0;
};

// Heap memory of a text.
inline uint64_t heap_bytes(const std::string& text) {
  constexpr uint64_t kBlock = 16;  // of the allocator's own
  return text.size() > std::string().capacity() ? text.size() + kBlock : 0;
}

}  // namespace weft::formats::chrome_json
