// covers FS-62, R7
// Snapshots of Percepio's Trace Recorder, written record by record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using namespace std::literals;
using testing::HasSubstr;

struct SnapshotObject {
  int kind;  // its class
  uint32_t handle;
  std::string_view name;
  uint8_t priority = 0;
};

class SnapshotWriter {
 public:
  explicit SnapshotWriter(bool is_big = false) : is_big_(is_big) {}

  // The bytes of a record, whose 16-bit numbers are in the target's byte order.
  void bytes(uint8_t code, uint8_t second, uint8_t third, uint8_t fourth) {
    for (const uint8_t each : {code, second, third, fourth}) records_ += static_cast<char>(each);
  }
  void half(uint8_t code, uint8_t second, uint16_t value) {
    records_ += static_cast<char>(code);
    records_ += static_cast<char>(second);
    records_ += number(value, 2);
  }
  void raw(std::string_view four) { records_ += four; }

  uint16_t symbol(std::string_view text, uint16_t channel = 0) {
    const auto at = static_cast<uint16_t>(symbols_.size());
    symbols_ += test::Bytes().little(uint16_t{0}).little(channel).text(text).str();
    symbols_ += '\0';
    return at;
  }

  // The ring has `capacity` records, of which the oldest is number `oldest` where it is full.
  std::string done(const std::vector<SnapshotObject>& objects, uint32_t last_ticks,
                   uint32_t oldest = 0, bool is_full = false, bool has_error = false) const {
    const auto count = static_cast<uint32_t>(records_.size() / 4);
    std::string out = "\1\2\3\4\x71\x72\x73\x74\xF1\xF2\xF3\xF4"s + number(0x1AA1, 2);
    out += "\7\1"s + number(0, 4) + number(count, 4);
    const uint32_t capacity = is_full ? count : count + 2;
    out += number(capacity, 4) + number(is_full ? oldest : count, 4) + number(is_full, 4);
    out += number(1'000'000, 4) + number(last_ticks, 4) + number(2, 4);
    for (int i = 0; i < 4; ++i) out += number(0, 4);
    out += number(0xF0F0F0F0, 4) + number(0, 4) + object_table(objects) + number(0xF1F1F1F1, 4);
    std::string symbols = symbols_;
    symbols.resize((symbols.size() + 3) / 4 * 4);
    out += number(static_cast<uint32_t>(symbols_.size()), 4);
    out += number(static_cast<uint32_t>(symbols_.size()), 4) + symbols + std::string(128, '\0');
    out += number(0, 4) + number(has_error, 4) + number(0xF2F2F2F2, 4);
    std::string info = has_error ? "Recorder busy" : "a demo";
    info.resize(80);
    out += info + number(0xF3F3F3F3, 4) + records_;
    if (!is_full) out += std::string(8, '\0');
    return out + number(0, 4) + "\x0A\x0B\x0C\x0D\x71\x72\x73\x74\xF1\xF2\xF3\xF4"s;
  }

 private:
  static constexpr uint32_t kNameBytes = 8, kObjectBytes = 12, kHandles = 3, kClasses = 9;

  std::string number(uint64_t value, size_t size) const {
    std::string out;
    for (size_t i = 0; i < size; ++i)
      out += static_cast<char>(value >> 8 * (is_big_ ? size - 1 - i : i));
    return out;
  }

  std::string object_table(const std::vector<SnapshotObject>& objects) const {
    const uint32_t size = kClasses * kHandles * kObjectBytes;
    std::string out = number(kClasses, 4) + number(size, 4);
    const auto each = [&](size_t in_all, size_t bytes, const auto& value_of) {
      for (uint32_t i = 0; i < in_all; ++i) out += number(i < kClasses ? value_of(i) : 0, bytes);
    };
    each(12, 1, [](uint32_t) { return kHandles; });
    each(12, 1, [](uint32_t) { return kNameBytes; });
    each(12, 1, [](uint32_t) { return kObjectBytes; });
    each(10, 2, [](uint32_t i) { return i * kHandles * kObjectBytes; });
    std::string table(size, '\0');
    for (const SnapshotObject& object : objects) {
      const size_t at =
          (static_cast<size_t>(object.kind) * kHandles + object.handle - 1) * kObjectBytes;
      std::ranges::copy(object.name, table.begin() + static_cast<std::ptrdiff_t>(at));
      table[at + kNameBytes + 1] = static_cast<char>(object.priority);
    }
    return out + table;
  }

  bool is_big_;
  std::string records_;
  std::string symbols_ = "\0"s;
};

enum Kind { kQueueKind, kSemaphoreKind, kMutexKind, kTaskKind, kInterruptKind, kTimerKind };

