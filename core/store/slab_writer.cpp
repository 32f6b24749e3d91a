#include "core/store/slab_writer.h"

#include <algorithm>
#include <utility>

namespace weft::store {
namespace {
// Small at first, so that a small trace stays small.
constexpr uint64_t kLeastSlab = 4 << 10;
constexpr uint64_t kMostSlab = 1 << 20;
}  // namespace

uint64_t FileEnd::end() const {
  std::lock_guard lock(mutex_);
  return end_;
}

uint64_t FileEnd::take(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  return std::exchange(end_, end_ + bytes);
}

FileEnd::Slab FileEnd::take_slab(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  for (Slab& spare : spare_) {
    if (spare.bytes < bytes) continue;
    const Slab slab = spare;
    spare = spare_.back();
    spare_.pop_back();
    return slab;
  }
  const uint64_t size = std::max(bytes, std::clamp(end_ / 16, kLeastSlab, kMostSlab));
  return {std::exchange(end_, end_ + size), size};
}

void FileEnd::give_back(Slab slab) {
  std::lock_guard lock(mutex_);
  if (slab.at + slab.bytes == end_) {
    end_ = slab.at;
  } else if (slab.bytes >= kLeastSlab) {
    spare_.push_back(slab);
  }
}

void FileEnd::write(uint64_t at, std::string_view bytes) {
  if (bytes.empty() || has_failed_) return;
  Status status = write_at_(at, std::as_bytes(std::span(bytes)));
  if (status) return;
  std::lock_guard lock(mutex_);
  if (status_) status_ = std::move(status);
  has_failed_ = true;
}

Status FileEnd::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

uint64_t SlabWriter::append(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > slab_.bytes) {
    flush();
    slab_ = file_->take_slab(bytes.size());
    buffer_.reserve(slab_.bytes);
  }
  const uint64_t offset = slab_.at + buffer_.size();
  buffer_ += bytes;
  return offset;
}

void SlabWriter::flush() {
  if (slab_.bytes == 0) return;
  file_->write(slab_.at, buffer_);
  file_->give_back({slab_.at + buffer_.size(), slab_.bytes - buffer_.size()});
  slab_ = {};
  buffer_.clear();
}

}  // namespace weft::store
