// A temporary folder that stands for a trace which Babeltrace would not read as it is: links to its
// streams, beside metadata that says more, or streams without the packet at which they were
// cut.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/io/temporary_file.h"

namespace weft::formats::ctf {

// Zephyr's metadata names no clock, though the header of every event has a time, in nanoseconds,
// which Babeltrace would drop. This is the metadata with a clock; empty where it needs none, or is
// not Zephyr's.
std::string with_clock(std::string_view metadata);

// GstShark says that its traces are of version 1.3, though their metadata is that of 1.8, which
// Babeltrace insists on. This is the metadata as that of 1.8; empty where it says so itself.
std::string with_version(std::string_view metadata);

// A clock whose frequency is not said counts nanoseconds, but Babeltrace divides by none. This is
// the metadata with their frequencies; empty where it has them. One of zero is an error.
Result<std::string> with_frequencies(std::string_view metadata);

// Returns, in order, where packets seem to begin in a stream: at the magic number, in either byte
// order.
std::vector<uint64_t> packets_of(const std::filesystem::path& stream);

class TraceCopy {
 public:
  // Copies the trace in `folder`, with its own metadata or the given one, and with all of its
  // streams or only the given one.
  static Result<std::unique_ptr<TraceCopy>> make(const std::filesystem::path& folder,
                                                 std::string_view metadata = {},
                                                 std::string_view only_stream = {});

  const std::filesystem::path& folder() const { return folder_.path(); }
  std::vector<std::string> streams() const;  // sorted
  // Puts a copy of a stream's first bytes in its place; of 0 bytes nothing.
  Status shorten(const std::string& stream, uint64_t size_bytes);

 private:
  TraceCopy(std::filesystem::path origin, io::TemporaryFolder folder)
      : origin_(std::move(origin)), folder_(std::move(folder)) {}
  std::filesystem::path origin_;
  io::TemporaryFolder folder_;
};

}  // namespace weft::formats::ctf
