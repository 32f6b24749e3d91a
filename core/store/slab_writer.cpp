#include "core/store/slab_writer.h"

#include <algorithm>

namespace weft::store {
namespace {
// Small at first, so that a small trace stays small.
constexpr uint64_t kLeastSlab = 4 << 10;
constexpr uint64_t kMostSlab = 1 << 20;
}  // namespace

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
  if (buffer_.size() + bytes.size() > slab_bytes_) {
    flush();
    const uint64_t wanted = std::clamp(file_->end() / 16, kLeastSlab, kMostSlab);
    slab_bytes_ = std::max<uint64_t>(wanted, bytes.size());
    at_ = file_->take(slab_bytes_);
    buffer_.reserve(slab_bytes_);
  }
  const uint64_t offset = at_ + buffer_.size();
  buffer_ += bytes;
  return offset;
}

void SlabWriter::flush() {
  if (slab_bytes_ == 0) return;
  file_->write(at_, buffer_);
  file_->give_back(at_ + buffer_.size(), at_ + slab_bytes_);
  slab_bytes_ = 0;
  buffer_.clear();
}

}  // namespace weft::store
