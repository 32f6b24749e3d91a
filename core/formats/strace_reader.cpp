#include "core/formats/strace_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/by_name.h"
#include "core/formats/chrome_json/json_text.h"
#include "core/formats/strace/strace_line.h"
#include "core/formats/text.h"
#include "core/formats/text_lines.h"

namespace weft::formats {
namespace {

using strace::Clock;
using strace::What;
using trace::Category;

// Of the stack of the call before, which option -k prints.
bool is_frame(std::string_view line) { return trimmed(line).starts_with("> "); }

class StraceReader {
 public:
  explicit StraceReader(trace::EventSink& sink) : sink_(sink) {}

  void add(const io::Line& text) {
    offset_ = text.offset;
    if (is_notice(text.text)) return;
    if (is_frame(text.text))
      return sink_.loss("stack of a call, which is not shown", offset_, 1, false);
    if (!strace::parse_line(text.text, line_))
      return sink_.loss("line that is no system call", offset_);
    if (!clock_) choose_clock();
    const bool is_note = line_.what == What::kSignal || line_.what == What::kExit;
    if (is_note && line_.pid < 0 && line_.clock == Clock::kNone && last_pid_) {
      // Some say neither when nor whose: it belongs to the line before.
      line_.pid = *last_pid_;
      line_.clock = *clock_;
      line_.time = *clock_ == Clock::kRelative ? Time{} : last_;
    }
    if (line_.clock != *clock_) return sink_.loss("line with another kind of time", offset_);
    const Time time = advance();
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
      case What::kExit:
        return add_event(task, time, "end of process", {});
    }
  }

  // Calls that did not return last until the end.
  void finish() {
    for (auto& [pid, task] : tasks_) {
      if (!task.call) continue;
      sink_.loss("call without an end", task.call->offset, 1, false);
      give_state(task, *task.call, last_, {});
    }
  }

 private:
  struct Call {
    Time begin;
    uint64_t offset;
    std::string name, arguments;
  };
  struct Task {
    LaneId lane;
    LaneId process;  // that it is a thread of, or itself
    std::string name;
    std::optional<Time> first;  // when it was seen first
    std::optional<Call> call;   // that is not over
  };

  // "strace: Process 28567 attached", and what stands behind a call that was left so.
  static bool is_notice(std::string_view text) {
    return text.starts_with("strace: ") || trimmed(text) == "<detached ...>";
  }

  void choose_clock() {
    clock_ = line_.clock;
    sink_.set_time_base(*clock_ == Clock::kNone ? TimeBase::kTicks : TimeBase::kNanoseconds);
  }

  // The time of the line.
  Time advance() {
    constexpr int64_t kHalfDay = 43'200'000'000'000;
    switch (*clock_) {
      case Clock::kNone:
        return last_ = Time{lines_++};
      case Clock::kRelative:
        return last_ = Time{saturating_add(last_.ticks, line_.time.ticks)};
      case Clock::kOfDay:
        line_.time.ticks += midnights_ * 2 * kHalfDay;
        if (line_.time.ticks + kHalfDay < last_.ticks) {
          ++midnights_;
          line_.time.ticks += 2 * kHalfDay;
        }
        break;
      case Clock::kAbsolute:
        break;
    }
    last_ = std::max(last_, line_.time);
    return line_.time;
  }

