// covers FS-62, R7
#include "core/formats/profiles/nettrace/nettrace_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;

constexpr std::string_view kRuntime = "Microsoft-Windows-DotNETRuntime";
constexpr std::string_view kRundown = "Microsoft-Windows-DotNETRuntimeRundown";
constexpr std::string_view kSampler = "Microsoft-DotNETCore-SampleProfiler";

std::string utf16(std::string_view text) {
  std::string wide;
  for (const char c : text) wide += {c, '\0'};
  return wide + std::string(2, '\0');
}
template <class Value>
std::string number(Value value) {
  return Bytes().little(value).str();
}
std::string varint(uint64_t value) { return Bytes().varint(value).str(); }
std::string counted(std::string_view text) { return varint(text.size()) + std::string(text); }
std::string guid(char first) {
  std::string bytes(16, '\0');
  bytes[0] = first;
  return bytes;
}

// The fields of one event in a file.
struct Row {
  uint32_t kind = 0;
  int64_t ticks = 0;
  std::string payload;
  uint64_t thread = 11;
  uint32_t stack = 0;
  uint32_t sequence = 0;
  std::string activity = guid(0);
  uint32_t labels = 0;
  uint64_t capture_thread = 0;  // 0: the same
};

// ---- kinds

constexpr uint32_t kObject = 1, kBoolean = 3, kInt32 = 9, kInt64 = 11, kDouble = 14, kText = 18,
                   kArray = 19;

std::string kind_row(uint32_t number_of, std::string_view provider, uint32_t id,
                     std::string_view name, const std::string& fields, uint32_t version = 0) {
  return number(number_of) + utf16(provider) + number(id) + utf16(name) + number(uint64_t{1}) +
         number(version) + number(uint32_t{4}) + fields;
}
std::string field(uint32_t code, std::string_view name) { return number(code) + utf16(name); }
std::string no_fields() { return number(uint32_t{0}); }

std::vector<std::string> kinds() {
  const std::string counter = number(kObject) + number(uint32_t{3}) + field(kText, "Name") +
                              field(kDouble, "Mean") + field(kText, "DisplayUnits");
  const std::string counter_payload = number(uint32_t{1}) + number(kObject) + number(uint32_t{1}) +
                                      counter + utf16("") + utf16("Payload");
  const std::string array_field =
      number(uint32_t{4 + 8 + 4 + 4}) + utf16("ids") + number(kArray) + number(kInt32);
  const std::string array_fields = number(uint32_t{1}) + array_field;
  return {
      kind_row(1, kRuntime, 1, "", no_fields(), 2),
      kind_row(2, kRuntime, 2, "", no_fields(), 1),
      kind_row(3, kRuntime, 9, "", no_fields(), 1),
      kind_row(4, kRuntime, 8, "", no_fields(), 1),
      kind_row(5, kRuntime, 7, "", no_fields(), 1),
      kind_row(6, kRuntime, 3, "", no_fields(), 1),
      kind_row(7, kRuntime, 145, "", no_fields(), 1),
      kind_row(8, kRuntime, 143, "", no_fields(), 2),
      kind_row(9, kRuntime, 81, "", no_fields(), 1),
      kind_row(10, kRuntime, 91, "", no_fields()),
      kind_row(11, kRuntime, 80, "", no_fields(), 1),
      kind_row(12, kRundown, 144, "", no_fields(), 2),
      kind_row(13, kSampler, 0, "", no_fields()),
      kind_row(14, "System.Runtime", 5, "EventCounters", counter_payload),
      kind_row(15, "Shop", 1, "OrderStart",
               number(uint32_t{2}) + field(kInt32, "order") + field(kBoolean, "is_urgent")),
      kind_row(16, "Shop", 2, "OrderStop", number(uint32_t{1}) + field(kInt64, "price")),
      // An array, which only the extension of version 5 can describe, and an opcode.
      kind_row(17, "Shop", 3, "Ids",
               no_fields() + number(static_cast<uint32_t>(array_fields.size())) + '\2' +
                   array_fields + number(uint32_t{1}) + '\1' + '\0'),
      kind_row(18, kRuntime, 4, "", no_fields(), 1),
      kind_row(19, kRuntime, 61, "", no_fields()),
      kind_row(20, kRuntime, 62, "", no_fields()),
      kind_row(21, kRuntime, 9999, "", no_fields()),
      kind_row(22, "Microsoft-DotNETCore-EventPipe", 1, "ProcessInfo",
               number(uint32_t{2}) + field(kText, "CommandLine") + field(kText, "OSInformation")),
  };
}

