// Where imports of foreign traces are kept, so that the second opening is instant:
// $XDG_CACHE_HOME/weftscope/imports/KEY.weft. KEY names the file as it was (canonical path, size,
// modification time, inode; of a folder also those of its files), the reader (id, version, options,
// the file that defines it, if one does) and nothing else, so a changed file or reader makes a new
// entry; the old one leaves when room is needed. A file of another machine is named by its address
// and what that machine says of it (capture::Feed::identity), its host's key included.
//
// Several programs may share the folder: entries appear whole, by renaming, and one that is removed
// while mapped stays readable. Nothing here fails loudly: who has no cache imports again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::app {

// All entries together; the one used longest ago leaves first.
inline constexpr uint64_t kCacheLimitBytes = 20ull << 30;

// Where the import of `file` is, or would be. Makes the folder. An error where there can be none:
// neither a file nor a folder, no home, a folder that cannot be written.
Result<std::filesystem::path> cached_import_path(const std::filesystem::path& file,
                                                 const formats::Format& format,
                                                 const std::map<std::string, std::string>& options);

// The same of what is fetched: `identity` says which bytes lie at `address`.
Result<std::filesystem::path> cached_import_path(const std::string& address,
                                                 const std::string& identity,
                                                 const formats::Format& format,
                                                 const std::map<std::string, std::string>& options);

// Notes that the entry was used now.
void mark_used(const std::filesystem::path& entry);

// Removes the entries used longest ago until all but `keep` fit the limit.
void trim_cache(const std::filesystem::path& keep, uint64_t limit_bytes = kCacheLimitBytes);

// Whether its disk has room for so much. Where the other entries are what it lacks, those used
// longest ago are removed.
bool make_room(const std::filesystem::path& entry, uint64_t bytes);

}  // namespace weft::app
