#include "core/io/archive_handle.h"

#include <cerrno>
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