  Task& task_of(int64_t pid, std::string_view command) {
    const auto [it, is_new] = tasks_.try_emplace(pid);
    if (is_new) {
      Task& task = it->second;
      task.name = pid < 0 ? "process" : std::to_string(pid);
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
    if (!line_.duration || *clock_ == Clock::kNone) {
      const trace::PunctualEvent event{
          .time = time,
          .params = params_of(line_.arguments, line_.result),
          .lane = task.lane,
          .type = type_of(punctual_types_, Category::kPunctual, line_.name)};
      return sink_.punctuals({&event, 1});
    }
    const Time end = time + *line_.duration;
    last_ = *clock_ == Clock::kRelative ? last_ : std::max(last_, end);
    give(task, time, end, line_.name, params_of(line_.arguments, line_.result));
  }

  void open_call(Task& task, Time time) {
    if (task.call) {
      sink_.loss("call without an end", task.call->offset, 1, false);
      give_state(task, *task.call, time, {});
    }
    task.call = Call{time, offset_, std::string(line_.name), std::string(line_.arguments)};
  }

  // A call may be interrupted again and again.
  void resume(Task& task, Time time) {
    if (!task.call || task.call->name != line_.name) {
      sink_.loss("end without a begin", offset_, 1, false);
      return;
    }
    task.call->arguments += line_.arguments;
    if (line_.result.empty()) return;
    const Call call = *std::exchange(task.call, std::nullopt);
    learn(task, call.name, call.arguments, call.begin);
    const bool has_duration = line_.duration && *clock_ != Clock::kNone;
    give_state(task, call, has_duration ? call.begin + *line_.duration : time, line_.result);
  }

  void give_state(const Task& task, const Call& call, Time end, std::string_view result) {
    give(task, call.begin, end, call.name, params_of(call.arguments, result));
  }

  void give(const Task& task, Time begin, Time end, std::string_view name, ParamsId params) {
    if (end < begin) return sink_.loss("call that ends before it begins", offset_);
    const trace::StateEvent state{.begin = begin,
                                  .duration = end - begin,
                                  .params = params,
                                  .lane = task.lane,
                                  .type = type_of(state_types_, Category::kState, name)};
    sink_.states({&state, 1});
  }

  void add_event(const Task& task, Time time, std::string_view group, std::string_view param) {
    json_.clear();
    if (!line_.arguments.empty()) add_param(param, line_.arguments);
    const trace::PunctualEvent event{
        .time = time,
        .params = finished_params(),
        .lane = task.lane,
        .type = sink_.type(Category::kPunctual, valid_utf8(line_.name), group)};
    sink_.punctuals({&event, 1});
  }

  // What a call says of processes: their names, and whose they are.
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
    const size_t quote = arguments.find('"'), end = arguments.find('"', quote + 1);
    if (end == std::string_view::npos) return;
    std::string_view path = arguments.substr(quote + 1, end - quote - 1);
    path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
    if (path.empty() || task.process != task.lane) return;
    task.name =
        line_.pid < 0 ? valid_utf8(path) : fmt::format("{} {}", valid_utf8(path), line_.pid);
    sink_.update_lane(task.lane, {.name = task.name, .kind = trace::LaneKind::kProcess});
  }

  void give_birth(LaneId parent, Time time, const Task& child) {
    const trace::LinkEvent link{.send = time,
                                .receive = std::max(time, *child.first),
                                .source = parent,
                                .target = child.lane,
                                .type = sink_.type(Category::kLink, "clone")};
    sink_.links({&link, 1});
  }

  EventTypeId type_of(ByName<EventTypeId>& types, Category category, std::string_view name) {
    EventTypeId& type = value_of(types, name, EventTypeId::none());
    if (type.is_none()) type = sink_.type(category, valid_utf8(name));
    return type;
  }

  ParamsId params_of(std::string_view arguments, std::string_view result) {
    json_.clear();
    if (!arguments.empty()) add_param("args", arguments);
    if (!result.empty()) add_param("result", result);
    return finished_params();
  }
  void add_param(std::string_view name, std::string_view value) {
    json_ += json_.empty() ? "{\"" : ",\"";
    json_ += name;
    json_ += "\":";
    if (is_valid_utf8(value)) return chrome_json::append_quoted(json_, value);
    chrome_json::append_quoted(json_, valid_utf8(value));
  }
  ParamsId finished_params() {
    if (json_.empty()) return ParamsId::none();
    json_ += '}';
    return sink_.params(json_);
  }

  trace::EventSink& sink_;
  std::optional<Clock> clock_;  // of the first line
  std::optional<int64_t> last_pid_;
  std::map<int64_t, Task> tasks_;
  std::map<uint32_t, std::pair<LaneId, Time>> births_;  // by the lane that was not seen yet
  ByName<EventTypeId> state_types_, punctual_types_;
  strace::Line line_;
  uint64_t offset_ = 0;  // of the line
  Time last_;
  int64_t lines_ = 0, midnights_ = 0;
  std::string json_;  // kept for its memory
};

}  // namespace

int sniff_strace(std::span<const std::byte> head) {
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  constexpr int kLinesLookedAt = 32;
  int right = 0, wrong = 0;
  bool has_call = false;
  strace::Line parts;
  for (int i = 0; i < kLinesLookedAt && !text.empty(); ++i) {
    const size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.starts_with("strace: ") || is_frame(line)) continue;
    const bool is_right = strace::parse_line(line, parts);
    ++(is_right ? right : wrong);
    const bool has_origin =
        is_right && (parts.pid >= 0 || parts.clock != Clock::kNone || parts.duration);
    has_call |= has_origin || (is_right && right > 2);
  }
  constexpr int kSure = 65;
  return has_call && right > 2 * wrong ? kSure : 0;
}

Status read_strace(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  StraceReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