std::string method(uint64_t id, uint64_t begin, std::string_view name) {
  return number(id) + number(uint64_t{7}) + number(begin) + number(uint32_t{0x100}) +
         number(uint32_t{0x6000001}) + number(uint32_t{0}) + utf16("Shop.Till") + utf16(name) +
         utf16("void  (class System.String,int32)") + number(uint16_t{1}) + number(uint64_t{0});
}

std::vector<Row> events() {
  const std::string clr = number(uint16_t{1});
  const auto n = [](uint32_t value) { return number(value); };
  const std::string order = n(77) + n(1), price = number(int64_t{1999});
  std::vector<Row> rows = {
      {22, 1000, utf16("/opt/shop/till --fast") + utf16("Linux")},
      {3, 1010, n(1) + n(5) + clr, 12},  // suspend for a collection
      {4, 1020, clr, 12},
      {1, 1030, n(5) + n(2) + n(1) + n(1) + clr + number(uint64_t{0}), 12},
      {1, 1040, n(6) + n(0) + n(0) + n(2) + clr, 12},  // during that in the background
      {2, 1050, n(6) + n(0) + clr, 12},
      {5, 1060, clr, 12},
      {6, 1070, clr, 12},
      {2, 1400, n(5) + n(2) + clr, 13},
      {18, 1401, number(uint64_t{4096}) + number(uint64_t{64}), 13},
      {7, 1100,
       number(uint64_t{0x5000}) + number(uint64_t{7}) + n(1) + n(30) + utf16("Shop.Till") +
           utf16("Pay") + utf16("void  ()") + clr},
      {9, 1110, std::string(1, '\0') + clr, 11, 1},
      {10, 1120, std::string(1, '\0') + clr + number(250.5)},
      {8, 1130, method(0x5000, 0x10000, "Pay")},
      {11, 1140,
       utf16("System.Exception") + utf16("no \xE4pples") + number(uint64_t{0x10010}) +
           n(0x80131500) + number(uint16_t{16}) + clr,
       11, 1},
      {13, 1200, n(2), 11, 1},
      {13, 1210, n(2), 11, 1},
      {13, 1220, n(1), 11, 2},
      {14, 1300, utf16("working-set") + number(52.25) + utf16("MB") + utf16("")},
      {15, 1310, order, 11, 0, 0, guid(9)},
      {16, 1350, price, 12, 0, 0, guid(9)},
      {15, 1320, order},  // of a thread, not of an activity
      {16, 1330, price},
      {16, 1331, price},  // which began before the trace
      {17, 1360, number(uint16_t{3}) + n(1) + n(2) + n(0xFFFFFFFF)},
      {19, 1370, number(uint64_t{0xABC}) + clr},
      {20, 1380, number(uint64_t{0xABC}) + clr, 12},
      {21, 1390, "\x01\x02"},
      {12, 1500, method(0x6000, 0x20000, "Open"), 11, 1},
  };
  uint32_t of_11 = 0, of_12 = 0, of_13 = 0;
  for (Row& row : rows)
    row.sequence = ++(row.thread == 11 ? of_11 : row.thread == 12 ? of_12 : of_13);
  return rows;
}

const std::vector<std::vector<uint64_t>> kStacks = {{0x10010, 0x20020}, {0x20030, 0x30000}};

// ---- versions 3 to 5

std::string trace_block() {
  return number(uint16_t{2024}) + number(uint16_t{2}) + number(uint16_t{4}) + number(uint16_t{29}) +
         number(uint16_t{12}) + number(uint16_t{30}) + number(uint16_t{15}) +
         number(uint16_t{250}) + number(int64_t{1000}) + number(int64_t{10'000'000}) +
         number(uint32_t{8}) + number(uint32_t{42}) + number(uint32_t{4}) +
         number(uint32_t{1'000'000});
}

class Objects {
 public:
  explicit Objects(bool is_netperf = false, uint32_t version = 4) : begin_(is_netperf ? 4 : 5) {
    if (!is_netperf) bytes_.text("Nettrace");
    bytes_.little(uint32_t{20}).text("!FastSerialization.1");
    head("Trace", is_netperf ? 3 : version);
    bytes_.text(trace_block()).text("\6");
  }
  void add(std::string_view type, const std::string& block) {
    head(type, 2);
    bytes_.little(static_cast<uint32_t>(block.size())).pad(4).text(block).text("\6");
  }
  std::string finish() { return bytes_.text("\1").str(); }
  std::string unfinished() const { return bytes_.str(); }

