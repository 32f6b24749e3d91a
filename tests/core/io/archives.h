// Archives made for tests, in memory.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weft::test {

using ArchiveFiles = std::vector<std::pair<std::string, std::string>>;  // names and contents

enum class Packing { kZip, kTar, kTarGzip, kTarZstd, kTarXz, kXz, kBzip, kLz4 };

// A name that begins with "link:" is of a symbolic link to its content, with "same:" of a hard one.
// `changed_s`: when the files were last changed; 0: not recorded.
inline std::string archive_of(Packing packing, const ArchiveFiles& files, int64_t changed_s = 0) {
  archive* const writer = archive_write_new();
  switch (packing) {
    case Packing::kZip:
      archive_write_set_format_zip(writer);
      break;
    case Packing::kXz:
    case Packing::kBzip:
    case Packing::kLz4:
      archive_write_set_format_raw(writer);
      archive_write_set_bytes_in_last_block(writer, 1);  // no padding
      break;
    default:
      archive_write_set_format_pax_restricted(writer);
  }
  if (packing == Packing::kTarGzip) archive_write_add_filter_gzip(writer);
  if (packing == Packing::kTarZstd) archive_write_add_filter_zstd(writer);
  if (packing == Packing::kBzip) archive_write_add_filter_bzip2(writer);
  if (packing == Packing::kLz4) archive_write_add_filter_lz4(writer);
  if (packing == Packing::kTarXz || packing == Packing::kXz) archive_write_add_filter_xz(writer);
  std::string out;
  archive_write_open(
      writer, &out, nullptr,
      [](archive*, void* to, const void* bytes, size_t size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), size);
        return static_cast<la_ssize_t>(size);
      },
      nullptr);
  for (const auto& [name, content] : files) {
    archive_entry* const entry = archive_entry_new();
    const bool is_symbolic = name.starts_with("link:"), is_hard = name.starts_with("same:");
    const bool is_link = is_symbolic || is_hard;
    archive_entry_set_pathname(entry, name.substr(is_link ? 5 : 0).c_str());
    archive_entry_set_filetype(entry, is_symbolic ? AE_IFLNK : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    if (changed_s != 0) archive_entry_set_mtime(entry, changed_s, 0);
    if (is_symbolic) archive_entry_set_symlink(entry, content.c_str());
    if (is_hard) archive_entry_set_hardlink(entry, content.c_str());
    archive_entry_set_size(entry, is_link ? 0 : static_cast<la_int64_t>(content.size()));
    archive_write_header(writer, entry);
    if (!is_link) archive_write_data(writer, content.data(), content.size());
    archive_entry_free(entry);
  }
  archive_write_close(writer);
  archive_write_free(writer);
  return out;
}

}  // namespace weft::test
