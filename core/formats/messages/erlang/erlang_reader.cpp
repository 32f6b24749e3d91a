#include "core/formats/messages/erlang/erlang_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/messages/erlang/erlang_messages.h"
#include "core/formats/messages/erlang/erlang_term.h"
#include "core/formats/messages/erlang/external_term.h"
#include "core/formats/stacks/held_state.h"
#include "core/formats/stacks/open_states.h"

namespace weft::formats {
namespace {

using trace::Category;

// The form of a message after its tag; without a name: any.
struct Tag {
  std::string_view name;
  std::array<std::string_view, 2> arguments;
};
constexpr Tag kTags[] = {
    {"receive", {"message"}},
    {"send", {"message", "to"}},
    {"send_to_non_existing_process", {"message", "to"}},
    {"call", {"function"}},
    {"return_to", {"function"}},
    {"return_from", {"function", "result"}},
    {"exception_from", {"function", "exception"}},
    {"spawn", {"process", "function"}},
    {"spawned", {"process", "function"}},
    {"exit", {"reason"}},
    {"link", {"with"}},
    {"unlink", {"with"}},
    {"getting_linked", {"with"}},
    {"getting_unlinked", {"with"}},
    {"register", {"name"}},
    {"unregister", {"name"}},
    {"in", {"function"}},
    {"out", {"function"}},
    {"in_exiting", {"function"}},
    {"out_exiting", {"function"}},
    {"out_exited", {"function"}},
    {"gc_minor_start", {"info"}},
    {"gc_minor_end", {"info"}},
    {"gc_major_start", {"info"}},
    {"gc_major_end", {"info"}},
    {"gc_max_heap_size", {"info"}},
    {"open", {"owner", "driver"}},
    {"closed", {"reason"}},
};

// The caller, to which a call returns.
constexpr std::string_view kCaller = "{cp,";

bool is_trace_message(std::string_view term) {
  return term.starts_with("{trace_ts,") || term.starts_with("{trace,") ||
         term.starts_with("{seq_trace,");
}

// A line from where a message begins in it, behind what a shell or a program prints before it
// ("Shell got ", "TRACE (#1): ", the bracket of a list); all of the line where none does.
std::string_view from_message(std::string_view line) {
  constexpr size_t kMostBytesBefore = 64;
  for (size_t at = line.find('{'); at < std::min(line.size(), kMostBytesBefore);
       at = line.find('{', at + 1)) {
    if (is_trace_message(line.substr(at))) return line.substr(at);
    if (line.find_first_of("\"'") < at) break;
  }
  return line;
}

// The two or three numbers of a tuple or list; none where it has others.
std::span<const int64_t> numbers_of(std::string_view term, std::array<int64_t, 3>& numbers) {
  std::vector<std::string_view> parts;
  if (!erlang::split(term, parts) || parts.size() < 2 || parts.size() > 3) return {};
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto number = parse_number<int64_t>(parts[i]);
    if (!number) return {};
    numbers[i] = *number;
  }
  return std::span(numbers).first(parts.size());
}

// {1795,224132,809169}, as it is printed where nothing breaks its line.
bool take_plain_numbers(std::string_view term, std::array<int64_t, 3>& numbers) {
  const char* at = std::to_address(term.begin());
  const char* const end = at + term.size();
  char before = '{';
  for (int64_t& number : numbers) {
    if (at == end || *at++ != before || !take_few_digits(at, end, number)) return false;
    before = ',';
  }
  return end - at == 1 && *at == '}';
}

// {Mega,Sec,Micro} since 1970, nanoseconds of a monotonic clock, or those with a number that makes
// them unique.
std::optional<Time> time_of(std::string_view term) {
  std::array<int64_t, 3> numbers{};
  if (!take_plain_numbers(term, numbers)) {
    if (const auto ns = parse_number<int64_t>(term)) return Time{*ns};
    const auto read = numbers_of(term, numbers);
    if (read.empty()) return std::nullopt;
    if (read.size() == 2) return Time{read[0]};
  }
  constexpr int64_t kMost = 9'000, kMillion = 1'000'000;
  const auto [mega, seconds, micro] = numbers;
  if (mega < 0 || mega > kMost || seconds < 0 || seconds >= kMillion || micro < 0 ||
      micro >= kMillion)
    return std::nullopt;
  return Time{((mega * kMillion + seconds) * kMillion + micro) * 1000};
}

// "t:worker/1", of {t,worker,1} or of {t,worker,[a]}.
std::string function_of(std::string_view term) {
  std::vector<std::string_view> parts, arguments;
  parts.reserve(3);
  if (!erlang::split(term, parts) || parts.size() != 3) return std::string(term);
  std::string name;
  name.reserve(term.size());
  name.append(parts[0]).append(1, ':').append(parts[1]).append(1, '/');
  if (erlang::split(parts[2], arguments)) {
    append_number(name, arguments.size());
  } else {
    name.append(parts[2]);
  }
  return name;
}

class ErlangReader {
 public:
  ErlangReader(trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink), open_(sink), messages_(sink, memory_bytes / 2) {}

