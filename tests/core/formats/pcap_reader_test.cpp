// covers R7
#include "core/formats/messages/pcap/pcap_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/formats.h"
#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;

constexpr uint8_t kFin = 1, kSyn = 2, kPsh = 8, kAck = 16;
constexpr uint32_t kEthernet = 1, kRaw = 101, kCooked = 113;
constexpr uint32_t kA = 0x0A000001, kB = 0x0A000002;

Bytes tcp(uint16_t from, uint16_t to, uint32_t sequence, uint8_t flags,
          std::string_view data = {}) {
  return Bytes()
      .big(from)
      .big(to)
      .big(sequence)
      .big(uint32_t{7})
      .big(uint8_t{0x50})
      .big(flags)
      .big(uint16_t{512})
      .big(uint32_t{0})
      .text(data);
}

Bytes udp(uint16_t from, uint16_t to, std::string_view data) {
  return Bytes()
      .big(from)
      .big(to)
      .big(static_cast<uint16_t>(8 + data.size()))
      .big(uint16_t{0})
      .text(data);
}

Bytes ip(uint32_t from, uint32_t to, uint8_t protocol, const Bytes& inner, uint16_t fragment = 0) {
  return Bytes()
      .big(uint16_t{0x4500})
      .big(static_cast<uint16_t>(20 + inner.size()))
      .big(uint16_t{1})
      .big(fragment)
      .big(uint8_t{64})
      .big(protocol)
      .big(uint16_t{0})
      .big(from)
      .big(to)
      .text(inner.str());
}

Bytes ip6(uint8_t from, uint8_t to, uint8_t next, const Bytes& inner) {
  const auto address = [](uint8_t host) {
    return Bytes().big(uint64_t{0xFE80000000000000}).big(uint64_t{host}).str();
  };
  return Bytes()
      .big(uint32_t{0x60000000})
      .big(static_cast<uint16_t>(inner.size()))
      .big(next)
      .big(uint8_t{64})
      .text(address(from))
      .text(address(to))
      .text(inner.str());
}

Bytes ethernet(uint16_t type, const Bytes& inner) {
  return Bytes()
      .big(uint32_t{0x02000000})
      .big(uint16_t{2})
      .big(uint32_t{0x02000000})
      .big(uint16_t{1})
      .big(type)
      .text(inner.str());
}

// Packets of a plain capture, a microsecond apart.
class PcapWriter {
 public:
  explicit PcapWriter(uint32_t link_type) {
    bytes_.little(uint32_t{0xA1B2C3D4}).little(uint16_t{2}).little(uint16_t{4});
    bytes_.little(uint64_t{0}).little(uint32_t{65535}).little(link_type);
  }
  void packet(const Bytes& bytes, size_t left_out = 0) {
    const auto size = static_cast<uint32_t>(bytes.size());
    bytes_.little(uint32_t{1}).little(micro_++).little(size);
    bytes_.little(static_cast<uint32_t>(size + left_out)).text(bytes.str());
  }
  void raw(std::string_view bytes) { bytes_.text(bytes); }
  const std::string& bytes() const { return bytes_.str(); }

 private:
  Bytes bytes_;
  uint32_t micro_ = 0;
};

std::string connection() {
  PcapWriter w(kEthernet);
  const auto say = [&](bool is_a, uint32_t sequence, uint8_t flags, std::string_view data = {}) {
    const Bytes segment =
        is_a ? tcp(4000, 80, sequence, flags, data) : tcp(80, 4000, sequence, flags, data);
    w.packet(ethernet(0x0800, ip(is_a ? kA : kB, is_a ? kB : kA, 6, segment)));
  };
  say(true, 0xFFFFFFFE, kSyn);
  say(false, 100, kSyn | kAck);
  say(true, 0xFFFFFFFF, kAck | kPsh, "ask");  // its numbers wrap around
  say(true, 0xFFFFFFFF, kAck | kPsh, "ask");
  say(false, 101, kAck);
  say(false, 101, kAck | kPsh, "answer");
  say(false, 106, kAck, "r");
  say(false, 107, kAck | kFin);
  return w.bytes();
}

