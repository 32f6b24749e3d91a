// Files being written: one that appears under its name only when it is whole, and one that never
// has a name.
//
// OutputFile writes to a nameless file in the same folder (to a temporary name where the file
// system knows no nameless files); commit() makes it durable and renames it into place, so a full
// disk, an error or a kill leaves the old file or none. SpillFile never has a name: the kernel
// frees its space when it is closed, however the program ends.
//
// Move-only owners. write_at() may be called from several threads at once, for ranges that do not
// overlap. Errors name the file, because they come late and from deep below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/io/file_descriptor.h"
#include "core/io/mapped_file.h"

namespace weft::io {

// What both are.
class NewFile {
 public:
  virtual ~NewFile() = default;

  virtual Status write_at(uint64_t offset, std::span<const std::byte> bytes);

  // Within its size, mapped (the builder reads back what it wrote).
  Result<MappedFile> map(uint64_t offset, uint64_t size) const;

  // Cuts it, or makes it longer: what was not written reads as zeros, and takes no space.
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
  // The folder of `final_path` must exist.
  static Result<OutputFile> create(const std::filesystem::path& final_path);

  OutputFile(OutputFile&& other) noexcept = default;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile() override;  // nothing remains unless committed

  // The disk may begin with it at once: commit() then waits for little.
  Status write_at(uint64_t offset, std::span<const std::byte> bytes) override;

  // Flushes to the disk, renames into place, flushes the folder. Call once.
  Status commit();

  const std::filesystem::path& final_path() const { return final_path_; }

 private:
  explicit OutputFile(const std::filesystem::path& final_path);
  void discard();

  std::filesystem::path temporary_path_;  // empty: the file has no name yet, or its final one
  std::filesystem::path final_path_;
};

class SpillFile final : public NewFile {
 public:
  static Result<SpillFile> create(const std::filesystem::path& folder);

  // Gives the space of [offset, offset + size) back to the disk; it then reads as zeros.
  void free(uint64_t offset, uint64_t size);

 private:
  using NewFile::NewFile;
};

}  // namespace weft::io
