// The cache of imports, which makes the second opening of a foreign trace instant:
// $XDG_CACHE_HOME/weftscope/imports/KEY.weft. KEY identifies the state of the file (canonical path,
// size, modification time, inode; also of a folder's files, and of those that belong to a file) and
// the reader (id, version, options, what defines it), so a changed file or reader makes a new
// entry; the old one is removed when room is needed. A file on another machine is identified by its
// address and what that machine says of it (capture::Feed::identity), including the host's key.
//
// Several programs may share the folder: entries appear whole, by renaming, and an entry removed
// while mapped stays readable. Nothing here fails loudly: without a cache, or where an entry turns
// out to be damaged, a trace is imported again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "core/base/result.h"
#include "core/formats/formats.h"
#include "core/store/trace.h"

namespace weft::app {

// The limit for all entries together; those used longest ago are removed first.
inline constexpr uint64_t kCacheLimitBytes = 20ull << 30;

// The path of the import of `file`, whether it exists or not. Creates the folder. An error if there
// can be none: `file` is neither a file nor a folder, there is no home, or the folder cannot be
// written.
Result<std::filesystem::path> cached_import_path(const std::filesystem::path& file,
                                                 const formats::Format& format,
                                                 const std::map<std::string, std::string>& options);

// The same for a fetched trace: `identity` says which bytes lie at `address`.
Result<std::filesystem::path> cached_import_path(const std::string& address,
                                                 const std::string& identity,
                                                 const formats::Format& format,
                                                 const std::map<std::string, std::string>& options);

// Records that the entry was used now.
void mark_used(const std::filesystem::path& entry);

// The trace's health. If it is an entry whose data turns out to be damaged, the entry is removed,
// and the error says to read the file again.
Status health_of(const store::Trace& trace);

// Removes the entries used longest ago until all but `keep` fit the limit.
void trim_cache(const std::filesystem::path& keep, uint64_t limit_bytes = kCacheLimitBytes);

// Whether the entry's disk has room for `bytes`. Removes the entries used longest ago if that makes
// enough room.
bool make_room(const std::filesystem::path& entry, uint64_t bytes);

}  // namespace weft::app
