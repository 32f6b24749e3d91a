// A forward-only source of a trace's bytes: a file, standard input or a compressed stream. Or a
// folder that is one trace: it has files instead of bytes.
//
// gzip, zstd, xz, bzip2 and LZ4, nested too, are recognised by content and decompressed while
// reading, never into memory as a whole; UTF-16 text becomes UTF-8 likewise, and a byte order mark
// is skipped. zip, tar and the traces in an HTML page are unpacked into a temporary folder that
// lives as long as the source; a lone file in it is the source, otherwise the folder is. A path may
// go on into an archive ("runs.zip/a/b.json"), spelled as in the archive or without the folders
// common to all of its files. Limits against decompression bombs apply to every layer; archives
// nest two deep at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/io/folder.h"
#include "core/io/mapped_file.h"

namespace weft::io {

struct SourceLimits {
  // Decompressed bytes may exceed `free_bytes` only up to `max_ratio` times the compressed bytes;
  // files of an archive up to 1032 times, as long as three quarters of the free disk space remain.
  uint64_t free_bytes = 64ull << 20;
  uint64_t max_ratio = 200;
};

class Source {
 public:
  // Opens a path; "-" is standard input. Errors say why a path can be no trace ("is a socket") but
  // do not name it; the caller adds it by context(). An empty file is an error.
  static Result<std::unique_ptr<Source>> open(const std::filesystem::path& path,
                                              SourceLimits limits = {});
  virtual ~Source() = default;

  // Reads into `out` as much as is available, waiting for at least one byte; returns 0 only at the
  // end. An error (cut stream, bomb, disk) names the offset; bytes before it have been delivered.
  virtual Result<size_t> read(std::span<std::byte> out) = 0;
  // Whether read() would return without waiting.
  virtual bool is_ready() const { return true; }

  // Returns the next bytes without consuming them: at least min(n, what is left), at most 1 MiB. If
  // a pipe pauses and is watched (Watch::on_wait), only what has arrived.
  virtual Result<std::span<const std::byte>> peek(size_t n) = 0;
  // Whether nothing follows what was peeked.
  virtual bool is_ended() const { return true; }

  // Whether it ended where nobody wanted more: within a line, say.
  virtual bool was_stopped() const { return false; }

  // Maps the rest of a plain file; nullopt if the bytes are not those on disk.
  virtual std::optional<MappedFile> mapped() const { return std::nullopt; }

  // On-disk (compressed) bytes consumed so far, and in total (0 if unknown, as for a pipe).
  virtual uint64_t disk_bytes_read() const = 0;
  virtual uint64_t disk_bytes_total() const = 0;
  // Decompressed bytes delivered so far, i.e. the offset of the next byte.
  virtual uint64_t offset() const = 0;
  virtual const std::filesystem::path& path() const = 0;
  virtual bool is_folder() const { return false; }
  // A folder's files, sorted by name.
  virtual std::span<const FolderFile> files() const { return {}; }
  // Opens one of a folder's files.
  virtual Result<std::unique_ptr<Source>> open_file(const std::string& name) const;
  // Opens one of a folder's files without looking at what it holds: binary samples may begin as
  // what is compressed, or as text in UTF-16.
  virtual Result<std::unique_ptr<Source>> open_raw_file(const std::string& name) const;
  // The file by whose name a folder was opened; empty: it was opened by its own.
  virtual std::string named_file() const { return {}; }
  // Opens the folder in which a file lies, by the file's name.
  virtual Result<std::unique_ptr<Source>> open_folder() const;
  // Whether it came from an archive, or from an HTML page.
  virtual bool is_unpacked() const { return false; }
  virtual bool is_page() const { return false; }
};

// Returns the length of the UTF-8 byte order mark at the start of `head`: 0 or 3.
size_t mark_bytes(std::span<const std::byte> head);

// Returns the time of a file's last change, since 1970; nullopt if it is not a file.
std::optional<Time> last_change(const std::filesystem::path& path);

// Returns the archive that a path leads into; otherwise the path itself.
std::filesystem::path file_on(const std::filesystem::path& path);

// Returns the common prefix of the names of files that belong beside a trace: its path or, for a
// file in an archive, a path beside the archive.
std::filesystem::path path_beside(const std::filesystem::path& path);

// Returns the path without its compression suffix; files beside a trace are named after it.
std::filesystem::path without_compression(const std::filesystem::path& path);

}  // namespace weft::io
