#include "core/io/listing.h"

#include <algorithm>

#include "core/base/os_error.h"

namespace weft::io {

namespace fs = std::filesystem;

Listing Listing::of(const fs::path& folder) {
  Listing listing;
  std::error_code error;
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error))
    listing.entries.push_back(*at);
  if (error) listing.status = fail(os_error("cannot list the folder", error.value()));
  std::ranges::sort(listing.entries, {},
                    [](const fs::directory_entry& each) { return each.path().native(); });
  return listing;
}

Listing Listing::beside(const fs::path& file) {
  return of(file.has_parent_path() ? file.parent_path() : fs::path("."));
}

}  // namespace weft::io
