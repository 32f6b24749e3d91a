#include "core/formats/messages/pcap/pcap_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/messages/pcap/packet_events.h"

namespace weft::formats {
namespace {

using pcap::Captured;
using pcap::PacketEvents;

// The size limit of packets and blocks; libpcap's own is 256 KiB for nearly all links.
constexpr uint32_t kMostBytes = 16 << 20;

constexpr uint32_t kMicro = 0xA1B2C3D4, kNano = 0xA1B23C4D, kKuznetzov = 0xA1B2CD34;
constexpr uint32_t kSection = 0x0A0D0D0A, kSectionOrder = 0x1A2B3C4D;

constexpr bool is_pcap_magic(uint32_t magic) {
  return magic == kMicro || magic == kNano || magic == kKuznetzov;
}

// Integers in the order of bytes of the machine that captured.
class Order {
 public:
  explicit Order(bool is_swapped = false) : is_swapped_(is_swapped) {}

  // 0 where there are not as many bytes.
  uint32_t take32(std::string_view& bytes) const {
    const uint32_t value = take_little<uint32_t>(bytes).value_or(0);
    return is_swapped_ ? __builtin_bswap32(value) : value;
  }
  uint16_t take16(std::string_view& bytes) const {
    const uint16_t value = take_little<uint16_t>(bytes).value_or(0);
    return is_swapped_ ? __builtin_bswap16(value) : value;
  }
  uint64_t take64(std::string_view& bytes) const {
    const uint64_t value = take_little<uint64_t>(bytes).value_or(0);
    return is_swapped_ ? __builtin_bswap64(value) : value;
  }

 private:
  bool is_swapped_;
};

class PcapReader {
 public:
  PcapReader(ByteWindow& window, trace::EventSink& sink, PacketEvents& events)
      : window_(window), sink_(sink), events_(events) {}

  void read() {
    if (!read_head()) return;
    while (window_.is_wanted() && read_packet()) {
    }
    window_.finish("a packet");
  }

 private:
  bool read_head() {
    constexpr size_t kHeadBytes = 24;
    auto head = window_.peek(kHeadBytes);
    if (!head) {
      window_.finish("the file's header");
      return false;
    }
    std::string_view rest = *head;
    uint32_t magic = order_.take32(rest);
    if (!is_pcap_magic(magic)) {
      order_ = Order(true);
      magic = __builtin_bswap32(magic);
    }
    ns_per_fraction_ = magic == kNano ? 1 : 1000;
    more_bytes_ = magic == kKuznetzov ? 8 : 0;
    take_bytes(rest, 16);                       // version, time zone, accuracy, limit
    link_type_ = order_.take32(rest) & 0xFFFF;  // above: the length of the frames' check sums
    return window_.skip(kHeadBytes);
  }

  bool read_packet() {
    constexpr size_t kHeadBytes = 16;
    const auto head = window_.peek(kHeadBytes + more_bytes_);
    if (!head) return false;
    std::string_view rest = *head;
    const int64_t seconds = order_.take32(rest), fraction = order_.take32(rest);
    const uint32_t captured = order_.take32(rest), sent = order_.take32(rest);
    if (captured > kMostBytes) {
      sink_.loss("packet whose length makes no sense: nothing behind it is read", window_.offset());
      return window_.skip(UINT64_MAX) && false;
    }
    const auto bytes = window_.peek(kHeadBytes + more_bytes_ + captured);
    if (!bytes) return false;
    events_.add({.time = Time{seconds * kNsPerSecond + fraction * ns_per_fraction_},
                 .link_type = link_type_,
                 .bytes = bytes->substr(kHeadBytes + more_bytes_),
                 .sent_bytes = std::max(sent, captured),
                 .offset = window_.offset()});
    return window_.skip(bytes->size());
  }

  ByteWindow& window_;
  trace::EventSink& sink_;
  PacketEvents& events_;
  Order order_;
  int64_t ns_per_fraction_ = 1000;
  size_t more_bytes_ = 0;  // in a record's header
  uint32_t link_type_ = 0;
};

class PcapngReader {
 public:
  PcapngReader(ByteWindow& window, trace::EventSink& sink, PacketEvents& events)
      : window_(window), sink_(sink), events_(events) {}

  void read() {
    while (window_.is_wanted() && read_block()) {
    }
    give_held();
    window_.finish("a block");
  }

 private:
  struct Interface {
    uint32_t link_type = 0, most_bytes = 0;
    std::string name;
    uint64_t ticks_per_second = 1'000'000;
    int64_t offset_s = 0;
  };
  struct Held {
    Interface interface;
    std::string bytes;
    uint64_t sent;
    uint64_t offset;
  };
  static constexpr size_t kHeadBytes = 8, kTailBytes = 4, kLeastBytes = kHeadBytes + kTailBytes;

