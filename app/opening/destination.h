// Where the .weft of an import is made, and whether it stays there: where it was asked for, in the
// cache, or in a temporary folder that goes with it.
#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace weft::app {

struct Destination {
  std::filesystem::path path;
  bool is_cache = false;
  std::filesystem::path temporary_folder;  // to be removed; empty: none

  // A mapped file needs no name.
  void remove() const;
};

// In a folder of its own, in $TMPDIR or /var/tmp: imports are large, and /tmp may lie in memory.
Result<Destination> temporary_destination();

// Whether there is more room for temporary folders than on the disk of this folder.
bool has_more_room_outside(const std::filesystem::path& folder);

}  // namespace weft::app