std::string protocols() {
  PcapWriter w(kEthernet);
  const Bytes arp = Bytes()
                        .big(uint16_t{1})
                        .big(uint16_t{0x0800})
                        .big(uint16_t{0x0604})
                        .big(uint16_t{1})
                        .text("\2....\1")
                        .big(kA)
                        .text("......")
                        .big(kB);
  w.packet(ethernet(0x0806, arp));
  w.packet(ethernet(0x0800, ip(kA, kB, 17, udp(5000, 53, "name?"))).pad(60));
  w.packet(ethernet(0x0800, ip(kA, kB, 17, Bytes().text("rest"), 0x0010)));
  w.packet(ethernet(0x0800, ip(kA, kB, 1, Bytes().big(uint32_t{0x08000000}).text("ping"))));
  w.packet(ethernet(0x8100, Bytes()
                                .big(uint16_t{0x2007})
                                .big(uint16_t{0x86DD})
                                .text(ip6(1, 2, 58, Bytes().big(uint32_t{0x81000000})).str())));
  const Bytes inner =
      Bytes().text(std::string_view("\x11\0\1\4\0\0\0\0", 8)).text(udp(1, 2, "x").str());
  w.packet(ethernet(0x86DD, ip6(1, 2, 0, inner)));
  const Bytes sctp = Bytes().big(uint32_t{0x00010002}).big(uint64_t{0}).big(uint32_t{0x01000004});
  w.packet(ethernet(0x0800, ip(kA, kB, 132, sctp)));
  w.packet(ethernet(0x0800, ip(kA, kB, 89, Bytes())));
  w.packet(ethernet(0x88CC, Bytes().text("neighbour")));
  w.packet(ethernet(0x0800, ip(kA, kA, 17, udp(1, 2, "within a host"))));
  return w.bytes();
}

std::string of_other_links() {
  PcapWriter w(kCooked);
  const Bytes head =
      Bytes().big(uint32_t{1}).big(uint16_t{6}).text("\2....\1..").big(uint16_t{0x0800});
  w.packet(Bytes(head).text(ip(kA, kB, 17, udp(1, 2, "cooked")).str()));
  w.packet(Bytes().big(uint32_t{1}).big(uint16_t{6}).text("\2....\1..").big(uint16_t{0x88CC}));
  return w.bytes();
}

// A capture in the other byte order, with nanoseconds.
std::string of_big_endian() {
  const Bytes packet = ip(kA, kB, 17, udp(1, 2, "big"));
  const auto size = static_cast<uint32_t>(packet.size());
  return Bytes()
      .big(uint32_t{0xA1B23C4D})
      .big(uint32_t{0x00020004})
      .big(uint64_t{0})
      .big(uint32_t{65535})
      .big(kRaw)
      .big(uint32_t{2})
      .big(uint32_t{3})
      .big(size)
      .big(size)
      .text(packet.str())
      .str();
}

Bytes block(uint32_t type, Bytes body) {
  body.pad(4);
  const auto size = static_cast<uint32_t>(12 + body.size());
  return Bytes().little(type).little(size).text(body.str()).little(size);
}

Bytes option(uint16_t code, std::string_view value) {
  return Bytes().little(code).little(static_cast<uint16_t>(value.size())).text(value).pad(4);
}

Bytes section() {
  return block(0x0A0D0D0A,
               Bytes().little(uint32_t{0x1A2B3C4D}).little(uint32_t{1}).little(~uint64_t{0}));
}

Bytes interface(std::string_view name, const Bytes& more = {}) {
  return block(1, Bytes()
                      .little(uint16_t{kRaw})
                      .little(uint16_t{0})
                      .little(uint32_t{0})
                      .text(option(2, name).str())
                      .text(more.str()));
}

Bytes enhanced(uint32_t interface, uint32_t ticks, const Bytes& packet, const Bytes& more = {}) {
  const auto size = static_cast<uint32_t>(packet.size());
  return block(6, Bytes()
                      .little(interface)
                      .little(uint32_t{0})
                      .little(ticks)
                      .little(size)
                      .little(size)
                      .text(packet.str())
                      .pad(4)
                      .text(more.str()));
}

