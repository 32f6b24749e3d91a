#include "core/formats/kernel/perf/perf_line.h"

#include <algorithm>
#include <iterator>

#include "core/formats/base/decimal_time.h"
#include "core/formats/base/text.h"

namespace weft::formats::perf {
namespace {

constexpr CharSet kHexDigits("0123456789abcdefABCDEF"), kClock("0123456789.:"), kMisc("KUHGgMESFw");

constexpr size_t kAddressColumns = 16;
constexpr std::string_view kAccess = "|SNP ";  // in every access to memory that is told in words

bool is_address(std::string_view word) {
  return !word.empty() && word.size() <= kAddressColumns && kHexDigits.contains_all(word);
}

// "4739", "4739/4740"; "-1" where perf did not know.
bool parse_ids(std::string_view word, Sample& sample) {
  const size_t slash = word.find('/');
  const auto first = parse_number<int32_t>(word.substr(0, slash));
  if (!first || *first < -1) return false;
  sample.pid = -1;
  sample.tid = *first;
  if (slash == std::string_view::npos) return true;
  const auto second = parse_number<int32_t>(word.substr(slash + 1));
  if (!second || *second < -1) return false;
  sample.pid = *first;
  sample.tid = *second;
  return true;
}

// "[002]"
bool parse_cpu(std::string_view word, Sample& sample) {
  if (!word.starts_with('[') || !word.ends_with(']')) return false;
  const auto cpu = parse_number<int32_t>(word.substr(1, word.size() - 2));
  if (cpu) sample.cpu = *cpu;
  return cpu.has_value();
}

// "4021.854843:"
bool parse_time(std::string_view word, Sample& sample) {
  if (!word.ends_with(':') || !kClock.contains_all(word) || !word.contains('.')) return false;
  const auto time = nearest_time(word.substr(0, word.size() - 1), DecimalUnit::kSeconds);
  if (time) sample.time = *time;
  return time.has_value();
}

// "K", "Uw": where the processor was (-F misc).
bool is_misc(std::string_view word) {
  constexpr size_t kMost = 4;
  return !word.empty() && word.size() <= kMost && kMisc.contains_all(word);
}

// "cpu-clock:", or what `--show-task-events` tells: "PERF_RECORD_FORK(7906:7906):(7905:7905)".
bool parse_event(std::string_view text, Sample& sample) {
  constexpr std::string_view kRecord = "PERF_RECORD_";
  std::string_view rest = trimmed(text);
  const std::string_view word = take_word(rest);
  if (word.starts_with(kRecord)) {
    const size_t end = word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    sample.event = word.substr(0, end);
    sample.args = trimmed(trimmed(text).substr(sample.event.size()));
    return true;
  }
  if (word.size() < 2 || !word.ends_with(':') || is_digit(word.front())) return false;
  sample.event = word.substr(0, word.size() - 1);
  sample.args = trimmed(rest);
  return true;
}

// Returns where the code's address is in "7ffd 5080184 |OP LOAD|LVL L3 hit|BLK N/A 30 55d2 main
// (a.so)": after the access and its cost, the last number before a name.
size_t find_frame_behind_access(std::string_view text) {
  std::string_view rest = text.substr(text.rfind('|'));
  size_t frame = 0;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (is_address(word)) {
      frame = static_cast<size_t>(word.data() - text.data());
    } else if (frame != 0) {
      break;
    }
  }
  return frame;
}

// Where the last address begins that ends where one of sixteen digits would, behind a space; npos:
// there is none.
size_t find_frame_in_columns(std::string_view text) {
  size_t found = std::string_view::npos, end = 0;  // of the word before
  std::string_view rest = text;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const auto begin = static_cast<size_t>(word.data() - text.data());
    if (is_address(word) && begin - end > kAddressColumns - word.size()) found = begin;
    end = begin + word.size();
  }
  return found;
}

// Where the code's address is in "56460edf6240 __environ (dash) 30 ffffffff817554ea elf_load", of
// which the symbol, the object and the weight may lack; 0: there is a single address.
size_t find_frame_behind_address(std::string_view text) {
  std::string_view rest = text;
  if (!is_address(take_word(rest))) return 0;
  const auto has_name = [&](size_t begin) {
    std::string_view behind = text.substr(begin);
    take_word(behind);
    return !trimmed(behind).empty();
  };
  const size_t last = find_frame_in_columns(text);
  if (last != std::string_view::npos && has_name(last)) return last;
  const std::string_view second = take_word(rest);
  rest = trimmed(rest);
  const bool is_frame = is_address(second) && !rest.empty() && !rest.starts_with('(');
  return is_frame ? static_cast<size_t>(second.data() - text.data()) : 0;
}

