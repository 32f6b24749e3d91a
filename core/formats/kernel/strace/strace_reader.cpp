#include "core/formats/kernel/strace/strace_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/text.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/base/types_by_name.h"
#include "core/formats/kernel/ftrace/system_calls.h"
#include "core/formats/kernel/strace/strace_files.h"
#include "core/formats/kernel/strace/strace_line.h"
#include "core/formats/kernel/strace/text_around.h"

namespace weft::formats {
namespace {

using strace::Clock;
using strace::What;
using trace::Category;

class StraceReader {
 public:
  explicit StraceReader(trace::EventSink& sink) : sink_(sink) {}

  void add(const io::Line& line) {
    strace::Notice notice;
    const bool is_notice = strace::parse_notice(line.text, notice);
    const std::string_view text = is_notice ? notice.before : line.text;
    if (!begun_.empty() || (is_notice && !text.empty())) {
      if (begun_.empty()) begun_offset_ = line.offset;
      begun_ += text;
    }
    if (is_notice) return heed(notice);
    if (begun_.empty()) return add(line.text, line.offset, line.is_open);
    add(std::exchange(begun_, {}), begun_offset_);
    living_.merge(born_);
  }

  // Begins a process's file, whose lines do not name the process.
  void begin_file(const strace::TaskFile& file) {
    file_pid_ = file.pid;
    just_begun_.reset();
    last_ = line_before_ = file.first;
    midnights_ = file.first.ticks / strace::kDay.ticks;
  }
  void end_file() {
    if (!begun_.empty()) add(std::exchange(begun_, {}), begun_offset_);
    give_torn(false);
    around_.end();
    Task& task = task_of(*file_pid_, {});
    while (!task.calls.empty()) lose_end(task, last_);
    give_held();
  }

  // Calls that did not return last until the end.
  void finish() {
    if (!begun_.empty()) add(std::exchange(begun_, {}), begun_offset_);
    give_torn(false);
    around_.end();
    for (auto& [pid, task] : tasks_) {
      while (!task.calls.empty()) lose_end(task, last_);
    }
    give_held();
  }

 private:
  static constexpr int64_t kNobody = -1;
  static constexpr std::string_view kNameless = "process";

  // `is_open`: no line feed stands behind it.
  void add(std::string_view text, uint64_t offset, bool is_open = false) {
    if (torn_ && heal(text, offset)) return;
    offset_ = offset;
    if (strace::is_frame(text)) return add_frame(trimmed(text).substr(strace::kFrame.size()));
    if (strace::is_dump(text)) return add_dump(text);
    const auto begun = std::exchange(just_begun_, std::nullopt);
    if (begun && end_at_once(*begun, text, is_open)) return;
    is_summary_ |= text.starts_with(strace::kSummary);
    const bool is_line = strace::parse_line(text, line_);
    if (!is_line && !is_summary_ && strace::may_stand_around(line_, text, is_open)) {
      give_held();
      return around_.add(offset, strace::may_be_of_call(text));
    }
    if (!line_.is_torn || is_summary_ || is_open) return take(is_line, offset, is_open);
    torn_.emplace(std::string(text), offset, line_.clock, line_.pid >= 0, std::vector<uint64_t>());
  }

  // A line without the end of its call, and those behind it that may be what the program printed.
  struct Torn {
    std::string text;
    uint64_t offset;
    Clock clock;
    bool has_pid;
    std::vector<uint64_t> printed;
  };

  // A call that the line before began.
  struct Begun {
    int64_t pid;
    bool has_clock;
  };

