// A folder of this process's own, for targets that need files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/core/formats/ctf_writer.h"

namespace weft::fuzz {

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "weft-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const char* name, std::string_view bytes) const {
    test::write_file(path_ / name, bytes);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace weft::fuzz
