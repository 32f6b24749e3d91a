// Makes the checksums of a .weft image right again after its bytes were changed, so that hostile
// content gets past them and meets the checks behind. Images whose header or directory point out
// of the image are left as they are. See docs/weft-format.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "core/base/crc32c.h"
#include "core/store/file_format.h"

namespace weft::test {

inline store::DirectoryEntry directory_entry(std::span<const std::byte> image, uint64_t at) {
  store::DirectoryEntry entry;
  std::memcpy(&entry, image.data() + at, sizeof entry);
  return entry;
}

// Every page's checksum, into the section that `sums` describes.
inline void seal_pages(std::span<std::byte> image, const store::DirectoryEntry& sums) {
  for (uint64_t page = 0; page < sums.bytes / 4; ++page) {
    const uint64_t begin = std::max(page * store::kPageBytes, store::kHeaderBytes);
    const uint64_t end = std::min((page + 1) * store::kPageBytes, sums.at);
    if (begin >= end) return;
    const uint32_t crc = crc32c(image.data() + begin, end - begin);
    std::memcpy(image.data() + sums.at + 4 * page, &crc, sizeof crc);
  }
}

inline void seal(std::span<std::byte> image) {
  store::FileHeader header;
  if (image.size() < sizeof header) return;
  std::memcpy(&header, image.data(), sizeof header);
  header.file_bytes = image.size();
  const uint64_t directory_bytes =
      uint64_t{header.directory_entries} * sizeof(store::DirectoryEntry);
  if (header.directory_at <= image.size() &&
      directory_bytes <= image.size() - header.directory_at) {
    for (uint64_t at = header.directory_at; at < header.directory_at + directory_bytes;
         at += sizeof(store::DirectoryEntry)) {
      store::DirectoryEntry entry = directory_entry(image, at);
      if (entry.id != static_cast<uint32_t>(store::SectionId::kPageChecksums)) continue;
      if (entry.at > image.size() || entry.bytes > image.size() - entry.at) continue;
      seal_pages(image, entry);
      entry.crc = crc32c(image.data() + entry.at, entry.bytes);
      std::memcpy(image.data() + at, &entry, sizeof entry);
    }
    header.directory_crc = crc32c(image.data() + header.directory_at, directory_bytes);
  }
  header.crc = crc32c(&header, offsetof(store::FileHeader, crc));
  std::memcpy(image.data(), &header, sizeof header);
}

}  // namespace weft::test
