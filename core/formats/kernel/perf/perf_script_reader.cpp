#include "core/formats/kernel/perf/perf_script_reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/kernel/ftrace/ftrace_player.h"
#include "core/formats/kernel/perf/perf_branches.h"
#include "core/formats/kernel/perf/perf_line.h"
#include "core/formats/kernel/perf/perf_threads.h"

namespace weft::formats {
namespace {

using trace::Category;

struct Notation {
  bool has_heads = true;         // samples are known by a line of their own
  bool has_differences = false;  // times count from the sample before (--deltatime)
};

class PerfScriptReader {
 public:
  PerfScriptReader(trace::EventSink& sink, Notation notation)
      : sink_(sink),
        player_(sink, ftrace::Lanes::OnTasks::kMarks),
        threads_(sink, player_.kernel().lanes()),
        branches_(sink, threads_),
        notation_(notation) {}

  void set_architecture(std::string_view name) { player_.kernel().set_architecture(name); }

  void add(const io::Line& line) {
    if (trimmed(line.text).empty()) {
      is_between_ = true;
      return;
    }
    if (line.text.front() == '#') return add_comment(line.text);
    if (line.is_open && !is_whole(line.text))
      return sink_.loss("line that the end of the input cuts off", line.offset);
    const bool begins = is_between_;
    is_between_ = false;
    // Among the samples stands what perf tells itself (--show-round-events).
    if (line.text.starts_with("PERF_RECORD_FINISHED_")) return;
    if (!notation_.has_heads) return add_to_stacks(line, begins);
    // A command may look like an address ("dd"): perf puts a tab before its frames.
    const bool is_tabbed = line.text.front() == '\t';
    if (is_tabbed && add_frame(line.text)) return;
    if (perf::is_instruction(line.text)) return add_detail(line);
    perf::Sample sample;
    if (perf::parse_sample(line.text, sample)) return begin_sample(sample, line.offset);
    if (!is_tabbed && add_frame(line.text)) return;
    perf::TraceError error;
    if (perf::parse_trace_error(line.text, error)) return lose(error, line.offset);
    if (perf::parse_any_sample(line.text, sample)) return begin_sample(sample, line.offset);
    add_detail(line);
  }

  void finish() {
    end_sample();
    give_early(Time{});
    branches_.finish();
    threads_.finish();
    if (has_kernel_) player_.finish();
  }

 private:
  // "# arch : x86_64" (--header): what the numbers of system calls mean.
  void add_comment(std::string_view text) {
    constexpr std::string_view kArchitecture = "# arch : ";
    if (take_prefix(text, kArchitecture)) set_architecture(trimmed(text));
  }

  // Whether the last line, without a line feed, is complete: frames have an object and samples an
  // event, unless others do without. For other lines nobody can tell.
  bool is_whole(std::string_view text) const {
    perf::Frame frame;
    const bool is_indented = is_space(text.front());
    if (is_indented && perf::parse_frame(text, frame))
      return has_bare_frames_ || trimmed(text).ends_with(')');
    perf::Sample sample;
    const bool is_nameless = perf::parse_sample(text, sample) && sample.event == kNameless;
    return !is_nameless || has_nameless_;
  }

  // Adds a line of stacks separated by blank lines, without any line for the sample: lines that are
  // no frame precede a stack, or describe one (srcline).
  void add_to_stacks(const io::Line& line, bool begins) {
    const bool is_frame = perf::is_stack_line(line.text);
    if (begins || line.text.starts_with("PERF_RECORD_")) {
      perf::Sample sample;
      perf::parse_head(is_frame ? std::string_view() : line.text, sample);
      begin_sample(sample, line.offset);
      is_between_ = is_record_;  // nothing stands behind it
      if (!is_frame) return;
    }
    if (!is_frame || !add_frame(line.text)) add_detail(line);
  }