 private:
  void head(std::string_view type, uint32_t version) {
    bytes_.text(std::string(2, begin_)).text("\1").little(version).little(version);
    bytes_.little(static_cast<uint32_t>(type.size())).text(type).text("\6");
  }

  char begin_;
  Bytes bytes_;
};

std::string block_header(bool is_compressed) {
  return number(uint16_t{20}) + number(uint16_t{is_compressed}) + number(int64_t{0}) +
         number(int64_t{9999});
}

std::string plain_row(const Row& row) {
  const std::string rest = number(row.kind) + number(row.sequence) + number(row.thread) +
                           number(row.capture_thread != 0 ? row.capture_thread : row.thread) +
                           number(uint32_t{3}) + number(row.stack) + number(row.ticks) +
                           row.activity + guid(0) +
                           number(static_cast<uint32_t>(row.payload.size())) + row.payload;
  return Bytes().text(number(static_cast<uint32_t>(rest.size())) + rest).pad(4).str();
}

// Everything but the times is written where it is not as in the row before.
std::string compressed_rows(const std::vector<Row>& rows, bool has_labels = false) {
  std::string bytes;
  Row before;
  before.thread = 0;
  int64_t ticks = 0;
  for (const Row& row : rows) {
    uint8_t flags = 0x40;
    std::string head;
    const bool is_capture = row.kind != 0;
    if (row.kind != before.kind) flags |= 1, head += varint(row.kind);
    if (is_capture) {
      flags |= 2;
      head += varint(static_cast<uint32_t>(row.sequence - before.sequence - 1)) +
              varint(row.capture_thread != 0 ? row.capture_thread : row.thread) + varint(3);
    }
    if (row.thread != before.thread) flags |= 4, head += varint(row.thread);
    if (row.stack != before.stack) flags |= 8, head += varint(row.stack);
    head += varint(static_cast<uint64_t>(row.ticks - ticks));
    if (has_labels && row.labels != before.labels) flags |= 16, head += varint(row.labels);
    if (!has_labels && row.activity != before.activity) flags |= 16, head += row.activity;
    if (row.payload.size() != before.payload.size())
      flags |= 128, head += varint(row.payload.size());
    bytes += static_cast<char>(flags) + head + row.payload;
    ticks = row.ticks;
    before = row;
  }
  return bytes;
}

std::vector<Row> kind_rows() {
  std::vector<Row> rows;
  for (const std::string& kind : kinds()) rows.push_back({.kind = 0, .payload = kind});
  return rows;
}

std::string stack_block() {
  std::string block = number(uint32_t{1}) + number(static_cast<uint32_t>(kStacks.size()));
  for (const auto& stack : kStacks) {
    block += number(static_cast<uint32_t>(8 * stack.size()));
    for (const uint64_t address : stack) block += number(address);
  }
  return block;
}

std::string sequence_point(const std::vector<std::pair<uint64_t, uint32_t>>& threads) {
  std::string block = number(int64_t{2000}) + number(static_cast<uint32_t>(threads.size()));
  for (const auto& [thread, sequence] : threads) block += number(thread) + number(sequence);
  return block;
}

std::string compressed_trace(const std::vector<Row>& rows, uint32_t last_of_11 = 18) {
  Objects objects;
  objects.add("MetadataBlock", block_header(true) + compressed_rows(kind_rows()));
  objects.add("StackBlock", stack_block());
  objects.add("EventBlock", block_header(true) + compressed_rows(rows));
  objects.add("SPBlock", sequence_point({{11, last_of_11}}));
  return objects.finish();
}

std::string plain_trace() {
  Objects objects;
  std::string kind_bytes = block_header(false), event_bytes = block_header(false);
  for (const Row& row : kind_rows()) kind_bytes += plain_row(row);
  for (const Row& row : events()) event_bytes += plain_row(row);
  objects.add("MetadataBlock", kind_bytes);
  objects.add("StackBlock", stack_block());
  objects.add("EventBlock", event_bytes);
  return objects.finish();
}

std::string netperf() {
  Objects objects(true);
  std::string block;
  const auto add = [&](const Row& row, const std::string& stack) {
    const std::string payload = Bytes().text(row.payload).pad(4).str();
    const std::string rest = number(row.kind) + number(static_cast<uint32_t>(row.thread)) +
                             number(row.ticks) + row.activity + guid(0) +
                             number(static_cast<uint32_t>(payload.size())) + payload +
                             number(static_cast<uint32_t>(stack.size())) + stack;
    block += number(static_cast<uint32_t>(rest.size())) + rest;
  };
  for (const Row& row : kind_rows()) add(row, "");
  for (const Row& row : events()) {
    std::string stack;
    if (row.stack != 0) {
      for (const uint64_t address : kStacks[row.stack - 1]) stack += number(address);
    }
    add(row, stack);
  }
  objects.add("EventBlock", block);
  return objects.finish();
}

