#include "core/formats/profiles/papyrus/papyrus_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/stacks/open_states.h"

namespace weft::formats {
namespace {

// "500:PUSH:3053:1:quest (24021278):quest..start"; what stands behind the stack may lack.
struct PapyrusLine {
  enum class Kind : uint8_t { kPush, kPop, kQueuePush, kQueuePop, kStart, kStop };
  int64_t ms = 0;
  Kind kind{};
  std::string_view what{}, stack{}, frame{}, object{}, function{};
};

std::string_view take_part(std::string_view& text) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view part = text.substr(0, colon);
  text.remove_prefix(std::min(colon + 1, text.size()));
  return part;
}

bool parse_papyrus(std::string_view text, PapyrusLine& out) {
  // As PapyrusLine::Kind has them.
  static constexpr std::array<std::string_view, 6> kWhats = {"PUSH",      "POP",   "QUEUE_PUSH",
                                                             "QUEUE_POP", "START", "STOP"};
  const auto ms = parse_number<int64_t>(take_part(text));
  if (!ms) return false;
  out = {.ms = *ms, .what = take_part(text), .stack = take_part(text)};
  out.frame = take_part(text);
  // An object has colons, too: its function has none.
  const size_t colon = text.rfind(':');
  out.object =
      trimmed(colon == std::string_view::npos ? std::string_view() : text.substr(0, colon));
  out.function = trimmed(colon == std::string_view::npos ? text : text.substr(colon + 1));
  const auto* const what = std::ranges::find(kWhats, out.what);
  out.kind = static_cast<PapyrusLine::Kind>(what - kWhats.begin());
  return !out.stack.empty() && what != kWhats.end();
}

bool is_note(std::string_view text) {
  return text.find(" log opened (") != std::string_view::npos || text == "Log closed";
}

class PapyrusReader {
 public:
  explicit PapyrusReader(trace::EventSink& sink) : sink_(sink), open_(sink) {
    sink_.set_time_base(TimeBase::kMilliseconds);
  }

  void add(const io::Line& line) {
    const std::string_view text = trimmed(line.text);
    if (is_note(text)) return;
    PapyrusLine parsed;
    if (!parse_papyrus(text, parsed)) return sink_.loss("line of no kind", line.offset);
    const Time time{parsed.ms};
    last_ = std::max(last_, time);
    Stack& stack = stack_of(parsed.stack);
    using Kind = PapyrusLine::Kind;
    if (parsed.kind == Kind::kStart || parsed.kind == Kind::kStop)
      return add_instant(parsed, time, stack);
    end_waiting(stack, time);
    if (parsed.kind == Kind::kQueuePush || parsed.kind == Kind::kQueuePop) {
      stack.waits_since = time;
      stack.waiting = parsed.kind == Kind::kQueuePush ? "wait to call " : "wait to return from ";
      stack.waiting += valid_utf8(parsed.function);
    } else if (parsed.kind == Kind::kPush) {
      open_.begin(stack.lane, type_of(parsed), time, params_of(parsed), line.offset);
    } else {
      add_end(parsed, time, stack, line.offset);
    }
  }

  void finish() {
    for (auto& [id, stack] : stacks_) end_waiting(stack, last_);
    open_.finish(last_);
  }

 private:
  struct Stack {
    LaneId lane, queue = LaneId::none();
    std::optional<Time> waits_since{};
    std::string waiting{};
  };

  // An end without a begin: it began at an unknown time before the log.
  void add_end(const PapyrusLine& parsed, Time time, Stack& stack, uint64_t offset) {
    const EventTypeId type = type_of(parsed);
    if (open_.has_open(stack.lane, type)) return open_.end_of(stack.lane, type, time, offset);
    sink_.note("end without a begin", {offset, stack.lane, time});
    sink_.give(trace::PunctualEvent{
        .time = time,
        .params = sink_.params(params_of(parsed)),
        .lane = stack.lane,
        .type =
            sink_.type(trace::Category::kPunctual, "return from " + valid_utf8(parsed.function))});
  }

  void add_instant(const PapyrusLine& parsed, Time time, const Stack& stack) {
    sink_.give(trace::PunctualEvent{.time = time,
                                    .lane = stack.lane,
                                    .type = sink_.type(trace::Category::kPunctual, parsed.what)});
  }

  void end_waiting(Stack& stack, Time time) {
    const auto since = std::exchange(stack.waits_since, std::nullopt);
    if (!since || time < *since) return;
    if (stack.queue.is_none())
      stack.queue =
          sink_.add_lane({.name = "queue", .parent = stack.lane, .kind = trace::LaneKind::kQueue});
    sink_.give(trace::StateEvent{.begin = *since,
                                 .duration = time - *since,
                                 .lane = stack.queue,
                                 .type = sink_.type(trace::Category::kState, stack.waiting)});
  }

  EventTypeId type_of(const PapyrusLine& parsed) {
    const std::string_view name = parsed.function.empty() ? "(unknown)" : parsed.function;
    EventTypeId& type = value_of(functions_, name, EventTypeId::none());
    if (type.is_none())
      type = sink_.type(trace::Category::kState, valid_utf8(name),
                        valid_utf8(name.substr(0, name.find('.'))));
    return type;
  }

  // Valid until the next call.
  std::string_view params_of(const PapyrusLine& parsed) {
    params_.clear();
    if (!parsed.object.empty() && parsed.object != "None") params_.add("object", parsed.object);
    params_.add("frame", parsed.frame);
    return params_.whole();
  }

  Stack& stack_of(std::string_view id) {
    const auto it = stacks_.find(id);
    if (it != stacks_.end()) return it->second;
    const LaneId lane =
        sink_.add_lane({.name = "Stack " + valid_utf8(id), .kind = trace::LaneKind::kThread});
    return stacks_.emplace(std::string(id), Stack{.lane = lane}).first->second;
  }

  trace::EventSink& sink_;
  stacks::OpenStates open_;
  std::map<std::string, Stack, std::less<>> stacks_;
  ByName<EventTypeId> functions_;
  ArgsText params_;  // kept for its memory
  Time last_ = Time::min();
};

}  // namespace

int sniff_papyrus(std::span<const std::byte> head) {
  constexpr int kLinesLookedAt = 16, kSure = 90;
  HeadLines lines(as_chars(head), kLinesLookedAt);
  int right = 0, wrong = 0;
  while (const auto next = lines.next()) {
    const std::string_view line = trimmed(*next);
    PapyrusLine parsed;
    if (line.empty() || is_note(line)) continue;
    ++(parse_papyrus(line, parsed) ? right : wrong);
  }
  return right > wrong ? kSure : 0;
}

Status read_papyrus(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  PapyrusReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
