// Unpacking of archives and pages into a private temporary folder, within limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/io/file_descriptor.h"

namespace weft::io {

// The suffix of every error that refuses a bomb, which tells it from damage.
inline constexpr std::string_view kRefused = "; refused";

enum class Packing : uint8_t { kArchive, kPage };

struct PackedInput {
  std::function<Result<size_t>(std::span<std::byte>)> read;  // 0 at the end
  // The size up to which the unpacked data may have grown by now.
  std::function<uint64_t()> most_bytes;
};

// What an archive lacks that broke off: the end of the file that was unpacked last, the files
// behind it, or it is not known of which file.
enum class Shortage : uint8_t { kLastFile, kOtherFiles, kAnyFile };

// When a file was last changed, as its archive says, since 1970.
struct Changed {
  std::filesystem::path file;  // below the folder
  int64_t seconds = 0, nanoseconds = 0;
};

// What came of unpacking one input.
struct Unpacked {
  std::string shortfall = {};  // why something is missing; empty: nothing is
  Shortage shortage = Shortage::kAnyFile;
  std::filesystem::path last_file = {};  // below the folder
  std::vector<Changed> changed = {};     // of files of which it is known
};

// Unpacks all files of an input into a folder. Of one that is cut, those before the cut, or an
// error if there are none.
using Unpack = std::function<Result<Unpacked>(Packing packing, const PackedInput& input,
                                              const std::filesystem::path& folder)>;
// Does so in this process.
Result<Unpacked> unpack_here(Packing packing, const PackedInput& input,
                             const std::filesystem::path& folder);

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

 private:
  // The path of a new file, whose folder exists then.
  Result<std::filesystem::path> place(const std::filesystem::path& name);
  Status open(const std::filesystem::path& path);
  // Where no link can be made: a sandbox refuses those between folders.
  Status copy(const std::filesystem::path& from, const std::filesystem::path& to);

  const PackedInput* input_;
  std::filesystem::path folder_;
  FileDescriptor file_;
  uint64_t made_ = 0;   // bytes
  uint64_t begun_ = 0;  // files
};

}  // namespace weft::io
