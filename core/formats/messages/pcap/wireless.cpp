#include "core/formats/messages/pcap/wireless.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "core/formats/base/binary.h"

namespace weft::formats::pcap {
namespace {

enum FrameType : uint8_t { kManagement = 0, kControl = 1, kData = 2 };

// Indexed by subtype; empty: reserved.
constexpr std::string_view kManagementNames[] = {"association request",
                                                 "association response",
                                                 "reassociation request",
                                                 "reassociation response",
                                                 "probe request",
                                                 "probe response",
                                                 "timing advertisement",
                                                 "",
                                                 "beacon",
                                                 "ATIM",
                                                 "disassociation",
                                                 "authentication",
                                                 "deauthentication",
                                                 "action",
                                                 "action without ack",
                                                 ""};
constexpr std::string_view kControlNames[] = {"",
                                              "",
                                              "trigger",
                                              "TACK",
                                              "beamforming report",
                                              "VHT NDP announcement",
                                              "extension",
                                              "wrapper",
                                              "block ack request",
                                              "block ack",
                                              "PS-poll",
                                              "RTS",
                                              "CTS",
                                              "ack",
                                              "CF-end",
                                              "CF-end and ack"};

std::string name_of(uint8_t type, uint8_t subtype, bool is_protected) {
  constexpr uint8_t kIsEmpty = 0x4;  // of data's subtype
  std::string_view name;
  if (type == kManagement) name = kManagementNames[subtype];
  if (type == kControl) name = kControlNames[subtype];
  if (type == kData)
    name = (subtype & kIsEmpty) != 0 ? "null data" : is_protected ? "protected data" : "data";
  return name.empty() ? fmt::format("802.11 frame {}.{}", type, subtype)
                      : fmt::format("802.11 {}", name);
}

}  // namespace

std::optional<Wireless> parse_wireless(std::string_view bytes, bool has_radiotap, Packet& packet) {
  packet.kind = "802.11";
  const size_t whole = bytes.size();
  if (has_radiotap) {
    std::string_view head = bytes.substr(std::min<size_t>(bytes.size(), 2));
    const auto size = take_little<uint16_t>(head);
    if (!size || !take_bytes(bytes, *size)) return std::nullopt;
  }
  const auto control = take_little<uint8_t>(bytes), flags = take_little<uint8_t>(bytes);
  if (!control || !flags || !take_bytes(bytes, 2)) return std::nullopt;  // and how long it takes
  const uint8_t type = *control >> 2 & 3, subtype = *control >> 4;
  constexpr uint8_t kToNetwork = 1, kFromNetwork = 2, kProtected = 0x40, kOrdered = 0x80;
  packet.kind = name_of(type, subtype, (*flags & kProtected) != 0);
  constexpr size_t kAddress = 6;
  const auto first = take_bytes(bytes, kAddress);
  if (!first) return std::nullopt;
  packet.target = *first;
  constexpr uint8_t kCts = 12, kAck = 13;
  const auto done = [&](bool carries_llc = false) {
    return Wireless{whole - bytes.size(), carries_llc};
  };
  if (type > kData || (type == kControl && (subtype == kCts || subtype == kAck))) return done();
  const auto second = take_bytes(bytes, kAddress);
  if (!second) return std::nullopt;
  packet.source = *second;
  if (type == kControl) return done();
  const auto third = take_bytes(bytes, kAddress);
  if (!third || !take_bytes(bytes, 2)) return std::nullopt;  // and its number
  // The end points, beyond the radio link.
  const bool is_to = (*flags & kToNetwork) != 0, is_from = (*flags & kFromNetwork) != 0;
  if (type == kData && is_to) packet.target = *third;
  if (type == kData && is_from && !is_to) packet.source = *third;
  if (type == kData && is_to && is_from) {
    const auto fourth = take_bytes(bytes, kAddress);
    if (!fourth) return std::nullopt;
    packet.source = *fourth;
  }
  constexpr uint8_t kHasQuality = 0x8, kIsEmpty = 0x4;
  if (type == kManagement) return done();
  if ((subtype & kHasQuality) != 0) {
    if (!take_bytes(bytes, (*flags & kOrdered) != 0 ? 6 : 2)) return std::nullopt;
  }
  return done((subtype & kIsEmpty) == 0 && (*flags & kProtected) == 0);
}

}  // namespace weft::formats::pcap
