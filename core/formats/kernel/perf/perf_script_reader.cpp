#include "core/formats/kernel/perf/perf_script_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/general/chrome_json/json_text.h"
#include "core/formats/kernel/perf/perf_branches.h"
#include "core/formats/kernel/perf/perf_line.h"
#include "core/formats/kernel/perf/perf_threads.h"

namespace weft::formats {
namespace {

using trace::Category;

class PerfScriptReader {
 public:
  explicit PerfScriptReader(trace::EventSink& sink)
      : sink_(sink), threads_(sink), branches_(sink, threads_) {}

  void add(const io::Line& line) {
    if (line.text.front() == '#') return;
    // A command may look like an address ("dd"): perf puts a tab before its frames.
    const bool is_tabbed = line.text.front() == '\t';
    if (is_tabbed && add_frame(line.text)) return;
    perf::Sample sample;
    if (perf::parse_sample(line.text, sample)) return begin_sample(sample, line.offset);
    if (!is_tabbed && add_frame(line.text)) return;
    perf::TraceError error;
    if (perf::parse_trace_error(line.text, error)) return lose(error, line.offset);
    add_detail(line);
  }

  void finish() {
    end_sample();
    give_early(Time{});
    branches_.finish();
    threads_.finish();
  }

 private:
  void begin_sample(const perf::Sample& sample, uint64_t offset) {
    if (samples_ == 0) {
      has_times_ = sample.time.has_value();
      sink_.set_time_base(has_times_ ? TimeBase::kNanoseconds : TimeBase::kTicks);
    }
    const Time time = sample.time.value_or(Time{samples_});
    ++samples_;
    end_sample();
    if (sample.time.has_value() != has_times_) {
      thread_ = nullptr;
      return sink_.loss("sample with another kind of time", offset);
    }
    thread_ = &threads_.thread(sample.pid, sample.tid, sample.command);
    if (thread_->last && time < *thread_->last)
      sink_.loss("sample before the one before it", offset, 1, false);
    thread_->last = time;
    is_early_ = has_times_ && time == Time{} && sample.event.starts_with("PERF_RECORD_");
    if (!is_early_) give_early(time);
    type_ = sink_.type(Category::kPunctual, valid_utf8(sample.event));
    cpu_ = sample.cpu;
    period_ = sample.period;
    if (sample.frame) add(*sample.frame);
    text_ = sample.args;
    perf::Branch branch;
    if (perf::parse_branch(sample.args, branch)) branches_.add(*thread_, branch, time, offset);
  }

  // The processor recorded more branches than its buffer took, or perf could not follow them.
  void lose(const perf::TraceError& error, uint64_t offset) {
    constexpr std::string_view kKind = "part of the instruction trace, which perf could not decode";
    if (!error.time || error.tid < 0 || samples_ == 0) return sink_.loss(kKind, offset);
    const perf::Thread& thread = threads_.thread(error.pid, error.tid, {});
    branches_.forget(thread, *error.time);
    sink_.loss(kKind, {offset, thread.lane, error.time});
  }

  bool add_frame(std::string_view text) {
    perf::Frame frame;
    if (thread_ == nullptr || !perf::parse_frame(text, frame)) return false;
    add(frame);
    return true;
  }
  void add(const perf::Frame& frame) {
    frames_.push_back(threads_.frame(frame.symbol, frame.object));
  }

  // What else perf was told to print of a sample (srcline, brstack, uregs): a part of its text.
  void add_detail(const io::Line& line) {
    const bool is_indented = line.text.front() == ' ' || line.text.front() == '\t';
    const bool is_detail = is_indented || line.text.starts_with("ABI:");
    if (!is_detail || (thread_ == nullptr && samples_ == 0))
      return sink_.loss("line that is neither sample nor frame", line.offset);
    if (thread_ == nullptr) return;  // of a sample that was lost
    constexpr size_t kMostText = size_t{64} << 10;
    const std::string_view text = trimmed(line.text);
    if (text_.size() + text.size() > kMostText)
      return sink_.loss("more text of a sample than is kept", line.offset);
    if (!text_.empty()) text_ += '\n';
    text_ += text;
  }

  // All of the last sample is there.
  void end_sample() {
    if (thread_ == nullptr) return;
    const trace::PunctualEvent event{
        .time = *thread_->last, .params = params(), .lane = thread_->lane, .type = type_};
    if (is_early_) {
      constexpr size_t kMostEarly = size_t{1} << 20;
      if (early_.size() == kMostEarly) give_early(Time{});
      early_.push_back(event);
      return frames_.clear();
    }
    sink_.punctuals({&event, 1});
    std::ranges::reverse(frames_);
    thread_->samples->add(*thread_->last, frames_);
    frames_.clear();
  }

  // What was there before anything was recorded has no time: it is told when the first that has one
  // is.
  void give_early(Time time) {
    for (trace::PunctualEvent& event : early_) event.time = time;
    sink_.punctuals(early_);
    early_.clear();
  }

  ParamsId params() {
    json_.clear();
    const auto add = [&](std::string_view name, int64_t value) {
      fmt::format_to(std::back_inserter(json_), R"({}"{}":{})", json_.empty() ? '{' : ',', name,
                     value);
    };
    if (cpu_ >= 0) add("cpu", cpu_);
    if (period_ >= 0) add("period", period_);
    if (!text_.empty()) {
      json_ += json_.empty() ? R"({"text":)" : R"(,"text":)";
      chrome_json::append_quoted(json_, valid_utf8(text_));
    }
    if (json_.empty()) return ParamsId::none();
    json_ += '}';
    return sink_.params(json_);
  }

  trace::EventSink& sink_;
  perf::Threads threads_;
  perf::Branches branches_;
  // The sample whose frames come.
  perf::Thread* thread_ = nullptr;
  EventTypeId type_;
  int32_t cpu_ = -1;
  int64_t period_ = -1;
  std::string text_;
  std::vector<EventTypeId> frames_;  // innermost first
  bool has_times_ = false;
  bool is_early_ = false;                    // this sample
  std::vector<trace::PunctualEvent> early_;  // without a time
  int64_t samples_ = 0;
  std::string json_;  // kept for its memory
};

}  // namespace

int sniff_perf_script(std::span<const std::byte> head) {
  std::string_view text = as_chars(head);
  perf::Sample sample;
  perf::Frame frame;
  bool is_sample = false;
  while (!text.empty()) {
    const std::string_view line = take_to(text, '\n');
    if (line.empty() || line.front() == '#') continue;
    constexpr int kWithStack = 75, kWithTime = 65;
    // Where nothing says a time, lines of other texts look alike: frames are indented, or begin
    // with a long address.
    constexpr size_t kLongAddress = 12;
    const bool may_be_frame = sample.time || is_text_space(line.front()) ||
                              line.substr(0, line.find(' ')).size() >= kLongAddress;
    if (is_sample && may_be_frame && perf::parse_frame(line, frame)) return kWithStack;
    if (is_sample) return sample.time && sample.tid >= 0 ? kWithTime : 0;
    if (!perf::parse_sample(line, sample)) return 0;
    is_sample = true;
  }
  return 0;
}

Status read_perf_script(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  PerfScriptReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
