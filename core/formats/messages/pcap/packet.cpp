#include "core/formats/messages/pcap/packet.h"

#include <arpa/inet.h>
#include <fmt/core.h>

#include <algorithm>
#include <concepts>
#include <iterator>
#include <utility>

#include "core/formats/base/binary.h"
#include "core/formats/messages/pcap/other_links.h"
#include "core/formats/messages/pcap/wireless.h"

namespace weft::formats::pcap {
namespace {

// Numbers of link types, of Ethernet's protocols and of IP's.
enum LinkType : uint32_t {
  kNull = 0,
  kEthernet = 1,
  kPpp = 9,
  kRawBsd = 12,
  kRawOpenBsd = 14,
  kPppHdlc = 50,
  kPppoeLink = 51,
  kRaw = 101,
  kCiscoHdlc = 104,
  kWireless = 105,
  kLoop = 108,
  kLinuxCooked = 113,
  kPrism = 119,
  kRadiotap = 127,
  kPerPacket = 192,
  kIpV4Only = 228,
  kIpV6Only = 229,
  kNetfilterLog = 239,
  kPacketTap = 258,
  kLinuxCooked2 = 276,
};
// What frames of Cisco's HDLC begin with, also where the link is said to be PPP.
constexpr std::string_view kToOne("\x0F\0", 2), kToAll("\x8F\0", 2);
enum EtherType : uint16_t {
  kCanFrame = 0x000C,  // of Linux alone
  kCanFdFrame = 0x000D,
  kIpV4 = 0x0800,
  kArp = 0x0806,
  kVlan = 0x8100,
  kIpV6 = 0x86DD,
  kPppoe = 0x8864,
  kMpls = 0x8847,
  kMplsOfMany = 0x8848,
  kProviderVlan = 0x88A8,
  kOldProviderVlan = 0x9100,
};
enum IpProtocol : uint8_t {
  kHopByHop = 0,
  kIcmp = 1,
  kTcp = 6,
  kUdp = 17,
  kRouting = 43,
  kFragment = 44,
  kAuthentication = 51,
  kIcmp6 = 58,
  kDestinationOptions = 60,
  kSctp = 132,
};

struct Name {
  uint32_t number;
  std::string_view text;
};
constexpr Name kEtherNames[] = {
    {0x8035, "RARP"},     {0x8863, "PPPoE discovery"}, {0x888E, "EAPOL"},
    {0x88CC, "LLDP"},     {0x88E5, "MACsec"},          {0x88F7, "PTP"},
    {0x88A4, "EtherCAT"}, {0x8892, "PROFINET"},        {0x22F0, "AVTP"}};
constexpr Name kIpNames[] = {{2, "IGMP"},  {4, "IPv4 in IP"}, {41, "IPv6 in IP"},
                             {47, "GRE"},  {50, "ESP"},       {51, "AH"},
                             {89, "OSPF"}, {103, "PIM"},      {112, "VRRP"}};
constexpr Name kIcmpNames[] = {{0, "ICMP echo reply"},
                               {3, "ICMP unreachable"},
                               {5, "ICMP redirect"},
                               {8, "ICMP echo request"},
                               {11, "ICMP time exceeded"}};
constexpr Name kIcmp6Names[] = {{1, "ICMPv6 unreachable"},
                                {2, "ICMPv6 packet too big"},
                                {3, "ICMPv6 time exceeded"},
                                {128, "ICMPv6 echo request"},
                                {129, "ICMPv6 echo reply"},
                                {133, "ICMPv6 router solicitation"},
                                {134, "ICMPv6 router advertisement"},
                                {135, "ICMPv6 neighbor solicitation"},
                                {136, "ICMPv6 neighbor advertisement"}};
constexpr Name kSctpNames[] = {{0, "SCTP DATA"},     {1, "SCTP INIT"},         {2, "SCTP INIT ACK"},
                               {3, "SCTP SACK"},     {4, "SCTP HEARTBEAT"},    {6, "SCTP ABORT"},
                               {7, "SCTP SHUTDOWN"}, {5, "SCTP HEARTBEAT ACK"}};

template <size_t kCount>
std::string name_in(const Name (&names)[kCount], uint32_t number, std::string_view otherwise) {
  const auto* const it = std::ranges::find(names, number, &Name::number);
  return it == std::end(names) ? fmt::format("{} {}", otherwise, number) : std::string(it->text);
}

// Takes one header after the other off `rest_`. A step is false where its header is not whole.
class Parser {
 public:
  Parser(std::string_view bytes, uint64_t sent_bytes) : rest_(bytes), sent_(sent_bytes) {}

