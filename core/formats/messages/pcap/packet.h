// Parses the headers of a captured packet: from the link layer (Ethernet with VLAN tags and PPPoE,
// Linux cooked 1 and 2, BSD loopback, raw IP, 802.11, NFLOG; other links: other_links.h) over IPv4,
// IPv6 and ARP up to TCP, UDP, SCTP and ICMP. Tunnelled packets are the tunnel's payload; fragments
// other than the first have no ports.
//
// Sources: tcpdump.org's list of link types; RFC 791, 792, 826, 768, 4443, 8200, 9260, 9293.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::formats::pcap {

struct Ports {
  uint16_t source = 0, target = 0;
};

struct Tcp {
  static constexpr uint8_t kFin = 1, kSyn = 2, kRst = 4, kPsh = 8, kAck = 16;
  uint32_t sequence = 0, acknowledged = 0;
  uint8_t flags = 0;
  uint16_t window = 0;
};

// Views into the packet.
struct Packet {
  // 4 bytes (IPv4), 16 (IPv6) or 2 to 8 (link layer); empty: unknown.
  std::string_view source, target;
  std::string lane;     // of a link without addresses, as a path; empty: not said
  std::string details;  // other members of the parameters, as JSON
  std::string kind;     // "UDP", "ICMP echo request"; of TCP only "TCP"
  std::optional<Ports> ports;
  std::optional<Tcp> tcp;
  std::optional<uint16_t> vlan;
  std::string_view payload;   // of the innermost protocol, as far as it was captured
  uint64_t payload_size = 0;  // as sent
  bool is_whole = true;       // false: a header does not fit, or was not captured
  bool goes_on = false;       // in further fragments
};

// `sent_bytes`: how long the packet was, of which `bytes` were captured.
Packet parse_packet(uint32_t link_type, std::string_view bytes, uint64_t sent_bytes);

// "10.0.0.1", "fe80::1", "02:00:00:00:00:01".
std::string text_of_address(std::string_view address);
// "SYN ACK".
std::string text_of_flags(uint8_t tcp_flags);

}  // namespace weft::formats::pcap
