// Zephyr's metadata names no clock, though the header of every event has a time, in nanoseconds:
// Babeltrace would drop it. This is a copy of such a trace that names one: a temporary folder with
// the metadata completed, and links to the streams.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft::formats::ctf {

// The metadata with a clock; empty where it needs none, or is not Zephyr's.
std::string with_clock(std::string_view metadata);

class ClockedCopy {
 public:
  // Of the trace in `folder`, with other metadata.
  static Result<std::unique_ptr<ClockedCopy>> make(const std::filesystem::path& folder,
                                                   std::string_view metadata);
  ~ClockedCopy();  // removes it
  ClockedCopy(const ClockedCopy&) = delete;
  ClockedCopy& operator=(const ClockedCopy&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  explicit ClockedCopy(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
};

}  // namespace weft::formats::ctf