  void add(std::string_view term, uint64_t offset) {
    offset_ = offset;
    if (!is_trace_message(term) || !erlang::split(term, parts_) || parts_.size() < 3)
      return sink_.loss("term that is not a trace message", offset_);
    const bool is_of_sequence = parts_[0] == "seq_trace";
    const bool has_time = is_of_sequence ? parts_.size() > 3 : parts_[0] == "trace_ts";
    if (!has_times_) {
      has_times_ = has_time;
      sink_.set_time_base(has_time ? TimeBase::kNanoseconds : TimeBase::kTicks);
    }
    const auto time = has_time ? time_of(parts_.back()) : std::optional(Time{last_.ticks + 1});
    if (!time || has_time != *has_times_)
      return sink_.loss("trace message without the trace's time", offset_);
    parts_.resize(parts_.size() - (has_time ? 1 : 0));
    if (parts_.size() < 3) return sink_.loss("term that is not a trace message", offset_);
    time_ = *time;
    last_ = std::exchange(is_first_, false) ? time_ : std::max(last_, time_);
    if (is_of_sequence) return add_of_sequence();
    process_ = &process_of(parts_[1]);
    tag_ = erlang::atom(parts_[2]);
    write_params();
    play();
  }

  void finish() {
    for (auto& [pid, process] : processes_) {
      run(process, {}, last_);
      for (const Call& call : process.open) give(process, call);
    }
    for (const auto& [child, birth] : births_)
      give_birth(birth, process_of(child).lane, birth.time);
    open_.finish(last_);
    messages_.finish();
  }

 private:
  struct Call {
    std::string function;
    std::string caller;  // where it returns to; empty where that is not said
    Time time;
    ParamsId params;
  };
  struct Process {
    LaneId lane;
    LaneId calls = LaneId::none();
    stacks::HeldState running{};
    std::vector<Call> open{};  // that have not returned
  };
  struct Birth {
    LaneId parent;
    Time time;
    ParamsId params;
  };

  void play() {
    const LaneId lane = process_->lane;
    if (tag_ == "in" || tag_ == "in_exiting") return run(*process_, "running", time_);
    if (tag_.starts_with("out")) return run(*process_, {}, time_);
    if (tag_ == "gc_minor_start" || tag_ == "gc_major_start")
      return open_.begin(lane, collection(), time_, params(), offset_);
    if (tag_ == "gc_minor_end" || tag_ == "gc_major_end") return end_collection();
    if (tag_ == "send" || tag_ == "receive") return add_message();
    if (tag_ == "spawn" || tag_ == "spawned") return add_birth();
    if (tag_ == "call") return add_call();
    if ((tag_ == "return_from" || tag_ == "exception_from") && end_call()) return;
    if (tag_ == "return_to" && return_to()) return;
    if (tag_ == "register" || tag_ == "unregister") name();
    if (tag_ == "exit") open_.end_all(lane, time_);
    give_instant("trace");
  }

  void give_instant(std::string_view group) {
    sink_.give(
        trace::PunctualEvent{.time = time_,
                             .params = params(),
                             .lane = process_->lane,
                             .type = sink_.type(Category::kPunctual, valid_utf8(tag_), group)});
  }