  // Options -z and -Z: a call is printed when it is over, also what others interrupted. The line of
  // its end follows at once and says neither whose it is nor when:
  //
  //   41 read(3,  <unfinished ...>
  //   "", 4096)                               = 0
  bool end_at_once(const Begun& begun, std::string_view text, bool is_open) {
    const bool is_line = strace::parse_line(text, line_);
    const bool has_origin = line_.pid >= 0 || line_.clock != Clock::kNone;
    if (has_origin || (is_line && !begun.has_clock) || !strace::parse_end(text, line_))
      return false;
    if (is_cut_off(is_open)) {
      sink_.loss("line that the end of the input cuts off", offset_);
      return true;
    }
    has_spans_ |= line_.duration.has_value();
    Task& task = tasks_.at(begun.pid);
    Call call = std::move(task.calls.back());
    task.calls.pop_back();
    strace::join_arguments(call.arguments, line_.arguments);
    line_.pid = begun.pid;
    line_.name = call.name;
    line_.arguments = call.arguments;
    add_call(task, call.begin);
    return true;
  }

  // Whether the call says no duration because its line is not whole.
  bool is_cut_off(bool is_open) const {
    return is_open && !line_.result.empty() && has_spans_ && !line_.duration;
  }

  // Whether the line belongs to the torn one: as its end, or to what stands between.
  bool heal(std::string_view text, uint64_t offset) {
    constexpr size_t kMostPrinted = 1 << 12;
    const bool is_line = strace::parse_line(text, line_) ||
                         (torn_->clock == Clock::kNone ? torn_->has_pid && line_.pid >= 0
                                                       : line_.clock == torn_->clock);
    if (!is_line && strace::parse_end(text, line_)) {
      torn_->text += text;
      give_torn(true);
      return true;
    }
    if (is_line || torn_->printed.size() == kMostPrinted) {
      give_torn(false);
      return false;
    }
    torn_->printed.push_back(offset);
    return true;
  }

  void give_torn(bool is_healed) {
    if (!torn_) return;
    const Torn torn = *std::exchange(torn_, std::nullopt);
    take(strace::parse_line(torn.text, line_), torn.offset);
    for (const uint64_t line : torn.printed)
      is_healed ? sink_.note("line that the program printed", line) : around_.add(line, true);
  }

  // The line that was parsed last.
  void take(bool is_line, uint64_t offset, bool is_open = false) {
    offset_ = offset;
    give_held();
    if (!is_line) {
      return is_summary_ ? sink_.note("line of the summary, which has no times", offset_)
                         : around_.lose(offset_);
    }
    around_.call();
    if (is_cut_off(is_open)) return sink_.loss("line that the end of the input cuts off", offset_);
    has_spans_ |= !line_.result.empty() && line_.duration;
    if (!clock_) choose_clock();
    if (line_.pid < 0 && file_pid_) line_.pid = *file_pid_;
    const bool is_note =
        line_.what == What::kSignal || line_.what == What::kExit || line_.what == What::kMessage;
    if (is_note && line_.pid < 0 && line_.clock == Clock::kNone && last_pid_) {
      // Some say neither when nor whose: it belongs to the line before.
      line_.pid = *last_pid_;
      line_.clock = *clock_;
      line_.time = *clock_ == Clock::kRelative ? Time{} : last_;
    }
    if (line_.clock == Clock::kRelative && *clock_ == Clock::kAbsolute)
      line_.clock = Clock::kAbsolute;
    if (line_.clock != *clock_) return sink_.loss("line with another kind of time", offset_);
    const Time time = advance();
    identify();
    last_pid_ = line_.pid;
    Task& task = task_of(line_.pid, line_.command);
    if (!task.first) begin(task, time);
    switch (line_.what) {
      case What::kCall:
        return add_call(task, time);
      case What::kUnfinished:
        return open_call(task, time);
      case What::kResumed:
        return resume(task, time);
      case What::kSignal:
        return add_event(task, time, "signal", "info");
      case What::kMessage:
        return add_event(task, time, "message", "at");
      case What::kExit:
        living_.erase(line_.pid);
        return add_event(task, time, "end of process", {});
    }
  }

