// Allocates the slots of an atlas, lowest first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace weft::render {

class SlotPool {
 public:
  explicit SlotPool(uint32_t count) : count_(count) {}

  std::optional<uint32_t> acquire() {
    if (!freed_.empty()) {
      const uint32_t slot = freed_.back();
      freed_.pop_back();
      return slot;
    }
    if (next_ == count_) return std::nullopt;
    return next_++;
  }
  void release(uint32_t slot) { freed_.push_back(slot); }

 private:
  uint32_t count_;
  uint32_t next_ = 0;
  std::vector<uint32_t> freed_;
};

}  // namespace weft::render
