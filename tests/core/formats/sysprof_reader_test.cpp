// covers FS-62, R7
#include "core/formats/profiles/sysprof/sysprof_reader.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <string_view>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;

constexpr uint64_t kJit = 0xE000'0000'0000'0001, kInKernel = 0xffff'ffff'ffff'ff80;
constexpr uint64_t kInUser = 0xffff'ffff'ffff'fe00;

// A capture, as a machine of either order of bytes writes it.
class Capture {
 public:
  explicit Capture(bool is_big_endian, uint8_t version = 1) : is_big_endian_(is_big_endian) {
    whole_.little(uint32_t{0xFDCA975E}).little(version).little(uint8_t{!is_big_endian});
    whole_.little(uint16_t{0}).text("2026-03-01T10:00:00Z").pad(256);
  }

  template <class Value>
  Capture& add(Value value) {
    is_big_endian_ ? body_.big(value) : body_.little(value);
    return *this;
  }
  // A field of 16 bits of which the first so many are the value.
  Capture& first_bits(uint16_t value, int bits) {
    return add(static_cast<uint16_t>(is_big_endian_ ? value << (16 - bits) : value));
  }
  Capture& counter_id(uint32_t id, uint32_t kind) {
    return add(is_big_endian_ ? id << 8 | kind : kind << 24 | id);
  }
  Capture& text(std::string_view text, size_t size) {
    body_.text(text).text(std::string(size - text.size(), '\0'));
    return *this;
  }
  Capture& text(std::string_view text) { return this->text(text, text.size() + 1); }
  // Turns what was added into a frame.
  Capture& frame(uint8_t kind, int64_t time, int32_t process = 10) {
    body_.pad(8);
    const std::string body = body_.str();
    body_ = {};
    add(static_cast<uint16_t>(24 + body.size())).add(int16_t{0}).add(process).add(time);
    body_.little(kind).pad(8).text(body);
    whole_.text(body_.str());
    body_ = {};
    return *this;
  }
  Capture& sample(int64_t time, int32_t tid, std::initializer_list<uint64_t> addresses) {
    add(static_cast<uint16_t>(addresses.size())).add(uint16_t{0}).add(tid);
    for (const uint64_t address : addresses) add(address);
    return frame(2, time);
  }
  Capture& call(int64_t time, bool is_begin, uint64_t address) {
    add(uint16_t{1}).first_bits(is_begin ? 1 : 0, 1).add(int32_t{10}).add(address);
    return frame(16, time);
  }
  Capture& mark(int64_t time, int64_t duration, std::string_view group, std::string_view name,
                std::string_view message) {
    add(duration).text(group, 24).text(name, 40).text(message);
    return frame(10, time);
  }
  Capture& allocation(int64_t time, uint64_t address, int64_t size) {
    add(address).add(size).add(int32_t{11}).add(uint16_t{2}).add(uint16_t{0});
    add(uint64_t{0x1010}).add(uint64_t{0x1110});
    return frame(14, time);
  }
  Capture& file(std::string_view path, std::string_view data) {
    first_bits(1, 1).add(static_cast<uint16_t>(data.size())).text(path, 256).text(data);
    return frame(13, 0);
  }
  const std::string& bytes() const { return whole_.str(); }
  bool is_big_endian() const { return is_big_endian_; }

 private:
  Bytes whole_, body_;
  bool is_big_endian_;
};

// Two functions of the program, as sysprof appends them.
std::string symbols(bool is_big_endian) {
  Bytes table;
  const auto add = [&](auto value) { is_big_endian ? table.big(value) : table.little(value); };
  const auto entry = [&](uint64_t begin, uint64_t end, int32_t process, uint32_t name,
                         uint32_t object) {
    add(begin), add(end), add(process), add(name), add(object), add(uint32_t{0});
  };
  entry(0x1000, 0x1100, 10, 96, 106);
  entry(0x1100, 0x1200, 10, 101, 106);
  entry(0, 0, 0, 0, 0);
  table.text("main").little(char{0}).text("work").little(char{0}).text("app").little(char{0});
  return table.str();
}

std::string signal(bool is_big_endian) {
  Bytes message;
  const auto add = [&](uint32_t value) {
    is_big_endian ? message.big(value) : message.little(value);
  };
  const auto text = [&](uint8_t field, char kind, std::string_view value) {
    message.pad(8).little(field).little(uint8_t{1}).little(kind).little(char{0});
    add(static_cast<uint32_t>(value.size()));
    message.text(value).little(char{0});
  };
  message.little(is_big_endian ? 'B' : 'l').little(uint8_t{4}).little(uint8_t{0});
  message.little(uint8_t{1});
  add(0), add(7), add(68);
  text(1, 'o', "/org/gnome");
  text(2, 's', "org.gnome.Shell");
  text(3, 's', "Changed");
  return message.str();
}

