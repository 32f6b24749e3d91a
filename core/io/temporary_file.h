// Temporary files and folders, in $TMPDIR or /var/tmp.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"

namespace weft::io {

class Source;

// A folder that only the user can access, removed with its content by the destructor. Move-only.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  void remove();
  std::filesystem::path path_;  // empty after a move
};

// Returns the free bytes on the disk for temporary files; 0 if unknown.
uint64_t temporary_room();

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

// Opens a nameless file for reading and writing, for libraries that insist on a file. It is gone
// once closed, whatever happens to the process.
Result<TemporaryFile> temporary_file();

// The rest of a source in a temporary file, for input that must be read twice or out of order.
// `begin`, the bytes already read, comes first.
struct Copy {
  TemporaryFile file;
  std::optional<Error> cut;  // the error that ended the source early

  std::string path() const;  // valid while the file is open
};
Result<Copy> copy_of(Source& source, std::string_view begin = {});

}  // namespace weft::io