  Packet parse(uint32_t link_type) {
    packet_.is_whole = link(link_type);
    packet_.payload = rest_;
    packet_.payload_size = sent_;
    if (packet_.kind.empty()) packet_.kind = fmt::format("link type {}", link_type);
    return std::move(packet_);
  }

 private:
  template <std::unsigned_integral Value>
  std::optional<Value> take() {
    const auto value = take_big<Value>(rest_);
    if (value) passed(sizeof(Value));
    return value;
  }
  std::optional<std::string_view> take_n(uint64_t n) {
    const auto bytes = take_bytes(rest_, n);
    if (bytes) passed(n);
    return bytes;
  }
  void passed(uint64_t n) { sent_ -= std::min(sent_, n); }

  bool link(uint32_t type) {
    switch (type) {
      case kEthernet:
        return ethernet();
      case kNull:
      case kLoop:
        packet_.kind = "loopback";
        return take_n(4) && raw_ip();  // a family, whose numbers differ between systems
      case kRaw:
      case kRawBsd:
      case kRawOpenBsd:
      case kIpV4Only:
      case kIpV6Only:
        packet_.kind = "IP";
        return raw_ip();
      case kCiscoHdlc:
        return cisco_hdlc();
      case kPppoeLink:
        packet_.kind = "PPPoE";
        return take_n(6) && ppp();
      case kPpp:
      case kPppHdlc:
        if (rest_.starts_with(kToOne) || rest_.starts_with(kToAll)) return cisco_hdlc();
        packet_.kind = "PPP";
        if (rest_.starts_with("\xFF\x03")) take_n(2);
        return ppp();
      case kLinuxCooked:
        return cooked();
      case kLinuxCooked2:
        return cooked2();
      case kWireless:
      case kRadiotap:
        return wireless(type == kRadiotap);
      case kPrism: {
        constexpr size_t kHead = 144;
        packet_.kind = "802.11";
        return take_n(kHead) && wireless(false);
      }
      case kNetfilterLog:
        return netfilter_log();
      case kPerPacket:
      case kPacketTap:
        return with_its_link(type == kPacketTap);
      default:
        return take_known(parse_other_link(type, rest_, packet_));
    }
  }
  // Each says what link it is of, behind a header of its own (PPI; macOS's PKTAP).
  bool with_its_link(bool is_tap) {
    packet_.kind = is_tap ? "PKTAP" : "PPI";
    std::string_view head = rest_;
    if (is_tap) {
      const auto size = take_little<uint32_t>(head);
      take_bytes(head, 4);  // what follows the header
      const auto inner = take_little<uint32_t>(head);
      return inner && take_n(*size) && link_within(*inner);
    }
    take_bytes(head, 2);  // version and flags
    const auto size = take_little<uint16_t>(head);
    const auto inner = take_little<uint32_t>(head);
    return inner && take_n(*size) && link_within(*inner);
  }
  bool link_within(uint32_t type) { return type != kPerPacket && type != kPacketTap && link(type); }

  bool cisco_hdlc() {
    constexpr uint16_t kKeepAlive = 0x8035;  // another protocol than Ethernet's of this number
    packet_.kind = "HDLC";
    take_n(2);  // who it is for, control
    const auto protocol = take<uint16_t>();
    if (protocol != kKeepAlive) return protocol && ether_payload(*protocol);
    packet_.kind = "SLARP";
    return true;
  }

