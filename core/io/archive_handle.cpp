#include "core/io/archive_handle.h"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include "core/base/text.h"

namespace weft::io {

ArchiveHandle::ArchiveHandle(NextBlock next_block)
    : next_block_(std::move(next_block)), handle_(archive_read_new()) {
  if (handle_ == nullptr) throw std::bad_alloc();
}

bool ArchiveHandle::open() {
  return archive_read_open(get(), &next_block_, nullptr, read_block, nullptr) == ARCHIVE_OK;
}

int ArchiveHandle::next(archive_entry*& entry) {
  data_ = {};
  gap_ = offset_ = 0;
  return archive_read_next_header(get(), &entry);
}

ptrdiff_t ArchiveHandle::read(std::span<std::byte> out) {
  while (gap_ == 0 && data_.empty()) {
    const void* data = nullptr;
    size_t size = 0;
    la_int64_t offset = 0;
    const int code = archive_read_data_block(get(), &data, &size, &offset);
    if (code == ARCHIVE_EOF) return 0;
    if (code < ARCHIVE_OK) return -1;
    data_ = {static_cast<const std::byte*>(data), size};
    gap_ = std::max<int64_t>(0, offset - offset_);
  }
  const bool is_gap = gap_ > 0;
  const size_t n = std::min(out.size(), is_gap ? static_cast<size_t>(gap_) : data_.size());
  if (is_gap) {
    std::ranges::fill(out.first(n), std::byte{0});
    gap_ -= static_cast<int64_t>(n);
  } else {
    std::ranges::copy(data_.first(n), out.begin());
    data_ = data_.subspan(n);
  }
  offset_ += static_cast<int64_t>(n);
  return static_cast<ptrdiff_t>(n);
}

std::string ArchiveHandle::problem() const {
  const char* const text = archive_error_string(get());
  if (text == nullptr) return "damaged data";
  std::string_view line = text;
  while (line.ends_with('\n')) line.remove_suffix(1);
  return printable(line);
}

la_ssize_t ArchiveHandle::read_block(archive* handle, void* next_block, const void** block) {
  const auto bytes = (*static_cast<NextBlock*>(next_block))();
  if (!bytes) {
    archive_set_error(handle, EIO, "%s", bytes.error().message.c_str());
    return -1;
  }
  *block = bytes->data();
  return static_cast<la_ssize_t>(bytes->size());
}

}  // namespace weft::io
