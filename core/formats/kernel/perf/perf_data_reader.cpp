#include "core/formats/kernel/perf/perf_data_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/early_end.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/perf/perf_compressed.h"
#include "core/formats/kernel/perf/perf_counts.h"
#include "core/formats/kernel/perf/perf_player.h"
#include "core/formats/kernel/perf/perf_record.h"
#include "core/formats/stacks/time_order.h"
#include "core/io/reopen.h"
#include "core/io/temporary_file.h"

namespace weft::formats {
namespace {

using perf::Attributes;
using perf::Record;

constexpr std::string_view kPerfDataMagic = "PERFILE2", kPerfDataMagicBigEndian = "2ELIFREP";
// The magic before Linux 3.6; the content is the same.
constexpr std::string_view kFirstPerfDataMagic = "PERFFILE";
constexpr size_t kPipeHeaderBytes = 16, kFileHeaderBytes = 104;

bool begins_as_perf_data(std::string_view head) {
  return head.starts_with(kPerfDataMagic) || head.starts_with(kFirstPerfDataMagic);
}

struct Section {
  uint64_t offset = 0, size = 0;
};
Section take_section(std::string_view& bytes) {
  const uint64_t offset = take_little<uint64_t>(bytes).value_or(0);
  return {offset, take_little<uint64_t>(bytes).value_or(0)};
}

// Its header has no places in a file.
bool is_of_pipe(std::string_view head) {
  if (!begins_as_perf_data(head)) return false;
  head.remove_prefix(kPerfDataMagic.size());
  return take_little<uint64_t>(head) == kPipeHeaderBytes;
}

enum Feature : uint64_t {
  kTracingFormats = 1,
  kHostName = 3,
  kRelease = 4,
  kVersion = 5,
  kArchitecture = 6,
  kCpu = 8,
  kEventDescription = 12,
  kDirectory = 24,
};

// A file of records.
struct Input {
  Input(io::Source& source, trace::EventSink& sink) : window(source, sink) {}

  ByteWindow window;
  perf::CompressedRecords compressed;
  Time last{};  // of the last record
};

class PerfDataReader {
 public:
  PerfDataReader(io::Source& source, trace::EventSink& sink, const ReadContext& context)
      : source_(source),
        main_(source, sink),
        sink_(sink),
        most_bytes_(context.memory_bytes / 4),
        order_(context.memory_bytes / 8),
        player_(sink, context.memory_bytes / 8),
        counts_(sink) {}

  Status read() {
    WEFT_TRY(read_header());
    while (window_.is_wanted() && window_.offset() < data_end_ && read_record(main_)) {
    }
    if (window_.offset() < data_end_) {
      if (data_end_ != UINT64_MAX) sink_.loss("records that are cut", window_.offset());
      window_.finish("a record");
    }
    if (is_directory_) read_beside();
    order_.finish([this](const Record& record) { play(record); });
    if (order_.late() > 0)
      sink_.note("record later than the window of order", trace::LossPlace::nowhere(),
                 order_.late());
    player_.finish();
    return {};
  }

 private:
  Status read_header() {
    const auto head = window_.peek(kPipeHeaderBytes);
    if (!head) return fail("ends within its header");
    if (head->starts_with(kPerfDataMagicBigEndian))
      return fail("was written by a big-endian machine: not read");
    if (!begins_as_perf_data(*head)) return fail("does not begin as a recording of perf does");
    if (is_of_pipe(*head)) {
      window_.skip(kPipeHeaderBytes);
      return {};
    }
    return read_file_header();
  }

  // Attributes stand before the records, all else behind them.
  Status read_file_header() {
    const auto head = window_.peek(kFileHeaderBytes);
    if (!head) return fail("ends within its header");
    std::string_view bytes = head->substr(kPipeHeaderBytes);
    std::string_view said_size = head->substr(kPerfDataMagic.size());
    const uint64_t attribute_bytes = *take_little<uint64_t>(bytes);
    const Section attributes = take_section(bytes), data = take_section(bytes);
    const Section types = take_section(bytes);  // of events, of old
    const bool has_features = *take_little<uint64_t>(said_size) >= kFileHeaderBytes;
    const uint64_t features = has_features ? *take_little<uint64_t>(bytes) : 0;
    if (data.offset > most_bytes_ || data.offset < kFileHeaderBytes)
      return fail("has no place for its attributes");
    const auto before = window_.peek(static_cast<size_t>(data.offset));
    if (!before) return fail("ends within its header");
    read_attributes(*before, attributes, attribute_bytes);
    name_tracepoints(*before, types);
    window_.skip(data.offset);
    if (data.size == 0) {
      // perf says at its end how long they are.
      sink_.loss("recording that was not finished", data.offset);
    } else {
      data_end_ = data.offset + std::min(data.size, UINT64_MAX - data.offset);
      read_features(features);
    }
    if (events_.empty()) return fail("has no events");
    return {};
  }

