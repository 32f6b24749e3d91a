// Writes small SystemView recordings for tests: a packet a call.
//
// Source: SEGGER's SystemView target sources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/core/formats/bytes.h"

namespace weft::test {

class SystemViewWriter {
 public:
  void sync() { bytes_.text(std::string(10, '\0')); }
  void raw(std::string_view bytes) { bytes_.text(bytes); }
  // An id below 24; `ticks` since the packet before.
  void packet(uint32_t id, uint64_t ticks, const Bytes& payload = {}) {
    bytes_.varint(id).text(payload.str()).varint(ticks);
  }
  // Any other.
  void long_packet(uint32_t id, uint64_t ticks, const Bytes& payload = {}) {
    bytes_.varint(id).varint(payload.size()).text(payload.str()).varint(ticks);
  }
  static Bytes numbers(const std::vector<uint64_t>& values) {
    Bytes out;
    for (const uint64_t value : values) out.varint(value);
    return out;
  }
  static Bytes text(std::string_view text) {
    Bytes out;
    if (text.size() < 255) return out.little(static_cast<uint8_t>(text.size())).text(text);
    return out.little(uint8_t{255}).little(static_cast<uint16_t>(text.size())).text(text);
  }
  const std::string& bytes() const { return bytes_.str(); }

 private:
  Bytes bytes_;
};

}  // namespace weft::test