  // Takes headers parsed elsewhere.
  bool take_known(std::optional<size_t> bytes) { return bytes && take_n(*bytes); }

  bool wireless(bool has_radiotap) {
    const auto frame = parse_wireless(rest_, has_radiotap, packet_);
    if (!frame || !take_n(frame->bytes)) return false;
    constexpr std::string_view kSnap("\xAA\xAA\x03\0\0\0", 6);
    if (!frame->carries_llc || !rest_.starts_with(kSnap)) return true;
    take_n(kSnap.size());
    const auto type = take<uint16_t>();
    return type && ether_payload(*type);
  }

  // Fields, of which one is the packet.
  bool netfilter_log() {
    packet_.kind = "NFLOG";
    constexpr uint16_t kPayload = 9;
    constexpr size_t kHead = 4;
    if (!take_n(kHead)) return false;
    while (rest_.size() >= kHead) {
      std::string_view head = rest_;
      const size_t size = *take_little<uint16_t>(head);
      const auto type = take_little<uint16_t>(head);
      if (size < kHead) return false;
      if (type == kPayload) {
        limit(size);
        return take_n(kHead) && raw_ip();
      }
      take_n(std::min(rest_.size(), (size + 3) / 4 * 4));
    }
    return false;
  }

  bool ethernet() {
    packet_.kind = "Ethernet";
    const auto target = take_n(6), source = take_n(6);
    const auto type = take<uint16_t>();
    if (!target || !source || !type) return false;
    packet_.source = *source;
    packet_.target = *target;
    return ether_payload(*type);
  }

  // Only the sender's address is known.
  bool cooked() {
    packet_.kind = "Linux cooked";
    take_n(4);  // kind of packet and of device
    const auto length = take<uint16_t>();
    const auto address = take_n(8);
    const auto type = take<uint16_t>();
    if (!length || !address || !type) return false;
    packet_.source = address->substr(0, *length);
    return ether_payload(*type);
  }
  bool cooked2() {
    packet_.kind = "Linux cooked";
    const auto type = take<uint16_t>();
    take_n(9);  // reserved, interface, kinds of device and packet
    const auto length = take<uint8_t>();
    const auto address = take_n(8);
    if (!address) return false;
    packet_.source = address->substr(0, *length);
    return ether_payload(*type);
  }

  bool ether_payload(uint16_t type) {
    while (type == kVlan || type == kProviderVlan || type == kOldProviderVlan) {
      const auto tag = take<uint16_t>();
      const auto inner = take<uint16_t>();
      if (!inner) return false;
      packet_.vlan = *tag & 0x0FFF;
      type = *inner;
    }
    if (type == kIpV4 || type == kIpV6) return raw_ip();
    if (type == kArp) return arp();
    if (type == kMpls || type == kMplsOfMany) return mpls();
    if (type == kPppoe) {
      packet_.kind = "PPPoE";
      return take_n(6) && ppp();
    }
    if (type == kCanFrame || type == kCanFdFrame) {
      packet_.source = {};
      return take_known(parse_can(rest_, packet_));
    }
    constexpr uint16_t kLeastType = 0x0600;  // below, it is a length
    if (type < kLeastType) {
      packet_.kind = rest_.starts_with("\x42\x42") ? "STP" : "LLC";
      return true;
    }
    const auto* const it = std::ranges::find(kEtherNames, type, &Name::number);
    packet_.kind = it == std::end(kEtherNames) ? fmt::format("Ethernet 0x{:04x}", type)
                                               : std::string(it->text);
    return true;
  }

  // The protocol may be compressed to its lower byte, which alone is odd.
  bool ppp() {
    constexpr uint16_t kPppIpV4 = 0x0021, kPppIpV6 = 0x0057, kPppMpls = 0x0281;
    const bool is_compressed = !rest_.empty() && (rest_[0] & 1) != 0;
    std::optional<uint16_t> protocol;
    if (is_compressed) {
      protocol = take<uint8_t>();
    } else {
      protocol = take<uint16_t>();
    }
    if (protocol == kPppMpls) return mpls();
    return protocol && ((*protocol != kPppIpV4 && *protocol != kPppIpV6) || raw_ip());
  }

