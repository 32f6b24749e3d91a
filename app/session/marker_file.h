// Keeps a trace's markers: in a JSON file in the user's state folder or, on request, beside the
// trace, where other users find it, too (TRACE.markers.json).
//
// If there is a file beside the trace, it takes precedence. A file that cannot be understood is
// renamed to NAME.broken and reported. The files are small, read and written on the frame thread,
// each whole or not at all.
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

  // An empty `folder` means that markers are kept only beside the trace.
  MarkerFile(const std::filesystem::path& trace, const std::filesystem::path& folder);

  // The markers that were kept; nullopt if there are none.
  Result<std::optional<Markers>> load();
  // Writes the markers if they differ from those last loaded or saved. Writes no file for no
  // markers, unless there was one before.
  Status save(const Markers& markers);
  // Writes the markers beside the trace, and keeps them there from now on.
  Status move_beside_trace(const Markers& markers);

  const std::filesystem::path& path() const { return path_; }

 private:
  Status write(const Markers& markers);
  Markers with_those_of_others(Markers markers) const;

  std::filesystem::path trace_, beside_, path_;
  Markers saved_;  // as they were loaded or saved last
};

}  // namespace weft::app
