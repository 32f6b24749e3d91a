// covers FS-62, R7
#include "core/formats/dlt_reader.h"

#include <gtest/gtest.h>

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

TEST(Dlt, CasesAreWhatIsWritten) {
  test::expect_case("dlt/succeed/everything.dlt", every_dlt_record());
  test::expect_case("dlt/fail/damaged.dlt", damaged_dlt());
}

}  // namespace
}  // namespace weft::formats
