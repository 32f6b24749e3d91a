// Recently used files and filters, offered again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace weft::app {

// The path by which a file is identified from one run to the next.
std::filesystem::path absolute_path(const std::filesystem::path& path);

// Newest first, at most kMost of each.
struct Recent {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> filters;  // expressions

  void add_file(const std::filesystem::path& path);
  void add_filter(const std::string& text);

  static constexpr size_t kMost = 20;
};

}  // namespace weft::app
