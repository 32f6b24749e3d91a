// Lists what a folder holds.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/result.h"

namespace weft::io {

// The entries of a folder, in the order of their names, and why there may be more.
struct Listing {
  std::vector<std::filesystem::directory_entry> entries;
  Status status;

  static Listing of(const std::filesystem::path& folder);
  // Of the folder that the file lies in.
  static Listing beside(const std::filesystem::path& file);
};

}  // namespace weft::io
