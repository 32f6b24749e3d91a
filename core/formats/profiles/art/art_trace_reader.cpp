#include "core/formats/profiles/art/art_trace_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/art/art_block.h"
#include "core/formats/profiles/art/art_calls.h"

namespace weft::formats {
namespace {

using art::Action;
using art::Calls;

constexpr std::string_view kMagic = "SLOW", kTextBegin = "*version\n";
constexpr uint16_t kStreamingBits = 0xF0, kFirstPacketVersion = 4, kDualPacketVersion = 5,
                   kLongRunningVersion = 6;
constexpr size_t kHeaderBytes = 32;
constexpr size_t kMostLineBytes = size_t{1} << 16;

class ArtTraceReader {
 public:
  ArtTraceReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : window_(source, sink),
        sink_(sink),
        memory_bytes_(memory_bytes),
        calls_(sink, memory_bytes / 2) {}

  Status read() {
    const bool begins_with_text = !kMagic.starts_with(window_.peek_most(kMagic.size()));
    sink_.set_time_base(begins_with_text ? TimeBase::kMicroseconds : base_of_header());
    if (begins_with_text) {
      read_text();
      // The text alone is a trace without calls.
      if (!has_text_end_) return finish();
    }
    WEFT_TRY(read_header(begins_with_text));
    if (version_ == 0) return finish();
    if (version_ >= kFirstPacketVersion) {
      read_packets();
    } else {
      begins_with_text ? read_records() : read_stream();
    }
    return finish();
  }

 private:
  enum class Section : uint8_t { kNone, kVersion, kThreads, kMethods };
  struct Metadata {
    std::string clock;
    std::optional<uint64_t> calls, elapsed;
  };

  TimeBase base_of_header() {
    std::string_view head = window_.peek_most(kHeaderBytes);
    head.remove_prefix(std::min(kMagic.size(), head.size()));
    const unsigned version = take_little<uint16_t>(head).value_or(0) & 0xFU;
    return version >= kFirstPacketVersion ? TimeBase::kNanoseconds : TimeBase::kMicroseconds;
  }

  // --- The text ---

  // The next line, without its end; nothing at the input's.
  std::optional<std::string_view> peek_line(size_t& size) {
    const std::string_view bytes = window_.peek_most(kMostLineBytes);
    if (bytes.empty()) return std::nullopt;
    const size_t end = find_any<'\n'>(bytes);
    size = std::min(bytes.size(), end + 1);
    if (end == bytes.size() && end == kMostLineBytes) sink_.loss("line too long", window_.offset());
    return bytes.substr(0, end);
  }

  void read_text() {
    Section section = Section::kNone;
    size_t size = 0;
    for (auto line = peek_line(size); line && !has_text_end_ && window_.is_wanted();
         line = peek_line(size)) {
      add_line(*line, section);
      window_.skip(size);
      if (has_text_end_) return;
    }
  }

  void add_line(std::string_view line, Section& section) {
    if (line.starts_with('*')) {
      section = line == "*version"   ? Section::kVersion
                : line == "*threads" ? Section::kThreads
                : line == "*methods" ? Section::kMethods
                                     : Section::kNone;
      has_text_end_ = line == "*end";
      return;
    }
    if (trimmed(line).empty()) return;
    const size_t tab = find_any<'\t'>(line);
    std::string_view id = line.substr(0, tab);
    const std::string_view rest = line.substr(std::min(line.size(), tab + 1));
    if (section == Section::kVersion) {
      add_property(line);
    } else if (section == Section::kThreads) {
      const auto number = parse_number<uint32_t>(id);
      if (!number) return sink_.loss("line that is not a thread", window_.offset());
      calls_.name_thread(*number, rest);
    } else if (section == Section::kMethods) {
      add_method(line);
    } else {
      sink_.loss("line in no section", window_.offset());
    }
  }

  // "0x3f4\tandroid.view.Window\t…"
  void add_method(std::string_view line) {
    std::string_view id = line.substr(0, find_any<'\t'>(line));
    const std::string_view rest = line.substr(std::min(line.size(), id.size() + 1));
    take_prefix(id, "0x");
    const auto number = take_hexadecimal(id);
    if (!number || !id.empty()) return sink_.loss("line that is not a method", window_.offset());
    calls_.add_method(*number, rest);
  }

  // "clock=dual"; the version stands alone.
  void add_property(std::string_view line) {
    constexpr size_t kMostProperties = 256;
    const size_t equals = find_any<'='>(line);
    if (equals == line.size()) return sink_.set_metadata("version", valid_utf8(line));
    const std::string_view name = line.substr(0, equals), value = line.substr(equals + 1);
    if (++properties_ > kMostProperties)
      return sink_.loss("more properties than are kept", window_.offset());
    sink_.set_metadata(valid_utf8(name), valid_utf8(value));
    if (name == "clock") said_.clock = value;
    if (name == "num-method-calls") said_.calls = parse_number<uint64_t>(value);
    if (name == "elapsed-time-usec") said_.elapsed = parse_number<uint64_t>(value);
    if (name == "data-file-overflow" && value == "true")
      sink_.loss("recording that ended early: its buffer was full", window_.offset());
    if (const auto pid = parse_number<int64_t>(value); name == "pid" && pid)
      calls_.name_process(*pid);
  }

