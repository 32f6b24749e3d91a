#include "core/formats/perf_script_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/chrome_json/json_text.h"
#include "core/formats/perf/perf_line.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/text_lines.h"

namespace weft::formats {
namespace {

using trace::Category;

class PerfScriptReader {
 public:
  explicit PerfScriptReader(trace::EventSink& sink) : sink_(sink), timeline_(sink) {}

  void add(const io::Line& line) {
    if (line.text.front() == '#') return;
    perf::Frame frame;
    const bool is_indented = line.text.front() == ' ' || line.text.front() == '\t';
    if (thread_ != nullptr && perf::parse_frame(line.text, frame)) return add_frame(frame);
    perf::Sample sample;
    if (perf::parse_sample(line.text, sample)) return begin_sample(sample, line.offset);
    if (!is_indented || thread_ == nullptr)
      sink_.loss("line that is neither sample nor frame", line.offset);
  }

  void finish() {
    for (auto& [key, thread] : threads_) {
      end_sample(thread);
      thread.samples->finish();
    }
    timeline_.finish();
  }

 private:
  struct Thread {
    LaneId lane;
    std::vector<EventTypeId> frames;  // of the last sample, innermost first
    Time time;                        // of it
    bool has_sample = false;
    std::optional<stacks::SampledStacks> samples;
  };

  void begin_sample(const perf::Sample& sample, uint64_t offset) {
    if (samples_ == 0) {
      has_times_ = sample.time.has_value();
      sink_.set_time_base(has_times_ ? TimeBase::kNanoseconds : TimeBase::kTicks);
    }
    const Time time = sample.time.value_or(Time{samples_});
    ++samples_;
    if (sample.time.has_value() != has_times_) {
      thread_ = nullptr;
      return sink_.loss("sample with another kind of time", offset);
    }
    thread_ = &thread_of(sample);
    if (thread_->has_sample && time < thread_->time)
      sink_.loss("sample before the one before it", offset, 1, false);
    end_sample(*thread_);
    thread_->time = time;
    thread_->has_sample = true;
    const trace::PunctualEvent event{
        .time = time,
        .params = params_of(sample),
        .lane = thread_->lane,
        .type = sink_.type(Category::kPunctual, valid_utf8(sample.event))};
    sink_.punctuals({&event, 1});
  }

  void add_frame(const perf::Frame& frame) {
    const std::string name =
        frame.symbol == "[unknown]" && !frame.object.empty() && frame.object != "[unknown]"
            ? fmt::format("[{}]", frame.object)
            : std::string(frame.symbol);
    thread_->frames.push_back(
        sink_.type(Category::kState, valid_utf8(name), valid_utf8(frame.object)));
  }

  // All frames of the thread's last sample are there.
  static void end_sample(Thread& thread) {
    if (!thread.has_sample) return;
    std::ranges::reverse(thread.frames);
    thread.samples->add(thread.time, thread.frames);
    thread.frames.clear();
  }

  // The thread, below its process where perf said which that is.
  Thread& thread_of(const perf::Sample& sample) {
    const std::pair key(sample.pid, sample.tid);
    const auto [it, is_new] = threads_.try_emplace(key);
    if (!is_new) return it->second;
    const std::string command = valid_utf8(sample.command);
    LaneId parent = LaneId::none();
    if (sample.pid >= 0) {
      const auto [process, is_new_process] = processes_.try_emplace(sample.pid, LaneId::none());
      if (is_new_process) {
        process->second = sink_.add_lane({.name = fmt::format("{} ({})", command, sample.pid),
                                          .kind = trace::LaneKind::kProcess,
                                          .sort_index = sample.pid});
      }
      parent = process->second;
    }
    it->second.lane = sink_.add_lane({.name = fmt::format("{}-{}", command, sample.tid),
                                      .parent = parent,
                                      .kind = trace::LaneKind::kThread,
                                      .sort_index = sample.tid});
    it->second.samples.emplace(timeline_, it->second.lane);
    return it->second;
  }

  ParamsId params_of(const perf::Sample& sample) {
    json_.clear();
    const auto add = [&](std::string_view name, int64_t value) {
      fmt::format_to(std::back_inserter(json_), R"({}"{}":{})", json_.empty() ? '{' : ',', name,
                     value);
    };
    if (sample.cpu >= 0) add("cpu", sample.cpu);
    if (sample.period >= 0) add("period", sample.period);
    if (!sample.args.empty()) {
      json_ += json_.empty() ? R"({"text":)" : R"(,"text":)";
      chrome_json::append_quoted(json_, valid_utf8(sample.args));
    }
    if (json_.empty()) return ParamsId::none();
    json_ += '}';
    return sink_.params(json_);
  }

  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  std::map<std::pair<int32_t, int32_t>, Thread> threads_;
  std::map<int32_t, LaneId> processes_;
  Thread* thread_ = nullptr;  // of the sample whose frames come
  bool has_times_ = false;
  int64_t samples_ = 0;
  std::string json_;  // kept for its memory
};

}  // namespace

int sniff_perf_script(std::span<const std::byte> head) {
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  perf::Sample sample;
  perf::Frame frame;
  bool is_sample = false;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    constexpr int kWithStack = 75, kWithTime = 65;
    if (is_sample && perf::parse_frame(line, frame)) return kWithStack;
    if (is_sample) return sample.time ? kWithTime : 0;
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
