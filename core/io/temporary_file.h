// What is written to be read again soon, in $TMPDIR or /var/tmp.
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

// For its owner alone; removed with all that is in it. Move-only.
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
  std::filesystem::path path_;  // empty: there is none any more
};

// Bytes that are free on its disk; 0 where that is not known.
uint64_t temporary_room();

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

// A file without a name, for what a library wants to read from a file: for reading and writing,
// gone when it is closed, whatever happens to the process. Null where none can be made (errno says
// why).
TemporaryFile temporary_file();

// All that a source still has, behind what was read of it already, for what must be read twice or
// out of order.
struct Copy {
  TemporaryFile file;
  std::optional<Error> cut;  // what ended the source before its end

  std::string path() const;  // while the file is open
};
Result<Copy> copy_of(Source& source, std::string_view begin = {});

}  // namespace weft::io
