#include "core/formats/kernel/perf/simpleperf_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/percentiles.h"
#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/kernel/perf/perf_threads.h"
#include "core/formats/stacks/held_state.h"

namespace weft::formats {
namespace {

using perfetto::Field;
using perfetto::for_each_field;

constexpr std::string_view kMagic = "SIMPLEPERF";
constexpr uint16_t kReportVersion = 1;

// The contents of a record.
enum Content : uint32_t {
  kSample = 1,
  kLost = 2,
  kFile = 3,
  kThread = 4,
  kMeta = 5,
  kSwitch = 6,
};

// Why the callers of a sample are not all there.
constexpr std::string_view kUnwindingErrors[] = {"",
                                                 "unknown",
                                                 "not enough stack",
                                                 "memory invalid",
                                                 "no unwind info",
                                                 "invalid map",
                                                 "too many frames",
                                                 "repeated frame",
                                                 "invalid file"};

struct File {
  std::string_view path;
  std::vector<std::string_view> symbols;
};
struct Task {
  int32_t process = -1;
  std::string_view name;
};
struct Frame {
  uint32_t file = 0;
  int32_t symbol = -1;
};
struct Sample {
  std::optional<Time> time;
  int32_t thread = -1;
  std::vector<Frame> frames;  // from the innermost to the outermost
  uint64_t period = 0, event = 0, unwinding_error = 0;
};

class SimpleperfReader {
 public:
  explicit SimpleperfReader(trace::EventSink& sink) : sink_(sink) {
    sink_.set_time_base(TimeBase::kNanoseconds);
  }

  // Names stand behind the samples that have them.
  void read(std::string_view report) {
    begin_ = report.data();
    take_records(report);
    threads_.emplace(sink_, lanes_, usual_gap());
    for (const Field& record : in_time_) {
      const bool is_good = record.number == kSample ? add_sample(record) : add_switch(record);
      if (!is_good) sink_.loss("record damaged", offset_of(record));
    }
    for (auto& [thread, each] : on_cpu_)
      each.state.change(sink_, each.lane, {}, end_, kSchedulingGroup, {});
    threads_->finish();
  }

 private:
  static constexpr std::string_view kSchedulingGroup = "scheduling";
  struct OnCpu {
    LaneId lane;
    stacks::HeldState state;
  };

  uint64_t offset_of(const Field& field) const {
    return static_cast<uint64_t>(field.bytes.data() - begin_);
  }

  void take_records(std::string_view rest) {
    rest.remove_prefix(std::min(rest.size(), kMagic.size() + sizeof kReportVersion));
    for (;;) {
      const auto offset = static_cast<uint64_t>(rest.data() - begin_);
      const auto size = take_little<uint32_t>(rest);
      if (size && *size == 0) return;
      const auto record = size ? take_bytes(rest, *size) : std::nullopt;
      if (!record) return sink_.loss("report that breaks off: names may lack", offset);
      const bool is_good = for_each_field(*record, [&](const Field& field) { take(field); });
      if (!is_good) sink_.loss("record damaged", offset);
    }
  }

  void take(const Field& record) {
    if (!record.is_bytes) return;
    bool is_good = true;
    switch (record.number) {
      case kSample:
      case kSwitch:
        in_time_.push_back(record);
        break;
      case kFile:
        is_good = take_file(record.bytes);
        break;
      case kThread:
        is_good = take_thread(record.bytes);
        break;
      case kMeta:
        is_good = take_meta(record.bytes);
        break;
      case kLost:
        is_good = for_each_field(record.bytes, [&](const Field& field) {
          if (field.number == 2 && field.value > 0)
            sink_.loss("samples lost by the recorder", offset_of(record), field.value);
        });
        break;
      default:
        sink_.note(fmt::format("records not shown: number {}", record.number), offset_of(record));
    }
    if (!is_good) sink_.loss("record damaged", offset_of(record));
  }

