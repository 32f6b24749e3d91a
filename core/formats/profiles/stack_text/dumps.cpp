// Dumps of all threads of a program, one after the other: gdb, eu-stack, jstack, jcmd, faulthandler
// of Python, goroutines of Go. A lane is a thread; a new dump begins where its program says so, or
// a thread comes again.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/formats/base/head_lines.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/stack_text/variants.h"

namespace weft::formats::stack_text {
namespace {

// The kind of a line.
struct DumpLine {
  enum class Kind : uint8_t {
    kOther,   // of no interest
    kDump,    // the begin of a dump
    kThread,  // the begin of a thread, by its name
    kState,   // what it is doing
    kFrame,   // the next frame out
    kEnd      // of the thread
  };
  Kind kind = Kind::kOther;
  std::string_view name{};  // of the thread, the state, the function
  std::string_view object{};
  bool is_innermost = false;  // frame 0
  std::string_view state{};   // that the line of the thread says, too
};

class DumpParser : public Parser {
 public:
  using ParseLine = DumpLine (*)(std::string_view line);

  DumpParser(StackOutput& output, ParseLine parse) : output_(output), parse_(parse) {}

  void add(const io::Line& line) override {
    using Kind = DumpLine::Kind;
    const DumpLine parsed = parse_(line.text);
    if (parsed.kind == Kind::kFrame && parsed.is_innermost) end_stack();
    switch (parsed.kind) {
      case Kind::kOther:
        return;
      case Kind::kDump:
        end_thread();
        return next_dump();
      case Kind::kThread:
        end_thread();
        thread_ = std::string(parsed.name.substr(0, kMostName));
        state_ = std::string(parsed.state.substr(0, kMostName));
        return;
      case Kind::kState:
        state_ = std::string(parsed.name.substr(0, kMostName));
        return;
      case Kind::kFrame:
        if (!stack_.add(output_.type_of({parsed.name, parsed.object})))
          output_.sink().loss("frame deeper than can be read", line.offset);
        return;
      case Kind::kEnd:
        return end_thread();
    }
  }

  void finish(uint64_t) override { end_thread(); }

 private:
  static constexpr size_t kMostName = 512;

  void end_thread() {
    end_stack();
    thread_.clear();
    state_.clear();
  }

  // A thread has one stack in a dump.
  void end_stack() {
    if (stack_.is_empty()) return;
    const std::string name = thread_.empty() ? "stacks" : thread_;
    if (!in_dump_.insert(name).second) {
      next_dump();
      in_dump_.insert(name);
    }
    output_.add_to_dump(name, stack_.take(), dump_);
    if (!state_.empty()) output_.add_state_to_dump(name, state_, dump_);
  }

  void next_dump() {
    if (in_dump_.empty()) return;
    in_dump_.clear();
    ++dump_;
  }

