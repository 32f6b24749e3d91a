#include "core/formats/embedded/systemview/packet.h"

#include "core/formats/base/binary.h"

namespace weft::formats::systemview {
namespace {

// The payload layouts of ids below 24: numbers ('n') and texts ('t').
constexpr std::string_view kLayouts[24] = {
    "",  "n",  "n", "",  "n", "", "n", "nn", "n", "nnt",  "",    "",
    "n", "nn", "t", "n", "n", "", "",  "n",  "",  "nnnn", "nnt", "",
};

constexpr size_t kMostPayload = 16 << 10;

}  // namespace

std::optional<std::string_view> take_text(std::string_view& bytes) {
  constexpr uint8_t kLong = 255;
  const auto length = take_little<uint8_t>(bytes);
  if (!length) return std::nullopt;
  if (*length != kLong) return take_bytes(bytes, *length);
  const auto more = take_little<uint16_t>(bytes);
  if (!more) return std::nullopt;
  return take_bytes(bytes, *more);
}

Taken take_packet(std::string_view& bytes, Packet& out) {
  std::string_view rest = bytes;
  const auto id = take_varint(rest);
  if (!id) return bytes.size() < kSyncBytes ? Taken::kCut : Taken::kDamaged;
  if (*id > kMostId) return Taken::kDamaged;
  out.id = static_cast<uint32_t>(*id);
  std::string_view payload = rest;
  if (out.id < std::size(kLayouts)) {
    for (const char part : kLayouts[out.id]) {
      const bool is_there =
          part == 'n' ? take_varint(rest).has_value() : take_text(rest).has_value();
      if (!is_there) return Taken::kCut;
    }
    out.payload = payload.substr(0, payload.size() - rest.size());
  } else {
    const auto length = take_varint(rest);
    if (!length) return Taken::kCut;
    if (*length > kMostPayload) return Taken::kDamaged;
    const auto taken = take_bytes(rest, *length);
    if (!taken) return Taken::kCut;
    out.payload = *taken;
  }
  const auto ticks = take_varint(rest);
  if (!ticks) return Taken::kCut;
  out.ticks = *ticks;
  bytes = rest;
  return Taken::kPacket;
}

}  // namespace weft::formats::systemview