  // --- Records of one size ---

  Status read_header(bool has_text) {
    const auto bytes = window_.peek(kHeaderBytes);
    if (!bytes || !bytes->starts_with(kMagic)) {
      if (!has_text) return fail("ends within its header");
      // The text describes the trace.
      if (bytes || !window_.peek(1)) sink_.loss("no records behind the text", window_.offset());
      return {};
    }
    std::string_view header = bytes->substr(kMagic.size());
    const unsigned version = take_little<uint16_t>(header).value_or(0);
    version_ = static_cast<uint16_t>(version & 0xFU);
    const bool is_known = (version & ~(kStreamingBits | 0xFU)) == 0 && version_ >= 1 &&
                          version_ <= (has_text ? kFirstPacketVersion - 1 : kLongRunningVersion);
    if (!is_known && !has_text)
      return fail(fmt::format("is of version {}; versions 1 to 6 are read", version));
    if (!is_known) {
      sink_.loss("records of an unknown version", window_.offset());
      window_.skip(std::numeric_limits<uint64_t>::max());
      version_ = 0;
      return {};
    }
    const bool has_packets = version_ >= kFirstPacketVersion;
    const size_t data_at = has_packets ? kHeaderBytes : take_little<uint16_t>(header).value_or(0);
    const uint64_t start = take_little<uint64_t>(header).value_or(0);
    if (has_packets) {
      take_little<uint64_t>(header);  // the counter's value then
      ticks_per_second_ = take_little<uint64_t>(header).value_or(0);
    } else {
      set_record_size(take_little<uint16_t>(header).value_or(0));
    }
    start_ = start;
    if (start > kMostTicks) {
      sink_.loss("start time out of range", window_.offset());
      start_ = 0;
    }
    // Each thread's clock begins at 0 where calls are timed by it alone.
    calls_.begin(Time{static_cast<int64_t>(start_)}, has_packets ? "cpu_ns" : "cpu_us");
    window_.skip(std::max(data_at, kMagic.size()));
    return {};
  }

  void set_record_size(uint16_t said) {
    constexpr uint16_t kBytesOfVersion[] = {9, 10, 14};
    constexpr uint16_t kMostBytes = 256;
    thread_bytes_ = version_ == 1 ? 1 : 2;
    record_bytes_ = kBytesOfVersion[version_ - 1];
    const size_t least = thread_bytes_ + 8;
    if (version_ > 1 && said >= least && said <= kMostBytes) {
      record_bytes_ = said;
    } else if (version_ > 1 && said != 0) {
      sink_.loss("size of records that is none", window_.offset());
    }
    const bool has_one_clock = !said_.clock.empty() && said_.clock != "dual";
    is_dual_ = record_bytes_ >= least + 4 && !has_one_clock;
  }

  void read_records() {
    uint64_t records = 0;
    while (const auto bytes = window_.peek(record_bytes_)) {
      add_record(*bytes);
      window_.skip(record_bytes_);
      ++records;
      if (!window_.is_wanted()) return;
    }
    if (said_.calls && *said_.calls > records) {
      sink_.loss("record that is missing at the end", window_.offset(), *said_.calls - records);
    }
  }

  void add_record(std::string_view bytes) {
    const uint32_t id =
        thread_bytes_ == 1 ? *take_little<uint8_t>(bytes) : *take_little<uint16_t>(bytes);
    const uint32_t method = *take_little<uint32_t>(bytes);
    const uint32_t first = *take_little<uint32_t>(bytes);
    art::Record record{.action = static_cast<Action>(method & 3), .method = method & ~3U};
    uint32_t ticks = first;
    if (is_dual_) {
      record.cpu = first;
      ticks = *take_little<uint32_t>(bytes);
    }
    Calls::Thread& thread = calls_.thread(id);
    const uint64_t delta = unwrapped(thread, ticks);
    record.time = Time{saturating_add(static_cast<int64_t>(start_), static_cast<int64_t>(delta))};
    calls_.add(thread, record, window_.offset());
  }

