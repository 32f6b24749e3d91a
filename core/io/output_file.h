// Files for writing: OutputFile appears under its name only when complete, SpillFile never has a
// name.
//
// OutputFile writes to a nameless file in the same folder (or under a temporary name if the file
// system lacks nameless files); commit() makes it durable and moves it into place, so a full disk,
// an error or a kill leaves the old file or none. The kernel frees a SpillFile's space when it is
// closed, however the program ends.
//
// Move-only owners. write_at() may be called from several threads at once, on ranges that do not
// overlap. Errors name the file, because they arise late and deep in the call stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/io/file_descriptor.h"
#include "core/io/mapped_file.h"

namespace weft::io {

// What both kinds of file share.
class NewFile {
 public:
  virtual ~NewFile() = default;

  virtual Status write_at(uint64_t offset, std::span<const std::byte> bytes);

  // Maps a range within the file's size: the builder reads back what it wrote.
  Result<MappedFile> map(uint64_t offset, uint64_t size) const;

  // Truncates or extends the file. Unwritten bytes read as zeros and take no space.
  Status resize(uint64_t size);

 protected:
  NewFile(FileDescriptor file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}
  NewFile(NewFile&& other) noexcept = default;
  NewFile& operator=(NewFile&& other) noexcept = default;

  FileDescriptor file_;
  std::string name_;  // for errors
};

class OutputFile final : public NewFile {
 public:
  // The folder of `final_path` must exist. If it is a symbolic link, the file that it leads to is
  // meant, which must exist, too.
  static Result<OutputFile> create(const std::filesystem::path& final_path);

  OutputFile(OutputFile&& other) noexcept = default;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile() override;  // removes the file unless committed

  // Lets the kernel start writing back at once, so that commit() waits less.
  Status write_at(uint64_t offset, std::span<const std::byte> bytes) override;

  // Flushes to disk, renames into place, flushes the folder. Call once.
  Status commit();

  const std::filesystem::path& final_path() const { return final_path_; }

 private:
  explicit OutputFile(const std::filesystem::path& final_path);
  void discard();

  std::filesystem::path temporary_path_;  // empty while nameless and after the rename
  std::filesystem::path final_path_;
};

class SpillFile final : public NewFile {
 public:
  static Result<SpillFile> create(const std::filesystem::path& folder);

 private:
  using NewFile::NewFile;
};

}  // namespace weft::io
