#include "core/formats/messages/pcap/other_links.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/json_members.h"
#include "core/formats/base/text.h"
#include "core/formats/messages/pcap/hci_names.h"

namespace weft::formats::pcap {
namespace {

enum OtherLinkType : uint32_t {
  kBluetooth = 187,
  kUsb = 189,
  kBluetoothWithDirection = 201,
  kUsbMapped = 220,
  kCan = 227,
  kUsbPcap = 249,
  kNetlink = 253,
  kBluetoothMonitor = 254,
};

struct LinkName {
  uint32_t type;
  std::string_view name;
};
constexpr LinkName kNamesOfLinks[] = {
    {3, "AX.25"},
    {6, "token ring"},
    {7, "ARCNET"},
    {8, "SLIP"},
    {10, "FDDI"},
    {100, "ATM"},
    {106, "ATM"},
    {107, "frame relay"},
    {109, "IPsec"},
    {114, "LocalTalk"},
    {117, "PF log"},
    {122, "Fibre Channel"},
    {123, "ATM"},
    {129, "ARCNET"},
    {138, "IP over FireWire"},
    {139, "MTP2"},
    {140, "MTP2"},
    {141, "MTP3"},
    {142, "SCCP"},
    {143, "DOCSIS"},
    {144, "IrDA"},
    {163, "802.11 (AVS)"},
    {165, "BACnet MS/TP"},
    {177, "LAPD"},
    {195, "802.15.4"},
    {197, "ERF"},
    {202, "AX.25"},
    {203, "LAPD"},
    {204, "PPP"},
    {209, "I2C"},
    {210, "FlexRay"},
    {211, "MOST"},
    {212, "LIN"},
    {215, "802.15.4"},
    {224, "Fibre Channel"},
    {225, "Fibre Channel"},
    {226, "Solaris IP"},
    {230, "802.15.4"},
    {231, "D-Bus"},
    {242, "IP over InfiniBand"},
    {243, "MPEG-2"},
    {245, "NFC"},
    {247, "InfiniBand"},
    {248, "SCTP"},
    {250, "serial line"},
    {251, "Bluetooth LE"},
    {252, "upper protocols"},
    {255, "Bluetooth baseband"},
    {256, "Bluetooth LE"},
    {257, "PROFIBUS"},
    {259, "EPON"},
    {260, "IPMI"},
    {261, "Z-Wave"},
    {262, "Z-Wave"},
    {264, "ISO 14443"},
    {266, "USB (macOS)"},
    {267, "OpenFlow"},
    {270, "LoRa"},
    {271, "vsock"},
    {272, "Bluetooth LE"},
    {275, "DisplayPort"},
    {278, "USB (OpenVizsla)"},
    {279, "EBHSCR"},
    {280, "VPP"},
    {281, "switch (DSA)"},
    {282, "switch (DSA)"},
    {283, "802.15.4"},
    {284, "switch (DSA)"},
    {285, "switch (DSA)"},
    {287, "Z-Wave"},
    {288, "USB 2.0"},
    {290, "ETW"},
    {292, "Zigbee"},
    {293, "USB 2.0"},
    {294, "USB 2.0"},
    {295, "USB 2.0"},
};

// Returns nullopt if something was not there.
std::optional<size_t> taken_of(const BinaryFields& fields) {
  return fields.has_failed() ? std::nullopt : std::optional(fields.at());
}

void add(Packet& packet, std::string_view name, std::string_view value) {
  append_member(packet.details, name, value);
}
void add(Packet& packet, std::string_view name, int64_t value) {
  append_member(packet.details, name, std::to_string(value));
}

constexpr std::string_view kTransfers[] = {"isochronous", "interrupt", "control", "bulk"};

void set_usb_lane(Packet& packet, int bus, int device, int endpoint) {
  constexpr int kIn = 0x80;
  packet.lane = fmt::format("USB bus {}/device {}/endpoint {}{}", bus, device, endpoint & ~kIn,
                            (endpoint & ~kIn) == 0  ? ""
                            : (endpoint & kIn) != 0 ? " in"
                                                    : " out");
}

// Parses the header of Linux's usbmon. Submitted requests return when complete.
std::optional<size_t> parse_usb(std::string_view bytes, bool is_mapped, Packet& packet) {
  BinaryFields fields(bytes);
  const auto id = fields.little<uint64_t>();
  const auto type = static_cast<char>(fields.little<uint8_t>());
  const auto transfer = fields.little<uint8_t>();
  const int endpoint = fields.little<uint8_t>(), device = fields.little<uint8_t>();
  const int bus = fields.little<uint16_t>();
  const bool has_setup = fields.little<uint8_t>() == 0;
  fields.bytes(1 + 8 + 4);  // whether data follow, time
  const auto status = fields.little<int32_t>();
  const auto length = fields.little<uint32_t>();
  fields.bytes(4);  // how much of it follows
  const auto setup = fields.big<uint64_t>();
  uint32_t descriptors = 0;
  if (is_mapped) {
    fields.bytes(4 + 4 + 4);  // interval, frame, flags
    descriptors = fields.little<uint32_t>();
  }
  constexpr size_t kDescriptorBytes = 16;
  // The newer header counts descriptors of frames, which stand before the data.
  if (is_mapped && descriptors <= fields.rest().size() / kDescriptorBytes)
    fields.bytes(descriptors * kDescriptorBytes);
  packet.kind = type == 'S' ? "USB submit" : type == 'C' ? "USB complete" : "USB error";
  set_usb_lane(packet, bus, device, endpoint);
  add(packet, "urb", fmt::format("{:#x}", id));
  if (transfer < std::size(kTransfers)) add(packet, "transfer", kTransfers[transfer]);
  if (type != 'S') add(packet, "status", status);
  add(packet, "length", length);
  if (type == 'S' && has_setup && transfer == 2)
    add(packet, "setup", fmt::format("{:#018x}", setup));
  return taken_of(fields);
}

// Parses the header of USBPcap (Windows).
std::optional<size_t> parse_usbpcap(std::string_view bytes, Packet& packet) {
  BinaryFields fields(bytes);
  const size_t size = fields.little<uint16_t>();
  const auto id = fields.little<uint64_t>();
  const auto status = fields.little<uint32_t>();
  const int function = fields.little<uint16_t>();
  const bool is_complete = (fields.little<uint8_t>() & 1) != 0;
  const int bus = fields.little<uint16_t>(), device = fields.little<uint16_t>();
  const int endpoint = fields.little<uint8_t>();
  const auto transfer = fields.little<uint8_t>();
  const auto length = fields.little<uint32_t>();
  constexpr int kControl = 2, kDataStage = 1;
  const bool is_within = transfer == kControl && size > fields.at() &&
                         fields.little<uint8_t>() == kDataStage;  // a transfer ends behind it
  packet.kind = is_within ? "USB data" : is_complete ? "USB complete" : "USB submit";
  set_usb_lane(packet, bus, device, endpoint);
  add(packet, "urb", fmt::format("{:#x}", id));
  if (transfer < std::size(kTransfers)) add(packet, "transfer", kTransfers[transfer]);
  if (is_complete) add(packet, "status", status);
  add(packet, "function", function);
  add(packet, "length", length);
  const auto taken = taken_of(fields);
  if (!taken || size < *taken || size > bytes.size()) return std::nullopt;
  return size;
}

enum Hci : uint8_t { kCommand = 1, kAcl = 2, kSco = 3, kEvent = 4, kIso = 5 };

std::string text_of_command(uint16_t opcode) {
  const std::string_view name = name_of_hci_command(opcode);
  return name.empty() ? fmt::format("0x{:04x}", opcode) : std::string(name);
}

// Of an answer, also to what command it is.
void parse_hci_event(BinaryFields& fields, Packet& packet) {
  constexpr uint8_t kCommandComplete = 0x0E, kCommandStatus = 0x0F, kLeMeta = 0x3E;
  const auto code = fields.little<uint8_t>();
  fields.bytes(1);
  std::string_view rest = fields.rest();
  std::string_view name = name_of_hci_event(code);
  if (code == kLeMeta && !rest.empty()) {
    const std::string_view le_name = name_of_le_event(static_cast<uint8_t>(rest[0]));
    if (!le_name.empty()) name = le_name;
  }
  packet.kind =
      name.empty() ? fmt::format("HCI event 0x{:02x}", code) : fmt::format("HCI event {}", name);
  packet.lane = "Bluetooth/events";
  if (code != kCommandComplete && code != kCommandStatus) return;
  take_bytes(rest, code == kCommandComplete ? 1 : 2);  // how many more it takes, status
  if (const auto opcode = take_little<uint16_t>(rest); opcode && *opcode != 0)
    add(packet, "command", text_of_command(*opcode));
}

// `direction` is empty if unknown.
std::optional<size_t> parse_hci(BinaryFields& fields, uint8_t kind, std::string_view direction,
                                Packet& packet) {
  const auto add_connection = [&](std::string_view name) {
    constexpr uint16_t kHandle = 0x0FFF;
    packet.kind = fmt::format("HCI {}", name);
    packet.lane = fmt::format("Bluetooth/connection 0x{:03x}", fields.little<uint16_t>() & kHandle);
    if (!direction.empty()) add(packet, "direction", direction);
  };
  switch (kind) {
    case kCommand:
      packet.kind = "HCI command " + text_of_command(fields.little<uint16_t>());
      packet.lane = "Bluetooth/commands";
      fields.bytes(1);
      break;
    case kEvent:
      parse_hci_event(fields, packet);
      break;
    case kAcl:
    case kIso:
      add_connection(kind == kAcl ? "ACL data" : "ISO data");
      fields.bytes(2);
      break;
    case kSco:
      add_connection("SCO data");
      fields.bytes(1);
      break;
    default:
      packet.kind = fmt::format("HCI kind {}", kind);
      packet.lane = "Bluetooth";
  }
  return taken_of(fields);
}

// What the monitor's codes are called, and what they carry.
struct MonitorCode {
  std::string_view name;
  uint8_t carries = 0;  // of HCI
};
constexpr MonitorCode kMonitorCodes[] = {
    {"new index"},       {"delete index"},       {"command", kCommand}, {"event", kEvent},
    {"ACL sent", kAcl},  {"ACL received", kAcl}, {"SCO sent", kSco},    {"SCO received", kSco},
    {"open index"},      {"close index"},        {"index info"},        {"vendor diagnosis"},
    {"system note"},     {"user logging"},       {"control open"},      {"control close"},
    {"control command"}, {"control event"},      {"ISO sent", kIso},    {"ISO received", kIso},
};

void add_texts(int code, BinaryFields& fields, Packet& packet) {
  constexpr int kSystemNote = 12, kUserLogging = 13;
  if (code == kUserLogging) {
    add(packet, "priority", fields.little<uint8_t>());
    const auto size = fields.little<uint8_t>();
    add(packet, "by", valid_utf8(until_zero(fields.bytes(size))));
  }
  if (code == kSystemNote || code == kUserLogging)
    add(packet, "text", valid_utf8(until_zero(fields.rest())));
}

std::optional<size_t> parse_bluetooth(std::string_view bytes, bool has_direction, Packet& packet) {
  BinaryFields fields(bytes);
  std::string_view direction;
  if (has_direction) direction = fields.big<uint32_t>() != 0 ? "received" : "sent";
  return parse_hci(fields, fields.little<uint8_t>(), direction, packet);
}

std::optional<size_t> parse_bluetooth_monitor(std::string_view bytes, Packet& packet) {
  BinaryFields fields(bytes);
  const int controller = fields.big<uint16_t>(), code = fields.big<uint16_t>();
  const MonitorCode known =
      code < static_cast<int>(std::size(kMonitorCodes)) ? kMonitorCodes[code] : MonitorCode();
  if (known.carries != 0) {
    parse_hci(fields, known.carries, code % 2 == 0 ? "sent" : "received", packet);
  } else {
    packet.kind = known.name.empty() ? fmt::format("Bluetooth monitor {}", code)
                                     : fmt::format("Bluetooth {}", known.name);
    packet.lane = "Bluetooth/monitor";
    add_texts(code, fields, packet);
  }
  constexpr int kOfNone = 0xFFFF;
  if (controller != kOfNone) add(packet, "controller", controller);
  return taken_of(fields);
}

std::optional<size_t> parse_netlink(std::string_view bytes, Packet& packet) {
  constexpr LinkName kFamilies[] = {{0, "route"},      {2, "user socket"}, {4, "socket diagnosis"},
                                    {6, "xfrm"},       {9, "audit"},       {10, "FIB lookup"},
                                    {11, "connector"}, {12, "netfilter"},  {15, "kernel events"},
                                    {16, "generic"}};
  BinaryFields fields(bytes);
  fields.bytes(14);  // kinds of packet and device, no address
  const uint32_t family = fields.big<uint16_t>();
  const auto* const known = std::ranges::find(kFamilies, family, &LinkName::type);
  const std::string name =
      known == std::end(kFamilies) ? fmt::format("family {}", family) : std::string(known->name);
  packet.lane = "netlink/" + name;
  packet.kind = "netlink " + name;
  fields.bytes(4);  // length
  const int type = fields.little<uint16_t>(), flags = fields.little<uint16_t>();
  const auto sequence = fields.little<uint32_t>(), port = fields.little<uint32_t>();
  add(packet, "type", type);
  add(packet, "flags", flags);
  add(packet, "seq", sequence);
  add(packet, "port", port);
  return taken_of(fields);
}

}  // namespace

std::optional<size_t> parse_can(std::string_view bytes, Packet& packet) {
  constexpr uint32_t kExtended = 0x8000'0000, kRemote = 0x4000'0000, kError = 0x2000'0000;
  constexpr uint8_t kIsFd = 0x04, kIsXl = 0x80;
  BinaryFields fields(bytes);
  const auto id = fields.big<uint32_t>();
  const auto size = fields.little<uint8_t>(), flags = fields.little<uint8_t>();
  fields.bytes(2);
  if (!taken_of(fields)) {
    packet.kind = "CAN";
    return std::nullopt;
  }
  if ((size & kIsXl) != 0) {  // another header, whose first bytes are priority and network
    packet.kind = "CAN XL";
    packet.lane = fmt::format("CAN/0x{:03x}", id & 0x7FF);
    return 12 <= bytes.size() ? std::optional<size_t>(12) : std::nullopt;
  }
  packet.kind = (id & kError) != 0     ? "CAN error"
                : (id & kRemote) != 0  ? "CAN remote request"
                : (flags & kIsFd) != 0 ? "CAN FD"
                                       : "CAN";
  packet.lane = (id & kError) != 0      ? "CAN/errors"
                : (id & kExtended) != 0 ? fmt::format("CAN/0x{:08x}", id & 0x1FFF'FFFF)
                                        : fmt::format("CAN/0x{:03x}", id & 0x7FF);
  return taken_of(fields);
}

namespace {

std::optional<size_t> parse_known_link(uint32_t link_type, std::string_view bytes, Packet& packet) {
  switch (link_type) {
    case kUsb:
    case kUsbMapped:
      packet.kind = "USB";
      return parse_usb(bytes, link_type == kUsbMapped, packet);
    case kUsbPcap:
      packet.kind = "USB";
      return parse_usbpcap(bytes, packet);
    case kCan:
      return parse_can(bytes, packet);
    case kBluetooth:
    case kBluetoothWithDirection:
      return parse_bluetooth(bytes, link_type == kBluetoothWithDirection, packet);
    case kBluetoothMonitor:
      return parse_bluetooth_monitor(bytes, packet);
    case kNetlink:
      return parse_netlink(bytes, packet);
    default:
      break;
  }
  const auto* const known = std::ranges::find(kNamesOfLinks, link_type, &LinkName::type);
  if (known != std::end(kNamesOfLinks)) packet.kind = packet.lane = known->name;
  return 0;
}

}  // namespace

std::optional<size_t> parse_other_link(uint32_t link_type, std::string_view bytes, Packet& packet) {
  const auto headers = parse_known_link(link_type, bytes, packet);
  if (!headers) {  // what is not there was read as zeros
    packet.lane.clear();
    packet.details.clear();
  }
  return headers;
}

}  // namespace weft::formats::pcap