  // Times are 32 bits of microseconds, which begin again after 71 minutes. A step back by more than
  // a quarter of that is such a begin; a smaller one is a clock's.
  uint64_t unwrapped(Calls::Thread& thread, uint32_t ticks) {
    constexpr uint64_t kTurn = uint64_t{1} << 32, kStepBack = kTurn / 4;
    uint64_t delta = ticks;
    const bool has_turned = !said_.elapsed || *said_.elapsed >= kTurn;
    if (has_turned && (thread.ticks || last_ticks_ >= kTurn)) {
      const uint64_t before = thread.ticks.value_or(last_ticks_);
      delta += before / kTurn * kTurn;
      if (before > delta && before - delta > kStepBack) {
        delta += kTurn;
      } else if (!thread.ticks && delta > before + kTurn / 2) {
        delta -= kTurn;  // a thread whose first record is of before the last turn
      }
    }
    thread.ticks = delta;
    last_ticks_ = std::max(last_ticks_, delta);
    return delta;
  }

  // --- Records with names among them ---

  void read_stream() {
    while (const auto begin = window_.peek(thread_bytes_)) {
      const bool is_record = std::ranges::any_of(*begin, [](char c) { return c != 0; });
      if (!(is_record ? read_stream_record() : read_stream_packet())) return;
      if (!window_.is_wanted()) return;
    }
  }

  bool read_stream_record() {
    const auto bytes = window_.peek(record_bytes_);
    if (!bytes) return false;
    add_record(*bytes);
    return window_.skip(record_bytes_);
  }

  // Returns false if the stream ends.
  bool read_stream_packet() {
    constexpr uint8_t kMethod = 1, kThread = 2, kSummary = 3;
    const size_t at = thread_bytes_;
    std::string_view head = window_.peek_most(at + 5);
    head.remove_prefix(std::min(at, head.size()));
    const auto kind = take_little<uint8_t>(head);
    const auto number = take_little<uint16_t>(head);  // of the thread, or the size
    const auto size = take_little<uint16_t>(head);
    if (kind == kMethod && number) {
      return read_name(at + 3, *number, [this](std::string_view line) { add_method(line); });
    }
    if (kind == kThread && size) {
      const uint32_t id = *number;
      const auto add = [this, id](std::string_view name) { calls_.name_thread(id, name); };
      return read_name(at + 5, *size, add);
    }
    if (kind == kSummary && window_.peek(at + 5)) {
      window_.skip(at + 5);
      read_summary();
      return false;
    }
    if (kind == kMethod || kind == kThread || kind == kSummary || !kind) return false;
    sink_.loss("packet of an unknown kind, and what follows", window_.offset());
    window_.skip(std::numeric_limits<uint64_t>::max());
    return false;
  }

  template <class Add>
  bool read_name(size_t head_bytes, size_t size, const Add& add) {
    const auto bytes = window_.peek(head_bytes + size);
    if (!bytes) return false;
    add(bytes->substr(head_bytes));
    return window_.skip(head_bytes + size);
  }

  void read_summary() {
    read_text();
    if (window_.peek(1) && has_text_end_) {
      sink_.loss("bytes behind the trace's end", window_.offset());
      window_.skip(std::numeric_limits<uint64_t>::max());
    }
  }

  // --- Packets ---

  void read_packets() {
    while (window_.peek(1) && read_packet() && window_.is_wanted()) {
    }
  }

  // Returns false if the trace ends.
  bool read_packet() {
    constexpr uint8_t kThread = 0, kMethod = 1, kRecords = 2, kSummary = 3;
    constexpr size_t kThreadBytes = 7, kMethodBytes = 11, kTimesBytes = 17;
    std::string_view head = window_.peek_most(kBlockHeaderBytes);
    const auto kind = take_little<uint8_t>(head);
    if (kind == kThread && head.size() >= kThreadBytes - 1) {
      const auto id = *take_little<uint32_t>(head);
      const auto add = [this, id](std::string_view name) { calls_.name_thread(id, name); };
      return read_name(kThreadBytes, *take_little<uint16_t>(head), add);
    }
    if (kind == kMethod && head.size() >= kMethodBytes - 1) {
      const auto id = *take_little<uint64_t>(head);
      const auto add = [this, id](std::string_view line) { calls_.add_method(id, line); };
      return read_name(kMethodBytes, *take_little<uint16_t>(head), add);
    }
    if (kind == kRecords && head.size() >= kBlockHeaderBytes - 1) return read_block();
    if (kind == kSummary && version_ == kLongRunningVersion)
      return window_.peek(kTimesBytes) && window_.skip(kTimesBytes);
    if (kind == kSummary && head.size() >= 2) {
      const bool has_size = head.front() != '*';
      window_.skip(has_size ? 3 : 1);
      read_summary();
      return false;
    }
    if (kind && *kind <= kSummary) return false;  // cut
    sink_.loss("packet of an unknown kind, and what follows", window_.offset());
    window_.skip(std::numeric_limits<uint64_t>::max());
    return false;
  }

  static constexpr size_t kBlockHeaderBytes = art::kBlockHeaderBytes;

