// Frames of wireless networks (IEEE 802.11): their addresses and what they are.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/formats/messages/pcap/packet.h"

namespace weft::formats::pcap {

struct Wireless {
  size_t bytes = 0;          // of the headers
  bool carries_llc = false;  // what follows is as on other networks
};

// Returns nullopt if a header is not whole. The frame may be preceded by radiotap headers.
std::optional<Wireless> parse_wireless(std::string_view bytes, bool has_radiotap, Packet& packet);

}  // namespace weft::formats::pcap
