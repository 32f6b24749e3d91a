// covers R7
#include "core/formats/embedded/blf/blf_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/formats/embedded/blf/blf_kinds.h"
#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;

constexpr uint32_t kContainer = 10;
constexpr uint32_t kNanoseconds = 2, kTenMicroseconds = 1;

// Monday, 2024-01-01 12:00:00.250.
std::string blf_head(uint16_t year = 2024) {
  Bytes head;
  head.text("LOGG").little(uint32_t{144}).little(uint32_t{4'081'200});
  head.text(std::string_view("\x02\x06\x0B\x01", 4));  // CANoe, its level of compression, 11.1
  head.little(uint64_t{0}).little(uint64_t{0}).little(uint32_t{0}).little(uint32_t{0});
  for (const uint16_t part : {year, uint16_t{1}, uint16_t{1}, uint16_t{1}, uint16_t{12},
                              uint16_t{0}, uint16_t{0}, uint16_t{250}})
    head.little(part);
  return head.pad(144).str();
}

std::string blf_object(uint32_t type, uint64_t time, const Bytes& body,
                       uint32_t flags = kNanoseconds) {
  Bytes all;
  all.text("LOBJ").little(uint16_t{32}).little(uint16_t{1});
  all.little(static_cast<uint32_t>(32 + body.size())).little(type);
  all.little(flags).little(uint16_t{0}).little(uint16_t{0}).little(time).text(body.str());
  return all.pad(4).str();
}

// The output of zlib when it is told not to compress.
std::string as_zlib(std::string_view plain) {
  uint32_t low = 1, high = 0;
  for (const char byte : plain) {
    low = (low + static_cast<uint8_t>(byte)) % 65521;
    high = (high + low) % 65521;
  }
  const auto size = static_cast<uint16_t>(plain.size());
  Bytes all;
  all.text(std::string_view("\x78\x01\x01", 3)).little(size).little(static_cast<uint16_t>(~size));
  return all.text(plain).big(high << 16 | low).str();
}

std::string blf_container(std::string_view plain, bool is_packed, uint32_t size_said = 0) {
  const std::string bytes = is_packed ? as_zlib(plain) : std::string(plain);
  Bytes all;
  all.text("LOBJ").little(uint16_t{16}).little(uint16_t{1});
  all.little(static_cast<uint32_t>(32 + bytes.size())).little(kContainer);
  all.little(static_cast<uint16_t>(is_packed ? 2 : 0)).little(uint16_t{0}).little(uint32_t{0});
  all.little(size_said != 0 ? size_said : static_cast<uint32_t>(plain.size())).little(uint32_t{0});
  return all.text(bytes).pad(4).str();
}

Bytes can(uint16_t channel, uint8_t flags, uint8_t size, uint32_t id) {
  return Bytes().little(channel).little(flags).little(size).little(id).text("\1\2\3\4\5\6\7\x08");
}

