// A folder of a test's own, removed when the test ends.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace weft::test {

class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  // Writes a file of this name and returns its path.
  std::filesystem::path write(const std::string& name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

std::string content_of(const std::filesystem::path& path);

}  // namespace weft::test
