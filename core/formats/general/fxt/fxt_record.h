// A record of the Fuchsia trace format, as far as all have the same form: words of 64 bits, whose
// fields are named by their first and last bit, and streams of bytes padded to whole words.
//
//   header  type : 4 | words : 12 | …          (large ones: type 15 : 4 | words : 32 | …)
#pragma once

#include <cstdint>
#include <string_view>

#include "core/formats/base/binary.h"

namespace weft::formats::fxt {

constexpr size_t kWordBytes = 8;

enum class RecordType : uint8_t {
  kMetadata = 0,
  kInitialization = 1,
  kString = 2,
  kThread = 3,
  kEvent = 4,
  kBlob = 5,
  kUserObject = 6,
  kKernelObject = 7,
  kScheduling = 8,
  kLog = 9,
  kProfiler = 10,
  kLarge = 15,
};

// The bits from `first` to `last`, both of them.
constexpr uint64_t bits(uint64_t word, unsigned first, unsigned last) {
  return word << (63 - last) >> (63 - last + first);
}

// Takes a record apart from its begin. What it lacks is 0 or empty, and is_cut() from then on.
class Words {
 public:
  explicit Words(std::string_view bytes) : rest_(bytes) {}

  uint64_t word() {
    const auto value = take_little<uint64_t>(rest_);
    is_cut_ |= !value;
    return value.value_or(0);
  }
  // A stream of so many bytes, without its padding.
  std::string_view stream(uint64_t size) {
    const uint64_t padded = (size + kWordBytes - 1) / kWordBytes * kWordBytes;
    const auto bytes = take_bytes(rest_, padded);
    is_cut_ |= !bytes;
    return bytes ? bytes->substr(0, static_cast<size_t>(size)) : std::string_view();
  }
  // The next words by themselves.
  Words part(uint64_t words) {
    const auto bytes = take_bytes(rest_, words * kWordBytes);
    is_cut_ |= !bytes;
    return Words(bytes.value_or(std::string_view()));
  }
  void spoil() { is_cut_ = true; }
  bool is_cut() const { return is_cut_; }

 private:
  std::string_view rest_;
  bool is_cut_ = false;
};

}  // namespace weft::formats::fxt
