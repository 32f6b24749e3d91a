// Detects TCP segments that bring nothing new, by one number per direction of a connection: how far
// its sender has got.
//
// Memory: about 150 bytes per direction, at most 2^18 of them; then all are forgotten.
#pragma once

#include <cstdint>
#include <string>

#include "core/formats/base/by_name.h"
#include "core/formats/messages/pcap/packet.h"

namespace weft::formats::pcap {

class TcpFlows {
 public:
  enum class Seen : uint8_t { kNew, kAgain, kKeepAlive };

  // Adds a segment. kAgain: it carries bytes, SYN or FIN, all of which were seen before. A segment
  // merely overtaken on its way looks alike: the capture does not tell them apart.
  Seen add(const Packet& packet) {
    const uint32_t size = static_cast<uint32_t>(packet.payload_size) + is_set(packet, Tcp::kSyn) +
                          is_set(packet, Tcp::kFin);
    if (size == 0 || is_set(packet, Tcp::kRst)) return Seen::kNew;
    if (next_.size() == kMost) next_.clear();
    key_.assign(packet.source).append(packet.target);
    for (const uint16_t port : {packet.ports->source, packet.ports->target})
      key_.append({static_cast<char>(port >> 8), static_cast<char>(port)});
    const uint32_t begin = packet.tcp->sequence, end = begin + size;
    const auto [it, is_first] = next_.try_emplace(key_, end);
    if (is_first) return Seen::kNew;
    const auto ahead = static_cast<int32_t>(end - it->second);  // sequence numbers wrap around
    // A SYN with another number begins a connection of the same ports.
    if (ahead > 0 || (is_set(packet, Tcp::kSyn) && ahead != 0)) {
      it->second = end;
      return Seen::kNew;
    }
    // The byte before what comes next, again and pushed by nobody: is there still somebody?
    const bool is_probe =
        packet.payload_size == 1 && size == 1 && ahead == 0 && !is_set(packet, Tcp::kPsh);
    return is_probe ? Seen::kKeepAlive : Seen::kAgain;
  }

 private:
  static constexpr size_t kMost = size_t{1} << 18;

  static bool is_set(const Packet& packet, uint8_t flag) { return (packet.tcp->flags & flag) != 0; }

  PassingByName<uint32_t> next_;  // the sequence number behind all that was seen
  std::string key_;
};

}  // namespace weft::formats::pcap