  StackOutput& output_;
  ParseLine parse_;
  std::set<std::string> in_dump_;  // threads
  int64_t dump_ = 0;
  std::string thread_, state_;
  InnermostFirst stack_;
};

// "#1  0x00007f in func (a=1) at a.c:3", "#0  func (a=1) from /lib/x.so"; of eu-stack
// "#0  0x00007f func - /lib/x.so". None: it is not a frame.
std::optional<DumpLine> numbered_frame(std::string_view line) {
  if (!take_prefix(line, "#")) return std::nullopt;
  const auto number = take_number<uint32_t>(line);
  if (!number || !line.starts_with(' ')) return std::nullopt;
  line = trimmed(line);
  DumpLine out{.kind = DumpLine::Kind::kFrame, .is_innermost = *number == 0};
  std::string_view address;
  if (line.starts_with("0x")) {
    address = take_word(line);
    line = trimmed(line);
  }
  take_prefix(line, "in ");
  for (const std::string_view before : {" from ", " at ", " - "}) {
    const size_t at = line.rfind(before);
    if (at == std::string_view::npos) continue;
    out.object = trimmed(line.substr(at + before.size()));
    line = line.substr(0, at);
    break;
  }
  // gdb writes a space before arguments; "operator()" has none.
  const size_t arguments = line.find(" (");
  if (arguments != std::string_view::npos && arguments > 0) line = line.substr(0, arguments);
  // Lines differ from dump to dump, files do not.
  const size_t colon = out.object.rfind(':');
  if (colon != std::string_view::npos && parse_number<uint32_t>(out.object.substr(colon + 1)))
    out.object = out.object.substr(0, colon);
  out.name = trimmed(line);
  if (out.name.empty() || out.name == "??") out.name = address.empty() ? "??" : address;
  return out;
}

// "Thread 2 (Thread 0x7f (LWP 123) "worker"):", "[Switching to …" is none.
DumpLine gdb_line(std::string_view line) {
  if (const auto frame = numbered_frame(line)) return *frame;
  if (line.starts_with("Thread ") && line.ends_with(':')) {
    line.remove_suffix(1);
    return {.kind = DumpLine::Kind::kThread, .name = line};
  }
  return {.kind = trimmed(line).empty() ? DumpLine::Kind::kEnd : DumpLine::Kind::kOther};
}

// "PID 12 - process", "TID 13:".
DumpLine eu_stack_line(std::string_view line) {
  if (const auto frame = numbered_frame(line)) return *frame;
  if (line.starts_with("PID ")) return {.kind = DumpLine::Kind::kDump};
  if (!line.starts_with("TID ")) return {};
  return {.kind = DumpLine::Kind::kThread, .name = line.substr(0, line.find(':'))};
}

// "java.lang.Thread.run(Thread.java:744)"
DumpLine java_frame(std::string_view text) {
  DumpLine out{.kind = DumpLine::Kind::kFrame, .name = text};
  const size_t bracket = text.find('(');
  if (bracket == std::string_view::npos || !text.ends_with(')')) return out;
  out.name = text.substr(0, bracket);
  const std::string_view place = text.substr(bracket + 1, text.size() - bracket - 2);
  out.object = place.substr(0, place.find(':'));
  return out;
}

// `"main" #1 prio=5 os_prio=0 tid=0x00007f nid=0x1 runnable [0x00007f]`,
// "   java.lang.Thread.State: RUNNABLE", "\tat java.lang.Thread.run(Thread.java:744)".
DumpLine jstack_line(std::string_view line) {
  constexpr std::string_view kState = "java.lang.Thread.State: ";
  if (line.starts_with("Full thread dump")) return {.kind = DumpLine::Kind::kDump};
  if (line.starts_with('"')) {
    const size_t end = line.find('"', 1);
    if (end == std::string_view::npos) return {};
    return {.kind = DumpLine::Kind::kThread, .name = line.substr(1, end - 1)};
  }
  std::string_view text = trimmed(line);
  if (text.starts_with(kState))
    return {.kind = DumpLine::Kind::kState, .name = text.substr(kState.size())};
  return take_prefix(text, "at ") ? java_frame(text) : DumpLine{};
}

// What `jcmd Thread.dump_to_file` writes, virtual threads, too: `#22 "a" virtual WAITING
// 2026-11-27…` and frames below, since Java 25 with "at ", and then with the state of the thread.
DumpLine java_threads_line(std::string_view line) {
  if (line.starts_with('#')) {
    const size_t end = line.rfind('"');
    if (end == std::string_view::npos) return {};
    std::string_view rest = line.substr(end + 1);
    std::string_view state = take_word(rest);
    if (state == "virtual") state = take_word(rest);
    return {.kind = DumpLine::Kind::kThread, .name = line.substr(0, end + 1), .state = state};
  }
  std::string_view text = trimmed(line);
  if (text.empty()) return {.kind = DumpLine::Kind::kEnd};
  take_prefix(text, "at ");
  const bool is_frame = line.starts_with(' ') && !text.starts_with('-') && text.ends_with(')');
  return is_frame ? java_frame(text) : DumpLine{};
}

// "Current thread 0x00007f (most recent call first):", `  File "a.py", line 3 in f`.
DumpLine faulthandler_line(std::string_view line) {
  const size_t thread = line.find("hread 0x");
  if (thread != std::string_view::npos && line.find("(most recent call first)") < line.size()) {
    std::string_view name = line.substr(thread + sizeof "hread");
    return {.kind = DumpLine::Kind::kThread, .name = take_word(name)};
  }
  constexpr std::string_view kFile = "File \"", kIn = " in ";
  const std::string_view text = trimmed(line);
  if (!text.starts_with(kFile)) {
    return {.kind = text.empty() ? DumpLine::Kind::kEnd : DumpLine::Kind::kOther};
  }
  const size_t end = text.find('"', kFile.size());
  const size_t in = text.find(kIn, std::min(end, text.size()));
  if (end == std::string_view::npos || in == std::string_view::npos) return {};
  return {.kind = DumpLine::Kind::kFrame,
          .name = text.substr(in + kIn.size()),
          .object = text.substr(kFile.size(), end - kFile.size())};
}

// "goroutine 18 [chan receive, 2 minutes]:", then of each frame its call,
// "sync.(*Mutex).Lock(0x1)", and indented where that stands. Before a dump the program says why:
// "panic: …", "SIGQUIT: quit".
DumpLine go_line(std::string_view line) {
  constexpr std::string_view kGoroutine = "goroutine ";
  for (const std::string_view why : {"panic: ", "fatal error: ", "SIGQUIT: "})
    if (line.starts_with(why)) return {.kind = DumpLine::Kind::kDump};
  const size_t state = line.find(" [");
  if (line.starts_with(kGoroutine) && line.ends_with("]:") && state < line.size()) {
    const std::string_view said = line.substr(state + 2, line.size() - state - 4);
    return {.kind = DumpLine::Kind::kThread,
            .name = line.substr(0, state),
            .state = said.substr(0, said.find(','))};
  }
  const size_t bracket = line.rfind('(');
  if (!line.ends_with(')') || bracket == 0 || line.starts_with('\t') || line.starts_with(' '))
    return {};
  const std::string_view name = line.substr(0, bracket);
  const size_t slash = name.rfind('/');
  const size_t dot = name.find('.', slash == std::string_view::npos ? 0 : slash);
  return {.kind = DumpLine::Kind::kFrame,
          .name = name,
          .object = dot == std::string_view::npos ? std::string_view() : name.substr(0, dot)};
}

// The same as JSON (-format=json), a member a line, whose members are told as the lines of the
// text.
//
//   "tid": "3",
//   "name": "main",
//   "state": "TIMED_WAITING",
//   "stack": [
//     "java.base\/java.lang.Thread.sleep0(Native Method)",
class JavaJsonParser : public Parser {
 public:
  explicit JavaJsonParser(StackOutput& output)
      : output_(output), threads_(output, java_threads_line) {}