  // {seq_trace,Label,{send,{1,2},From,To,Message}}: both ends of a message have the same numbers.
  void add_of_sequence() {
    const std::string_view label = parts_[1], info = parts_[2];
    if (!erlang::split(info, parts_) || parts_.size() < 5)
      return sink_.loss("term that is not a trace message", offset_);
    const std::string_view serial = parts_[1], from = parts_[2], to = parts_[3];
    tag_ = erlang::atom(parts_[0]);
    process_ = &process_of(tag_ == "receive" ? to : from);
    params_.clear();
    params_.add_as_written("message", parts_[4]);
    params_.add_as_written("label", label);
    params_.add_as_written("serial", serial);
    if (tag_ != "send" && tag_ != "receive") return give_instant("sequence");
    const std::string key = fmt::format("{} {} {}", serial, from, to);
    const erlang::Messages::End end{process_->lane, time_, params()};
    tag_ == "send" ? messages_.send(key, end) : messages_.receive(key, end);
  }

  void run(Process& process, std::string_view state, Time time) {
    process.running.change(sink_, process.lane, state, time, "scheduling", {});
  }

  EventTypeId collection() {
    return sink_.type(Category::kState,
                      tag_.starts_with("gc_minor") ? "minor collection" : "major collection",
                      "garbage");
  }

  void end_collection() {
    open_.end_of(process_->lane, collection(), time_, offset_);
    std::vector<std::string_view> sizes, size;
    if (parts_.size() < 4 || !erlang::split(parts_[3], sizes)) return;
    for (const std::string_view each : sizes) {
      if (!erlang::split(each, size) || size.size() != 2) continue;
      const auto words = parse_number<double>(size[1]);
      if (!words || (size[0] != "heap_size" && size[0] != "old_heap_size")) continue;
      sink_.give(trace::VariableSample{.time = time_,
                                       .value = *words,
                                       .lane = process_->lane,
                                       .type = sink_.type(Category::kVariable, size[0])});
    }
  }

  void add_message() {
    const bool is_send = tag_ == "send";
    const size_t needed = is_send ? 5 : 4;
    if (parts_.size() < needed) return sink_.loss("term that is not a trace message", offset_);
    std::string_view to = is_send ? parts_[4] : parts_[1];
    const auto* const named = names_.find(to);
    if (is_send && named != nullptr) to = named->second;
    const std::string key = fmt::format("{} {}", to, parts_[3]);
    const erlang::Messages::End end{process_->lane, time_, params()};
    is_send ? messages_.send(key, end) : messages_.receive(key, end);
  }

  // The parent says so, and the child; either may not be traced.
  void add_birth() {
    if (parts_.size() < 4) return sink_.loss("term that is not a trace message", offset_);
    const LaneId lane = process_->lane;
    if (tag_ == "spawn") {
      births_.insert_or_assign(std::string(parts_[3]), Birth{lane, time_, params()});
      return;
    }
    const auto birth = births_.find(std::string(parts_[1]));
    const Birth unseen{process_of(parts_[3]).lane, time_, params()};
    give_birth(birth == births_.end() ? unseen : birth->second, lane, time_);
    if (birth != births_.end()) births_.erase(birth);
  }
  void give_birth(const Birth& birth, LaneId child, Time time) {
    sink_.give(trace::LinkEvent{.send = birth.time,
                                .receive = std::max(time, birth.time),
                                .params = birth.params,
                                .source = birth.parent,
                                .target = child,
                                .type = sink_.type(Category::kLink, "spawn")});
  }

  void add_call() {
    constexpr size_t kMostCalls = 1 << 10;  // of a process, that have not returned
    if (parts_.size() < 4) return sink_.loss("term that is not a trace message", offset_);
    std::vector<Call>& open = process_->open;
    const std::string caller = caller_of_call();
    // A last call takes the place of the function that makes it.
    if (!caller.empty() && !open.empty() && open.back().caller == caller &&
        open.back().function != caller)
      end_innermost();
    if (open.size() == kMostCalls) {
      for (const Call& call : open) give(*process_, call);
      open.clear();
    }
    open.push_back({function_of(parts_[3]), caller, time_, params()});
  }