// The frame of a sample without a stack, which stands where arguments would: behind what was
// accessed, before where a branch went.
bool take_frame(std::string_view text, Sample& sample) {
  text = trimmed(text);
  const size_t arrow = text.find(" => ");
  const bool is_branch = arrow != std::string_view::npos, is_access = text.contains(kAccess);
  const size_t begin = is_access   ? find_frame_behind_access(text)
                       : is_branch ? 0
                                   : find_frame_behind_address(text);
  Frame frame;
  const bool has_frame = parse_frame(text.substr(begin, arrow - begin), frame) &&
                         !frame.symbol.contains(": ");  // "47 freq: 4705 MHz (168%)"
  if (has_frame) {
    sample.frame = frame;
    if (!is_branch) sample.columns = text;
  }
  if (is_access || (has_frame && begin > 0)) {
    const bool has_both = has_frame && !frame.behind.empty();
    sample.args = has_frame && !has_both ? text.substr(0, begin) : text;
    sample.address = take_accessed(sample.args);
    sample.args = trimmed(sample.args);
  } else if (has_frame) {
    sample.args = is_branch ? text : frame.behind;
  }
  return has_frame;
}

enum class TimeIs : uint8_t { kOptional, kNeeded };

// Parses what follows the ids: "[002] 4021.854843: 2004008 cpu-clock: …"; all but the event is
// optional, and without a time so is the event.
bool parse_rest(std::string_view rest, TimeIs time, Sample& sample) {
  sample.cpu = -1;
  sample.time.reset();
  sample.period = -1;
  std::string_view before = rest;  // the word
  std::string_view word = take_word(rest);
  const auto next = [&] {
    before = rest;
    word = take_word(rest);
  };
  if (parse_cpu(word, sample)) next();
  if (is_misc(word)) next();
  if (parse_time(word, sample)) next();
  if (time == TimeIs::kNeeded && !sample.time) return false;
  sample.event = "sample";
  sample.args = sample.address = sample.columns = {};
  sample.frame.reset();
  if (word.empty()) return sample.time.has_value();
  const std::string_view behind = before;
  bool is_period = false;
  if (const auto period = parse_number<int64_t>(word)) {
    // The address of a frame may look like a number, but has 16 columns.
    constexpr size_t kPeriodColumns = 10;
    const auto columns = static_cast<size_t>(word.data() + word.size() - before.data()) - 1;
    is_period = columns <= std::max(kPeriodColumns, word.size());
    sample.period = *period;
    next();
  }
  if (parse_event(before, sample)) {
    take_frame(sample.args, sample);
    return true;
  }
  // Events without names (-F comm,pid,time,ip,sym), with a stack behind them or without.
  if (is_period && sample.time && (word.empty() || take_frame(before, sample))) return true;
  sample.period = -1;
  if (sample.time && take_frame(behind, sample)) return true;
  IndentedCall call;
  sample.args = trimmed(behind);
  return sample.time && time == TimeIs::kOptional && parse_indented_call(sample.args, call);
}

// "  8256 [002]     250000 cpu-clock: …", of which all may lack; false where something else is
// left.
bool parse_head_behind_command(std::string_view rest, Sample& sample) {
  constexpr size_t kPeriodColumns = 10;  // ids have fewer
  sample = {};
  sample.event = "sample";
  std::string_view before = rest;
  std::string_view word = take_word(rest);
  const auto next = [&] {
    before = rest;
    word = take_word(rest);
  };
  const auto is_period = [&] {
    return static_cast<size_t>(rest.data() - before.data()) >= kPeriodColumns;
  };
  if (!is_period() && parse_ids(word, sample)) next();
  if (parse_cpu(word, sample)) next();
  if (const auto period = parse_number<int64_t>(word); period && is_period()) {
    sample.period = *period;
    next();
  }
  return word.empty() || parse_event(before, sample);
}