  void add(const io::Line& line) override {
    std::string_view text = trimmed(line.text);
    if (!text.empty()) is_whole_ = line.text.starts_with('}');
    if (text.ends_with(',')) text.remove_suffix(1);
    if (is_stack_) {
      is_stack_ = !text.starts_with(']');
      tell(is_stack_ ? "  " + json::decode_string(unquoted(text)).text : "", line.offset);
    } else if (take_prefix(text, "\"tid\": ")) {
      id_ = unquoted(text);
      name_.clear();
      state_.clear();
    } else if (take_prefix(text, "\"name\": ")) {
      name_ = unquoted(text);
    } else if (take_prefix(text, "\"state\": ")) {
      state_ = unquoted(text);
    } else if (text.starts_with("\"stack\": [")) {
      tell("#" + id_ + " \"" + name_ + "\" " + state_, line.offset);
      is_stack_ = !text.ends_with(']');
    }
  }
  void finish(uint64_t offset) override {
    threads_.finish(offset);
    if (!is_whole_) output_.sink().loss("input ends before its last bracket", offset);
  }

 private:
  static std::string_view unquoted(std::string_view text) {
    take_prefix(text, "\"");
    if (text.ends_with('"')) text.remove_suffix(1);
    return text;
  }
  void tell(const std::string& line, uint64_t offset) {
    threads_.add({.text = line, .offset = offset});
  }