  // Each is followed by where its numbers stand.
  void read_attributes(std::string_view before, Section at, uint64_t each_bytes) {
    constexpr uint64_t kSectionBytes = 16;
    if (each_bytes < perf::kLeastAttributes + kSectionBytes || at.offset > before.size()) return;
    std::string_view rest = before.substr(static_cast<size_t>(at.offset));
    rest = rest.substr(0, static_cast<size_t>(std::min<uint64_t>(at.size, rest.size())));
    while (const auto each = take_bytes(rest, each_bytes)) {
      std::string_view section = each->substr(each->size() - kSectionBytes);
      const Section ids = take_section(section);
      if (ids.offset > before.size()) {
        add_event(*each, {});
        continue;
      }
      const std::string_view numbers = before.substr(static_cast<size_t>(ids.offset));
      add_event(*each, numbers.substr(
                           0, static_cast<size_t>(std::min<uint64_t>(ids.size, numbers.size()))));
    }
  }

  void add_event(std::string_view bytes, std::string_view ids) {
    const auto attributes = perf::attributes_of(bytes);
    if (!attributes) return sink_.loss("event whose attributes are cut", window_.offset());
    events_.push_back(*attributes);
    while (const auto id = take_little<uint64_t>(ids)) event_of_id_[*id] = events_.size() - 1;
  }

  // From a second reading of the file: what stands behind the records.
  void read_features(uint64_t features) {
    is_directory_ = (features >> kDirectory & 1) != 0;
    if (features == 0) return;
    const auto again = io::Source::open(source_.path());
    if (!again || (*again)->is_folder()) return;
    ByteWindow behind(**again, sink_);
    constexpr uint64_t kSectionBytes = 16, kMostFeatures = 64;
    const auto count = static_cast<uint64_t>(__builtin_popcountll(features));
    const bool has_records = behind.skip(data_end_);
    const auto table = behind.peek(static_cast<size_t>(count * kSectionBytes));
    const auto lack = [&] { sink_.loss("descriptions behind the records: cut", behind.offset()); };
    if (!has_records || !table) return lack();
    const std::string sections(*table);
    std::string_view rest = sections;
    for (uint64_t feature = 0; feature < kMostFeatures; ++feature) {
      if ((features >> feature & 1) == 0) continue;
      const Section at = take_section(rest);
      const bool is_wanted =
          feature == kTracingFormats || (feature >= kHostName && feature <= kEventDescription);
      if (!is_wanted || at.offset < behind.offset() || at.size > most_bytes_) continue;
      if (!behind.skip(at.offset - behind.offset())) return lack();
      const auto bytes = behind.peek(static_cast<size_t>(at.size));
      if (!bytes) return lack();
      add_feature(feature, *bytes);
    }
  }

  static std::string take_text(std::string_view& bytes) {
    const auto size = take_little<uint32_t>(bytes);
    const auto text = take_bytes(bytes, size.value_or(0));
    if (!size || !text) return {};
    return valid_utf8(until_zero(*text));
  }

  void set_release(const std::string& release) {
    sink_.set_metadata("kernel", release);
    player_.set_release(release);
  }
  void set_architecture(const std::string& name) {
    sink_.set_metadata("architecture", name);
    player_.set_architecture(name);
  }

  void add_formats(std::string_view bytes, uint64_t offset) {
    if (!player_.add_formats(bytes)) sink_.loss("formats of tracepoints that are cut", offset);
  }

  void add_feature(uint64_t feature, std::string_view bytes) {
    switch (feature) {
      case kTracingFormats:
        return add_formats(bytes, window_.offset());
      case kHostName:
        return sink_.set_metadata("host", take_text(bytes));
      case kRelease:
        return set_release(take_text(bytes));
      case kVersion:
        return sink_.set_metadata("perf", take_text(bytes));
      case kArchitecture:
        return set_architecture(take_text(bytes));
      case kCpu:
        return sink_.set_metadata("processor", take_text(bytes));
      case kEventDescription:
        return name_events(bytes);
      default:
        return;
    }
  }

  // The old form: numbers, and names of 64 bytes each.
  void name_tracepoints(std::string_view before, Section at) {
    constexpr size_t kNameBytes = 64;
    if (at.offset > before.size()) return;
    std::string_view rest = before.substr(static_cast<size_t>(at.offset));
    rest = rest.substr(0, static_cast<size_t>(std::min<uint64_t>(at.size, rest.size())));
    while (const auto each = take_bytes(rest, sizeof(uint64_t) + kNameBytes)) {
      std::string_view bytes = *each;
      const uint64_t number = *take_little<uint64_t>(bytes);
      const std::string name = valid_utf8(bytes.substr(0, bytes.find('\0')));
      for (Attributes& event : events_) {
        if (event.type == perf::kTracepoint && event.config == number && !name.empty())
          event.name = name;
      }
    }
  }

