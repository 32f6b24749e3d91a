#include "core/io/utf16_decoder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace weft::io {
namespace {

constexpr uint32_t kByteOrderMark = 0xFEFF;
constexpr size_t kBytesAtOnce = 4096;  // of input: what they become waits, where there is no room

}  // namespace

Result<Decoder::Step> Utf16Decoder::decode(std::span<const std::byte> in, std::span<std::byte> out,
                                           bool is_last) {
  Step step;
  if (waiting_.empty()) {
    for (const std::byte byte : in.first(std::min(in.size(), kBytesAtOnce))) {
      ++step.taken;
      if (!first_byte_) {
        first_byte_ = byte;
        continue;
      }
      const auto first = std::to_integer<uint32_t>(*first_byte_);
      const auto second = std::to_integer<uint32_t>(byte);
      first_byte_.reset();
      const uint32_t unit = order_ == std::endian::big ? first << 8 | second : second << 8 | first;
      const bool is_mark = !std::exchange(is_begun_, true) && unit == kByteOrderMark;
      if (!is_mark) letters_.add(unit, waiting_);
    }
    if (is_last && in.empty()) letters_.finish(waiting_);
  }
  step.made = std::min(out.size(), waiting_.size());
  if (step.made > 0) std::memcpy(out.data(), waiting_.data(), step.made);
  waiting_.erase(0, step.made);
  return step;
}

}  // namespace weft::io
