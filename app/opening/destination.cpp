#include "app/opening/destination.h"

#include <utility>

namespace weft::app {

namespace fs = std::filesystem;

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