  bool take_file(std::string_view message) {
    uint32_t id = 0;
    File file;
    const bool is_good = for_each_field(message, [&](const Field& field) {
      if (field.number == 1) id = field.uint32();
      if (field.number == 2) file.path = field.bytes;
      if (field.number == 3) file.symbols.push_back(field.bytes);
    });
    files_[id] = std::move(file);
    return is_good;
  }

  bool take_thread(std::string_view message) {
    int32_t id = -1;
    Task task;
    const bool is_good = for_each_field(message, [&](const Field& field) {
      if (field.number == 1) id = field.int32();
      if (field.number == 2) task.process = field.int32();
      if (field.number == 3) task.name = field.bytes;
    });
    tasks_[id] = task;
    return is_good;
  }

  bool take_meta(std::string_view message) {
    return for_each_field(message, [&](const Field& field) {
      if (field.number == 1) events_.emplace_back(valid_utf8(field.bytes));
      if (field.number == 2) sink_.set_metadata("app", valid_utf8(field.bytes));
      if (field.number == 3) sink_.set_metadata("app type", valid_utf8(field.bytes));
      if (field.number == 4) sink_.set_metadata("Android SDK", valid_utf8(field.bytes));
      if (field.number == 5) sink_.set_metadata("Android build", valid_utf8(field.bytes));
    });
  }

  static bool parse_sample(std::string_view message, Sample& out) {
    bool are_frames_good = true;
    const bool is_good = for_each_field(message, [&](const Field& field) {
      if (field.number == 1) out.time = Time{field.integer()};
      if (field.number == 2) out.thread = field.int32();
      if (field.number == 3) {
        Frame& frame = out.frames.emplace_back();
        are_frames_good &= for_each_field(field.bytes, [&](const Field& inner) {
          if (inner.number == 2) frame.file = inner.uint32();
          if (inner.number == 3) frame.symbol = inner.int32();
        });
      }
      if (field.number == 4) out.period = field.value;
      if (field.number == 5) out.event = field.value;
      if (field.number == 6)
        for_each_field(field.bytes, [&](const Field& inner) {
          if (inner.number == 3) out.unwinding_error = inner.value;
        });
    });
    return is_good && are_frames_good;
  }

  // Between the samples that a thread has of one event; 0 where none has two. Switches lie closer
  // together than what is sampled at intervals, hence the first event.
  Duration usual_gap() const {
    std::map<int32_t, Time> last;
    std::vector<int64_t> gaps;
    for (const Field& record : in_time_) {
      Sample sample;
      if (record.number != kSample || !parse_sample(record.bytes, sample)) continue;
      if (!sample.time || sample.event != 0) continue;
      const auto [it, is_first] = last.try_emplace(sample.thread, *sample.time);
      if (!is_first && *sample.time > it->second) gaps.push_back((*sample.time - it->second).ticks);
      it->second = *sample.time;
    }
    return {median_of(std::move(gaps))};
  }

  // The main thread goes first: its process is called like it.
  perf::Thread& thread_of(int32_t id) {
    const auto task = tasks_.find(id);
    if (task == tasks_.end()) return threads_->thread(-1, id, {});
    const int32_t process = task->second.process;
    const auto main = tasks_.find(process);
    if (main != tasks_.end()) threads_->thread(process, process, main->second.name);
    return threads_->thread(process, id, task->second.name);
  }

  // Counts what runs backwards on a thread.
  void pass(perf::Thread& thread, Time now, const Field& record) {
    if (thread.last && now < *thread.last)
      sink_.note("record before the one before it", {offset_of(record), thread.lane, now});
    thread.last = now;
    end_ = std::max(end_, now);
  }

