// Where what a file holds other files in is unpacked to: a private temporary folder, within limits.
// Internal to the room.
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

// How every refusal of a bomb ends, by which it is told from damage.
inline constexpr std::string_view kRefused = "; refused";

struct PackedInput {
  std::function<Result<size_t>(std::span<std::byte>)> read;  // 0 at the end
  // Whether what is unpacked may have grown to so many bytes by now.
  std::function<bool(uint64_t bytes)> may_make;
};

// What came out of one input.
struct Unpacked {
  TemporaryFolder folder;
  std::string shortfall = {};  // why the rest did not come; empty: all did
};

// The files that come out of one input, one after another.
class UnpackedFiles {
 public:
  UnpackedFiles(const PackedInput& input, const std::filesystem::path& folder)
      : input_(&input), folder_(folder) {}

  // A new file, which replaces one of that name. `name` must stay below the folder.
  Status begin(const std::filesystem::path& name);
  // Behind what the file holds already.
  Status add(std::string_view bytes);
  // Of all files so far.
  uint64_t made_bytes() const { return made_; }
  // When the file was changed last, as the archive says, since 1970.
  void set_changed(int64_t seconds, int64_t nanoseconds);

 private:
  const PackedInput* input_;
  std::filesystem::path folder_;
  FileDescriptor file_;
  uint64_t made_ = 0;   // bytes
  uint64_t begun_ = 0;  // files
};

}  // namespace weft::io