// ---- version 6

class Blocks {
 public:
  Blocks() { bytes_.text("Nettrace").little(uint32_t{0}).little(uint32_t{6}).little(uint32_t{0}); }
  void add(uint8_t kind, const std::string& block) {
    bytes_.little(static_cast<uint32_t>(block.size()) | uint32_t{kind} << 24).text(block);
  }
  const std::string& str() const { return bytes_.str(); }

 private:
  Bytes bytes_;
};

std::string sized(const std::string& bytes) {
  return number(static_cast<uint16_t>(bytes.size())) + bytes;
}
std::string new_kind(uint32_t id, std::string_view provider, std::string_view name,
                     const std::vector<std::pair<std::string, std::string>>& fields,
                     const std::string& more = "") {
  std::string row = varint(id) + counted(provider) + varint(id) + counted(name) +
                    number(static_cast<uint16_t>(fields.size()));
  for (const auto& [field_name, type] : fields) row += sized(counted(field_name) + type);
  return sized(row + sized(more));
}
std::string thread_row(uint64_t index, std::string_view name, uint64_t process, uint64_t thread) {
  std::string row = varint(index);
  if (!name.empty()) row += '\1' + counted(name);
  return sized(row + '\2' + varint(process) + '\3' + varint(thread));
}

std::string new_trace() {
  const std::string varuint_type = "\x15", text_type = "\x13\x17", int_type = "\x09";
  Blocks blocks;
  blocks.add(1, trace_block().substr(0, 36) + number(uint32_t{2}) + counted("ProcessId") +
                    counted("42") + counted("machine") + counted("till-7"));
  blocks.add(
      3, sized("") +
             new_kind(1, "Universal.System", "ProcessCreate",
                      {{"NamespaceId", varuint_type}, {"Name", text_type}}) +
             new_kind(2, "Universal.System", "ProcessMapping",
                      {{"Id", varuint_type},
                       {"ProcessId", varuint_type},
                       {"StartAddress", varuint_type},
                       {"EndAddress", varuint_type},
                       {"FileOffset", varuint_type},
                       {"FileName", text_type}}) +
             new_kind(3, "Universal.System", "ProcessSymbol",
                      {{"Id", varuint_type},
                       {"MappingId", varuint_type},
                       {"StartAddress", varuint_type},
                       {"EndAddress", varuint_type},
                       {"Name", text_type}}) +
             new_kind(4, "Universal.Events", "cpu", {{"Value", varuint_type}}) +
             new_kind(5, "Universal.Events", "cswitch", {{"Value", varuint_type}}) +
             new_kind(6, "Shop", "Sell",
                      {{"count", "\x14"},
                       {"three", std::string("\x16\x09\x03\0", 4)},
                       {"is_paid", "\x1A"},
                       {"near", std::string("\x18\x17")},
                       {"far", std::string("\x19\x09")},
                       {"inner", "\x01" + number(uint16_t{1}) + sized(counted("n") + int_type)}},
                      "\1" + std::string(1, '\0') + "\4" + counted("Sold {count}") + "\3" +
                          number(uint64_t{5}) + "\x08\x04\x09\x01"));
  blocks.add(6, thread_row(1, "main", 42, 11) + thread_row(2, "", 43, 12));
  blocks.add(5, stack_block());
  blocks.add(8, number(uint32_t{1}) + number(uint32_t{2}) + '\1' + guid(7) + '\3' +
                    std::string(16, '\x11') + "\x84" + number(uint64_t{0x22}) + '\5' +
                    counted("tenant") + counted("north") + "\x86" + counted("retries") + varint(5));
  const std::string sell = varint(5) + number(int32_t{1}) + number(int32_t{2}) +
                           number(int32_t{3}) + '\1' + number(uint32_t{2U << 16 | 8}) +
                           number(uint32_t{4U << 16 | 30}) + number(int32_t{-9}) + "ok" + "##" +
                           number(int32_t{77});
  const auto text = [](std::string_view of) { return sized(std::string(of)); };
  std::vector<Row> rows = {
      {.kind = 1, .ticks = 1000, .payload = varint(1) + text("till"), .thread = 1},
      {.kind = 2,
       .ticks = 1001,
       .payload = varint(5) + varint(42) + varint(0x10000) + varint(0x30000) + varint(0) +
                  text("/usr/lib/libshop.so"),
       .thread = 1},
      {.kind = 3,
       .ticks = 1002,
       .payload = varint(1) + varint(5) + varint(0x10000) + varint(0x10100) + text("pay"),
       .thread = 1},
      {.kind = 4, .ticks = 1100, .payload = varint(1), .thread = 1, .stack = 1},
      {.kind = 4, .ticks = 1110, .payload = varint(1), .thread = 1, .stack = 1},
      {.kind = 5, .ticks = 1200, .payload = varint(40), .thread = 2, .stack = 2},
      {.kind = 6, .ticks = 1300, .payload = sell, .thread = 1, .labels = 1},
      {.kind = 6, .ticks = 1310, .payload = sell, .thread = 2, .labels = 2},
  };
  uint32_t of_1 = 0, of_2 = 0;
  for (Row& row : rows) row.sequence = ++(row.thread == 1 ? of_1 : of_2);
  blocks.add(2, block_header(true) + compressed_rows(rows, true));
  blocks.add(9, "of a later version");
  blocks.add(
      4, number(int64_t{2000}) + number(uint32_t{3}) + number(uint32_t{1}) + varint(2) + varint(4));
  blocks.add(7, varint(1) + varint(6));
  blocks.add(0, "");
  return blocks.str();
}

