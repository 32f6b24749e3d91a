#include "app/opening/destination.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace weft::app {
namespace {

namespace fs = std::filesystem;

// On the disk of a folder; 0 where that is not known.
uint64_t free_bytes(const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return error ? 0 : space.available;
}

fs::path temporary_parent() {
  const char* parent = std::getenv("TMPDIR");
  return parent != nullptr && *parent != 0 ? parent : "/var/tmp";
}

}  // namespace

void Destination::remove() const {
  std::error_code ignored;
  fs::remove(path, ignored);
  if (!temporary_folder.empty()) fs::remove(temporary_folder, ignored);
}

Result<Destination> temporary_destination() {
  std::string folder = temporary_parent() / "weftscope-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) {
    return fail(
        fmt::format("{}: cannot make a temporary folder: {}", folder, std::strerror(errno)));
  }
  Destination destination;
  destination.path = fs::path(folder) / "import.weft";
  destination.temporary_folder = folder;
  return destination;
}

bool has_more_room_outside(const fs::path& folder) {
  return free_bytes(temporary_parent()) > free_bytes(folder);
}

}  // namespace weft::app