// Where the bracket opens that is behind an offset or behind a function without a name, and else
// the last one behind a space; or npos.
size_t begin_of_object(std::string_view text) {
  constexpr std::string_view kNameless = "[unknown] (";
  if (text.starts_with(kNameless)) return kNameless.size() - 1;
  for (size_t at = text.find('+'); at != std::string_view::npos; at = text.find('+', at + 1)) {
    std::string_view behind = text.substr(at + 1);
    if (!take_prefix(behind, "0x")) continue;
    while (!behind.empty() && kHexDigits.contains(behind.front())) behind.remove_prefix(1);
    if (behind.size() > 1 && behind[0] == ' ' && behind[1] == '(')
      return text.size() - behind.size() + 1;
  }
  size_t open = text.rfind('(');
  while (open != std::string_view::npos && open > 0 && text[open - 1] != ' ')
    open = text.rfind('(', open - 1);
  return open == 0 ? std::string_view::npos : open;
}

// Where the bracket closes with which the text begins, or npos.
size_t end_of_bracket(std::string_view text) {
  const size_t first = text.find(')');
  if (first != std::string_view::npos && text.find('(', 1) > first) return first;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (text[i] == ')' && depth == 0) return i;
  }
  return std::string_view::npos;
}

// "(/usr/lib/a.so (deleted)) insn: 48 89 e7", from its bracket on.
void parse_object(std::string_view text, Frame& frame) {
  constexpr std::string_view kDeleted = " (deleted)";  // replaced since
  const size_t end = end_of_bracket(text);
  frame.object = text.substr(1, std::min(end, text.size()) - 1);
  if (end != std::string_view::npos) frame.behind = trimmed(text.substr(end + 1));
  if (frame.object.ends_with(kDeleted)) frame.object.remove_suffix(kDeleted.size());
  frame.object = frame.object.substr(frame.object.rfind('/') + 1);
  if (frame.object == "inlined") frame.object = {};  // stands where the object would
}

// "return", "hw int", "tr strt", "tr end  syscall": what a branch is, as named in
// tools/perf/util/trace-event-scripting.c; 0: nothing of that.
size_t length_of_kind(std::string_view text) {
  constexpr std::string_view kKinds[] = {"call",   "return",  "jcc",    "jmp",   "int",
                                         "iret",   "syscall", "sysret", "async", "hw int",
                                         "vmexit", "vmentry", "tx abrt"};
  const auto begins_with = [](std::string_view rest, std::string_view word) {
    return rest.starts_with(word) && (rest.size() == word.size() || is_space(rest[word.size()]));
  };
  size_t length = 0, begin = 0;
  for (const std::string_view trace : {"tr strt", "tr end"}) {
    constexpr size_t kMostBetween = 2;  // functions stand further right
    if (!begins_with(text, trace)) continue;
    length = trace.size();
    begin = std::min(text.find_first_not_of(' ', length), length + kMostBetween + 1);
    if (begin > length + kMostBetween) return length;
  }
  for (const std::string_view kind : kKinds) {
    if (begins_with(text.substr(begin), kind)) return begin + kind.size();
  }
  return length;
}

// "(xD)": within a transaction, without interrupts.
size_t length_of_state(std::string_view text) {
  std::string_view rest = text;
  std::string_view word = take_word(rest);
  const bool is_state = take_prefix(word, "(") && word.size() > 1 &&
                        word.find_first_not_of("xDt") == word.size() - 1 && word.back() == ')';
  return is_state ? text.size() - rest.size() : 0;
}

void remove_offset(std::string_view& symbol) {
  const size_t offset = symbol.rfind("+0x");
  if (offset != std::string_view::npos && offset > 0) symbol = symbol.substr(0, offset);
}

// Scripts of DTrace print a line as perf's for each sample, and behind it stacks as DTrace has
// them:
//
//               unix`mutex_exit+0x12
bool parse_dtrace_frame(std::string_view line, Frame& frame) {
  if (line.empty() || !is_space(line.front())) return false;
  frame.symbol = trimmed(line);
  frame.object = frame.symbol.substr(0, frame.symbol.find('`'));
  if (frame.object.empty() || frame.object.size() + 1 >= frame.symbol.size() ||
      frame.object.find_first_of(" \t(") != std::string_view::npos)
    return false;
  frame.symbol.remove_prefix(frame.object.size() + 1);
  remove_offset(frame.symbol);
  return !frame.symbol.empty();
}

}  // namespace