  struct Call {
    using allocator_type = std::pmr::polymorphic_allocator<>;
    Call(Time began, uint64_t at, std::string_view called, std::string_view said,
         allocator_type memory)
        : begin(began), offset(at), name(called, memory), arguments(said, memory) {}
    Call(Call&&) = default;
    Call(Call&& other, allocator_type memory)
        : begin(other.begin),
          offset(other.offset),
          name(std::move(other.name), memory),
          arguments(std::move(other.arguments), memory) {}
    Call& operator=(Call&&) = default;

    Time begin;
    uint64_t offset;
    std::pmr::string name, arguments;
  };
  struct Task {
    explicit Task(std::pmr::memory_resource* memory) : calls(memory) {}
    LaneId lane;
    LaneId process;  // that it is a thread of, or itself
    std::string name;
    std::optional<Time> first;     // when it was seen first
    std::pmr::vector<Call> calls;  // that are not over, one within the other
  };

  // A parsed line, held while its stack may follow.
  struct Held {
    Time begin;
    std::optional<Duration> duration;  // of a state
    LaneId lane;
    EventTypeId type;
    std::string params, stack;  // of JSON, their last bracket missing
    std::vector<std::byte> data;
  };

  void heed(const strace::Notice& notice) {
    has_notices_ = true;
    if (notice.pid < 0) return;
    if (!notice.is_attached) return void(living_.erase(notice.pid));
    task_of(notice.pid, {});
    (begun_.empty() ? living_ : born_).insert(notice.pid);
  }

  // On a terminal strace names the process of a line only while it follows several.
  void identify() {
    const auto nobody = tasks_.find(kNobody);
    if (line_.pid >= 0) {
      if (nobody != tasks_.end() && !tasks_.contains(line_.pid) && !is_child_of(nobody->second))
        adopt(line_.pid);
      living_.insert(line_.pid);
    } else if (nobody == tasks_.end() && living_.size() == 1) {
      line_.pid = *living_.begin();
    }
  }

  // Whether the line is of one that the call made which has not returned. Mostly notices tell.
  bool is_child_of(const Task& task) const {
    const bool resumes = line_.what == What::kResumed &&
                         std::ranges::find(task.calls, line_.name, &Call::name) != task.calls.end();
    return !has_notices_ && !task.calls.empty() && !resumes;
  }

  // The process without a number was this one.
  void adopt(int64_t pid) {
    auto node = tasks_.extract(kNobody);
    node.key() = pid;
    Task& task = node.mapped();
    task.name = task.name == kNameless ? std::to_string(pid) : fmt::format("{} {}", task.name, pid);
    sink_.update_lane(task.lane, {.name = task.name, .kind = trace::LaneKind::kProcess});
    tasks_.insert(std::move(node));
  }