  bool read_block() {
    const auto head = window_.peek(kLeastBytes);
    if (!head) return false;
    std::string_view rest = *head;
    const uint32_t little_type = take_little<uint32_t>(rest).value_or(0);
    if (little_type == kSection) {
      std::string_view mark = rest.substr(4);
      order_ = Order(take_little<uint32_t>(mark) != kSectionOrder);
    }
    rest = *head;
    const uint32_t type = order_.take32(rest), size = order_.take32(rest);
    if (size < kLeastBytes || size % 4 != 0 || size > kMostBytes) {
      sink_.loss("block whose length makes no sense: nothing behind it is read", window_.offset());
      return window_.skip(UINT64_MAX) && false;
    }
    const auto block = window_.peek(size);
    if (!block) return false;
    add(type, block->substr(kHeadBytes, size - kLeastBytes));
    return window_.skip(size);
  }

  void add(uint32_t type, std::string_view body) {
    constexpr uint32_t kInterface = 1, kOldPacket = 2, kSimple = 3, kNames = 4, kStatistics = 5,
                       kPacket = 6;
    switch (type) {
      case kSection:
        return interfaces_.clear();
      case kInterface:
        return add_interface(body);
      case kPacket: {
        const uint32_t interface = order_.take32(body);
        return add_packet(body, interface);
      }
      case kOldPacket: {
        const uint16_t interface = order_.take16(body);
        const uint16_t dropped = order_.take16(body);
        constexpr uint16_t kNotSaid = 0xFFFF;
        if (dropped != 0 && dropped != kNotSaid) add_dropped(dropped);
        return add_packet(body, interface);
      }
      case kSimple:
        return add_simple(body);
      case kNames:
        return add_names(body);
      case kStatistics:
        return add_statistics(body);
      default:
        return;  // secrets, what others define: nothing that has a time
    }
  }

  // Calls take(code, value) for each.
  template <class Take>
  void for_each_option(std::string_view rest, const Take& take) const {
    while (rest.size() >= 4) {
      const uint16_t code = order_.take16(rest), size = order_.take16(rest);
      const auto value = take_bytes(rest, size);
      if (code == 0 || !value) return;
      take(code, *value);
      take_bytes(rest, (4 - size % 4) % 4);
    }
  }

  void add_interface(std::string_view body) {
    Interface interface;
    interface.link_type = order_.take16(body);
    order_.take16(body);
    interface.most_bytes = order_.take32(body);
    for_each_option(body, [&](uint16_t code, std::string_view value) {
      constexpr uint16_t kName = 2, kResolution = 9, kOffset = 14;
      if (code == kName) interface.name = valid_utf8(value);
      if (code == kResolution && !value.empty())
        interface.ticks_per_second = ticks_from(static_cast<uint8_t>(value[0]));
      if (code == kOffset) interface.offset_s = static_cast<int64_t>(order_.take64(value));
    });
    if (interface.ticks_per_second == 0) {
      sink_.loss("interface whose clock is too fine: its packets are left out", window_.offset());
    }
    interfaces_.push_back(std::move(interface));
  }

  // A power of ten, or of two; 0: more than 64 bits hold.
  static uint64_t ticks_from(uint8_t resolution) {
    constexpr uint8_t kOfTwo = 0x80, kMostOfTwo = 63, kMostOfTen = 19;
    const uint8_t power = resolution & 0x7F;
    if ((resolution & kOfTwo) != 0) return power > kMostOfTwo ? 0 : uint64_t{1} << power;
    if (power > kMostOfTen) return 0;
    uint64_t ticks = 1;
    for (int i = 0; i < power; ++i) ticks *= 10;
    return ticks;
  }

  const Interface* interface_of(uint32_t index) {
    if (index < interfaces_.size()) return &interfaces_[index];
    sink_.loss("packet of an interface that is not described", window_.offset());
    return nullptr;
  }

  void add_packet(std::string_view body, uint32_t index) {
    const Interface* interface = interface_of(index);
    const uint64_t high = order_.take32(body), low = order_.take32(body);
    const uint32_t captured = order_.take32(body), sent = order_.take32(body);
    const auto bytes = take_bytes(body, captured);
    if (interface == nullptr || interface->ticks_per_second == 0) return;
    if (!bytes) return sink_.loss("packet that does not fit its block", window_.offset());
    const auto time = time_from(high << 32 | low, *interface);
    if (!time) return sink_.loss("packet whose time is beyond nanoseconds", window_.offset());
    last_ = *time;
    give_held();
    take_bytes(body, (4 - captured % 4) % 4);
    std::string_view comment;
    for_each_option(body, [&](uint16_t code, std::string_view value) {
      constexpr uint16_t kComment = 1;
      if (code == kComment) comment = value;
    });
    add(*interface, *bytes, std::max(sent, captured), comment);
  }

