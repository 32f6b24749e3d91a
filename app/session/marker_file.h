// Where a trace's markers are kept: a side-car file of JSON in the user's state folder, or, once it
// is asked for, beside the trace, where others find it, too (TRACE.markers.json).
//
// The file beside the trace wins where there is one. A file that cannot be understood is renamed to
// NAME.broken and told about. Small files, read and written on the frame thread, each whole or not
// at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/session/markers.h"
#include "core/base/result.h"

namespace weft::app {

class MarkerFile {
 public:
  static constexpr uint64_t kMostBytes = 64ull << 20;

  // `folder` empty: nothing is kept but beside the trace.
  MarkerFile(const std::filesystem::path& trace, const std::filesystem::path& folder);

  // What was kept; none where nothing was.
  Result<std::optional<Markers>> load();
  // Writes them where they differ from what was loaded or saved last. Nothing is written where
  // there is nothing to keep and never was.
  Status save(const Markers& markers);
  // From now on beside the trace; writes them there.
  Status move_beside_trace(const Markers& markers);

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path trace_, beside_, path_;
  uint64_t saved_ = 0;  // Markers::generation
};

}  // namespace weft::app