  // Labels, and behind the last what nothing says: it is IP if it looks so.
  bool mpls() {
    constexpr uint32_t kIsLast = 0x100;
    packet_.kind = "MPLS";
    while (true) {
      const auto label = take<uint32_t>();
      if (!label) return false;
      if ((*label & kIsLast) != 0) return !looks_like_ip() || raw_ip();
    }
  }
  bool looks_like_ip() const {
    std::string_view head = rest_;
    const auto first = take_big<uint8_t>(head);
    take_bytes(head, 1);
    const auto total = take_big<uint16_t>(head);
    if (!total) return false;
    constexpr uint64_t kLeast = 20, kIpV6Head = 40;
    if (*first >> 4 == 4) return (*first & 0x0F) >= 5 && *total >= kLeast && *total <= sent_;
    const auto length = take_big<uint16_t>(head);
    return *first >> 4 == 6 && length && *length + kIpV6Head <= sent_;
  }

  bool arp() {
    packet_.kind = "ARP";
    const auto hardware = take<uint16_t>();
    const auto protocol = take<uint16_t>();
    const auto hardware_size = take<uint8_t>(), protocol_size = take<uint8_t>();
    const auto operation = take<uint16_t>();
    if (!hardware || !operation) return false;
    if (*protocol != kIpV4 || *protocol_size != 4) return true;
    const auto source_hardware = take_n(*hardware_size), source = take_n(4);
    const auto target_hardware = take_n(*hardware_size), target = take_n(4);
    if (!source_hardware || !source || !target_hardware || !target) return false;
    packet_.source = *source;
    packet_.target = *target;
    if (*operation == 1) packet_.kind = "ARP request";
    if (*operation == 2) packet_.kind = "ARP reply";
    return true;
  }

  bool raw_ip() {
    const int version = rest_.empty() ? 0 : static_cast<uint8_t>(rest_[0]) >> 4;
    return version == 4 ? ip_v4() : version == 6 && ip_v6();
  }

  bool ip_v4() {
    constexpr size_t kLeast = 20;
    if (rest_.size() < kLeast) return false;
    std::string_view head = rest_;
    const size_t head_size = (static_cast<uint8_t>(head[0]) & 0x0F) * size_t{4};
    take_bytes(head, 2);
    const auto total = take_big<uint16_t>(head);
    take_bytes(head, 2);
    const auto fragment = take_big<uint16_t>(head);
    take_bytes(head, 1);
    const auto protocol = take_big<uint8_t>(head);
    take_bytes(head, 2);
    const auto source = take_bytes(head, 4), target = take_bytes(head, 4);
    if (head_size < kLeast || rest_.size() < head_size) return false;
    // Zero: cut into packets by the device, later than it was captured.
    if (*total != 0) {
      if (*total < head_size) return false;
      limit(*total);
    }
    take_n(head_size);
    packet_.source = *source;
    packet_.target = *target;
    packet_.goes_on = (*fragment & 0x2000) != 0;
    return transport(*protocol, (*fragment & 0x1FFF) != 0, "IPv4");
  }

  bool ip_v6() {
    take_n(4);
    const auto length = take<uint16_t>();
    auto next = take<uint8_t>();
    take_n(1);
    const auto source = take_n(16), target = take_n(16);
    if (!target) return false;
    packet_.source = *source;
    packet_.target = *target;
    if (*length != 0) limit(*length);
    bool is_later_fragment = false;
    while (true) {
      const uint8_t protocol = *next;
      if (protocol != kHopByHop && protocol != kRouting && protocol != kFragment &&
          protocol != kAuthentication && protocol != kDestinationOptions)
        return transport(protocol, is_later_fragment, "IPv6");
      packet_.kind = "IPv6";
      next = take<uint8_t>();
      const auto size = take<uint8_t>();
      if (!size) return false;
      if (protocol == kFragment) {
        const auto fragment = take<uint16_t>();
        if (!fragment || !take_n(4)) return false;
        is_later_fragment |= (*fragment & 0xFFF8) != 0;
        packet_.goes_on |= (*fragment & 1) != 0;
      } else {
        // In units of eight bytes beyond the first; of four beyond two for authentication.
        const uint64_t all = protocol == kAuthentication ? (*size + 2ull) * 4 : (*size + 1ull) * 8;
        if (!take_n(all - 2)) return false;
      }
    }
  }