  // It says no time, and its length is cut where the interface says. Those in front wait for the
  // first time that is said.
  void add_simple(std::string_view body) {
    const Interface* interface = interface_of(0);
    if (interface == nullptr) return;
    const uint32_t sent = order_.take32(body);
    const uint32_t most = interface->most_bytes == 0 ? sent : interface->most_bytes;
    const std::string_view bytes = body.substr(0, std::min(sent, most));
    if (!are_given_) return hold({*interface, std::string(bytes), sent, window_.offset()});
    sink_.note("packet without a time: shown at that of the one before", window_.offset());
    add(*interface, bytes, sent, {});
  }

  void hold(Held held) {
    constexpr size_t kMostHeld = 16 << 20;
    held_bytes_ += sizeof held + held.bytes.size();
    held_.push_back(std::move(held));
    if (held_bytes_ > kMostHeld) give_held();
  }
  void give_held() {
    are_given_ = true;
    for (const Held& each : std::exchange(held_, {})) {
      sink_.note("packet without a time: shown at that of the first that has one", each.offset);
      events_.add({.time = last_,
                   .link_type = each.interface.link_type,
                   .bytes = each.bytes,
                   .sent_bytes = each.sent,
                   .interface = each.interface.name,
                   .offset = each.offset});
    }
  }

  void add(const Interface& interface, std::string_view bytes, uint64_t sent,
           std::string_view comment) {
    events_.add({.time = last_,
                 .link_type = interface.link_type,
                 .bytes = bytes,
                 .sent_bytes = sent,
                 .interface = interface.name,
                 .comment = comment,
                 .offset = window_.offset()});
  }

  // Records of an address and its names, each with a zero behind it.
  void add_names(std::string_view body) {
    constexpr size_t kAddressBytes[] = {0, 4, 16, 6, 8};  // by the kind of the record
    for_each_option(body, [&](uint16_t kind, std::string_view value) {
      const auto address =
          take_bytes(value, kind < std::size(kAddressBytes) ? kAddressBytes[kind] : value.size());
      const std::string_view name = until_zero(value);
      if (address && !name.empty()) events_.name(*address, name);
    });
  }

  void add_statistics(std::string_view body) {
    take_bytes(body, 12);  // interface and time
    uint64_t dropped = 0;
    for_each_option(body, [&](uint16_t code, std::string_view value) {
      constexpr uint16_t kByInterface = 5, kBySystem = 7;
      if (code == kByInterface || code == kBySystem) dropped += order_.take64(value);
    });
    if (dropped > 0) add_dropped(dropped);
  }
  void add_dropped(uint64_t packets) {
    sink_.loss("packets that were not captured in time", {window_.offset(), LaneId::none(), last_},
               packets);
  }

  // Before 1970 the ticks are negative: read without a sign they would be of a time that no
  // nanoseconds reach.
  static std::optional<Time> time_from(uint64_t ticks, const Interface& interface) {
    const Wide scaled = static_cast<Wide>(static_cast<int64_t>(ticks)) * kNsPerSecond;
    const Wide per_second = interface.ticks_per_second;
    const Wide below = scaled % per_second < 0 ? 1 : 0;  // rounded down
    const Wide ns =
        scaled / per_second - below + static_cast<Wide>(interface.offset_s) * kNsPerSecond;
    if (ns < INT64_MIN || ns > INT64_MAX) return std::nullopt;
    return Time{static_cast<int64_t>(ns)};
  }

  ByteWindow& window_;
  trace::EventSink& sink_;
  PacketEvents& events_;
  Order order_;
  std::vector<Interface> interfaces_;  // of the section
  Time last_;
  std::vector<Held> held_;
  size_t held_bytes_ = 0;
  bool are_given_ = false;  // a time was said
};

// Reads Bluetooth logs of Android and BlueZ. Big-endian; times are microseconds since the year 0.
class BtsnoopReader {
 public:
  BtsnoopReader(ByteWindow& window, trace::EventSink& sink, PacketEvents& events)
      : window_(window), sink_(sink), events_(events) {}

