// covers FS-62, R7
#include "core/formats/embedded/dlt/dlt_reader.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/dlt_writer.h"

namespace weft::formats {
namespace {

using test::Bytes;
using test::DltWriter;

constexpr uint8_t kInfo = 4 << 4, kVerbose = DltWriter::kVerbose;

Bytes named(uint32_t type, std::string_view name, std::string_view unit) {
  return Bytes()
      .little(type | 0x800)
      .little(static_cast<uint16_t>(name.size() + 1))
      .little(static_cast<uint16_t>(unit.size() + 1))
      .text(name)
      .little(uint8_t{0})
      .text(unit)
      .little(uint8_t{0});
}

std::string every_dlt_record() {
  DltWriter w;
  Bytes all = DltWriter::text("speed");
  all.little(uint32_t{0x41}).little(uint8_t{200});
  all.little(uint32_t{0x21}).little(int8_t{-3});
  all.little(uint32_t{0x44}).little(UINT64_MAX);
  all.little(uint32_t{0x83}).little(1.5f);
  all.little(uint32_t{0x84}).little(-0.25);
  all.little(uint32_t{0x11}).little(uint8_t{1});
  all.little(uint32_t{0x400}).little(uint16_t{2}).text("\x01\xFE");
  all.text(named(0x43, "rpm", "1/min").little(uint32_t{900}).str());
  w.message(1'000'010, kInfo | kVerbose, "APP", "CTX", all, 9);
  w.message(1'000'020, 1 << 4 | kVerbose, "APP", "CTX", DltWriter::text("fatal"), 1);
  w.message(1'000'030, kInfo | kVerbose, "APP", "CTX", Bytes().big(uint32_t{0x43}).big(uint32_t{7}),
            1, true);
  w.message(1'000'040, 2 << 4 | DltWriter::kTrace | kVerbose, "APP", "FUN", DltWriter::text("run"),
            1);
  w.message(1'000'050, 2 << 4 | DltWriter::kTrace | kVerbose, "APP", "FUN", DltWriter::text("step"),
            1);
  w.message(1'000'060, 3 << 4 | DltWriter::kTrace | kVerbose, "APP", "FUN", {}, 0);
  w.message(1'000'070, 3 << 4 | DltWriter::kTrace | kVerbose, "APP", "FUN", {}, 0);
  w.message(1'000'075, 4 << 4 | DltWriter::kTrace | kVerbose, "APP", "FUN", DltWriter::text("idle"),
            1);
  w.message(1'000'080, 2 << 4 | DltWriter::kNetwork, "BUS", "CAN",
            Bytes().little(uint32_t{17}).text("ab"));
  w.message(1'000'090, 1 << 4 | DltWriter::kControl, "", "", Bytes().little(uint32_t{0x13}));
  w.message(1'000'100, 2 << 4 | DltWriter::kControl, "DA1", "DC1",
            Bytes().little(uint32_t{0x23}).little(uint8_t{0}).little(uint32_t{5}));
  w.bare(1'000'110, "ECU2", Bytes().little(uint32_t{1234}).text("\x05"));
  return w.bytes();
}

std::string damaged_dlt() {
  DltWriter w;
  w.message(10, kInfo | kVerbose, "APP", "CTX", DltWriter::text("kept"), 2);  // only one argument
  w.raw("noise between messages");
  w.message(20, kInfo | kVerbose, "APP", "CTX",
            Bytes().little(uint32_t{0x200}).little(uint16_t{500}).text("short"), 1);
  w.raw(std::string("DLT\1\0\0\0\0\0\0\0\0ECU1\x3D\0\0\x06\0\0", 22));  // its headers do not fit
  w.raw(std::string("DLT\1\0\0\0\0\0\0\0\0ECU1\x20\0\0\x01", 20));      // no length
  w.message(30, 3 << 4 | DltWriter::kTrace | kVerbose, "APP", "FUN", {}, 0);  // out of none
  w.message(40, 2 << 4 | DltWriter::kTrace | kVerbose, "APP", "FUN", {}, 0);
  w.message(50, 0xF0 | 7 << 1, "APP", "CTX", Bytes().text("ab"));
  w.raw("DLT\1cut");
  return w.bytes();
}

constexpr uint32_t kNonVerbose2 = 1, kControl2 = 2, kUnit2 = 0x4, kNames2 = 0x8, kSession2 = 0x10,
                   kPlace2 = 0x100, kTags2 = 0x200, kPrivacy2 = 0x400, kSegment2 = 0x800;
constexpr uint64_t kTime2 = 1'700'000'000'990'291'000;

Bytes sent_2(uint8_t kind, uint8_t arguments) {
  return Bytes()
      .little(kind)
      .little(arguments)
      .big(uint32_t{990'290'000})
      .text(DltWriter::u40(1'700'000'000));
}

std::string version_2() {
  DltWriter w;
  const std::string names = DltWriter::name("LOGGER") + DltWriter::name("TEST");
  w.message_2(kTime2, kUnit2 | kNames2 | kSession2 | kPlace2 | kTags2 | kPrivacy2,
              sent_2(kInfo, 2)
                  .text(DltWriter::name("ECU-own") + names)
                  .big(uint32_t{99})
                  .text(DltWriter::name("main.c"))
                  .big(uint32_t{401})
                  .little(uint8_t{2})
                  .text(DltWriter::name("TAG1") + DltWriter::name("TAG2"))
                  .little(uint8_t{3})
                  .text(DltWriter::text("hello").little(uint32_t{0x41}).little(uint8_t{5}).str()));
  // Arguments as the standard says.
  w.message_2(kTime2 + 10, kNames2,
              sent_2(kInfo, 1).text(names).big(uint32_t{0x200}).big(uint16_t{3}).text("big"));
  w.message_2(
      kTime2 + 20, kNonVerbose2 | kNames2,
      Bytes().big(uint32_t{8}).text(DltWriter::u40(1)).big(uint32_t{4711}).text(names + "ab"));
  w.message_2(kTime2 + 30, kControl2 | kUnit2,
              Bytes()
                  .little(uint8_t{2 << 4 | 3 << 1})
                  .little(uint8_t{1})
                  .text(DltWriter::name("E"))
                  .little(uint32_t{0x13})
                  .little(uint8_t{0})
                  .text("daemon 3"));
  for (const auto& [detail, text] : {std::pair(2, "run"), std::pair(3, "")})
    w.message_2(kTime2 + 40 + detail, kNames2,
                sent_2(static_cast<uint8_t>(detail << 4 | DltWriter::kTrace), 1)
                    .text(names + DltWriter::text(text).str()));
  const Bytes segments[] = {Bytes().little(uint16_t{0x0000}).big(uint64_t{3000}),
                            Bytes().little(uint16_t{0x0100}).big(uint32_t{1}),
                            Bytes().little(uint16_t{0x0200}),
                            Bytes().little(uint16_t{0x0300}).little(uint8_t{2})};
  uint64_t time = kTime2 + 50;
  for (const Bytes& segment : segments)
    w.message_2(time++, kNames2 | kSegment2, sent_2(kInfo, 1).text(names + segment.str() + "part"));
  return w.bytes();
}

// As by the first writers of version 2: in the machine's byte order.
std::string little_version_2() {
  DltWriter w;
  // Their stored times could be of either order.
  for (const uint64_t time : {kTime2, kTime2 - 990'291'000 + 0x03020100})
    w.message_2(time, kNames2,
                Bytes()
                    .little(kInfo)
                    .little(uint8_t{1})
                    .little(static_cast<uint32_t>((time - 1000) % 1'000'000'000))
                    .text(DltWriter::u40(1'700'000'000) + DltWriter::name("A") +
                          DltWriter::name("C") + DltWriter::text("old").str()),
                true);
  return w.bytes();
}

// The first stored time could be the daemon's; the sender counts from its start.
std::string viewed_version_2() {
  DltWriter w;
  constexpr uint64_t kFirst = 1'700'012'345'496'000'000;
  for (const uint64_t time : {kFirst, kFirst + 1'000'000, kFirst + 2'000'000'000})
    w.viewed_message_2(time, kNames2,
                       Bytes()
                           .little(kInfo)
                           .little(uint8_t{1})
                           .big(uint32_t{1} << 31 | static_cast<uint32_t>((time - kFirst) / 10))
                           .text(DltWriter::u40(7) + DltWriter::name("A") + DltWriter::name("C") +
                                 DltWriter::text("viewed").str()));
  return w.bytes();
}

std::string damaged_version_2() {
  DltWriter w;
  w.message_2(kTime2, kNames2, sent_2(kInfo, 1).text("\xFF"));  // the names do not fit
  w.raw("noise");
  w.message_2(UINT64_MAX, 0, sent_2(kInfo, 0));
  w.message_2(kTime2 + 1, 3, Bytes());
  w.message_2(kTime2 + 2, kTags2, sent_2(kInfo, 0).text("\xFF"));
  w.message(1'700'000'000'000'005, kInfo | kVerbose, "APP", "CTX", DltWriter::text("first"), 1);
  w.message_2(kTime2 + 3, 0, sent_2(kInfo, 1).text("\x11"));
  w.raw(
      std::string("DLT\2\0\0\0\0\0\0\0\0\0\xFF"
                  "cut off here",
                  26));
  return w.bytes();
}

// From a socket.
std::string sent_dlt() {
  DltWriter w(DltWriter::Before::kNothing);
  w.message(5, 2 << 4 | DltWriter::kControl, "DA1", "DC1",
            Bytes().little(uint32_t{0x13}).little(uint8_t{0}).text("daemon"), 1);
  w.message(10'000, kInfo | kVerbose, "APP", "CTX",
            DltWriter::text("speed").little(uint32_t{0x41}).little(uint8_t{200}), 2);
  w.message(10'010, 2 << 4 | DltWriter::kTrace | kVerbose, "APP", "FUN", DltWriter::text("run"), 1);
  w.bare(0, "", Bytes().little(uint32_t{1234}).text("no time"));
  w.message(10'025, 3 << 4 | DltWriter::kTrace | kVerbose, "APP", "FUN", {}, 0);
  w.message(10'030, 2 << 4 | DltWriter::kNetwork, "BUS", "CAN",
            Bytes().little(uint32_t{17}).text("ab"));
  return w.bytes();
}

// A single message, whose sender counts from its start.
std::string sent_version_2() {
  DltWriter w(DltWriter::Before::kNothing);
  w.message_2(0, kUnit2 | kNames2,
              Bytes()
                  .little(kInfo)
                  .little(uint8_t{1})
                  .big(uint32_t{1} << 31 | 500'000'000)
                  .text(DltWriter::u40(2) + DltWriter::name("ECU1") + DltWriter::name("LOG") +
                        DltWriter::name("MAIN") + DltWriter::text("started").str()));
  return w.bytes();
}

std::string little_sent_version_2() {
  DltWriter w(DltWriter::Before::kNothing);
  for (const uint32_t nanoseconds : {10, 20})
    w.message_2(0, kNonVerbose2 | kNames2,
                Bytes()
                    .little(nanoseconds)
                    .text(DltWriter::u40(1) + Bytes().little(uint32_t{7}).str() +
                          DltWriter::name("A") + DltWriter::name("C") + "ab"),
                true);
  w.message_2(0, kNames2,
              Bytes()
                  .little(kInfo)
                  .little(uint8_t{1})
                  .little(uint32_t{30})
                  .text(DltWriter::u40(1) + DltWriter::name("A") + DltWriter::name("C") +
                        DltWriter::text("old").str()),
              true);
  return w.bytes();
}

// A line that was listened to from the middle of a message on.
std::string sent_over_a_line() {
  DltWriter w(DltWriter::Before::kSerialHeader);
  w.raw("d of a message");
  for (const uint64_t time : {10, 20})
    w.message(time, kInfo | kVerbose, "APP", "CTX", DltWriter::text("hello"), 1);
  w.message_2(0, kNames2,
              sent_2(kInfo, 1).text(DltWriter::name("A") + DltWriter::name("C") +
                                    DltWriter::text("second").str()));
  return w.bytes();
}

std::string damaged_line() {
  DltWriter w(DltWriter::Before::kSerialHeader);
  w.message(10, kInfo | kVerbose, "APP", "CTX", DltWriter::text("kept"), 1);
  w.raw("noise");
  w.message(20, kInfo | kVerbose, "APP", "CTX", DltWriter::text("kept"), 1);
  w.raw(std::string("DLS\1\x3D\0\0\x06\0\0", 10));  // its headers do not fit
  w.raw(std::string("DLS\1\x20\0\x40\0", 8));       // longer than what follows
  w.message(30, kInfo | kVerbose, "APP", "CTX", DltWriter::text("kept"), 1);
  w.raw(std::string("DLS\1\x20\0\0\x09", 8));  // cut off
  return w.bytes();
}

std::string damaged_sent_dlt() {
  DltWriter w(DltWriter::Before::kNothing);
  for (const uint64_t time : {10, 20})
    w.message(time, kInfo | kVerbose, "APP", "CTX", DltWriter::text("kept"), 1);
  w.raw("noise 0123456789 0123456789");
  w.message(30, kInfo | kVerbose, "APP", "CTX", DltWriter::text("kept"), 1);
  w.raw(std::string("\x20\0\x08\0", 4));  // longer than what follows
  for (const uint64_t time : {40, 50})
    w.message(time, kInfo | kVerbose, "APP", "CTX", DltWriter::text("kept"), 1);
  w.raw(
      std::string("\x3D\0\0\x40"
                  "ECU1",
                  8));  // cut off
  return w.bytes();
}

TEST(Dlt, CasesAreWhatIsWritten) {
  test::expect_case("dlt/succeed/sent.dlt", sent_dlt());
  test::expect_case("dlt/succeed/sent_version_2.dlt", sent_version_2());
  test::expect_case("dlt/succeed/little_sent_version_2.dlt", little_sent_version_2());
  test::expect_case("dlt/succeed/sent_over_a_line.dlt", sent_over_a_line());
  test::expect_case("dlt/fail/damaged_line.dlt", damaged_line());
  test::expect_case("dlt/fail/damaged_sent.dlt", damaged_sent_dlt());
  test::expect_case("dlt/succeed/version_2.dlt", version_2());
  test::expect_case("dlt/succeed/little_version_2.dlt", little_version_2());
  test::expect_case("dlt/succeed/viewed_version_2.dlt", viewed_version_2());
  test::expect_case("dlt/fail/damaged_version_2.dlt", damaged_version_2());
  test::expect_case("dlt/succeed/everything.dlt", every_dlt_record());
  test::expect_case("dlt/fail/damaged.dlt", damaged_dlt());
}

// Few of these bytes are other than those of messages.
TEST(Dlt, OtherBytesAreNotTakenForMessages) {
  const auto sureness = [](std::string_view text) {
    return sniff_dlt(std::as_bytes(std::span(text)));
  };
  const std::string sent = sent_dlt(), one = sent_version_2(), line = damaged_line();
  EXPECT_GT(sureness(sent), 0);
  EXPECT_GT(sureness(std::string_view(sent).substr(0, sent.size() - 1)), 0);
  EXPECT_EQ(sureness(sent + "other bytes behind"), 0);
  EXPECT_GT(sureness(one), 0);
  EXPECT_EQ(sureness(std::string_view(one).substr(0, one.size() - 1)), 0);
  EXPECT_EQ(sureness(one + '\0'), 0);
  EXPECT_GT(sureness(line), 0);
  EXPECT_EQ(sureness("DLS\1 stands here alone"), 0);
  std::string numbers;
  for (int i = 0; i < 20'000; ++i) numbers += "12 3,";
  EXPECT_EQ(sureness(numbers), 0);
  EXPECT_EQ(sureness(std::string(100'000, '\0')), 0);
}

}  // namespace
}  // namespace weft::formats
