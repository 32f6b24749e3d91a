// Text in UTF-16 as UTF-8, without its byte order mark, where there is one: what some editors and
// shells write. Halves of characters become U+FFFD. Internal to the room.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/utf16.h"
#include "core/io/decoder.h"

namespace weft::io {

class Utf16Decoder final : public Decoder {
 public:
  explicit Utf16Decoder(std::endian order) : order_(order) {}

  Result<Step> decode(std::span<const std::byte> in, std::span<std::byte> out) override;
  bool is_at_end() const override {
    return !first_byte_ && !letters_.has_half() && waiting_.empty();
  }
  const char* name() const override { return "UTF-16"; }

 private:
  std::endian order_;
  bool is_begun_ = false;                // behind where a byte order mark may stand
  std::optional<std::byte> first_byte_;  // of a unit
  Utf16Letters letters_;
  std::string waiting_;  // what found no room in `out`
};

}  // namespace weft::io