  void read() {
    constexpr size_t kHeadBytes = 16, kTypeAt = 12;
    const auto head = window_.peek(kHeadBytes);
    if (!head) return window_.finish("the file's header");
    std::string_view rest = head->substr(kTypeAt);
    type_ = *take_big<uint32_t>(rest);
    window_.skip(kHeadBytes);
    while (window_.is_wanted() && read_packet()) {
    }
    window_.finish("a packet");
  }

 private:
  bool read_packet() {
    constexpr size_t kHeadBytes = 24;
    constexpr int64_t k1970 = 0x00DC'DDB3'0F2F'8000;
    const auto head = window_.peek(kHeadBytes);
    if (!head) return false;
    std::string_view rest = *head;
    const uint32_t sent = *take_big<uint32_t>(rest), captured = *take_big<uint32_t>(rest);
    const uint32_t flags = *take_big<uint32_t>(rest), dropped = *take_big<uint32_t>(rest);
    const auto time = *take_big<uint64_t>(rest);
    if (captured > kMostBytes) {
      sink_.loss("packet whose length makes no sense: nothing behind it is read", window_.offset());
      return window_.skip(UINT64_MAX) && false;
    }
    const auto bytes = window_.peek(kHeadBytes + captured);
    if (!bytes) return false;
    int64_t ns = 0;
    if (__builtin_mul_overflow(static_cast<int64_t>(time - k1970), int64_t{1000}, &ns)) {
      sink_.loss("packet whose time is beyond nanoseconds", window_.offset());
    } else {
      add(Time{ns}, flags, bytes->substr(kHeadBytes), std::max(sent, captured));
    }
    if (dropped > dropped_)
      sink_.loss("packets that were not captured in time",
                 {window_.offset(), LaneId::none(), Time{ns}}, dropped - dropped_);
    dropped_ = dropped;
    return window_.skip(bytes->size());
  }

  // With the header that the same packets have in pcap: which way it went, or the monitor's code.
  void add(Time time, uint32_t flags, std::string_view packet, uint64_t sent) {
    constexpr uint32_t kUnpacked = 1001, kMonitor = 2001;
    constexpr uint32_t kReceived = 1, kIsCommand = 2;
    constexpr uint32_t kLinkOfHci = 201, kLinkOfMonitor = 254;
    const uint32_t first = type_ == kMonitor ? flags : flags & kReceived;
    bytes_.clear();
    for (const int shift : {24, 16, 8, 0}) bytes_ += static_cast<char>(first >> shift);
    if (type_ == kUnpacked) {  // the packet itself does not say what it is
      constexpr char kCommand = 1, kData = 2, kEvent = 4;
      const bool is_received = (flags & kReceived) != 0;
      bytes_ += (flags & kIsCommand) == 0 ? kData : is_received ? kEvent : kCommand;
    }
    const size_t added = bytes_.size();
    bytes_ += packet;
    events_.add({.time = time,
                 .link_type = type_ == kMonitor ? kLinkOfMonitor : kLinkOfHci,
                 .bytes = bytes_,
                 .sent_bytes = sent + added,
                 .offset = window_.offset()});
  }

  ByteWindow& window_;
  trace::EventSink& sink_;
  PacketEvents& events_;
  uint32_t type_ = 0, dropped_ = 0;
  std::string bytes_;  // kept for its memory
};

constexpr std::string_view kBtsnoop("btsnoop\0", 8);

uint32_t magic_of(std::string_view bytes) { return take_little<uint32_t>(bytes).value_or(0); }

}  // namespace

int sniff_pcap(std::span<const std::byte> head) {
  const std::string_view bytes = as_chars(head);
  const uint32_t magic = magic_of(bytes);
  if (bytes.starts_with(kBtsnoop)) return 100;
  if (is_pcap_magic(magic) || is_pcap_magic(__builtin_bswap32(magic))) return 100;
  constexpr size_t kOrderAt = 8, kLeast = 12;
  if (magic != kSection || bytes.size() < kLeast) return 0;
  const uint32_t order = magic_of(bytes.substr(kOrderAt));
  return order == kSectionOrder || __builtin_bswap32(order) == kSectionOrder ? 100 : 0;
}

Status read_pcap(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  sink.set_time_base(TimeBase::kNanoseconds);
  sink.set_metadata("times", "one a packet, when it passed the capture: no link has a latency");
  PacketEvents events(sink, context.option("lanes") == "ports");
  ByteWindow window(source, sink);
  if (window.peek_most(kBtsnoop.size()) == kBtsnoop) {
    BtsnoopReader(window, sink, events).read();
  } else if (magic_of(window.peek_most(4)) == kSection) {
    PcapngReader(window, sink, events).read();
  } else {
    PcapReader(window, sink, events).read();
  }
  return {};
}

}  // namespace weft::formats