  bool read_block() {
    const art::BlockHeader header = art::block_header_from(*window_.peek(kBlockHeaderBytes));
    const bool is_dual = version_ == kDualPacketVersion;
    if (header.bytes > memory_bytes_ / 4) {
      sink_.loss("block that is too long", window_.offset());
      return window_.skip(kBlockHeaderBytes + uint64_t{header.bytes});
    }
    std::string_view bytes = window_.peek_most(kBlockHeaderBytes + header.bytes);
    bytes.remove_prefix(kBlockHeaderBytes);
    if (!layout_ && !bytes.empty())
      layout_ = version_ == kLongRunningVersion ? art::BlockLayout::kLongRunning
                                                : art::layout_of(bytes, header, is_dual, calls_);
    const auto layout = layout_.value_or(art::BlockLayout::kMethodFirst);
    const size_t used = art::records_of(bytes, layout, is_dual, block_);
    const uint64_t offset = window_.offset() + kBlockHeaderBytes;
    Calls::Thread& thread = calls_.thread(header.thread);
    for (const art::BlockRecord& each : block_) add_block_record(thread, each, offset + each.at);
    if (bytes.size() < header.bytes) return false;  // cut
    if (used < bytes.size())
      sink_.loss("bytes that are not records", {offset + used, thread.lane, thread.last});
    const bool is_counted_on = goes_on_counting(header);
    if (block_.size() < header.records && !is_counted_on)
      sink_.loss("record that is missing in a block", {offset, thread.lane, thread.last},
                 header.records - block_.size());
    return window_.skip(kBlockHeaderBytes + header.bytes);
  }

  // A thread's buffer may be written as several blocks; ART then counts the records of the blocks
  // before, too.
  bool goes_on_counting(const art::BlockHeader& header) {
    const bool goes_on = header.thread == counted_thread_;
    const uint64_t before = goes_on ? counted_ : 0;
    counted_thread_ = header.thread;
    counted_ = block_.size() + (header.records == before + block_.size() ? before : 0);
    return goes_on && header.records == before + block_.size();
  }

  void add_block_record(Calls::Thread& thread, const art::BlockRecord& record, uint64_t offset) {
    uint64_t ticks = record.ticks;
    if (layout_ == art::BlockLayout::kTimeFirst && ticks_per_second_ > 0) {
      const auto ns = static_cast<unsigned __int128>(ticks) * kNsPerSecond;
      ticks = static_cast<uint64_t>(
          std::min<unsigned __int128>(ns / ticks_per_second_, kMostTicks + 1));
    }
    if (ticks > kMostTicks)
      return sink_.loss("time out of range", {offset, thread.lane, thread.last});
    // Times of long-running traces do not count from the start.
    const uint64_t base = layout_ == art::BlockLayout::kLongRunning ? 0 : start_;
    calls_.add(thread,
               {.action = record.action,
                .method = record.method,
                .time = Time{static_cast<int64_t>(base + ticks)},
                .cpu = record.cpu},
               offset);
  }

  Status finish() {
    calls_.finish(said_.clock == "thread-cpu");
    window_.finish("a record");
    if (!has_text_end_ && version_ != kLongRunningVersion)
      sink_.loss("trace without its end", window_.offset());
    return {};
  }

  static constexpr uint64_t kMostTicks = uint64_t{1} << 61;

  ByteWindow window_;
  trace::EventSink& sink_;
  uint64_t memory_bytes_;
  Calls calls_;
  bool has_text_end_ = false;
  size_t properties_ = 0;
  Metadata said_;
  uint16_t version_ = 0;
  uint64_t start_ = 0;
  // Records of one size.
  size_t thread_bytes_ = 2, record_bytes_ = 0;
  bool is_dual_ = false;
  uint64_t last_ticks_ = 0;
  // Packets.
  uint64_t ticks_per_second_ = 0;  // of the counter; 0: nanoseconds
  std::optional<art::BlockLayout> layout_;
  std::vector<art::BlockRecord> block_;
  uint32_t counted_thread_ = 0;
  uint64_t counted_ = 0;
};

}  // namespace

int sniff_art_trace(std::span<const std::byte> head) {
  constexpr int kCertain = 100, kSure = 95;
  std::string_view bytes = as_chars(head);
  if (take_prefix(bytes, kTextBegin)) {
    return parse_number<uint32_t>(trimmed(bytes.substr(0, find_any<'\n'>(bytes)))) ? kCertain : 0;
  }
  if (!take_prefix(bytes, kMagic)) return 0;
  const unsigned version = take_little<uint16_t>(bytes).value_or(0) & ~unsigned{kStreamingBits};
  return version >= 1 && version <= kLongRunningVersion ? kSure : 0;
}

Status read_art_trace(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  return ArtTraceReader(source, sink, context.memory_bytes).read();
}

}  // namespace weft::formats
