#include "core/io/utf16_decoder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/utf8.h"

namespace weft::io {
namespace {

constexpr uint32_t kReplacement = 0xFFFD, kByteOrderMark = 0xFEFF;
constexpr size_t kBytesAtOnce = 4096;  // of input: what they become waits, where there is no room

bool is_high(uint32_t unit) { return unit >> 10 == 0xD800 >> 10; }
bool is_low(uint32_t unit) { return unit >> 10 == 0xDC00 >> 10; }

}  // namespace

void Utf16Decoder::add_unit(uint32_t unit) {
  const uint32_t high = std::exchange(high_, 0);
  if (high != 0 && is_low(unit))
    return append_utf8(waiting_, 0x10000 + ((high & 0x3FF) << 10) + (unit & 0x3FF));
  if (high != 0) append_utf8(waiting_, kReplacement);
  if (is_high(unit)) {
    high_ = unit;
  } else {
    append_utf8(waiting_, is_low(unit) ? kReplacement : unit);
  }
}

Result<Decoder::Step> Utf16Decoder::decode(std::span<const std::byte> in,
                                           std::span<std::byte> out) {
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
      if (!is_mark) add_unit(unit);
    }
    const bool is_half_at_end = in.empty() && high_ != 0;
    if (is_half_at_end) {
      high_ = 0;
      append_utf8(waiting_, kReplacement);
    }
  }
  step.made = std::min(out.size(), waiting_.size());
  if (step.made > 0) std::memcpy(out.data(), waiting_.data(), step.made);
  waiting_.erase(0, step.made);
  return step;
}

}  // namespace weft::io
