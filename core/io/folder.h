// Lists the regular files of a folder that is one trace, subfolders included.
//
// No symbolic link is followed out of the folder: a trace from somebody else must not make a reader
// open the user's own files. Such a link is an error; pipes, sockets and devices are left out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace weft::io {

struct FolderFile {
  std::string name;  // relative to the folder, parts joined by '/'
  uint64_t size_bytes = 0;
  int64_t changed_ns = 0;  // since 1970
  bool operator==(const FolderFile&) const = default;
};

// Returns the files sorted by name. Errors do not name the folder; the caller adds it by context().
// Costs one stat per file. A folder of more than 100,000 files is refused as no trace.
Result<std::vector<FolderFile>> files_below(const std::filesystem::path& folder);

}  // namespace weft::io