  void begin_sample(const perf::Sample& sample, uint64_t offset) {
    if (samples_ == 0) {
      has_times_ = sample.time.has_value();
      sink_.set_time_base(has_times_ ? TimeBase::kNanoseconds : TimeBase::kTicks);
    }
    if (samples_ == 0 && notation_.has_differences)
      sink_.note("times that count from the event before (perf script --deltatime), added up",
                 offset);
    const Time time = time_of(sample);
    ++samples_;
    end_sample();
    if (sample.time.has_value() != has_times_) {
      thread_ = nullptr;
      return sink_.loss("sample with another kind of time", offset);
    }
    thread_ = &threads_.thread(sample.pid, sample.tid, sample.command, sample.cpu);
    if (thread_->last && time < *thread_->last)
      sink_.note("sample before the one before it", offset);
    thread_->last = time;
    has_nameless_ |= sample.event == kNameless;
    if (sample.event == "PERF_RECORD_LOST") lose_events(sample, time, offset);
    // Records other than samples; some end what a thread does.
    is_record_ = sample.event.starts_with("PERF_RECORD_");
    is_early_ = has_times_ && time == Time{} && is_record_;
    is_record_ &= sample.event != "PERF_RECORD_EXIT" && !sample.args.starts_with("OUT");
    if (!is_early_) {
      give_early(time);
      player_.kernel().saw(time);
    }
    is_played_ = play(sample, time, offset);
    if (!is_played_) type_ = sink_.type(Category::kPunctual, valid_utf8(sample.event));
    cpu_ = sample.cpu;
    period_ = sample.period;
    last_function_.clear();
    if (sample.frame) add(*sample.frame);
    text_ = add_block_fields(sample) ? std::string_view() : sample.args;
    columns_ = sample.columns;
    set_address(sample.address);
    add_branch(sample, time, offset);
  }

  void add_branch(const perf::Sample& sample, Time time, uint64_t offset) {
    perf::Branch branch;
    perf::IndentedCall call;
    const bool may_be_call =
        has_times_ && (sample.event == kNameless || sample.event.starts_with("branches"));
    if (perf::parse_branch(sample.args, branch)) {
      branches_.add(*thread_, branch, time, offset);
    } else if (may_be_call && perf::parse_indented_call(sample.args, call)) {
      branches_.add(*thread_, call, time, offset);
    }
  }

  // Adds what the block layer's events print without names. Returns false if it is none of them.
  bool add_block_fields(const perf::Sample& sample) {
    std::string_view event = sample.event;
    if (!take_prefix(event, "block:")) return false;
    const auto fields = ftrace::block_fields(event, sample.args);
    for (const auto& [name, value] : fields) {
      if (const auto number = parse_number<int64_t>(value)) {
        args_.add(name, *number);
      } else {
        args_.add(name, value);
      }
    }
    return !fields.empty();
  }

  Time time_of(const perf::Sample& sample) {
    const Time time = sample.time.value_or(Time{samples_});
    if (!notation_.has_differences || !sample.time) return time;
    return sum_ = sum_ + (time - Time{});
  }

  // Returns false if it is not an event of the kernel that means more than that it happened.
  bool play(const perf::Sample& sample, Time time, uint64_t offset) {
    if (!has_times_ || is_early_) return false;
    if (sample.event == perf::kHalfSwitchRecord)
      return has_kernel_ |= switch_half(sample, time, offset);
    if (sample.event == "PERF_RECORD_EXIT" && sample.tid >= 0)
      player_.kernel().exit_task(sample.tid, {time, ftrace::At::kNoCpu, offset});
    if (sample.cpu < 0) return false;
    const auto cpu = static_cast<uint32_t>(sample.cpu);
    bool is_played = false;
    if (sample.event == perf::kSwitchRecord) {
      is_played = switch_tasks(sample, {time, cpu, offset});
    } else if (perf::is_of_kernel(sample.event)) {
      const ftrace::Line line{.task = sample.command,
                              .pid = std::max(sample.tid, 0),
                              .tgid = sample.pid,
                              .cpu = cpu,
                              .time = time,
                              .event = sample.event.substr(sample.event.find(':') + 1),
                              .args = sample.args,
                              .offset = offset};
      is_played = player_.play(line);
    }
    has_kernel_ |= is_played;
    return is_played;
  }

  bool switch_half(const perf::Sample& sample, Time time, uint64_t offset) {
    std::string_view rest = sample.args;
    const std::string_view way = take_word(rest);
    if (sample.tid < 0 || (way != "IN" && way != "OUT")) return false;
    const bool is_preempted = trimmed(rest) == "preempt";
    player_.kernel().switch_half({.name = sample.command,
                                  .state = is_preempted ? ftrace::kRunnable : ftrace::kNotRunning,
                                  .task = sample.tid,
                                  .comes = way == "IN",
                                  .has_cpu = sample.cpu >= 0},
                                 {time, static_cast<uint32_t>(std::max(sample.cpu, 0)), offset});
    return true;
  }