  // Said as {cp,{t,worker,1}} where that is wanted.
  std::string caller_of_call() const {
    std::vector<std::string_view> parts;
    const bool is_said = parts_.size() > 4 && parts_[4].starts_with(kCaller) &&
                         erlang::split(parts_[4], parts) && parts.size() == 2;
    return is_said ? function_of(parts[1]) : std::string();
  }

  // Returns false if no call was seen.
  bool end_call() {
    const std::string function = parts_.size() < 4 ? std::string() : function_of(parts_[3]);
    std::vector<Call>& open = process_->open;
    const auto call = std::find_if(open.rbegin(), open.rend(), [&](const Call& each) {
      return each.function == function && each.time <= time_;
    });
    if (call == open.rend()) return false;
    give_state(*call);
    open.erase(std::next(call).base());
    return true;
  }

  // Back in a function, which may be none that is traced: what it had called is over. Returns false
  // if nothing was.
  bool return_to() {
    const std::string function = parts_.size() < 4 ? std::string() : function_of(parts_[3]);
    std::vector<Call>& open = process_->open;
    if (open.empty()) return false;
    size_t left = open.size() - 1;
    for (size_t i = open.size(); i-- > 0;) {
      const bool is_called_there = open[i].caller == function;
      const bool is_there = i + 1 < open.size() && open[i].function == function;
      if (!is_called_there && !is_there) continue;
      left = is_called_there ? i : i + 1;
      break;
    }
    while (open.size() > left) end_innermost();
    return true;
  }

  void end_innermost() {
    give_state(process_->open.back());
    process_->open.pop_back();
  }

  void give_state(const Call& call) {
    if (process_->calls.is_none()) {
      process_->calls = sink_.add_lane(
          {.name = "calls", .parent = process_->lane, .kind = trace::LaneKind::kGroup});
    }
    sink_.give(
        trace::StateEvent{.begin = call.time,
                          .duration = std::max(Duration{}, time_ - call.time),
                          .params = call.params,
                          .lane = process_->calls,
                          .type = sink_.type(Category::kState, valid_utf8(call.function), "call")});
  }

  // A call whose return nobody traces is an instant.
  void give(const Process& process, const Call& call) {
    sink_.give(trace::PunctualEvent{
        .time = call.time,
        .params = call.params,
        .lane = process.lane,
        .type = sink_.type(Category::kPunctual, valid_utf8(call.function), "call")});
  }

  void name() {
    if (parts_.size() < 4) return;
    const std::string_view pid = parts_[1], name = parts_[3];
    if (tag_ == "unregister") return void(names_[name] = {});
    names_[name] = pid;
    sink_.update_lane(process_->lane,
                      {.name = fmt::format("{} {}", valid_utf8(name), valid_utf8(pid)),
                       .kind = trace::LaneKind::kProcess});
  }

  Process& process_of(std::string_view pid) {
    const auto [known, is_new] = process_of_pid_.try_emplace(pid);
    if (is_new) {
      known->second = &processes_[std::string(pid)];
      known->second->lane =
          sink_.add_lane({.name = valid_utf8(pid), .kind = trace::LaneKind::kProcess});
    }
    return *known->second;
  }

  void write_params() {
    params_.clear();
    const auto* const tag = std::ranges::find(kTags, tag_, &Tag::name);
    for (size_t i = 3; i < parts_.size(); ++i) {
      const bool is_known = tag != std::end(kTags) && i - 3 < tag->arguments.size();
      std::string_view name = is_known ? tag->arguments[i - 3] : std::string_view();
      if (parts_[i].starts_with(kCaller)) name = "caller";
      if (name.empty()) {
        params_.add_as_written(fmt::format("argument {}", i - 2), parts_[i]);
      } else {
        params_.add_as_written(name, parts_[i]);
      }
    }
  }
  // Of the message, which asks once.
  ParamsId params() { return sink_.params(params_.whole()); }

