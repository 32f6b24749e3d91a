// What lies in a folder that is one trace: its regular files, listed once, whatever is below.
//
// Nothing is reached through a symbolic link that leads out of the folder: a trace that somebody
// sent must not make a reader open the user's other files. Such a link is an error; pipes, sockets
// and devices are left out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace weft::io {

struct FolderFile {
  std::string name;  // from the folder, '/' between its parts
  uint64_t size_bytes = 0;
  int64_t changed_ns = 0;  // since 1970
  bool operator==(const FolderFile&) const = default;
};

// By name. Errors do not name the folder: whoever named it adds it by context(). Cost: one stat a
// file; a folder of more than 100,000 files is refused, for it is no trace.
Result<std::vector<FolderFile>> files_below(const std::filesystem::path& folder);

}  // namespace weft::io