  StackOutput& output_;
  DumpParser threads_;
  std::string id_, name_, state_;  // of the thread
  bool is_whole_ = false;          // its outermost bracket is closed
  bool is_stack_ = false;          // its frames follow
};

// A frame behind the name of its thread, and enough of them.
int sniff_dump(std::string_view head, DumpParser::ParseLine parse, int sure) {
  int threads = 0, frames = 0;
  bool is_in_thread = false;
  HeadLines lines(head);
  while (const auto line = lines.next()) {
    const DumpLine parsed = parse(*line);
    if (parsed.kind == DumpLine::Kind::kThread) is_in_thread = true;
    if (parsed.kind != DumpLine::Kind::kFrame) continue;
    ++frames;
    threads += std::exchange(is_in_thread, false) ? 1 : 0;
  }
  return threads > 0 && frames > 1 ? sure : 0;
}

constexpr int kSure = 70;
bool has_processes(std::string_view head) {
  return head.starts_with("PID ") || head.find("\nPID ") != std::string_view::npos;
}
// Their frames look alike.
int sniff_gdb(std::string_view head) {
  return has_processes(head) ? 0 : sniff_dump(head, gdb_line, kSure);
}
int sniff_eu_stack(std::string_view head) {
  return has_processes(head) ? sniff_dump(head, eu_stack_line, kSure) : 0;
}
int sniff_jstack(std::string_view head) {
  const bool is_java = head.find("java.lang.Thread.State: ") != std::string_view::npos;
  return is_java ? sniff_dump(head, jstack_line, kSure + 10) : 0;
}
int sniff_java_threads(std::string_view head) {
  const size_t frame = head.find("/java.lang.");
  const bool is_java = frame != std::string_view::npos && head.find("\n#") < frame;
  return is_java ? sniff_dump(head, java_threads_line, kSure + 10) : 0;
}
int sniff_java_json(std::string_view head) {
  const bool is_java = head.starts_with('{') && head.contains("\"threadDump\": {") &&
                       head.contains("\"threadContainers\": [");
  return is_java ? kSure + 20 : 0;
}
int sniff_faulthandler(std::string_view head) { return sniff_dump(head, faulthandler_line, kSure); }
int sniff_go(std::string_view head) {
  const bool is_go =
      head.starts_with("goroutine ") || head.find("\ngoroutine ") != std::string_view::npos;
  return is_go ? sniff_dump(head, go_line, kSure + 10) : 0;
}

template <auto kParse>
std::unique_ptr<Parser> make_dump(StackOutput& output) {
  return std::make_unique<DumpParser>(output, kParse);
}
std::unique_ptr<Parser> make_java_json(StackOutput& output) {
  return std::make_unique<JavaJsonParser>(output);
}
constexpr Variant kDumps[] = {
    {"gdb", sniff_gdb, make_dump<gdb_line>},
    {"eu-stack", sniff_eu_stack, make_dump<eu_stack_line>},
    {"jstack", sniff_jstack, make_dump<jstack_line>},
    {"threads of Java", sniff_java_threads, make_dump<java_threads_line>},
    {"threads of Java as JSON", sniff_java_json, make_java_json},
    {"faulthandler of Python", sniff_faulthandler, make_dump<faulthandler_line>},
    {"goroutines of Go", sniff_go, make_dump<go_line>}};

}  // namespace

std::span<const Variant> dump_variants() { return kDumps; }

}  // namespace weft::formats::stack_text
