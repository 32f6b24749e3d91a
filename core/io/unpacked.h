// Unpacking of archives and pages into a private temporary folder, within limits. Internal to
// core/io.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/file_descriptor.h"
#include "core/io/temporary_file.h"

namespace weft::io {

// The suffix of every error that refuses a bomb, which tells it from damage.
inline constexpr std::string_view kRefused = "; refused";

struct PackedInput {
  std::function<Result<size_t>(std::span<std::byte>)> read;  // 0 at the end
  // Whether the unpacked data may have grown to `bytes` by now.
  std::function<bool(uint64_t bytes)> may_make;
};

// What an archive lacks that broke off: the end of the file that was unpacked last, the files
// behind it, or it is not known of which file.
enum class Shortage : uint8_t { kLastFile, kOtherFiles, kAnyFile };

// The result of unpacking one input.
struct Unpacked {
  TemporaryFolder folder;
  std::string shortfall = {};  // why something is missing; empty: nothing is
  Shortage shortage = Shortage::kAnyFile;
  std::filesystem::path last_file = {};  // that was unpacked, below the folder
};

// Writes the files unpacked from one input, one after another.
class UnpackedFiles {
 public:
  UnpackedFiles(const PackedInput& input, const std::filesystem::path& folder)
      : input_(&input), folder_(folder) {}

  // Starts a new file, replacing any of that name. `name` must stay below the folder.
  Status begin(const std::filesystem::path& name);
  // A second name of a file that was unpacked; nothing if there is none.
  Status link(const std::filesystem::path& name, const std::filesystem::path& to);
  // Appends to the current file.
  Status add(std::string_view bytes);
  // Bytes of all files so far.
  uint64_t made_bytes() const { return made_; }
  // Sets the current file's time of change, as given by the archive, since 1970.
  void set_changed(int64_t seconds, int64_t nanoseconds);

 private:
  // The path of a new file, whose folder exists then.
  Result<std::filesystem::path> place(const std::filesystem::path& name);

  const PackedInput* input_;
  std::filesystem::path folder_;
  FileDescriptor file_;
  uint64_t made_ = 0;   // bytes
  uint64_t begun_ = 0;  // files
};

}  // namespace weft::io