void parse_head(std::string_view line, Sample& sample) {
  constexpr size_t kMostCommand = 15;  // TASK_COMM_LEN
  std::string_view rest = line;
  for (;;) {
    const auto length = static_cast<size_t>(rest.data() - line.data());
    const std::string_view command = trimmed(line.substr(0, length));
    if (command.size() > kMostCommand) break;
    if (parse_head_behind_command(rest, sample)) {
      sample.command = command;
      return;
    }
    take_word(rest);
  }
  sample = {};
  sample.event = "sample";
  sample.args = trimmed(line);
}

bool is_stack_line(std::string_view line) {
  constexpr size_t kColumns = 16;
  if (!line.starts_with('\t') || line.size() <= kColumns) return false;
  Frame frame;
  const std::string_view address = trimmed(line.substr(1, kColumns));
  const bool ends = line.size() == 1 + kColumns || is_space(line[1 + kColumns]);
  return ends && !is_space(line[kColumns]) && is_address(address) && parse_frame(line, frame);
}

bool parse_sample(std::string_view line, Sample& sample) {
  if (line.empty() || line.front() == '#') return false;
  // A command may hold spaces and numbers: the ids are the first word that the rest fits behind.
  std::string_view rest = line;
  while (!rest.empty()) {
    const std::string_view word = take_word(rest);
    if (parse_time(word, sample)) break;  // ids stand before it
    if (word.empty() || !parse_ids(word, sample) || !parse_rest(rest, TimeIs::kOptional, sample))
      continue;
    sample.command = trimmed(line.substr(0, static_cast<size_t>(word.data() - line.data())));
    return true;
  }
  // No ids (-F comm,time,…): the command ends where the rest has a time.
  sample.pid = sample.tid = -1;
  rest = line;
  while (!rest.empty()) {
    const std::string_view before = rest;
    const std::string_view word = take_word(rest);
    if (word.empty() || !parse_rest(before, TimeIs::kNeeded, sample)) continue;
    sample.command = trimmed(line.substr(0, static_cast<size_t>(word.data() - line.data())));
    return true;
  }
  return false;
}

bool parse_any_sample(std::string_view line, Sample& sample) {
  std::string_view rest = line;
  while (!rest.empty()) {
    const std::string_view word = take_word(rest);
    std::string_view behind = rest;
    if (word.empty() || !parse_ids(word, sample) || !parse_cpu(take_word(behind), sample) ||
        !parse_time(take_word(behind), sample))
      continue;
    sample.command = trimmed(line.substr(0, static_cast<size_t>(word.data() - line.data())));
    sample.period = -1;
    sample.event = "sample";
    sample.args = trimmed(behind);
    sample.address = sample.columns = {};
    sample.frame.reset();
    return has_exact_time(line);
  }
  return false;
}

bool parse_frame(std::string_view line, Frame& frame) {
  frame = {};
  std::string_view rest = line;
  const std::string_view address = take_word(rest);
  if (!is_address(address)) return parse_dtrace_frame(line, frame);
  rest = trimmed(rest);
  if (rest.starts_with("insn:")) return false;  // of -F brstackinsn
  const bool is_nameless = rest.starts_with('(') && end_of_bracket(rest) >= rest.size() - 1;
  const size_t open = is_nameless ? 0 : begin_of_object(rest);
  frame.symbol = trimmed(rest.substr(0, open));
  if (open != std::string_view::npos) parse_object(rest.substr(open), frame);
  remove_offset(frame.symbol);
  constexpr size_t kFewestDigits = 4;  // of an address that stands alone (-F ip)
  const bool is_alone = rest.empty() && address.size() >= kFewestDigits;
  if (is_alone) frame.symbol = address;
  return is_alone || is_nameless || !frame.symbol.empty();
}

std::string_view take_accessed(std::string_view& columns) {
  std::string_view rest = columns;
  const std::string_view address = take_word(rest);
  // Without an address, what the access was comes first.
  if (!is_address(address) || trimmed(rest).starts_with('|')) return {};
  columns = trimmed(rest);
  return address;
}

