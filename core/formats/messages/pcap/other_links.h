// Links that join no hosts with addresses: USB, CAN, Bluetooth, netlink. What their headers say is
// the packet's kind, the lane it is on and its details.
//
// Sources: tcpdump.org's list of link types; Documentation/usb/usbmon.rst and include/uapi/linux of
// Linux; the description of USBPcap; the Bluetooth Core Specification, volume 4;
// src/shared/btsnoop.h of BlueZ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/formats/messages/pcap/packet.h"

namespace weft::formats::pcap {

// Returns the size of a packet's headers; nullopt if they are incomplete. For links known only by
// name it is 0; for unknown links the packet has no kind.
std::optional<size_t> parse_other_link(uint32_t link_type, std::string_view bytes, Packet& packet);

// A frame of a CAN bus, with the header that SocketCAN gives it.
std::optional<size_t> parse_can(std::string_view bytes, Packet& packet);

}  // namespace weft::formats::pcap