std::string everything(bool is_big_endian) {
  Capture c(is_big_endian);
  c.text("/usr/bin/app --loud").frame(4, 100);
  c.add(uint64_t{0x9000}).add(uint64_t{0xa000}).add(uint64_t{0}).add(uint64_t{5});
  c.text("/usr/lib/libx.so").frame(3, 100);
  c.add(uint32_t{1}).add(kJit).text("made at run time").frame(7, 100);
  c.text("uname", 40).text("Linux 6").frame(11, 100);
  // Counters: one of whole numbers, one of real ones.
  c.add(uint16_t{2}).add(uint16_t{0}).add(uint32_t{0});
  c.text("Memory", 32).text("used", 32).text("bytes in use", 52).counter_id(1, 0).add(int64_t{0});
  c.text("CPU", 32).text("load", 32).text("", 52).counter_id(300, 1).add(int64_t{0});
  c.frame(8, 100);
  c.add(uint16_t{1}).add(uint16_t{0}).add(uint32_t{0});
  c.add(uint32_t{1}).add(uint32_t{300});
  for (int i = 2; i < 8; ++i) c.add(uint32_t{0});
  c.add(int64_t{4096}).add(std::bit_cast<uint64_t>(0.5));
  for (int i = 2; i < 8; ++i) c.add(uint64_t{0});
  c.frame(9, 1500);
  // Samples, innermost first, with markers of what is the kernel's.
  c.sample(1000, 11, {kInUser, 0x1110, 0x1010});
  c.sample(2000, 11, {kInKernel, 0xffff'ffff'8100'0010, kInUser, 0x1110, 0x1010});
  c.sample(3000, 11, {kInUser, kJit, 0x9010, 0x1010});
  // The outer mark is written behind the inner one, and another overlaps it.
  c.mark(1200, 100, "gtk", "inner", "");
  c.mark(1100, 500, "gtk", "frame", "number 1");
  c.mark(1400, 900, "gtk", "overlaps", "");
  c.mark(1500, 0, "", "instant", "now");
  c.add(uint16_t{1 << 4}).add(uint16_t{0}).add(uint32_t{0}).text("Gtk", 32).text("beware");
  c.frame(12, 1600);
  c.allocation(1700, 0x5000, 64).allocation(1800, 0x6000, 32).allocation(1900, 0x5000, 0);
  c.call(2100, true, 0x1010).call(2200, true, 0x1110).call(2300, false, 0x1110);
  const std::string message = signal(is_big_endian);
  c.first_bits(1, 2).add(static_cast<uint16_t>(message.size())).text(message).frame(17, 2400);
  c.add(int32_t{12}).frame(5, 2500);
  c.frame(6, 2600);
  c.frame(1, 2700);
  c.file("/proc/kallsyms", "ffffffff81000000 T do_work\nffffffff81000100 D data\n");
  c.file("__symbols__", symbols(is_big_endian));
  return c.bytes();
}

TEST(Sysprof, CasesAreWhatMachinesWrite) {
  test::expect_case("sysprof/succeed/little.syscap", everything(false));
  test::expect_case("sysprof/succeed/big.syscap", everything(true));
  Capture damaged(false);
  damaged.frame(99, 10);
  damaged.add(uint16_t{1000}).add(uint16_t{0}).add(int32_t{1}).frame(2, 20);
  damaged.add(uint16_t{1}).add(uint16_t{0}).add(uint32_t{0});
  for (int i = 0; i < 8; ++i) damaged.add(uint32_t{77});
  for (int i = 0; i < 8; ++i) damaged.add(int64_t{1});
  damaged.frame(9, 30);
  damaged.text("no room", 10).frame(10, 40).text("", 3).frame(11, 50);
  damaged.call(60, false, 0x10).call(70, true, 0x20);
  damaged.sample(80, 0, {0x30});
  test::expect_case("sysprof/fail/damaged.syscap", damaged.bytes() + std::string(24, '\1'));
}

TEST(Sysprof, BothOrdersOfBytesSayTheSame) {
  const test::ScratchFolder folder;
  const auto little = test::read(folder.write("l", everything(false)));
  const auto big = test::read(folder.write("b", everything(true)));
  EXPECT_EQ(little->error, "");
  EXPECT_EQ(little->text(), big->text());
  EXPECT_EQ(little->text().find("loss"), std::string::npos) << little->text();
}

TEST(Sysprof, OtherVersionsAreRefused) {
  const test::ScratchFolder folder;
  const auto reading = test::read(folder.write("v", Capture(false, 2).bytes()));
  EXPECT_NE(reading->error.find("version 2"), std::string::npos) << reading->error;
}

}  // namespace
}  // namespace weft::formats