TEST(Nettrace, ReadsAsWritten) {
  const std::string all = compressed_trace(events());
  test::expect_case("nettrace/succeed/compressed.nettrace", all);
  test::expect_case("nettrace/succeed/plain.nettrace", plain_trace());
  test::expect_case("nettrace/succeed/netperf.netperf", netperf());
  test::expect_case("nettrace/succeed/version_6.nettrace", new_trace());
}

TEST(Nettrace, WhatIsMissingIsCounted) {
  std::vector<Row> rows = events();
  rows.erase(rows.begin() + 13, rows.begin() + 15);  // the method's end, and an exception
  test::expect_case("nettrace/fail/dropped.nettrace", compressed_trace(rows, 20));
  rows = events();
  rows.push_back({.kind = 99, .ticks = 1600, .payload = {}, .sequence = 21});  // of nobody
  rows.push_back({.kind = 15, .ticks = 1601, .payload = "\1", .sequence = 22});
  std::string damaged = compressed_trace(rows);
  const size_t at = damaged.rfind("EventBlock");
  damaged.resize(damaged.rfind("SPBlock"));  // and it ends within a block's head
  damaged[at + 60] = '\xFF';
  test::expect_case("nettrace/fail/damaged.nettrace", damaged);
  Objects objects;
  objects.add("EventBlock", block_header(true) + compressed_rows(events()));
  objects.add("Surprise", "of a later version");
  test::expect_case("nettrace/fail/no_kinds.nettrace", objects.unfinished() + "?");
}

TEST(HostileNettrace, OtherVersionsAreNamed) {
  const test::ScratchFolder folder;
  std::string later = new_trace();
  later[12] = '\7';
  EXPECT_THAT(test::read(folder.write("later.nettrace", later))->error,
              testing::HasSubstr("of version 7; versions 3 to 6 are read"));
  EXPECT_THAT(test::read(folder.write("five.nettrace", Objects(false, 2).finish()))->error,
              testing::HasSubstr("of version 2; versions 3 to 6 are read"));
}

// A field of arrays of arrays of nothing, of which a few bytes would make billions of values.
TEST(HostileNettrace, AnEventHasNotMoreValuesThanItsMost) {
  std::string type = "\x01" + number(uint16_t{0});
  for (int i = 0; i < 6; ++i) type.insert(0, "\x16").append(number(uint16_t{0xFFFF}));
  Blocks blocks;
  blocks.add(1, trace_block().substr(0, 36) + number(uint32_t{0}));
  blocks.add(3, sized("") + new_kind(1, "Shop", "Bomb", {{"all", type}}));
  blocks.add(6, thread_row(1, "", 42, 11));
  blocks.add(
      2, block_header(true) + compressed_rows({{.kind = 1, .payload = "x", .thread = 1}}, true));
  const test::ScratchFolder folder;
  const auto reading = test::read(folder.write("bomb.nettrace", blocks.str()));
  EXPECT_EQ(reading->error, "");
  EXPECT_THAT(reading->text(), testing::HasSubstr("values beyond the most of an event"));
}

}  // namespace
}  // namespace weft::formats
