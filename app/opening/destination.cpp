#include "app/opening/destination.h"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace weft::app {

namespace fs = std::filesystem;

// Like the names of files that io::OutputFile makes: the cache knows whose they are.
Destination cache_destination(const fs::path& entry) {
  static std::atomic<uint64_t> serial = 0;
  const std::string name =
      fmt::format(".{}.{}-{}.tmp", entry.filename().string(), ::getpid(), serial++);
  return {.path = entry.parent_path() / name, .entry = entry};
}

// Nobody else may read what may be private.
bool Destination::publish() const {
  std::error_code error;
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write, error);
  if (!error) fs::rename(path, entry, error);
  return !error;
}

void Destination::remove() {
  std::error_code ignored;
  fs::remove(path, ignored);
  folder.reset();
}

Result<Destination> temporary_destination() {
  WEFT_TRY_ASSIGN(io::TemporaryFolder folder, io::TemporaryFolder::create());
  const fs::path path = folder.path() / "import.weft";
  return Destination{.path = path, .folder = std::move(folder)};
}

bool has_more_room_outside(const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return io::temporary_room() > (error ? 0 : space.available);
}

}  // namespace weft::app
