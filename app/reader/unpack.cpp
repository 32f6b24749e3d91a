#include "app/reader/unpack.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>

#include "app/base/unpack_wire.h"
#include "app/reader/input.h"

namespace weft::app {
namespace {

// The archive's bytes, as they come.
class Blocks {
 public:
  Result<size_t> read(std::span<std::byte> out) {
    if (left_ == 0) WEFT_TRY(begin());
    const size_t n = std::min<size_t>(out.size(), left_);
    if (!fill(out.first(n))) return fail("its rest does not come");
    left_ -= n;
    return n;
  }
  uint64_t most_bytes() const { return head_.most_bytes; }

 private:
  // Of the end, nothing follows, however often it is asked for.
  Status begin() {
    if (is_ended_) return {};
    if (!fill(std::as_writable_bytes(std::span(&head_, 1)))) return fail("its rest does not come");
    left_ = head_.bytes;
    is_ended_ = left_ == 0;
    if (head_.error_bytes == 0) return {};
    std::string error(head_.error_bytes, '\0');
    (void)fill(std::as_writable_bytes(std::span(error)));
    return fail(std::move(error));
  }

  BlockHead head_;
  size_t left_ = 0;  // of the block
  bool is_ended_ = false;
};

}  // namespace

std::string unpack_input(io::Packing packing) {
  Blocks blocks;
  const io::PackedInput input{.read = [&](std::span<std::byte> out) { return blocks.read(out); },
                              .most_bytes = [&] { return blocks.most_bytes(); }};
  return text_of(io::unpack_here(packing, input, std::filesystem::temp_directory_path()));
}

}  // namespace weft::app