  bool transport(uint8_t protocol, bool is_later_fragment, std::string_view ip) {
    if (is_later_fragment) {
      packet_.kind = fmt::format("{} fragment", ip);
      return true;
    }
    switch (protocol) {
      case kTcp:
        return tcp();
      case kUdp:
        packet_.kind = "UDP";
        return ports() && take_n(4);  // length and checksum
      case kSctp:
        return sctp();
      case kIcmp:
      case kIcmp6: {
        packet_.kind = protocol == kIcmp ? "ICMP" : "ICMPv6";
        const auto type = take<uint8_t>();
        if (!type || !take_n(3)) return false;
        packet_.kind = protocol == kIcmp ? name_in(kIcmpNames, *type, "ICMP")
                                         : name_in(kIcmp6Names, *type, "ICMPv6");
        return true;
      }
      default:
        packet_.kind = name_in(kIpNames, protocol, "IP protocol");
        return true;
    }
  }

  bool ports() {
    const auto source = take<uint16_t>(), target = take<uint16_t>();
    if (!target) return false;
    packet_.ports = {*source, *target};
    return true;
  }

  bool tcp() {
    packet_.kind = "TCP";
    if (!ports()) return false;
    const auto sequence = take<uint32_t>(), acknowledged = take<uint32_t>();
    const auto size = take<uint8_t>(), flags = take<uint8_t>();
    const auto window = take<uint16_t>();
    if (!window || !take_n(4)) return false;
    constexpr uint64_t kLeast = 20;
    const uint64_t head_size = (*size >> 4) * uint64_t{4};
    packet_.tcp = {*sequence, *acknowledged, *flags, *window};
    return head_size >= kLeast && take_n(head_size - kLeast);
  }

  bool sctp() {
    packet_.kind = "SCTP";
    if (!ports() || !take_n(8)) return false;  // tag and checksum
    if (rest_.empty()) return true;
    packet_.kind = name_in(kSctpNames, static_cast<uint8_t>(rest_[0]), "SCTP chunk");
    return true;
  }

  // Limits the packet: what follows is link-layer padding.
  void limit(uint64_t bytes) {
    sent_ = std::min(sent_, bytes);
    rest_ = rest_.substr(0, bytes);
  }

  std::string_view rest_;
  uint64_t sent_;  // of what is behind the headers
  Packet packet_;
};

}  // namespace

Packet parse_packet(uint32_t link_type, std::string_view bytes, uint64_t sent_bytes) {
  return Parser(bytes, sent_bytes).parse(link_type);
}

std::string text_of_address(std::string_view address) {
  constexpr size_t kV4 = 4, kV6 = 16;
  if (address.size() == kV4 || address.size() == kV6) {
    char text[INET6_ADDRSTRLEN];
    if (inet_ntop(address.size() == kV4 ? AF_INET : AF_INET6, address.data(), text, sizeof text))
      return text;
  }
  std::string text;
  for (const char c : address)
    text += fmt::format("{}{:02x}", text.empty() ? "" : ":", static_cast<uint8_t>(c));
  return text;
}

std::string text_of_flags(uint8_t tcp_flags) {
  constexpr std::string_view kNames[] = {"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"};
  std::string text;
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if ((tcp_flags >> i & 1) == 0) continue;
    if (!text.empty()) text += ' ';
    text += kNames[i];
  }
  return text;
}

}  // namespace weft::formats::pcap