std::string every_bus() {
  std::string all;
  all += blf_object(blf::kCanMessage, 1'000, can(1, 0, 4, 0x123));
  all += blf_object(blf::kCanMessage2, 20, can(1, 1, 8, 0x80000000u | 0x1234567), kTenMicroseconds);
  all += blf_object(blf::kCanMessage, 300'000, can(2, 0x80, 2, 0x7FF));
  Bytes fd;
  fd.little(uint16_t{2}).little(uint8_t{1}).little(uint8_t{9}).little(uint32_t{0x55});
  fd.little(uint32_t{40'000}).little(uint8_t{20}).little(uint8_t{3}).little(uint8_t{12});
  all +=
      blf_object(blf::kCanFdMessage, 400'000, fd.text(std::string(5, '\0') + "twelve bytes...."));
  Bytes fd64;
  fd64.little(uint8_t{2}).little(uint8_t{9}).little(uint8_t{12}).little(uint8_t{1});
  fd64.little(uint32_t{0x56}).little(uint32_t{41'000}).little(uint32_t{0x5000});
  fd64.text(std::string(18, '\0')).little(uint8_t{1}).text(std::string(5, '\0'));
  all += blf_object(blf::kCanFdMessage64, 500'000, fd64.text("twelve bytes"));
  all += blf_object(blf::kCanError, 600'000, Bytes().little(uint16_t{1}).little(uint16_t{6}));
  Bytes error;
  error.little(uint16_t{1}).little(uint16_t{6}).little(uint32_t{0}).little(uint8_t{71});
  error.little(uint8_t{9}).text(std::string(6, '\0')).little(uint32_t{0x123});
  all += blf_object(blf::kCanErrorExt, 700'000, error);
  Bytes fd_error;
  fd_error.little(uint8_t{2}).text(std::string(2, '\0')).little(uint8_t{72});
  all += blf_object(blf::kCanFdError64, 750'000,
                    fd_error.text(std::string(8, '\0')).little(uint32_t{0x55}));
  Bytes statistic;
  statistic.little(uint16_t{1}).little(uint16_t{1'250});
  for (uint32_t i = 1; i <= 6; ++i) statistic.little(i);
  all += blf_object(blf::kCanStatistic, 800'000, statistic);
  all += blf_object(blf::kCanDriverError, 850'000,
                    Bytes().little(uint16_t{1}).little(uint8_t{96}).little(uint8_t{1}).little(7u));
  Bytes lin;
  lin.little(uint16_t{1}).little(uint8_t{0x3C}).little(uint8_t{2}).text("ab......");
  all += blf_object(blf::kLinMessage, 900'000, lin.text(std::string(6, '\0')).little(uint8_t{1}));
  Bytes lin2;
  lin2.text(std::string(12, '\0')).little(uint16_t{2}).text(std::string(23, '\0'));
  lin2.little(uint8_t{0x3D}).little(uint8_t{8}).text(std::string(73, '\0')).text("eight by");
  all += blf_object(blf::kLinMessage2, 950'000, lin2.little(uint16_t{0}).little(uint8_t{0}));
  Bytes flexray;
  flexray.little(uint16_t{1}).text(std::string(4, '\0')).little(uint16_t{0});
  flexray.text(std::string(8, '\0')).little(uint16_t{17}).text(std::string(6, '\0'));
  flexray.little(uint16_t{4}).little(uint16_t{63}).text(std::string(56, '\0')).text("four");
  all += blf_object(blf::kFlexRayReceivedEx, 960'000, flexray);
  Bytes ethernet;
  ethernet.text("\2\1\1\1\1\1").little(uint16_t{1}).text("\2\2\2\2\2\2").little(uint16_t{1});
  ethernet.little(uint16_t{0x800}).little(uint32_t{0}).little(uint16_t{4}).little(uint64_t{0});
  all += blf_object(blf::kEthernetFrame, 970'000, ethernet.text("data"));
  Bytes ex;
  ex.little(uint32_t{0}).little(uint16_t{3}).little(uint16_t{0}).little(uint64_t{672});
  ex.little(uint32_t{0}).little(uint16_t{0}).little(uint16_t{16}).little(uint64_t{0});
  all += blf_object(blf::kEthernetFrameEx, 980'000, ex.text("\2\2\2\2\2\2\2\3\3\3\3\3\x88\xF7pt"));
  all += blf_object(21, 990'000, Bytes().little(uint16_t{1}).text("xy"));  // wake-up of LIN
  return all + blf_object(4'000, 995'000, Bytes().text("new"));
}

Bytes named(std::string_view name, std::string_view value) {
  Bytes all;
  all.little(static_cast<uint32_t>(name.size())).little(static_cast<uint32_t>(value.size()));
  return all.little(uint64_t{0}).text(name).text(value);
}

Bytes system_variable(uint32_t type, std::string_view name, std::string_view value) {
  Bytes all;
  all.little(type).text(std::string(12, '\0'));
  return all.text(named(name, value).str());
}

std::string whole_log() {
  std::string all;
  Bytes text;
  text.little(uint32_t{0}).little(uint32_t{0}).little(uint32_t{6}).little(uint32_t{0});
  all += blf_object(blf::kAppText, 0, text.text("a run\0"));
  Bytes line;
  line.little(uint32_t{4}).little(uint32_t{0}).little(uint32_t{5}).little(uint32_t{0});
  all += blf_object(blf::kAppText, 5'000, line.text("gr\xFC\xDF\x65"));  // Windows-1252
  all += blf_object(blf::kEnvInteger, 10'000, named("gear", Bytes().little(int32_t{-1}).str()));
  all += blf_object(blf::kEnvDouble, 20'000, named("speed", Bytes().little(12.5).str()));
  all += blf_object(blf::kEnvString, 30'000, named("mode", std::string_view("eco\0", 4)));
  all += blf_object(blf::kSystemVariable, 40'000,
                    system_variable(1, "Engine::rpm", Bytes().little(900.0).str()));
  all += blf_object(blf::kSystemVariable, 50'000, system_variable(3, "Engine::state", "on"));
  all += blf_object(blf::kSystemVariable, 60'000, system_variable(7, "Engine::raw", "\1\2"));
  Bytes gps;
  gps.little(uint32_t{0}).little(uint16_t{1}).little(uint16_t{0});
  for (const double value : {48.8, 9.1, 300.0, 50.0, 90.0}) gps.little(value);
  all += blf_object(blf::kGps, 70'000, gps);
  Bytes trigger;
  trigger.little(uint64_t{500}).little(uint64_t{600}).little(uint16_t{0}).little(uint16_t{1});
  all += blf_object(blf::kAppTrigger, 80'000, trigger);
  Bytes comment;
  comment.little(uint32_t{21}).little(uint32_t{4}).little(uint64_t{0});
  all += blf_object(blf::kEventComment, 90'000, comment.text("here"));
  Bytes marker;
  marker.text(std::string(16, '\0')).little(3u).little(4u).little(4u);
  all += blf_object(blf::kGlobalMarker, 100'000,
                    marker.text(std::string(12, '\0')).text("grp").text("turn").text("left"));
  all += blf_object(blf::kDataLostBegin, 110'000, Bytes().little(uint32_t{0}));
  return all + blf_object(blf::kRestorePoints, 120'000, {});
}

std::string every_blf_object() {
  const std::string plain = every_bus(), log = whole_log();
  const size_t cut = 100;  // within an object
  return blf_head() + blf_container(plain.substr(0, cut), true) +
         blf_container(plain.substr(cut), false) + blf_container(log, true) +
         blf_object(blf::kCanOverload, 2'000'000, Bytes().little(uint32_t{1}));
}

std::string damaged_blf() {
  const Bytes lost = Bytes().little(0u).little(uint64_t{0}).little(12u);
  const std::string broken = [] {
    std::string bytes = blf_container("never", true);
    bytes[34] ^= 0x40;
    return bytes;
  }();
  std::string all = blf_head(0);  // no start
  all += blf_object(blf::kCanMessage, 10, Bytes().little(uint16_t{1}).little(uint8_t{0}));
  all += "no object at all";
  all += blf_object(blf::kOverrun, 20, Bytes().little(1u).little(uint16_t{1}).little(uint16_t{0}));
  all += blf_object(blf::kDataLostEnd, 30, lost);
  all += broken + blf_container(blf_object(blf::kCanMessage, 40, can(1, 0, 8, 1)), true, 5);
  std::string short_head = blf_object(blf::kCanError, 50, Bytes().little(uint32_t{1}));
  short_head[4] = 8;
  all += short_head +
         blf_container("LOBJ that is none, " + blf_object(blf::kCanMessage, 60, can(1, 0, 1, 2)),
                       false);
  all += blf_object(blf::kCanMessage, UINT64_MAX, can(1, 0, 8, 3), kTenMicroseconds);
  return all + blf_container(blf_object(blf::kCanMessage, 70, can(1, 0, 8, 4)), true).substr(0, 60);
}

TEST(BlfReader, ReadsAllThatALogHolds) {
  test::expect_case("blf/succeed/everything.blf", every_blf_object());
  test::expect_case("blf/fail/damaged.blf", damaged_blf());
}

TEST(BlfReader, AnObjectMayBeginInOneContainerAndEndInAnyLaterOne) {
  const std::string plain = every_bus();
  const test::ScratchFolder folder;
  const auto read = [&](size_t piece) {
    std::string all = blf_head();
    for (size_t at = 0; at < plain.size(); at += piece)
      all += blf_container(plain.substr(at, piece), at % 2 == 0);
    return test::read(folder.write(std::to_string(piece) + ".blf", all), {})->text();
  };
  const auto events = [](const std::string& text) { return text.substr(text.find('\n')); };
  const std::string whole = read(plain.size());
  ASSERT_NE(whole.find("CAN FD"), std::string::npos);
  for (const size_t piece : {3, 7, 16, 31, 100})
    EXPECT_EQ(events(read(piece)), events(whole)) << piece;
}

TEST(BlfReader, IsKnownByItsHead) {
  const auto sniff = [](const std::string& text) {
    return sniff_blf(std::as_bytes(std::span(text)));
  };
  EXPECT_EQ(sniff(blf_head()), 100);
  EXPECT_EQ(sniff("LOGG"), 0);
  EXPECT_EQ(sniff("LOGGING STARTED AT"), 0);
}

}  // namespace
}  // namespace weft::formats