  // The leaving task's record tells whether it is still runnable, the coming one's its name.
  bool switch_tasks(const perf::Sample& sample, const ftrace::At& at) {
    perf::SwitchRecord record;
    if (sample.tid < 0 || !perf::parse_switch(sample.args, record)) return false;
    if (record.is_out) {
      leaving_[at.cpu] = {sample.tid, record.is_preempted};
      return true;
    }
    const Leaving& left = leaving_[at.cpu];
    const bool is_preempted = left.tid == record.other_tid && left.is_preempted;
    player_.kernel().switch_tasks(
        {.previous_name = {},
         .next_name = sample.command,
         .previous_state = is_preempted ? ftrace::kRunnable : ftrace::kNotRunning,
         .previous = record.other_tid,
         .next = sample.tid},
        at);
    return true;
  }

  // "lost 17": perf's buffer was full.
  void lose_events(const perf::Sample& sample, Time time, uint64_t offset) {
    std::string_view args = sample.args;
    if (!take_prefix(args, "lost ")) return;
    sink_.loss("events lost: perf's buffer was full", {offset, thread_->lane, time},
               parse_number<uint64_t>(args).value_or(1));
  }

  // The processor recorded more branches than its buffer took, or perf could not follow them.
  void lose(const perf::TraceError& error, uint64_t offset) {
    constexpr std::string_view kKind = "part of the instruction trace, which perf could not decode";
    const bool has_place = error.time && error.tid >= 0 && samples_ > 0;
    if (!has_place || notation_.has_differences) return sink_.loss(kKind, offset);
    const perf::Thread& thread = threads_.thread(error.pid, error.tid, {}, error.cpu);
    branches_.forget(thread, *error.time);
    sink_.loss(kKind, {offset, thread.lane, error.time});
  }

  bool add_frame(std::string_view text) {
    perf::Frame frame;
    if (thread_ == nullptr || !perf::parse_frame(text, frame)) return false;
    has_bare_frames_ |= !trimmed(text).ends_with(')');
    if (!columns_.empty()) forget_frame();
    add(frame);
    return true;
  }
  // Where a stack follows, what looked like a frame is what was accessed.
  void forget_frame() {
    frames_.clear();
    std::string_view rest = columns_;
    set_address(perf::take_accessed(rest));
    text_ = rest;
    columns_.clear();
  }
  void set_address(std::string_view text) { address_ = take_hexadecimal(text).value_or(0); }
  void add(const perf::Frame& frame) {
    frames_.push_back(threads_.frame(frame.symbol, frame.object));
    last_function_ = frame.symbol;
  }

  // Adds other requested output of a sample (srcline, brstack, uregs) to its text.
  void add_detail(const io::Line& line) {
    const bool is_indented = line.text.front() == ' ' || line.text.front() == '\t';
    const bool is_detail = is_indented || line.text.starts_with("ABI:");
    if (!is_detail || (thread_ == nullptr && samples_ == 0))
      return sink_.loss("line that is neither sample nor frame", line.offset);
    if (thread_ == nullptr) return;  // of a sample that was lost
    constexpr size_t kMostText = size_t{64} << 10;
    const std::string_view text = trimmed(line.text);
    if (text_.size() + last_function_.size() + text.size() > kMostText)
      return sink_.loss("more text of a sample than is kept", line.offset);
    if (!text_.empty()) text_ += '\n';
    if (!last_function_.empty() && is_place(line.text)) {
      text_ += last_function_;
      text_ += " at ";
    }
    last_function_.clear();
    text_ += text;
  }

  // "  fib.cpp:7": where the frame above it is in the source.
  static bool is_place(std::string_view line) {
    return take_prefix(line, "  ") && !line.empty() && !is_space(line.front()) &&
           !line.starts_with("0x");
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
    if (!is_played_) sink_.give(event);
    std::ranges::reverse(frames_);
    if (!is_record_ || !frames_.empty()) thread_->samples->add(*thread_->last, frames_);
    frames_.clear();
  }

  // Gives events that precede the recording, and so have no time, at the first time seen.
  void give_early(Time time) {
    for (trace::PunctualEvent& event : early_) event.time = time;
    sink_.punctuals(early_);
    early_.clear();
  }

  ParamsId params() {
    if (cpu_ >= 0) args_.add("cpu", cpu_);
    if (period_ >= 0) args_.add("period", period_);
    if (address_ != 0) args_.add_pointer("addr", address_);
    if (!text_.empty()) args_.add("text", text_);
    return sink_.params(args_.take());
  }