  // How many, how long attributes are; then each: attributes, how many numbers, name, numbers.
  void name_events(std::string_view bytes) {
    const uint32_t count = take_little<uint32_t>(bytes).value_or(0);
    const uint32_t attribute_bytes = take_little<uint32_t>(bytes).value_or(0);
    for (uint32_t i = 0; i < count; ++i) {
      const auto attributes = take_bytes(bytes, attribute_bytes);
      const auto ids = take_little<uint32_t>(bytes);
      if (!attributes || !ids) return;
      const std::string name = take_text(bytes);
      const auto numbers = take_bytes(bytes, uint64_t{*ids} * 8);
      if (!numbers) return;
      const auto described = perf::attributes_of(*attributes);
      for (Attributes& event : events_) {
        const bool is_it =
            described && described->type == event.type && described->config == event.config;
        if (is_it && !name.empty()) event.name = name;
      }
    }
  }

  // With `perf record --threads`, reads the files of the threads beside it ("data.0" of "data"), in
  // order.
  void read_beside() {
    constexpr int kRecordsAtOnce = 4096;
    std::vector<std::unique_ptr<io::Source>> sources;
    std::vector<std::unique_ptr<Input>> inputs;
    for (std::filesystem::path path = source_.path();;) {
      path.replace_filename(
          fmt::format("{}.{}", source_.path().filename().string(), sources.size()));
      auto source = io::Source::open(path);
      if (!source || (*source)->is_folder()) break;
      inputs.push_back(std::make_unique<Input>(**source, sink_));
      sources.push_back(std::move(*source));
    }
    if (inputs.empty())
      sink_.loss("files of its threads, which are not beside it", trace::LossPlace::nowhere());
    while (!inputs.empty()) {
      const auto first =
          std::ranges::min_element(inputs, {}, [](const auto& input) { return input->last; });
      Input& input = **first;
      order_.give_until(input.last, [this](const Record& each) { play(each); });
      for (int i = 0; i < kRecordsAtOnce; ++i) {
        if (input.window.is_wanted() && read_record(input)) continue;
        input.window.finish("a record");
        inputs.erase(first);
        break;
      }
    }
  }

  // Returns false at the end.
  bool read_record(Input& input) {
    ByteWindow& window = input.window;
    const auto head = window.peek(perf::kRecordHeaderBytes);
    if (!head) return false;
    std::string_view bytes = *head;
    Record record;
    record.type = *take_little<uint32_t>(bytes);
    record.misc = *take_little<uint16_t>(bytes);
    const size_t size = *take_little<uint16_t>(bytes);
    record.offset = window.offset();
    if (size < perf::kRecordHeaderBytes) {
      sink_.loss("record without a length: what follows is lost", window.offset());
      window.skip(UINT64_MAX);
      return false;
    }
    const auto whole = window.peek(size);
    if (!whole) return false;
    record.body = whole->substr(perf::kRecordHeaderBytes);
    window.skip(size);
    return record.type < perf::kFirstOfUser ? add(input, std::move(record))
                                            : add_of_user(input, record);
  }

  bool add(Input& input, Record record) {
    if (events_.empty()) {
      sink_.loss("record before its event", record.offset);
      return true;
    }
    const Attributes& event = event_of(record);
    std::optional<uint64_t> time;
    if (record.type == perf::kSample) {
      if (const auto sample = perf::sample_of(record.body, event)) time = sample->time;
    } else {
      time = perf::ending_of(record.body, event).time;
    }
    record.time = Time{static_cast<int64_t>(
        std::min<uint64_t>(time.value_or(0), std::numeric_limits<int64_t>::max()))};
    // One without a time stays where it stands.
    if (!time || record.time.ticks == 0) record.time = input.last;
    input.last = record.time;
    latest_ = std::max(latest_, record.time);
    kept_bytes_ += record.body.size();
    const auto play_it = [this](const Record& each) { play(each); };
    order_.add(std::move(record), play_it);
    if (kept_bytes_ > most_bytes_) order_.give_half(play_it);
    return true;
  }