  bool add_sample(const Field& record) {
    Sample sample;
    if (!parse_sample(record.bytes, sample)) return false;
    if (!sample.time) {
      sink_.loss("sample without a time", offset_of(record));
      return true;
    }
    perf::Thread& thread = thread_of(sample.thread);
    pass(thread, *sample.time, record);
    frames_.clear();
    for (const Frame& frame : sample.frames) frames_.push_back(type_of(frame));
    std::ranges::reverse(frames_);
    thread.samples->add(*sample.time, frames_);
    const std::string_view event = sample.event < events_.size()
                                       ? std::string_view(events_[sample.event])
                                       : std::string_view("sample");
    const bool is_cut =
        sample.unwinding_error > 0 && sample.unwinding_error < std::size(kUnwindingErrors);
    const std::string params = fmt::format(
        R"({{"period":{}{}}})", sample.period,
        is_cut ? fmt::format(R"(,"unwinding error":"{}")", kUnwindingErrors[sample.unwinding_error])
               : std::string());
    sink_.give(trace::PunctualEvent{.time = *sample.time,
                                    .params = sink_.params(params),
                                    .lane = thread.lane,
                                    .type = sink_.type(trace::Category::kPunctual, event)});
    return true;
  }

  EventTypeId type_of(const Frame& frame) {
    const auto [known, is_new] = types_.try_emplace({frame.file, frame.symbol});
    if (!is_new) return known->second;
    const auto file = files_.find(frame.file);
    const bool is_named = file != files_.end() && frame.symbol >= 0 &&
                          static_cast<size_t>(frame.symbol) < file->second.symbols.size();
    const std::string_view symbol =
        is_named ? file->second.symbols[static_cast<size_t>(frame.symbol)] : std::string_view();
    return known->second = threads_->frame(
               symbol, file == files_.end() ? std::string_view() : file->second.path);
  }

  // A thread that leaves its CPU runs none of what was sampled.
  bool add_switch(const Field& record) {
    bool is_on = false;
    std::optional<Time> time;
    int32_t id = -1;
    const bool is_good = for_each_field(record.bytes, [&](const Field& field) {
      if (field.number == 1) is_on = field.flag();
      if (field.number == 2) time = Time{field.integer()};
      if (field.number == 3) id = field.int32();
    });
    if (!is_good || !time) return false;
    perf::Thread& thread = thread_of(id);
    pass(thread, *time, record);
    if (!is_on) thread.samples->add(*time, {});
    const auto [it, is_new] = on_cpu_.try_emplace(id);
    OnCpu& on_cpu = it->second;
    if (is_new)
      on_cpu.lane = sink_.add_lane(
          {.name = "on a CPU", .parent = thread.lane, .kind = trace::LaneKind::kAsync});
    on_cpu.state.change(sink_, on_cpu.lane, is_on ? "Running" : "", *time, kSchedulingGroup, {});
    return true;
  }

  trace::EventSink& sink_;
  const char* begin_ = nullptr;
  std::vector<Field> in_time_;  // samples and switches
  std::map<uint32_t, File> files_;
  std::map<int32_t, Task> tasks_;
  std::vector<std::string> events_;
  ftrace::Lanes lanes_{sink_};
  std::optional<perf::Threads> threads_;
  std::map<std::pair<uint32_t, int32_t>, EventTypeId> types_;  // by file and symbol
  std::map<int32_t, OnCpu> on_cpu_;                            // by thread
  std::vector<EventTypeId> frames_;                            // kept for its memory
  Time end_ = Time::min();
};

}  // namespace

int sniff_simpleperf(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with(kMagic) ? 98 : 0;
}

Status read_simpleperf(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const WholeInput input, WholeInput::read(source, sink));
  const std::string_view report = input.bytes();
  std::string_view rest = report;
  rest.remove_prefix(std::min(rest.size(), kMagic.size()));
  const auto version = take_little<uint16_t>(rest);
  if (!version) return fail("ends within its header");
  if (*version != kReportVersion)
    return fail(fmt::format("is of version {} of simpleperf's reports; version {} is read",
                            *version, kReportVersion));
  SimpleperfReader(sink).read(report);
  return {};
}

}  // namespace weft::formats
