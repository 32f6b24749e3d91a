#include "core/trace/event_types.h"

#include <algorithm>
#include <utility>

namespace weft::trace {
namespace {
constexpr size_t kLargestSlab = 1 << 12;  // blocks
}  // namespace

bool EventTypes::operator==(const EventTypes& other) const {
  if (size_ != other.size_) return false;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i] == other.blocks_[i]) continue;
    const auto begin = blocks_[i]->begin();
    const auto count = static_cast<ptrdiff_t>(std::min(kBlock, size_ - i * kBlock));
    if (!std::equal(begin, begin + count, other.blocks_[i]->begin())) return false;
  }
  return true;
}

void EventTypes::push_back(const EventType& type) {
  if (!std::exchange(fills_last_, true)) {
    texts_.push_back(std::make_shared<TextArena>());
    if (size_ % kBlock > 0) renew(size_ / kBlock);
  }
  if (size_ % kBlock == 0) blocks_.push_back(new_block());
  TextArena& texts = *texts_.back();
  // Types of one group often come together.
  const std::string_view last_group = empty() ? std::string_view() : (*this)[size_ - 1].group;
  const bool is_of_last = type.group == last_group;
  (*blocks_.back())[size_ % kBlock] = {texts.add(type.name),
                                       is_of_last ? last_group : texts.add(type.group),
                                       type.category, type.rgb};
  ++size_;
}

void EventTypes::set_color(EventTypeId id, uint32_t rgb) {
  const size_t at = id.value();
  if ((*this)[at].rgb == rgb) return;
  renew(at / kBlock)[at % kBlock].rgb = rgb;
}

// The more blocks there are, the more of them lie side by side.
std::shared_ptr<EventTypes::Block> EventTypes::new_block() {
  if (slab_ == nullptr || slab_used_ == slab_->size()) {
    slab_ = std::make_shared<LargeVector<Block>>(
        std::clamp<size_t>(blocks_.size() / 4, 1, kLargestSlab));
    slab_used_ = 0;
  }
  return {slab_, &(*slab_)[slab_used_++]};
}

EventTypes::Block& EventTypes::renew(size_t block) {
  auto fresh = std::make_shared<Block>();
  // No further: behind it another list may be filling the block.
  std::copy_n(blocks_[block]->begin(), std::min(kBlock, size_ - block * kBlock), fresh->begin());
  blocks_[block] = std::move(fresh);
  return *blocks_[block];
}

void EventTypes::swap(EventTypes& other) noexcept {
  std::swap(blocks_, other.blocks_);
  std::swap(texts_, other.texts_);
  std::swap(slab_, other.slab_);
  std::swap(slab_used_, other.slab_used_);
  std::swap(size_, other.size_);
  std::swap(fills_last_, other.fills_last_);
}

}  // namespace weft::trace