  trace::EventSink& sink_;
  stacks::OpenStates open_;
  erlang::Messages messages_;
  std::map<std::string, Process> processes_;
  ByName<Process*> process_of_pid_;
  std::map<std::string, Birth> births_;  // by the child, which has not said so yet
  ByName<std::string> names_;            // of processes: which has it now
  std::optional<bool> has_times_;        // of the first message
  Process* process_ = nullptr;           // of the message
  std::string_view tag_;
  bool is_first_ = true;
  Time time_, last_{-1};
  uint64_t offset_ = 0;
  std::vector<std::string_view> parts_;
  ArgsText params_;  // of the message
};

// The byte before a message in a file of a trace port.
enum Port : char { kMessage = 0, kDropped = 1 };
constexpr size_t kPortHead = 5;

uint32_t number_of(std::string_view head) {
  head.remove_prefix(1);
  return take_big<uint32_t>(head).value_or(0);
}

// Begins with a term in the external format, or with such that were dropped before it.
bool is_of_port(std::string_view head) {
  constexpr size_t kMostDrops = 8;
  for (size_t i = 0; i < kMostDrops && head.size() > kPortHead; ++i) {
    if (head[0] == kMessage) {
      erlang::ExternalTerms terms;
      return is_trace_message(terms.text_of(head.substr(kPortHead, number_of(head))));
    }
    if (head[0] != kDropped) return false;
    head.remove_prefix(kPortHead);
  }
  return false;
}

void read_port(io::Source& source, trace::EventSink& sink, ErlangReader& reader) {
  ByteWindow window(source, sink);
  erlang::ExternalTerms terms;
  while (window.is_wanted()) {
    const uint64_t offset = window.offset();
    const auto head = window.peek(kPortHead);
    if (!head) break;
    const auto kind = static_cast<Port>((*head)[0]);
    const uint32_t number = number_of(*head);
    if (kind == kDropped) {
      sink.loss("trace messages that the tracer dropped", offset, number);
      window.skip(kPortHead);
      continue;
    }
    if (kind != kMessage) return sink.loss("bytes that begin no trace message", offset);
    if (number > erlang::ExternalTerms::kMostBytes) {
      sink.loss("trace message that is too large", offset);
      if (!window.skip(kPortHead + uint64_t{number})) break;
      continue;
    }
    const auto message = window.peek(kPortHead + number);
    if (!message) break;
    reader.add(terms.text_of(message->substr(kPortHead)), offset);
    window.skip(kPortHead + number);
  }
  window.finish("a trace message");
}

void read_text(io::Source& source, trace::EventSink& sink, ErlangReader& reader) {
  constexpr size_t kMostTermBytes = erlang::ExternalTerms::kMostBytes;
  erlang::Terms terms;
  uint64_t offset = 0;
  for_each_line(source, sink, [&](const io::Line& line) {
    if (!terms.is_open() && line.text.starts_with('%')) return;
    const std::string_view text = terms.is_open() ? line.text : from_message(line.text);
    // One that was cut costs itself only.
    if (terms.is_open() && (is_trace_message(text) || terms.size_bytes() > kMostTermBytes)) {
      sink.loss("term that does not end", offset);
      terms.clear();
    }
    if (!terms.is_open()) offset = line.offset;
    if (terms.add(text)) reader.add(terms.term(), offset);
  });
  if (terms.is_open()) sink.loss("term that does not end", offset);
}

}  // namespace

int sniff_erlang(std::span<const std::byte> head) {
  constexpr int kSure = 90;
  std::string_view text = as_chars(head);
  if (is_of_port(text)) return kSure;
  while (text.starts_with('%')) take_to(text, '\n');
  if (is_trace_message(trimmed(text))) return kSure;
  // Among what a shell printed.
  constexpr int kRatherSure = 70, kMostLines = 20;
  for (int i = 0; i < kMostLines && !text.empty(); ++i) {
    if (is_trace_message(from_message(take_to(text, '\n')))) return kRatherSure;
  }
  return 0;
}

Status read_erlang(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  ErlangReader reader(sink, context.memory_bytes);
  WEFT_TRY_ASSIGN(const auto head, source.peek(1));
  const bool is_text = head.empty() || head[0] > std::byte{kDropped};
  is_text ? read_text(source, sink, reader) : read_port(source, sink, reader);
  reader.finish();
  return {};
}

}  // namespace weft::formats