std::string sections() {
  const Bytes packet = ip(kA, kB, 17, udp(1, 2, "next"));
  Bytes file = section();
  file.text(interface("eth0").str());
  file.text(interface("wlan0", Bytes(option(9, "\x09"))
                                   .text(option(14, std::string_view("\2\0\0\0\0\0\0\0", 8)).str()))
                .str());
  file.text(enhanced(0, 1000, packet, option(1, "of interest")).str());
  file.text(enhanced(1, 1000, packet).str());
  file.text(
      block(3, Bytes().little(static_cast<uint32_t>(packet.size())).text(packet.str())).str());
  file.text(block(0xBAD, Bytes().text("of another program")).str());
  file.text(block(5, Bytes()
                         .little(uint32_t{0})
                         .little(uint64_t{0})
                         .text(option(5, std::string_view("\3\0\0\0\0\0\0\0", 8)).str()))
                .str());
  return file.text(section().str())
      .text(interface("lo").str())
      .text(enhanced(0, 5000, packet).str())
      .str();
}

// Packets without a time, before and behind those of the first that has one.
std::string without_times() {
  const auto simple = [](std::string_view data) {
    const Bytes packet = ip(kA, kB, 17, udp(1, 2, data));
    return block(3, Bytes().little(static_cast<uint32_t>(packet.size())).text(packet.str())).str();
  };
  Bytes file = section();
  file.text(interface("eth0").str()).text(simple("first")).text(simple("second"));
  file.text(enhanced(0, 1000, ip(kB, kA, 17, udp(2, 1, "third"))).str()).text(simple("fourth"));
  return file.str();
}

// Two hosts have names, one of them two; one is said behind its packet.
std::string names() {
  const auto name = [](uint16_t kind, uint32_t address, std::string_view text) {
    return option(kind, Bytes().big(address).text(text).str()).str();
  };
  const Bytes packet = ip(kA, kB, 17, udp(1, 2, "next"));
  Bytes file = section();
  file.text(block(4, Bytes()
                         .text(name(1, kA, std::string_view("client.example\0other\0", 21)))
                         .text(name(9, kA, "of a kind to come"))
                         .little(uint32_t{0}))
                .str());
  file.text(interface("eth0").str()).text(enhanced(0, 1000, packet).str());
  return file.text(block(4, Bytes().text(name(1, kB, "server")).little(uint32_t{0})).str()).str();
}

std::string damaged_pcap() {
  PcapWriter w(kEthernet);
  w.packet(ethernet(0x0800, ip(kA, kB, 17, udp(1, 2, "cut"))), 1000);
  w.packet(Bytes().text("short"));
  w.packet(ethernet(0x0800, Bytes().text("\x4F is too short a head for its length")));
  w.packet(ethernet(0x0800, ip(kA, kB, 6, Bytes().text("four"))));
  w.raw(std::string(12, '\xFF'));
  w.raw("and no length");
  return w.bytes();
}

// The address is truncated, but enough remains for what follows it.
std::string cut_in_an_address() {
  constexpr uint32_t kLinuxCooked = 113;
  PcapWriter w(kLinuxCooked);
  w.packet(Bytes().text("kind").text(std::string("\0\6", 2)).text("short"));
  return w.bytes();
}

std::string damaged_sections() {
  Bytes file = section();
  file.text(enhanced(0, 1, Bytes().text("of no interface")).str());
  file.text(interface("eth0", option(9, "\x7F")).str());
  file.text(enhanced(0, 1, Bytes().text("of a clock too fine")).str());
  file.text(interface("eth1").str());
  file.text(block(6, Bytes().little(uint32_t{1}).little(uint64_t{0}).little(uint32_t{999})).str());
  return file.little(uint32_t{6}).little(uint32_t{7}).little(uint32_t{0}).str();
}

std::string of_unknown_link() {
  PcapWriter w(147);
  w.packet(Bytes().text("whatever"));
  return w.bytes();
}