  // Adds perf's own records between the kernel's. Returns false if nothing can be read after it.
  bool add_of_user(Input& input, const Record& record) {
    std::string_view body = record.body;
    switch (record.type) {
      case perf::kAttributes: {
        const std::string_view attributes = body;
        take_little<uint32_t>(body);
        const size_t size = take_little<uint32_t>(body).value_or(0);
        add_event(attributes, attributes.substr(std::min(std::max(size, perf::kLeastAttributes),
                                                         attributes.size())));
        return true;
      }
      case perf::kFeature: {
        const uint64_t feature = take_little<uint64_t>(body).value_or(0);
        add_feature(feature, body);
        return true;
      }
      case perf::kFinishedRound:
        // Nothing later is older than the previous round's events.
        order_.give_until(round_, [this](const Record& each) { play(each); });
        round_ = latest_;
        return true;
      case perf::kTracingData:
        return read_formats(take_little<uint32_t>(body).value_or(0));
      case perf::kAuxTrace:
        sink_.note("trace of a processor's hardware: not read", record.offset);
        return input.window.skip(take_little<uint64_t>(body).value_or(0));
      case perf::kCountsConfiguration:
        counts_.configure(body);
        return true;
      case perf::kCount:
        counts_.add(body, name_of(perf::Counts::id_of(body)), record.offset);
        return true;
      case perf::kCountsInterval:
        counts_.end_interval(body, record.offset);
        return true;
      case perf::kCompressed:
        add_compressed(input, body, record.offset);
        return true;
      case perf::kCompressed2: {
        const auto size = take_little<uint64_t>(body);  // without what it is padded with
        add_compressed(input, body.substr(0, std::min<uint64_t>(size.value_or(0), body.size())),
                       record.offset);
        return true;
      }
      default:
        return true;
    }
  }

  // In a pipe, formats follow their record, padded to whole words.
  bool read_formats(uint32_t size) {
    const uint64_t filled = (uint64_t{size} + 7) & ~uint64_t{7};
    if (filled > most_bytes_) {
      sink_.loss("formats of tracepoints beyond the memory for them", window_.offset());
      return window_.skip(filled);
    }
    const auto bytes = window_.peek(static_cast<size_t>(filled));
    if (!bytes) return false;
    add_formats(bytes->substr(0, size), window_.offset());
    return window_.skip(filled);
  }

  // perf does not compress its own records.
  void add_compressed(Input& input, std::string_view piece, uint64_t offset) {
    Status status = input.compressed.add(piece);
    while (status) {
      auto record = input.compressed.next();
      if (!record) {
        status = std::unexpected(record.error());
        break;
      }
      if (!*record) return;
      (*record)->offset = offset;
      if ((*record)->type < perf::kFirstOfUser) add(input, std::move(**record));
    }
    sink_.loss("compressed records: " + status.error().message, offset);
  }

  const Attributes& event_of(const Record& record) const {
    if (record.type != perf::kSample || events_.size() == 1) return events_.front();
    const auto id = perf::id_of_sample(record.body, events_.front());
    const auto it = id ? event_of_id_.find(*id) : event_of_id_.end();
    return it == event_of_id_.end() ? events_.front() : events_[it->second];
  }

  // The name of a count; clocks count nanoseconds.
  std::string name_of(uint64_t id) const {
    const auto it = event_of_id_.find(id);
    if (it == event_of_id_.end()) return fmt::format("event {}", id);
    const std::string& name = events_[it->second].name;
    const bool is_clock = name.starts_with("task-clock") || name.starts_with("cpu-clock");
    return is_clock ? name + " (ns)" : name;
  }

  void play(const Record& record) {
    kept_bytes_ -= record.body.size();
    player_.play(record, event_of(record));
  }

  io::Source& source_;
  Input main_;
  ByteWindow& window_ = main_.window;
  trace::EventSink& sink_;
  const uint64_t most_bytes_;
  uint64_t data_end_ = UINT64_MAX;
  std::vector<Attributes> events_;
  std::unordered_map<uint64_t, size_t> event_of_id_;
  uint64_t kept_bytes_ = 0;  // of records that wait
  stacks::TimeOrder<Record> order_;
  perf::Player player_;
  perf::Counts counts_;
  bool is_directory_ = false;
  Time latest_{}, round_ = Time::min();
};

}  // namespace

int sniff_perf_data(std::span<const std::byte> head) {
  const std::string_view bytes = as_chars(head);
  const bool is_big_endian = bytes.starts_with(kPerfDataMagicBigEndian);
  return begins_as_perf_data(bytes) || is_big_endian ? 100 : 0;
}

Status read_perf_data(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  sink.set_time_base(TimeBase::kNanoseconds);
  // Output to a pipe is read in one pass, a file in two.
  WEFT_TRY_ASSIGN(const auto head, source.peek(kPipeHeaderBytes));
  if (io::can_be_reopened(source) || is_of_pipe(as_chars(head)))
    return PerfDataReader(source, sink, context).read();
  WEFT_TRY_ASSIGN(const io::Copy copy, io::copy_of(source));
  WEFT_TRY_ASSIGN(const auto file, io::Source::open(copy.path()));
  WEFT_TRY(PerfDataReader(*file, sink, context).read());
  if (copy.cut) report_early_end(sink, *copy.cut, source.offset());
  return {};
}

}  // namespace weft::formats
