// The place of an import's .weft, and whether it stays there: the requested file, the cache, or a
// temporary folder that is removed with it.
#pragma once

#include <filesystem>
#include <optional>

#include "core/base/result.h"
#include "core/io/temporary_file.h"

namespace weft::app {

struct Destination {
  std::filesystem::path path;  // where it is made
  // Of the cache: what it is called once it is known to be whole; empty: it does not go there.
  std::filesystem::path entry = {};
  std::optional<io::TemporaryFolder> folder = {};  // the temporary folder that holds it, if any

  bool is_cache() const { return !entry.empty(); }
  // Makes the finished import the cache's entry; false: it cannot be.
  bool publish() const;
  // Removes the file, which stays mapped where it is, and the folder.
  void remove();
};

// A file beside the entry that only this process knows.
Destination cache_destination(const std::filesystem::path& entry);

// A file in a folder of its own, in $TMPDIR or /var/tmp: imports are large, and /tmp may lie in
// memory.
Result<Destination> temporary_destination();

// Whether there is more room for temporary folders than on the disk of `folder`.
bool has_more_room_outside(const std::filesystem::path& folder);

}  // namespace weft::app