  trace::EventSink& sink_;
  ftrace::Player player_;
  perf::Threads threads_;
  perf::Branches branches_;
  // The sample whose frames come.
  perf::Thread* thread_ = nullptr;
  EventTypeId type_;
  int32_t cpu_ = -1;
  int64_t period_ = -1;
  uint64_t address_ = 0;  // of what was accessed; 0: nothing
  std::string text_;
  std::string columns_;              // those of the sample's line that have a frame
  std::vector<EventTypeId> frames_;  // innermost first
  std::string last_function_;        // of the frame on the line before
  struct Leaving {
    int32_t tid = -1;
    bool is_preempted = false;
  };
  std::map<uint32_t, Leaving> leaving_;                    // by CPU
  static constexpr std::string_view kNameless = "sample";  // what perf::Sample calls it
  bool has_nameless_ = false, has_bare_frames_ = false;
  const Notation notation_;
  Time sum_{};               // of differences
  bool is_between_ = true;   // behind a blank line
  bool has_kernel_ = false;  // some event was played
  bool has_times_ = false;
  bool is_played_ = false;  // this sample
  bool is_record_ = false;
  bool is_early_ = false;                    // this sample
  std::vector<trace::PunctualEvent> early_;  // without a time
  int64_t samples_ = 0;
  ArgsText args_;  // of the sample that ends
};

// Whether samples have lines of their own; else stacks stand without.
bool has_heads(std::span<const std::byte> head) {
  std::string_view text = as_chars(head);
  perf::Sample sample;
  while (!text.empty()) {
    const std::string_view line = take_to(text, '\n');
    if (trimmed(line).empty() || line.front() == '#') continue;
    if (perf::is_stack_line(line)) return false;
    if (perf::parse_sample(line, sample)) return true;
  }
  return true;
}

// Whether times are differences: the first is 0, and later ones run backwards time and again, where
// perf sorts by time.
bool has_differences(std::span<const std::byte> head) {
  constexpr int kRisesToAFall = 4;
  std::string_view text = as_chars(head);
  perf::Sample sample;
  std::optional<Time> before;
  int rises = 0, falls = 0;
  while (!text.empty()) {
    const std::string_view line = take_to(text, '\n');
    if (line.starts_with('\t') || !perf::parse_sample(line, sample) || !sample.time) continue;
    if (!before && *sample.time != Time{}) return false;
    if (before) {
      rises += *before < *sample.time ? 1 : 0;
      falls += *sample.time < *before ? 1 : 0;
    }
    before = sample.time;
  }
  return falls * kRisesToAFall > rises;
}

}  // namespace

int sniff_perf_script(std::span<const std::byte> head) {
  constexpr int kWithStack = 75, kWithTime = 65;
  std::string_view text = as_chars(head);
  perf::Sample sample;
  perf::Frame frame;
  bool is_sample = false;
  std::string_view before;  // the line, where it is not a sample
  int timed = 0;            // samples of no thread
  while (!text.empty()) {
    const std::string_view line = take_to(text, '\n');
    perf::TraceError error;
    if (trimmed(line).empty() || line.front() == '#' || line.starts_with("PERF_RECORD_") ||
        perf::parse_trace_error(line, error))
      continue;
    // Without times, lines of other texts look alike: frames are indented, or begin with a long
    // address.
    constexpr size_t kLongAddress = 12;
    const bool may_be_frame = sample.time || is_space(line.front()) ||
                              line.substr(0, line.find(' ')).size() >= kLongAddress;
    if (is_sample && may_be_frame && perf::parse_frame(line, frame)) {
      // The name of a task may look like an address.
      const bool is_next = perf::parse_sample(line, sample) && sample.time;
      return is_next ? kWithTime : kWithStack;
    }
    if (is_sample && sample.time && sample.tid >= 0) return kWithTime;
    if (perf::is_stack_line(line)) return kWithStack;
    if (is_sample && (timed == 0 || text.empty())) return 0;
    if (!before.empty()) return 0;
    is_sample = perf::parse_sample(line, sample);
    constexpr int kEnough = 3;
    if (is_sample && perf::has_exact_time(line) && ++timed == kEnough) return kWithTime;
    if (!is_sample) before = line;
  }
  // A single one, which nothing stands behind, says more.
  const bool is_whole = is_sample && sample.time && sample.tid >= 0 && sample.cpu >= 0;
  return is_whole && !sample.args.empty() ? kWithTime : 0;
}

Status read_perf_script(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const auto peeked, source.peek(kHeadBytes));
  const auto head = peeked.first(std::min(peeked.size(), kHeadBytes));
  PerfScriptReader reader(sink,
                          {.has_heads = has_heads(head), .has_differences = has_differences(head)});
  if (const auto machine = context.option("machine"); !machine.empty())
    reader.set_architecture(machine);
  for_each_whole_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