Bytes usb(char type, uint8_t transfer, uint8_t endpoint, uint32_t length, bool is_mapped) {
  Bytes bytes = Bytes()
                    .little(uint64_t{0xFFFF8880'12345678})
                    .little(type)
                    .little(transfer)
                    .little(endpoint)
                    .little(uint8_t{5})
                    .little(uint16_t{1})
                    .little(static_cast<uint8_t>(transfer == 2 && type == 'S' ? 0 : '-'))
                    .little(uint8_t{0})
                    .little(uint64_t{0})
                    .little(uint32_t{0})
                    .little(int32_t{type == 'S' ? -115 : 0})
                    .little(length)
                    .little(length)
                    .big(uint64_t{0x80060001'00001200});
  if (is_mapped) bytes.little(uint64_t{0}).little(uint32_t{0}).little(uint32_t{0});
  return bytes;
}

Bytes can(uint32_t id, uint8_t size, uint8_t flags = 0) {
  return Bytes().big(id).little(size).little(flags).little(uint16_t{0}).text("12345678");
}

// A frame that a station sends by its access point, with so many bytes of radiotap before it.
Bytes wireless(uint16_t control, uint8_t radiotap, std::string_view rest) {
  Bytes bytes;
  if (radiotap > 0) bytes.little(uint16_t{0}).little(uint16_t{radiotap}).pad(8);
  return bytes.big(control)
      .little(uint16_t{0})
      .text("APAPAPSTATN.HOST..")
      .little(uint16_t{0})
      .text(rest);
}

// An interface of each link, whose packets come one after the other.
class LinksWriter {
 public:
  explicit LinksWriter(uint64_t begin) : time_(begin) {}
  void link(uint16_t type, const std::vector<Bytes>& packets) {
    file_.text(block(1, Bytes().little(type).little(uint16_t{0}).little(uint32_t{0})).str());
    for (const Bytes& packet : packets) {
      const auto size = static_cast<uint32_t>(packet.size());
      file_.text(block(6, Bytes()
                              .little(interface_)
                              .little(static_cast<uint32_t>(time_ >> 32))
                              .little(static_cast<uint32_t>(time_))
                              .little(size)
                              .little(size)
                              .text(packet.str())
                              .pad(4))
                     .str());
      ++time_;
    }
    ++interface_;
  }
  const std::string& bytes() const { return file_.str(); }

 private:
  Bytes file_ = section();
  uint64_t time_;
  uint32_t interface_ = 0;
};

std::string without_hosts() {
  LinksWriter w(static_cast<uint64_t>(-3));  // microseconds before 1970
  w.link(189, {usb('S', 2, 0x80, 18, false), usb('C', 2, 0x80, 18, false).text("device")});
  w.link(220, {usb('S', 3, 0x02, 4, true).text("data"), usb('E', 3, 0x02, 0, true)});
  const auto usbpcap = [](uint8_t info) {
    return Bytes()
        .little(uint16_t{27})
        .little(uint64_t{0xABC})
        .little(uint32_t{0})
        .little(uint16_t{9})
        .little(info)
        .little(uint16_t{2})
        .little(uint16_t{7})
        .little(uint8_t{0x81})
        .little(uint8_t{1})
        .little(uint32_t{2})
        .text("hi");
  };
  w.link(249, {usbpcap(0), usbpcap(1)});
  const auto control = [](uint8_t info, uint8_t stage, std::string_view data) {
    return Bytes()
        .little(uint16_t{28})
        .little(uint64_t{0xDEF})
        .little(uint32_t{0})
        .little(uint16_t{8})
        .little(info)
        .little(uint16_t{2})
        .little(uint16_t{7})
        .little(uint8_t{0x80})
        .little(uint8_t{2})
        .little(static_cast<uint32_t>(data.size()))
        .little(stage)
        .text(data);
  };
  w.link(249, {control(0, 0, "\x80\x06......"), control(1, 1, "device"), control(1, 2, "")});
  w.link(227, {can(0x123, 8), can(0x80000123, 8), can(0x40000123, 0), can(0x20000004, 8),
               can(0x123, 8, 4), can(0x123, 0x80)});
  w.link(113, {Bytes()
                   .big(uint16_t{1})
                   .big(uint16_t{280})
                   .big(uint16_t{0})
                   .big(uint64_t{0})
                   .big(uint16_t{0x000C})
                   .text(can(0x7FF, 8).str())});
  using namespace std::literals;
  w.link(201, {Bytes().big(uint32_t{0}).text("\x01\x03\x0C\x00"sv),
               Bytes().big(uint32_t{1}).text("\x04\x0E\x01x"sv),
               Bytes().big(uint32_t{1}).text("\x02\x40\x20\x02\0data"sv)});
  w.link(187, {Bytes().text("\x03\x40\x00\x01s"sv), Bytes().text("\x07?"sv)});
  w.link(254, {Bytes().big(uint16_t{1}).big(uint16_t{5}).text("\x41\x00\x01\0y"sv),
               Bytes().big(uint16_t{1}).big(uint16_t{0}).text("new"),
               Bytes().big(uint16_t{0xFFFF}).big(uint16_t{12}).text("Linux\0"sv),
               Bytes().big(uint16_t{1}).big(uint16_t{13}).text("\6\4ctl\0started\0"sv),
               Bytes().big(uint16_t{1}).big(uint16_t{3}).text("\x0F\x04\0\1\x0B\x20"sv),
               Bytes().big(uint16_t{1}).big(uint16_t{3}).text("\x3E\x01\x02"sv),
               Bytes().big(uint16_t{1}).big(uint16_t{2}).text("\x01\xFC\0"sv),
               Bytes().big(uint16_t{1}).big(uint16_t{99}).text("later")});
  w.link(253, {Bytes()
                   .text(std::string(14, '\0'))
                   .big(uint16_t{0})
                   .little(uint32_t{20})
                   .little(uint16_t{16})
                   .little(uint16_t{1})
                   .little(uint32_t{5})
                   .little(uint32_t{4242})
                   .text("link")});
  w.link(195, {Bytes().text("sensor")});
  return w.bytes();
}

// Frames of a serial line: two of Cisco's in place of PPP, protocols of one byte, behind labels.
std::string serial_lines() {
  LinksWriter w(1000);
  using namespace std::literals;
  const std::string packet = ip(kA, kB, 17, udp(1, 2, "serial")).str();
  const std::string label = "\0\1\x20\xFE"s, last_label = "\0\1\x2D\xFE"s;
  w.link(9, {Bytes().text("\x0F\0\x08\0"sv).text(packet),
             Bytes().text("\x8F\0\x80\x35"sv).text("keep alive"), Bytes().text("\x21").text(packet),
             Bytes().text("\xFF\x03\x21").text(packet),
             Bytes().text("\x02\x81"sv).text(last_label).text(packet)});
  w.link(104, {Bytes().text("\x0F\0\x88\x47"sv).text(label).text(last_label).text(packet),
               Bytes().text("\x0F\0\x88\x47"sv).text(last_label).text("\x45 wire"),
               Bytes().text("\x0F\0\x88\x47"sv).text(last_label).text(ip6(1, 2, 59, {}).str())});
  return w.bytes();
}

// The first is too short for the header that goes on in the second.
std::string fragments() {
  PcapWriter w(kRaw);
  const std::string segment = tcp(4000, 80, 1, kSyn).str();
  w.packet(ip(kA, kB, 6, Bytes().text(segment.substr(0, 16)), 0x2000));
  w.packet(ip(kA, kB, 6, Bytes().text(segment.substr(16)), 0x0002));
  return w.bytes();
}

std::string wireless_and_logged() {
  LinksWriter w(1000);
  using namespace std::literals;
  const std::string llc = "\xAA\xAA\x03\0\0\0\x08\0"s;
  w.link(127, {wireless(0x8000, 8, "beacon"),
               wireless(0x0801, 8, llc + ip(kA, kB, 17, udp(1, 2, "by air")).str()),
               wireless(0x8842, 8, "?\0secret"sv), wireless(0xC400, 8, "")});
  w.link(105, {wireless(0x4802, 0, ""), wireless(0xD400, 0, ""), Bytes().text("short")});
  const std::string packet = ip(kA, kB, 17, udp(1, 2, "logged")).str();
  w.link(239, {Bytes()
                   .little(uint32_t{2})
                   .little(uint16_t{5})
                   .little(uint16_t{10})
                   .text("x\0\0\0"sv)
                   .little(static_cast<uint16_t>(4 + packet.size()))
                   .little(uint16_t{9})
                   .text(packet),
               Bytes().little(uint32_t{2}).little(uint16_t{2}).little(uint16_t{9})});
  w.link(189, {Bytes().text("short")});
  const std::string air = wireless(0x8000, 0, "beacon").str();
  w.link(192, {Bytes().little(uint16_t{0}).little(uint16_t{8}).little(uint32_t{105}).text(air),
               Bytes().little(uint16_t{0}).little(uint16_t{8}).little(uint32_t{192})});
  w.link(258, {Bytes()
                   .little(uint32_t{16})
                   .little(uint32_t{1})
                   .little(kEthernet)
                   .text("en0\0"sv)
                   .text(ethernet(0x88CC, Bytes().text("neighbour")).str())});
  w.link(119, {Bytes().text(std::string(144, '\0') + air)});
  w.link(104, {Bytes().big(uint16_t{0x0F00}).big(uint16_t{0x0800}).text(packet)});
  w.link(51,
         {Bytes().big(uint32_t{0x11000001}).big(uint16_t{50}).big(uint16_t{0x21}).text(packet)});
  w.link(50, {Bytes().big(uint16_t{0xFF03}).big(uint16_t{0x21}).text(packet)});
  return w.bytes();
}

std::string btsnoop() {
  using namespace std::literals;
  Bytes file;
  file.text("btsnoop\0"sv).big(uint32_t{1}).big(uint32_t{1002});
  const auto packet = [&](uint32_t flags, uint32_t dropped, uint64_t time, std::string_view bytes) {
    const auto size = static_cast<uint32_t>(bytes.size());
    file.big(size).big(size).big(flags).big(dropped);
    file.big(uint64_t{0x00DC'DDB3'0F2F'8000} + time).text(bytes);
  };
  packet(2, 0, 10, "\x01\x03\x0C\0"sv);
  packet(3, 0, 20, "\x04\x0E\x01x"sv);
  packet(1, 2, 30, "\x02\x40\x20\x02\0hi"sv);
  packet(0, 2, 0x7FFF'FFFF'FFFF'FFFF, "far");
  file.big(~uint32_t{0}).big(~uint32_t{0}).text("and no more of it");
  return file.str();
}

TEST(Pcap, CasesAreWhatIsWritten) {
  test::expect_case("pcap/fail/bluetooth_log.btsnoop", btsnoop());
  test::expect_case("pcap/succeed/without_hosts.pcapng", without_hosts());
  test::expect_case("pcap/fail/wireless.pcapng", wireless_and_logged());
  test::expect_case("pcap/succeed/connection.pcap", connection());
  test::expect_case("pcap/succeed/protocols.pcap", protocols());
  test::expect_case("pcap/succeed/other_links.pcap", of_other_links());
  test::expect_case("pcap/succeed/big_endian.pcap", of_big_endian());
  test::expect_case("pcap/succeed/unknown_link.pcap", of_unknown_link());
  test::expect_case("pcap/succeed/sections.pcapng", sections());
  test::expect_case("pcap/succeed/names.pcapng", names());
  test::expect_case("pcap/succeed/without_times.pcapng", without_times());
  test::expect_case("pcap/succeed/serial_lines.pcapng", serial_lines());
  test::expect_case("pcap/succeed/fragments.pcap", fragments());
  test::expect_case("pcap/fail/damaged.pcap", damaged_pcap());
  test::expect_case("pcap/fail/cut_in_an_address.pcap", cut_in_an_address());
  test::expect_case("pcap/fail/damaged_sections.pcapng", damaged_sections());
}

}  // namespace
}  // namespace weft::formats
