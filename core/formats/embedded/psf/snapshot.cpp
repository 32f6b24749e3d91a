#include "core/formats/embedded/psf/snapshot.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/embedded/psf/player.h"
#include "core/formats/embedded/psf/snapshot_records.h"

namespace weft::formats::psf {
namespace {

using namespace std::literals;

constexpr std::string_view kSnapshotStart = "\1\2\3\4\x71\x72\x73\x74\xF1\xF2\xF3\xF4"sv;
constexpr size_t kSystemInfoBytes = 80, kChecksums = 64, kRecord = 4;
constexpr uint64_t kSymbolAddress = uint64_t{1} << 31;  // where no object is

// The object table's data per class.
struct ObjectClassTable {
  uint32_t count = 0, name_bytes = 0, bytes = 0, start = 0;
};

struct Snapshot {
  bool is_big = false;
  uint8_t minor_version = 0;
  bool is_greater_more_urgent = false;
  uint32_t next = 0, frequency = 0, last_ticks = 0, last_seconds = 0;
  uint32_t capacity = 0;  // of the ring
  bool is_full = false, has_error = false;
  std::array<ObjectClassTable, kSnapshotClasses> classes = {};
  std::string_view objects, symbols, system_info, records;
  uint64_t records_offset = 0;
};

constexpr uint64_t rounded_to(uint64_t bytes, uint64_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

// Takes the parts of a snapshot one after the other.
class SnapshotParts {
 public:
  SnapshotParts(std::string_view bytes, uint64_t offset) : fields_(bytes), offset_(offset) {}

  Result<Snapshot> take() {
    fields_.bytes(kSnapshotStart.size());
    const std::string_view version = fields_.bytes(2);
    constexpr std::string_view kFreeRtosLittle = "\xA1\x1A", kFreeRtosBig = "\x1A\xA1";
    if (version != kFreeRtosLittle && version != kFreeRtosBig)
      return fail("is a snapshot of another kernel than FreeRTOS");
    out_.is_big = version == kFreeRtosBig;
    out_.minor_version = fields_.little<uint8_t>();
    out_.is_greater_more_urgent = fields_.little<uint8_t>() != 0;
    take_counts();
    WEFT_TRY(take_objects());
    WEFT_TRY(take_symbols());
    out_.system_info = fields_.bytes(kSystemInfoBytes);
    WEFT_TRY(take_mark(0xF3F3F3F3));
    out_.records_offset = offset_ + fields_.at();
    out_.records = fields_.rest().substr(0, size_t{out_.capacity} * kRecord);
    return out_;
  }

 private:
  uint32_t word() { return fields_.number<uint32_t>(out_.is_big); }

  Status take_mark(uint32_t mark) {
    if (word() == mark && !fields_.has_failed()) return {};
    return fail(fmt::format("is a snapshot of a layout that is not known, at byte {}",
                            offset_ + fields_.at()));
  }

  void take_counts() {
    word();  // the size of all
    word();  // how many records there were
    out_.capacity = word();
    out_.next = word();
    out_.is_full = word() != 0;
    out_.frequency = word();
    out_.last_ticks = word();
    out_.last_seconds = word();
    word();  // whether it is recording
  }

  Status take_objects() {
    // How much lies before the mark has changed.
    constexpr int kMostWords = 8;
    bool is_found = false;
    for (int i = 0; i < kMostWords && !is_found; ++i) is_found = word() == 0xF0F0F0F0;
    if (!is_found) return fail("is a snapshot of a layout that is not known");
    const bool has_wide_handles = word() != 0;
    const uint32_t count = word(), size = word();
    constexpr uint32_t kMostClasses = 32;
    if (count > kMostClasses) return fail("is a snapshot with a damaged table of objects");
    const auto each = [&](uint64_t in_all, bool is_wide, const auto& set) {
      for (uint64_t i = 0; i < in_all; ++i) {
        const uint32_t value =
            is_wide ? fields_.number<uint16_t>(out_.is_big) : fields_.little<uint8_t>();
        if (i < std::min<uint64_t>(count, kSnapshotClasses)) set(out_.classes[i], value);
      }
    };
    const uint64_t by_4 = rounded_to(count, 4), by_2 = rounded_to(count, 2);
    using Table = ObjectClassTable;
    each(has_wide_handles ? by_2 : by_4, has_wide_handles,
         [](Table& table, uint32_t value) { table.count = value; });
    each(by_4, false, [](Table& table, uint32_t value) { table.name_bytes = value; });
    each(by_4, false, [](Table& table, uint32_t value) { table.bytes = value; });
    each(by_2, true, [](Table& table, uint32_t value) { table.start = value; });
    out_.objects = fields_.bytes(rounded_to(size, 4));
    return take_mark(0xF1F1F1F1);
  }

  Status take_symbols() {
    const uint32_t size = word();
    word();  // how much of it is taken
    out_.symbols = fields_.bytes(rounded_to(size, 4));
    fields_.bytes(kChecksums * sizeof(uint16_t));
    word();  // a float, to show how it is written
    out_.has_error = word() != 0;
    return take_mark(0xF2F2F2F2);
  }

  BinaryFields fields_;
  uint64_t offset_;
  Snapshot out_;
};

uint64_t address_of(SnapshotClass object, uint32_t handle) {
  constexpr uint32_t kHandleBits = 16;
  return (uint64_t{static_cast<uint8_t>(object)} + 1) << kHandleBits | handle;
}

class SnapshotPlayer {
 public:
  SnapshotPlayer(const Snapshot& snapshot, trace::EventSink& sink)
      : snapshot_(snapshot), sink_(sink), player_(sink) {}

  void play() {
    const size_t first = snapshot_.is_full ? snapshot_.next : 0;
    const size_t count = snapshot_.records.size() / kRecord;
    const size_t end = snapshot_.is_full ? count : std::min<size_t>(snapshot_.next, count);
    Records records = records_of(snapshot_.records.substr(0, end * kRecord), std::min(first, end),
                                 snapshot_.is_big, snapshot_.records_offset);
    if (snapshot_.records.size() < size_t{snapshot_.capacity} * kRecord)
      sink_.loss("input ends within the records",
                 snapshot_.records_offset + snapshot_.records.size());
    if (records.unknown > 0)
      sink_.loss("record of an unknown kind", records.first_unknown, records.unknown);
    look_back(records.all);
    start(records.all.empty() ? 0 : records.all.back().time);
    for (size_t i = 0; i < records.all.size() && sink_.keep_going(); ++i) play(records.all[i], i);
    player_.finish(snapshot_.records_offset + snapshot_.records.size());
  }

 private:
  struct Named {
    std::string name;
    uint32_t priority = 0;
  };

  // Determines earlier values: a change records what was before it; what is after it comes from
  // later records.
  void look_back(const std::vector<Record>& records) {
    read_table();
    uint32_t closed_priority = 0;
    for (size_t i = records.size(); i-- > 0;) {
      const Record& record = records[i];
      if (record.kind.shape == RecordShape::kProperty) closed_priority = record.param;
      if (record.kind.shape == RecordShape::kName) {
        if (record.handle == 0) continue;
        Named& named = objects_[address_of(record)];
        later_[i] = named;
        named = {std::string(symbol(record.param)), std::exchange(closed_priority, 0)};
      } else if (is_priority(record)) {
        uint32_t& priority = objects_[address_of(record)].priority;
        later_[i].priority = std::exchange(priority, record.param);
      } else if (has_object(record)) {
        objects_.try_emplace(address_of(record));
      }
    }
  }

  void read_table() {
    for (size_t i = 0; i < kSnapshotClasses; ++i) {
      const ObjectClassTable& table = snapshot_.classes[i];
      for (uint32_t handle = 1; handle <= table.count; ++handle) {
        const uint64_t at = table.start + uint64_t{table.bytes} * (handle - 1);
        if (at + table.bytes > snapshot_.objects.size() || table.name_bytes > table.bytes) break;
        const std::string_view all = snapshot_.objects.substr(static_cast<size_t>(at), table.bytes);
        const std::string_view name = until_zero(all.substr(0, table.name_bytes));
        const std::string_view properties = all.substr(table.name_bytes);
        if (name.empty()) continue;
        objects_[psf::address_of(static_cast<SnapshotClass>(i), handle)] = {
            std::string(name), properties.size() > 1 ? static_cast<uint8_t>(properties[1]) : 0u};
      }
    }
  }

  void start(uint64_t ticks) {
    Session session;
    session.layout.is_big = snapshot_.is_big;
    session.version = snapshot_.minor_version;
    session.kernel = Kernel::kFreeRtos;
    session.is_greater_more_urgent = snapshot_.is_greater_more_urgent;
    session.platform = "snapshot";
    session.frequency = snapshot_.frequency;
    // The last record has the time that is said.
    const uint64_t last =
        uint64_t{snapshot_.last_seconds} * snapshot_.frequency + snapshot_.last_ticks;
    begin_ = last > ticks ? last - ticks : 0;
    session.wraparounds = static_cast<uint32_t>(begin_ >> 32);
    session.latest = static_cast<uint32_t>(begin_);
    player_.start(session);
    const std::string info = valid_utf8(until_zero(snapshot_.system_info));
    if (!info.empty())
      sink_.set_metadata(snapshot_.has_error ? "error of the recorder" : "system", info);
    for (const auto& [address, named] : objects_) add_entry(address, named);
  }

  void add_entry(uint64_t address, const Named& named) {
    constexpr std::string_view kWords[] = {"queue",       "semaphore",     "mutex",
                                           "task",        "interrupt",     "timer",
                                           "event group", "stream buffer", "message buffer"};
    const std::string name =
        named.name.empty() ? fmt::format("{} {}", kWords[(address >> 16) - 1], address & 0xFFFF)
                           : named.name;
    player_.add_entry({.address = address, .states = {named.priority}, .symbol = name});
    objects_[address].priority = named.priority;
  }

  void play(const Record& record, size_t index) {
    if (record.kind.shape == RecordShape::kName) {
      if (record.handle != 0) add_entry(address_of(record), later_[index]);
      return;
    }
    if (record.kind.shape == RecordShape::kPrint) return print(record);
    if (record.kind.event == 0) return;
    std::vector<uint64_t> words;
    if (has_object(record)) words.push_back(address_of(record));
    if (is_priority(record)) {
      words.push_back(objects_[words.front()].priority = later_[index].priority);
    } else if (is_switch_or_creation(record)) {
      words.push_back(objects_[words.front()].priority);
    } else if (record.kind.shape == RecordShape::kSize) {
      words = {record.address, record.param};
    } else if (record.kind.shape != RecordShape::kHandle &&
               record.kind.shape != RecordShape::kTime) {
      words.push_back(record.param);
    }
    const EventInfo* const info = event_of(Kernel::kFreeRtos, record.kind.event);
    while (!words.empty() && info != nullptr && !takes(*info, words.size())) words.pop_back();
    std::string bytes;
    for (const uint64_t word : words) append_word(bytes, static_cast<uint32_t>(word));
    player_.add({record.kind.event, 0, timestamp_of(record), bytes}, record.offset);
  }

  void append_word(std::string& bytes, uint32_t word) const {
    for (uint32_t i = 0; i < sizeof word; ++i)
      bytes += static_cast<char>(word >> 8 * (snapshot_.is_big ? sizeof word - 1 - i : i));
  }

  // The symbol is the format; it names the channel. Arguments lie at multiples of their sizes.
  void print(const Record& record) {
    const std::string format(symbol(record.param));
    std::vector<uint64_t> values;
    std::string_view rest = format;
    size_t at = 0;
    while (const auto bytes = next_argument_bytes(rest)) {
      at = rounded_to(at, std::min<size_t>(*bytes, kRecord));
      if (at + *bytes > record.arguments.size()) break;
      const uint64_t value =
          Layout{.is_big = snapshot_.is_big}.number(record.arguments, at, *bytes);
      if (is_text_) {
        values.push_back(address_of_symbol(static_cast<uint32_t>(value)));
      } else if (*bytes == sizeof(double)) {  // a word of a stream is a float
        const auto real = static_cast<float>(std::bit_cast<double>(value));
        values.push_back(std::bit_cast<uint32_t>(real));
      } else {
        values.push_back(value);
      }
      at += *bytes;
    }
    const uint32_t channel = channel_of(record.param);
    player_.add_print({0, 0, timestamp_of(record), {}},
                      channel == 0 ? 0 : address_of_symbol(channel), values, format);
  }

  uint64_t address_of_symbol(uint32_t number) {
    const uint64_t address = kSymbolAddress | number;
    player_.add_entry({.address = address, .symbol = symbol(number)});
    return address;
  }

  // Returns the packed size of the next value of a format; nullopt at the end.
  std::optional<size_t> next_argument_bytes(std::string_view& format) {
    while (true) {
      format.remove_prefix(std::min(format.size(), format.find('%')));
      if (format.size() < 2) return std::nullopt;
      format.remove_prefix(1);
      if (take_prefix(format, "%")) continue;
      while (!format.empty() && "0123456789#."sv.find(format.front()) != std::string_view::npos)
        format.remove_prefix(1);
      const char sign = format.empty() ? '\0' : format.front();
      is_text_ = sign == 's';
      if (sign == 's' || sign == 'h') return 2;
      if (sign == 'b') return 1;
      if (sign == 'l') return 8;
      if ("dxXuf"sv.find(sign) != std::string_view::npos && sign != 0) return 4;
    }
  }

  std::string_view symbol(uint32_t number) const {
    constexpr size_t kBefore = 4;
    if (number == 0 || number + kBefore > snapshot_.symbols.size()) return {};
    return until_zero(snapshot_.symbols.substr(number + kBefore));
  }
  uint32_t channel_of(uint32_t symbol) const {
    constexpr size_t kChannel = 2;
    return static_cast<uint32_t>(Layout{}.number(snapshot_.symbols, symbol + kChannel, 2));
  }

  static uint64_t address_of(const Record& record) {
    return psf::address_of(record.kind.object, record.handle);
  }
  static bool has_object(const Record& record) {
    const RecordShape shape = record.kind.shape;
    return shape == RecordShape::kHandle || shape == RecordShape::kHandleParam;
  }
  static bool is_priority(const Record& record) {
    constexpr uint8_t kFirst = 0x04, kLast = 0x06;
    return has_object(record) && record.kind.event >= kFirst && record.kind.event <= kLast;
  }
  static bool is_switch_or_creation(const Record& record) {
    constexpr uint8_t kCreate = 0x10, kBegin = 0x35, kResume = 0x36;
    return record.kind.event == kCreate || record.kind.event == kBegin ||
           record.kind.event == kResume;
  }
  uint32_t timestamp_of(const Record& record) const {
    return static_cast<uint32_t>(begin_ + record.time);
  }

  const Snapshot& snapshot_;
  trace::EventSink& sink_;
  Player player_;
  uint64_t begin_ = 0;                 // ticks before the first record
  bool is_text_ = false;               // the argument that was looked at last
  std::map<uint64_t, Named> objects_;  // as they are where the player is
  std::map<size_t, Named> later_;      // behind the record of this number
};

}  // namespace

size_t find_snapshot(std::string_view bytes) { return bytes.find(kSnapshotStart); }

Status read_snapshot(io::Source& source, trace::EventSink& sink) {
  WEFT_TRY_ASSIGN(const WholeInput whole, WholeInput::read(source, sink));
  const size_t at = find_snapshot(whole.bytes());
  if (at == std::string_view::npos) return fail("does not begin as a recording does");
  WEFT_TRY_ASSIGN(const Snapshot snapshot, SnapshotParts(whole.bytes().substr(at), at).take());
  SnapshotPlayer(snapshot, sink).play();
  return {};
}

}  // namespace weft::formats::psf