std::string snapshot_of_everything(bool is_big) {
  SnapshotWriter w(is_big);
  const uint16_t channel = w.symbol("sensor"), text = w.symbol("ready"), old = w.symbol("old"),
                 format = w.symbol("%d C, %bu of %hd: %s, %lf%%", channel),
                 plain = w.symbol("said");
  w.half(0x1B, 1, 100);  // a task is made
  w.half(0x02, 1, 10);   // and ready
  w.half(0x06, 1, 20);   // and runs
  w.half(0x18, 1, 5);    // makes a queue
  w.half(0x68, 1, 30);   // waits at it
  w.half(0x06, 2, 10);   // the other runs
  w.half(0xA9, 0, 1);    // 65536 ticks
  w.half(0x04, 1, 5);    // an interrupt
  w.half(0x30, 1, 3);    // sends into the queue
  w.half(0x02, 1, 1);
  w.half(0x07, 1, 4);  // whoever waited goes on
  w.half(0x28, 1, 2);  // and receives
  w.bytes(0xA8, 0, 0, 0);
  w.bytes(0x8D, 1, 3, 7);  // its priority was 3
  w.bytes(0x8E, 1, 4, 7);  // and then 4
  w.half(0x01, 0x12, 0);
  w.half(0x89, 3, 0x34);  // a delay, beyond a byte
  w.half(0x06, 3, 10);    // one whose name is not there any more
  w.half(0x83, 3, 10);    // is deleted
  w.half(0x0B, 3, old);
  w.bytes(0x13, 9, 0, 0);
  w.half(0x06, 2, 10);
  w.half(0x1B, 3, 10);  // another one with its handle
  w.half(0x94, 2, 64);  // memory
  w.half(0x95, 0x20, 0x1000);
  w.half(0x43, 1, 0);      // a task cannot be made
  w.bytes(0xC4, 1, 5, 1);  // waits for bits of an event group without a name
  w.half(0xAC, 0, 10);     // low power
  w.half(0xAD, 0, 90);
  w.half(0x98, 2, plain);
  w.half(static_cast<uint8_t>(0x98 + 5), 2, format);
  const auto number = [&](uint64_t value, size_t size) {
    std::string out;
    for (size_t i = 0; i < size; ++i)
      out += static_cast<char>(value >> 8 * (is_big ? size - 1 - i : i));
    return out;
  };
  w.raw(number(static_cast<uint32_t>(-4), 4) + number(2, 1) + "\0"s + number(3, 2) +
        number(text, 2) + "\0\0"s + number(std::bit_cast<uint64_t>(99.5), 8));
  w.bytes(0xD0, 0, 0, 3);
  w.half(0x06, 1, 10);
  return w.done({{kTaskKind, 1, "main", 5},
                 {kTaskKind, 2, "idle"},
                 {kTaskKind, 3, "new", 1},
                 {kQueueKind, 1, "work"},
                 {kInterruptKind, 1, "UART", 2}},
                500'000);
}

// A ring that has come round: the record of the program was overwritten in part.
std::string snapshot_ring() {
  SnapshotWriter w;
  w.half(0x07, 1, 5);
  w.half(0x99, 2, 1);  // the arguments are behind the end
  w.half(0x06, 2, 7);
  w.half(0xFE, 0, 0);
  w.half(0x06, 1, 9);
  w.half(0x9C, 2, 1);
  return w.done({{kTaskKind, 1, "one"}, {kTaskKind, 2, "two"}}, 0, 2, true, true);
}

TEST(PsfSnapshot, CasesAreWhatIsWritten) {
  test::expect_case("psf/succeed/snapshot.bin", snapshot_of_everything(false));
  test::expect_case("psf/succeed/snapshot_big.bin", snapshot_of_everything(true));
  test::expect_case("psf/succeed/snapshot_in_memory.bin",
                    std::string(1000, '\x55') + SnapshotWriter().done({}, 0));
  test::expect_case("psf/fail/snapshot_ring.bin", snapshot_ring());
  const std::string whole = snapshot_of_everything(false);
  test::expect_case("psf/fail/snapshot_cut.bin", whole.substr(0, whole.size() - 60));
}

TEST(PsfSnapshot, TheOrderOfBytesIsTheTargets) {
  const test::ScratchFolder folder;
  EXPECT_EQ(test::read(folder.write("little", snapshot_of_everything(false)))->text(),
            test::read(folder.write("big", snapshot_of_everything(true)))->text());
}

TEST(PsfSnapshot, WhatIsNotKnownIsSaidInALine) {
  const test::ScratchFolder folder;
  const auto what_is = [&](std::string bytes) {
    return test::read(folder.write("x", bytes))->error;
  };
  std::string whole = snapshot_of_everything(false);
  std::string other = whole;
  other[12] = '\x22';
  EXPECT_THAT(what_is(other), HasSubstr("another kernel than FreeRTOS"));
  const size_t mark = whole.find("\xF1\xF1\xF1\xF1");
  whole[mark] = 0;
  EXPECT_THAT(what_is(whole), HasSubstr("a layout that is not known, at byte"));
  EXPECT_THAT(what_is(whole.substr(0, 40)), HasSubstr("layout that is not known"));
}

}  // namespace
}  // namespace weft::formats
