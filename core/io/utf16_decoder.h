// Decodes UTF-16, as some editors and shells write it, to UTF-8 without a byte order mark. Unpaired
// surrogates become U+FFFD. Internal to core/io.
#pragma once

#include <bit>
#include <cstddef>
#include <optional>
#include <string>

#include "core/base/utf16.h"
#include "core/io/decoder.h"

namespace weft::io {

class Utf16Decoder final : public Decoder {
 public:
  explicit Utf16Decoder(std::endian order) : order_(order) {}

  Result<Step> decode(std::span<const std::byte> in, std::span<std::byte> out,
                      bool is_last) override;
  bool is_at_end() const override {
    return !first_byte_ && !letters_.has_half() && waiting_.empty();
  }
  const char* name() const override { return "UTF-16"; }

 private:
  std::endian order_;
  bool is_begun_ = false;                // beyond the place of a byte order mark
  std::optional<std::byte> first_byte_;  // of an incomplete unit
  Utf16Letters letters_;
  std::string waiting_;  // output that did not fit into `out`
};

}  // namespace weft::io