bool is_instruction(std::string_view line) {
  if (!line.starts_with(' ')) return false;
  const std::string_view text = trimmed(line);
  return text.starts_with("ilen: ") || text.starts_with("insn: ");
}

bool has_exact_time(std::string_view line) {
  constexpr size_t kMicroseconds = 6, kNanoseconds = 9;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    Sample sample;
    if (!parse_time(word, sample)) continue;
    const size_t digits = word.size() - word.find('.') - 2;  // behind the point, before the colon
    return digits == kMicroseconds || digits == kNanoseconds;
  }
  return false;
}

bool is_of_kernel(std::string_view event) {
  constexpr std::string_view kSystems[] = {
      "sched", "irq",  "irq_vectors", "ipi",    "raw_syscalls", "syscalls", "power",
      "timer", "lock", "workqueue",   "vmscan", "compaction",   "clk",      "thermal"};
  const size_t colon = event.find(':');
  return colon != std::string_view::npos &&
         std::ranges::find(kSystems, event.substr(0, colon)) != std::end(kSystems);
}

bool parse_switch(std::string_view args, SwitchRecord& record) {
  record = {};
  const std::string_view way = take_word(args);
  record.is_out = way == "OUT";
  record.is_preempted = trimmed(args).starts_with("preempt");
  constexpr std::string_view kIds = "pid/tid:";
  const size_t at = args.find(kIds);
  Sample other;
  if ((!record.is_out && way != "IN") || at == std::string_view::npos ||
      !parse_ids(trimmed(args.substr(at + kIds.size())), other))
    return false;
  record.other_tid = other.tid;
  return true;
}

bool parse_branch(std::string_view args, Branch& branch) {
  constexpr std::string_view kArrow = " => ";
  const size_t arrow = args.find(kArrow);
  if (arrow == std::string_view::npos) return false;
  std::string_view rest = args.substr(0, arrow);
  size_t begin = 0;  // of the address
  for (std::string_view word = take_word(rest); !is_address(word); word = take_word(rest)) {
    if (word.empty()) return false;
    begin = arrow - rest.size();
  }
  branch.kind = trimmed(args.substr(0, begin));
  const std::string_view to = args.substr(arrow + kArrow.size());
  branch.is_to_entry = to.contains("+0x0 ");
  return !branch.kind.empty() && parse_frame(args.substr(begin, arrow - begin), branch.from) &&
         parse_frame(to, branch.to);
}

bool parse_indented_call(std::string_view args, IndentedCall& call) {
  call = {};
  size_t begin = length_of_kind(args);  // of what follows
  call.kind = args.substr(0, begin);
  begin += length_of_state(args.substr(begin));
  const size_t first = args.find_first_not_of(' ', begin);
  if (first == std::string_view::npos) return false;
  size_t end = args.size(), origin = 0;  // of the function, and of its column
  if (args[first] == '(') {
    const size_t closes = end_of_bracket(args.substr(first));
    if (closes == std::string_view::npos) return false;
    begin = origin = first + closes + 1;
  } else {
    const size_t frame = find_frame_in_columns(args.substr(begin));
    if (call.kind.empty() || frame == std::string_view::npos) return false;
    end = begin + frame;
  }
  call.function = trimmed(args.substr(begin, end - begin));
  if (call.function.empty()) return call.kind.starts_with("tr ");
  call.column = static_cast<size_t>(call.function.data() - args.data()) - origin;
  // An address ends where one of sixteen digits would.
  if (is_address(call.function))
    call.column -= std::min(call.column, kAddressColumns - call.function.size());
  return true;
}

bool parse_trace_error(std::string_view line, TraceError& error) {
  constexpr std::string_view kBegin = "instruction trace error ";
  std::string_view rest = trimmed(line);
  if (!rest.starts_with(kBegin)) return false;
  error = {};
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (word == "code") break;  // what follows is for people
    if (word == "time") error.time = nearest_time(take_word(rest), DecimalUnit::kSeconds);
    if (word == "cpu") error.cpu = parse_number<int32_t>(take_word(rest)).value_or(-1);
    if (word == "pid") error.pid = parse_number<int32_t>(take_word(rest)).value_or(-1);
    if (word == "tid") error.tid = parse_number<int32_t>(take_word(rest)).value_or(-1);
  }
  return true;
}

}  // namespace weft::formats::perf