  void choose_clock() {
    clock_ = line_.clock;
    // Soon after 1970 (a board without a clock) times since then are as small as differences.
    constexpr Time kSecond{1'000'000'000};
    if (line_.clock == Clock::kRelative && !line_.is_padded && line_.time >= kSecond)
      clock_ = Clock::kAbsolute;
    are_spans_ = *clock_ == Clock::kNone && line_.duration.has_value();
    if (are_spans_) sink_.set_metadata("times", "not in the file: calls lie one behind the other");
    const bool has_times = *clock_ != Clock::kNone || are_spans_;
    sink_.set_time_base(has_times ? TimeBase::kNanoseconds : TimeBase::kTicks);
  }

  // The time of the line.
  Time advance() {
    constexpr int64_t kDay = strace::kDay.ticks;
    switch (*clock_) {
      case Clock::kNone:
        return are_spans_ ? last_ : last_ = Time{lines_++};
      case Clock::kRelative:
        return last_ = Time{saturating_add(last_.ticks, line_.time.ticks)};
      case Clock::kOfDay:
        line_.time.ticks += midnights_ * kDay;
        if (line_.time.ticks + kDay / 2 < last_.ticks) {
          ++midnights_;
          line_.time.ticks += kDay;
        }
        note_order();
        if (line_.since_last && !file_pid_) line_.time = finer_time(line_.time, *line_.since_last);
        break;
      case Clock::kAbsolute:
        note_order();
        break;
    }
    last_ = std::max(last_, line_.time);
    return line_.time;
  }

  void note_order() {
    if (line_.time < line_before_)
      sink_.note("time runs backwards", {offset_, LaneId::none(), line_.time});
    line_before_ = line_.time;
  }

  // Options -r and -t: whole seconds, and exactly how long after the line before.
  Time finer_time(Time seconds, Duration since_last) {
    constexpr Duration kSecond{1'000'000'000};
    const Time exact = told_.value_or(seconds) + since_last;
    const bool agrees = exact < seconds + kSecond && seconds < exact + kSecond;
    told_ = told_ && agrees ? exact : seconds;
    return *told_;
  }

  Task& task_of(int64_t pid, std::string_view command) {
    const auto [it, is_new] = tasks_.try_emplace(pid, &memory_);
    if (is_new) {
      Task& task = it->second;
      task.name = pid < 0 ? std::string(kNameless) : std::to_string(pid);
      if (!command.empty()) task.name = fmt::format("{} {}", valid_utf8(command), pid);
      task.lane = task.process =
          sink_.add_lane({.name = task.name, .kind = trace::LaneKind::kProcess});
    }
    return it->second;
  }

  void begin(Task& task, Time time) {
    task.first = time;
    const auto birth = births_.find(task.lane.value());
    if (birth == births_.end()) return;
    give_birth(birth->second.first, birth->second.second, task);
    births_.erase(birth);
  }

  void add_call(Task& task, Time time) {
    learn(task, line_.name, line_.arguments, time);
    if (!line_.duration || !has_durations()) {
      write_params(line_.arguments, line_.result);
      return hold(task, time, {}, punctuals_.of(line_.name));
    }
    const Time end = time + *line_.duration;
    last_ = *clock_ == Clock::kRelative ? last_ : std::max(last_, end);
    write_params(line_.arguments, line_.result);
    hold_state(task, time, end, line_.name);
  }

  // In strace a process has one call at a time; ltrace prints nested calls, too.
  void open_call(Task& task, Time time) {
    nests_ = nests_ || !ftrace::is_system_call(line_.name);
    if (!nests_ && !task.calls.empty()) lose_end(task, time);
    task.calls.emplace_back(time, offset_, line_.name, line_.arguments);
    just_begun_ = Begun{line_.pid, line_.clock != Clock::kNone};
  }

  void lose_end(Task& task, Time time) {
    sink_.note("call without an end", task.calls.back().offset);
    hold_call(task, task.calls.back(), time, {});
    task.calls.pop_back();
  }

  // A call may be interrupted again and again.
  void resume(Task& task, Time time) {
    const auto is_it = [&](const Call& call) {
      return call.name == line_.name || strace::without_place(call.name) == line_.name;
    };
    if (std::ranges::none_of(task.calls, is_it)) {
      sink_.note("end without a begin", offset_);
      return;
    }
    while (!is_it(task.calls.back())) lose_end(task, time);
    strace::join_arguments(task.calls.back().arguments, line_.arguments);
    if (line_.result.empty()) return;
    const Call call = std::move(task.calls.back());
    task.calls.pop_back();
    learn(task, call.name, call.arguments, call.begin);
    const bool has_duration = line_.duration && has_durations();
    const Time end = has_duration ? call.begin + *line_.duration : time;
    if (are_spans_) last_ = std::max(last_, end);
    hold_call(task, call, end, line_.result);
  }
  bool has_durations() const { return *clock_ != Clock::kNone || are_spans_; }

  void hold_call(const Task& task, const Call& call, Time end, std::string_view result) {
    write_params(call.arguments, result);
    hold_state(task, call.begin, end, call.name);
  }

  void hold_state(const Task& task, Time begin, Time end, std::string_view name) {
    if (end < begin) return sink_.loss("call that ends before it begins", offset_);
    hold(task, begin, end - begin, states_.of(name));
  }

  void add_event(const Task& task, Time time, std::string_view group, std::string_view param) {
    json_.clear();
    if (!line_.arguments.empty()) add_param(param, line_.arguments);
    hold(task, time, {}, sink_.type(Category::kPunctual, valid_utf8(line_.name), group));
  }

  // With the parameters that were written.
  void hold(const Task& task, Time begin, std::optional<Duration> duration, EventTypeId type) {
    give_held();
    is_held_ = true;
    held_.begin = begin;
    held_.duration = duration;
    held_.lane = task.lane;
    held_.type = type;
    std::swap(held_.params, json_);
  }

  void add_dump(std::string_view line) {
    constexpr size_t kMostBytes = size_t{64} << 10, kBytesOfLine = 16;
    if (!is_held_) return sink_.note("data of no call", offset_);
    if (!take_prefix(line, strace::kDump) || !take_hexadecimal(line)) return;
    if (held_.data.size() + kBytesOfLine > kMostBytes)
      return sink_.note("data of a call beyond its first 64 KiB", offset_);
    for (size_t i = 0; i < kBytesOfLine; ++i) {
      // Two spaces in the middle, and more behind the last.
      const size_t spaces = std::min(line.find_first_not_of(' '), line.size());
      std::string_view digits = line.substr(spaces, 2);
      const bool is_pair = digits.size() == 2 && spaces > 0 && spaces <= 2;
      const auto byte = take_hexadecimal(digits);
      if (!is_pair || !byte || !digits.empty()) return;
      held_.data.push_back(static_cast<std::byte>(*byte));
      line.remove_prefix(spaces + 2);
    }
  }

  void add_frame(std::string_view frame) {
    constexpr size_t kMostText = size_t{64} << 10;
    if (!is_held_ || held_.stack.size() + frame.size() > kMostText)
      return sink_.note("frame of no call", offset_);
    held_.stack += held_.stack.empty() ? '[' : ',';
    json::append_quoted(held_.stack, valid_utf8(frame));
  }

  void give_held() {
    if (!is_held_) return;
    is_held_ = false;
    std::string& json = held_.params;
    if (!held_.stack.empty())
      json += fmt::format(R"({}"stack":{}])", json.empty() ? '{' : ',', held_.stack);
    if (!json.empty()) json += '}';
    const ParamsId params = sink_.params(json, held_.data);
    held_.stack.clear();
    held_.data.clear();
    if (held_.duration) {
      return sink_.give(trace::StateEvent{.begin = held_.begin,
                                          .duration = *held_.duration,
                                          .params = params,
                                          .lane = held_.lane,
                                          .type = held_.type});
    }
    sink_.give(trace::PunctualEvent{
        .time = held_.begin, .params = params, .lane = held_.lane, .type = held_.type});
  }

  // Learns about processes from a call: their names and parents.
  void learn(Task& task, std::string_view call, std::string_view arguments, Time time) {
    if (call == "execve" && line_.result.starts_with('0')) return rename(task, arguments);
    const bool is_birth = call == "clone" || call == "clone3" || call == "fork" || call == "vfork";
    std::string_view result = line_.result;
    const auto child = is_birth ? take_number<int64_t>(result) : std::nullopt;
    if (!child || *child <= 0) return;
    const LaneId lane = task.lane, process = task.process;
    const std::string name = task.name;
    Task& born = task_of(*child, {});
    if (born.lane == lane) return;
    if (arguments.find("CLONE_THREAD") != std::string_view::npos) {
      born.process = process;
      sink_.update_lane(
          born.lane,
          {.name = std::to_string(*child), .parent = process, .kind = trace::LaneKind::kThread});
    } else if (born.name.find(' ') == std::string::npos) {
      born.name = fmt::format("{} {}", name.substr(0, name.find(' ')), *child);
      if (name.find(' ') != std::string::npos)
        sink_.update_lane(born.lane, {.name = born.name, .kind = trace::LaneKind::kProcess});
    }
    if (born.first) return give_birth(lane, time, born);
    births_.emplace(born.lane.value(), std::pair(lane, time));
  }

  // A process is called what it executes.
  void rename(Task& task, std::string_view arguments) {
    std::string path = strace::first_text(arguments);
    path.erase(0, path.rfind('/') + 1);  // npos + 1 is 0
    if (path.empty() || task.process != task.lane) return;
    task.name =
        line_.pid < 0 ? valid_utf8(path) : fmt::format("{} {}", valid_utf8(path), line_.pid);
    sink_.update_lane(task.lane, {.name = task.name, .kind = trace::LaneKind::kProcess});
  }

  void give_birth(LaneId parent, Time time, const Task& child) {
    sink_.give(trace::LinkEvent{.send = time,
                                .receive = std::max(time, *child.first),
                                .source = parent,
                                .target = child.lane,
                                .type = sink_.type(Category::kLink, "clone")});
  }

  void write_params(std::string_view arguments, std::string_view result) {
    json_.clear();
    if (!arguments.empty()) add_param("args", arguments);
    if (!result.empty()) add_param("result", result);
  }
  void add_param(std::string_view name, std::string_view value) {
    json_ += json_.empty() ? "{\"" : ",\"";
    json_ += name;
    json_ += "\":";
    json::append_quoted_bytes(json_, value);
  }

  trace::EventSink& sink_;
  std::optional<Clock> clock_;  // of the first line
  std::optional<int64_t> last_pid_;
  std::optional<int64_t> file_pid_;  // whose lines the file has
  LargePool memory_;
  std::pmr::map<int64_t, Task> tasks_{&memory_};
  std::pmr::set<int64_t> living_{&memory_};  // of those that were seen or attached to
  std::pmr::set<int64_t> born_{&memory_};    // within the line that was begun
  strace::TextAround around_{sink_};
  std::optional<Torn> torn_;
  std::optional<Begun> just_begun_;
  std::string begun_;  // of a line that notices stand within
  uint64_t begun_offset_ = 0;
  bool are_spans_ = false;  // only how long calls took is said, not when
  bool has_notices_ = false, is_summary_ = false;
  bool nests_ = false;  // the calls of one process lie within each other
  std::pmr::map<uint32_t, std::pair<LaneId, Time>> births_{
      &memory_};  // by the lane that was not seen yet
  TypesByName states_{sink_, Category::kState}, punctuals_{sink_, Category::kPunctual};
  strace::Line line_;
  bool is_held_ = false;
  Held held_;            // kept for its memory
  uint64_t offset_ = 0;  // of the line
  Time last_;
  Time line_before_;          // when it was printed
  bool has_spans_ = false;    // some call said how long it took (-T)
  std::optional<Time> told_;  // of the line before, by finer_time()
  int64_t lines_ = 0, midnights_ = 0;
  std::string json_;  // kept for its memory
};

}  // namespace

Status read_strace(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  StraceReader reader(sink);
  const auto read = [&](io::Source& lines) {
    for_each_line(lines, sink, [&](const io::Line& line) { reader.add(line); });
  };
  const strace::TaskFiles files = strace::task_files(source);
  if (files.others > 0)
    sink.note("file beside it that is not part of it", trace::LossPlace::nowhere(), files.others);
  if (files.files.empty()) read(source);
  for (const strace::TaskFile& file : files.files) {
    reader.begin_file(file);
    if (file.path == source.path()) {
      read(source);
    } else if (auto opened = io::Source::open(file.path)) {
      read(**opened);
    } else {
      sink.loss("file beside it that cannot be read: " + opened.error().message,
                trace::LossPlace::nowhere());
    }
    reader.end_file();
  }
  reader.finish();
  return {};
}

std::string strace_run(std::string_view file_name) { return strace::run_of(file_name); }

}  // namespace weft::formats
