// Text that outlives where it came from, packed into large blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace weft::formats::chrome_json {

// Views stay valid until clear(); kTextPadding bytes behind each are readable.
class TextArena {
 public:
  std::string_view add(std::string_view text);
  void clear();
  size_t size_bytes() const { return size_; }

 private:
  static constexpr size_t kBlockBytes = 64 << 10;
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t size_ = 0;  // of all texts
  size_t left_ = 0;
  char* next_ = nullptr;
};

}  // namespace weft::formats::chrome_json
