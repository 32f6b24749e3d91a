// The bytes of a trace, wherever they come from: a file, standard input, a compressed stream. Or a
// folder that is one trace: it has no bytes of its own, but files.
//
// gzip, zstd, xz, bzip2 and LZ4, also one within another, are recognised by content and
// decompressed on the fly, never into memory as a whole; text in UTF-16 becomes UTF-8 in the same
// way, and a byte order mark is passed over. zip, tar and the traces in a page of HTML are unpacked
// into a temporary folder that lives as long as the source: a lone file in them is the source, else
// the folder. A path that goes on behind theirs names a file or a folder in them
// ("runs.zip/a/b.json"), as they do, or without the folders that hold all there is. Limits against
// bombs for every layer, two archives deep at most. Readers read forward only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
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
  // Decompressed bytes may exceed `free_bytes` only up to `max_ratio` times the compressed ones;
  // files of an archive up to 1032 times, where they leave three quarters of the disk's room.
  uint64_t free_bytes = 64ull << 20;
  uint64_t max_ratio = 200;
};

// Asked by whoever reads, every tenth of a second as long as a pipe has nothing for it: false where
// nobody waits for it any more; the input ends there.
using OnWait = std::function<bool()>;

class Source {
 public:
  // "-" is standard input. Errors say what the path is where it can be no trace ("is a socket");
  // they do not name it: whoever named it adds it by context(). An empty file is an error.
  static Result<std::unique_ptr<Source>> open(const std::filesystem::path& path,
                                              SourceLimits limits = {}, const OnWait& on_wait = {});
  virtual ~Source() = default;

  // Fills as much of `out` as there is, of a pipe as much as has come, for at least one byte of
  // which it waits; 0 only at the end. An error (cut stream, bomb, disk) names the offset; bytes
  // before it have been delivered.
  virtual Result<size_t> read(std::span<std::byte> out) = 0;
  // Whether a read would not wait.
  virtual bool is_ready() const { return true; }

  // The next bytes (at least min(n, what is left), at most 1 MiB) without consuming them. Of a pipe
  // that pauses, where somebody waits by `on_wait`, less: what has come.
  virtual Result<std::span<const std::byte>> peek(size_t n) = 0;
  // Behind what was peeked comes nothing.
  virtual bool is_ended() const { return true; }

  // What is left of a plain file, mapped; none where bytes are not as they lie on the disk.
  virtual std::optional<MappedFile> mapped() const { return std::nullopt; }

  // On-disk (compressed) bytes consumed, and in all (0 when unknown, as for a pipe).
  virtual uint64_t disk_bytes_read() const = 0;
  virtual uint64_t disk_bytes_total() const = 0;
  // Decompressed bytes delivered so far: the offset of the next byte.
  virtual uint64_t offset() const = 0;
  virtual const std::filesystem::path& path() const = 0;
  virtual bool is_folder() const { return false; }
  // Of a folder, by name.
  virtual std::span<const FolderFile> files() const { return {}; }
  // Of a folder: one of its files.
  virtual Result<std::unique_ptr<Source>> open_file(const std::string& name) const;
  // Of a file: the folder that it lies in.
  virtual Result<std::unique_ptr<Source>> open_folder() const;
  // Came out of an archive, or out of a page of HTML.
  virtual bool is_unpacked() const { return false; }
  virtual bool is_page() const { return false; }
};

// How long the byte order mark is with which a text in UTF-8 begins: 0 or 3.
size_t mark_bytes(std::span<const std::byte> head);

// When a file was changed last, since 1970; none: it is no file.
std::optional<Time> last_change(const std::filesystem::path& path);

// The file that a path leads through, as to what is in an archive; else the path itself.
std::filesystem::path file_on(const std::filesystem::path& path);

// What the names begin with of files that lie beside a trace: its path, of a file in an archive one
// beside the archive.
std::filesystem::path path_beside(const std::filesystem::path& path);

// The path without the ending of its compression, after which what lies beside it is named.
std::filesystem::path without_compression(const std::filesystem::path& path);

}  // namespace weft::io
