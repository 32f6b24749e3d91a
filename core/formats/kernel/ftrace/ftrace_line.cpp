#include "core/formats/kernel/ftrace/ftrace_line.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/time.h"
#include "core/formats/base/text.h"

namespace weft::formats::ftrace {
namespace {

constexpr CharSet kBetweenFields(" \t,"), kBrackets("()[]");

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The number in "[003]", and where the text goes on behind it.
bool parse_cpu(std::string_view text, size_t open, uint32_t& cpu, size_t& behind) {
  constexpr size_t kMostDigits = 6;
  size_t end = open + 1;
  while (end < text.size() && is_digit(text[end])) ++end;
  const bool is_cpu = end > open + 1 && end - open <= kMostDigits && end < text.size() &&
                      text[end] == ']' && open > 0 && is_blank(text[open - 1]);
  if (!is_cpu) return false;
  cpu = parse_number<uint32_t>(text.substr(open + 1, end - open - 1)).value_or(0);
  behind = end + 1;
  return true;
}

// "3867.457099:" or "123456:".
bool parse_clock(std::string_view text, Line& line) {
  if (!text.ends_with(':')) return false;
  text.remove_suffix(1);
  const size_t point = text.find('.');
  line.is_in_seconds = point != std::string_view::npos;
  const auto whole = parse_number<int64_t>(text.substr(0, point));
  if (!whole || *whole < 0) return false;
  if (!line.is_in_seconds) {
    line.time = {*whole};
    return true;
  }
  constexpr size_t kDigits = 9;
  constexpr int64_t kMostSeconds = INT64_MAX / kNsPerSecond - 1;
  std::string_view rest = text.substr(point + 1);
  if (rest.empty() || rest.size() > kDigits || *whole > kMostSeconds) return false;
  int64_t fraction = 0;
  for (const char digit : rest) {
    if (!is_digit(digit)) return false;
    fraction = fraction * 10 + (digit - '0');
  }
  for (size_t i = rest.size(); i < kDigits; ++i) fraction *= 10;
  line.time = {*whole * kNsPerSecond + fraction};
  return true;
}

// "....316.196720:", where no space is between the flags and the time.
bool parse_flags_and_clock(std::string_view text, Line& line) {
  constexpr size_t kFlags[] = {4, 5};
  return std::ranges::any_of(kFlags, [&](size_t flags) {
    return text.size() > flags && !is_digit(text.front()) && parse_clock(text.substr(flags), line);
  });
}

// Handles lines that begin with a number: "0: text" by BPF's trace_printk, which has no place to
// name; and the tasks of wake-up tracers, "0:120:R + [003] 312:100:R kworker/3" and "… ==> [003]
// …", up to 2.6.27 without the CPU.
void name_numbered(std::string_view text, Line& line) {
  if (text.substr(line.event.size()).starts_with(": ")) {
    line.event = "print";
    return;
  }
  line.event = text.contains(" ==> ") ? "context_switch" : "wakeup";
  line.args = text;
}

// Removes the "(+13)" of `trace-cmd report --ts-diff`, the time since the line before.
std::string_view without_difference(std::string_view text) {
  std::string_view rest = text;
  const bool is_there =
      take_prefix(rest, "(+") && take_number<uint64_t>(rest) && take_prefix(rest, ")");
  return is_there ? rest : text;
}

// "93,32"
bool is_device(std::string_view text) {
  return take_number<uint32_t>(text) && take_prefix(text, ",") && take_number<uint32_t>(text) &&
         text.empty();
}

// What the tracer "blk" prints by letters, as the events of the block layer. Source: linux 6.18,
// kernel/trace/blktrace.c.
constexpr std::pair<std::string_view, std::string_view> kBlockActions[] = {
    {"Q", "block_bio_queue"}, {"M", "block_bio_backmerge"}, {"F", "block_bio_frontmerge"},
    {"G", "block_getrq"},     {"S", "block_sleeprq"},       {"R", "block_rq_requeue"},
    {"D", "block_rq_issue"},  {"C", "block_rq_complete"},   {"P", "block_plug"},
    {"U", "block_unplug"},    {"UT", "block_unplug"},       {"I", "block_rq_insert"},
    {"X", "block_split"},     {"B", "block_bio_bounce"},    {"A", "block_bio_remap"},
    {"m", "block_message"}};

// "8,0    D   W 1234 + 8 [kworker/0:1]" of the tracer "blk"; empty: something else.
std::string_view block_event(std::string_view text) {
  if (!is_device(take_word(text))) return {};
  const std::string_view letters = take_word(text);
  const auto* const action = std::ranges::find(
      kBlockActions, letters, &std::pair<std::string_view, std::string_view>::first);
  return action == std::end(kBlockActions) ? std::string_view() : action->second;
}

// "[ MISS ] page_remove_rmap:rmap.c:960" of the tracer "branch"; empty: something else.
std::string_view branch_event(std::string_view text) {
  if (text.starts_with("[  ok  ] ")) return "branch as expected";
  return text.starts_with("[ MISS ] ") ? "branch missed" : std::string_view();
}

// "sched_switch: …", "sys_read(…)", "sys_read -> 0", or what the function tracer prints.
bool parse_event(std::string_view text, Line& line) {
  text = trimmed(text);
  if (text.starts_with("(+")) text = trimmed(without_difference(text));
  size_t end = 0;
  while (end < text.size() && is_word_char(text[end])) ++end;
  const bool has_name = end > 0 && end < text.size() && text[end] == ':';
  const auto is_call = [&] {
    const std::string_view behind = trimmed(text.substr(end));
    return text.starts_with("sys_") && (behind.starts_with('(') || behind.starts_with("->"));
  };
  if (!has_name && !is_call()) {
    const std::string_view block = block_event(text), branch = branch_event(text);
    line.event = !block.empty() ? block : !branch.empty() ? branch : "function";
    line.args = branch.empty() ? text : text.substr(text.find(']') + 2);
    return !text.empty();
  }
  line.event = text.substr(0, end);
  line.args = trimmed(text.substr(has_name ? end + 1 : end));
  if (is_digit(line.event.front())) name_numbered(text, line);
  return true;
}

// Whether a field's name may begin there.
bool begins_name(std::string_view args, size_t at) {
  if (at == 0) return true;
  const char before = args[at - 1];
  return is_blank(before) || before == ',' || before == '[' || before == '(';
}

}  // namespace

// From behind, since a task's name may hold anything; a blank at its end is left out.
bool parse_task(std::string_view text, Line& line) {
  text = trimmed(text);
  line.tgid = -1;
  if (text.ends_with(')')) {
    const size_t open = text.rfind('(');
    if (open == std::string_view::npos) return false;
    std::string_view inner = text.substr(open + 1, text.size() - open - 2);
    inner = trimmed(inner);
    line.tgid = static_cast<int32_t>(parse_number<int64_t>(inner).value_or(-1));
    text = text.substr(0, open);
    text = trimmed(text);
  }
  const size_t dash = text.rfind('-');
  if (dash == std::string_view::npos) return false;
  if (dash > 1 && is_blank(text[dash - 1]) && is_blank(text[dash - 2])) return false;
  const auto pid = parse_number<int64_t>(text.substr(dash + 1));
  constexpr int64_t kMostPid = 1 << 30;
  if (!pid || *pid < 0 || *pid > kMostPid) return false;
  line.pid = static_cast<int32_t>(*pid);
  line.task = trimmed(text.substr(0, dash));
  return true;
}

namespace {

// Parses the output of latency tracers: "bash-100 0d.s2 17us+: _raw_spin_lock <-run_timers", i.e.
// the CPU with its flags, and microseconds since the begin; or the time, as by `trace-cmd report
// -l`.
bool parse_latency_line(std::string_view text, Line& line) {
  constexpr std::string_view kUnit = "us", kMarks = "+!#*@$ \t";
  constexpr size_t kLeastFlags = 3, kMostFlags = 8;
  constexpr int64_t kMostUs = int64_t{1} << 50;
  const size_t colon = text.find(": ");
  if (colon == std::string_view::npos) return false;
  std::string_view head = text.substr(0, colon);
  const size_t clock = head.find_last_of(" \t") + 1;
  if (head.find('.', clock) != std::string_view::npos &&
      parse_clock(text.substr(clock, colon + 1 - clock), line)) {
    head = trimmed(head.substr(0, clock));
  } else {
    head = head.substr(0, head.find_last_not_of(kMarks) + 1);
    if (!head.ends_with(kUnit)) return false;
    head.remove_suffix(kUnit.size());
    const size_t digits = head.find_last_not_of("0123456789") + 1;
    const auto us = parse_number<int64_t>(head.substr(digits));
    if (!us || *us > kMostUs) return false;
    head = trimmed(head.substr(0, digits));
    line.time = {*us * kNsPerUs};
    line.is_in_seconds = true;
  }
  const size_t place = head.find_last_of(" \t") + 1;
  std::string_view flags = head.substr(place);
  const auto cpu = take_number<uint32_t>(flags);
  if (!cpu || flags.size() < kLeastFlags || flags.size() > kMostFlags) return false;
  if (!parse_task(head.substr(0, place), line)) return false;
  line.cpu = *cpu;
  return parse_event(text.substr(colon + 2), line);
}

// The same with option `verbose`: " bash 1234 1 0 00000000 0000000a [127cf5afb9] 39.531ms
// (+0.001ms): sys_exit: NR 1 = 2": task, CPU, flags, depth, number, microseconds.
bool parse_verbose_line(std::string_view text, Line& line) {
  constexpr std::string_view kUnit = "ms (+", kEnd = "ms): ";
  constexpr uint64_t kMostUs = uint64_t{1} << 50;
  const size_t unit = text.find(kUnit), end = text.find(kEnd, unit);
  if (unit == std::string_view::npos || end == std::string_view::npos) return false;
  std::string_view head = text.substr(0, unit);
  const size_t open = head.rfind('[');
  if (open == std::string_view::npos) return false;
  std::string_view clock = head.substr(open + 1);
  const auto us = take_hexadecimal(clock);
  if (!us || *us > kMostUs || !clock.starts_with(']')) return false;
  head = trimmed(head.substr(0, open));
  const auto take_last = [&head] {
    const size_t space = head.find_last_of(" \t") + 1;  // npos + 1 is 0
    const std::string_view word = head.substr(space);
    head = trimmed(head.substr(0, space));
    return word;
  };
  constexpr int kNumberDepthAndFlags = 3;
  for (int i = 0; i < kNumberDepthAndFlags; ++i) take_last();
  const auto cpu = parse_number<uint32_t>(take_last());
  const auto pid = parse_number<int32_t>(take_last());
  if (!cpu || !pid || *pid < 0) return false;
  line.cpu = *cpu;
  line.pid = *pid;
  line.tgid = -1;
  line.task = head;
  line.time = {static_cast<int64_t>(*us) * kNsPerUs};
  line.is_in_seconds = true;
  return parse_event(text.substr(end + kEnd.size()), line);
}

// "0x7f3b (32571)", as option `fields` prints numbers → "32571".
std::string_view plain_number(std::string_view value) {
  std::string_view rest = value;
  const bool is_both = take_address(rest) && take_prefix(rest, " (") && rest.ends_with(')');
  if (!is_both) return value;
  rest.remove_suffix(1);
  return parse_number<int64_t>(rest) || parse_number<uint64_t>(rest) ? rest : value;
}

// Of "vec=9 [action=RCU]", "(flags=SPIN)": what brackets hold are fields, too.
std::string_view without_bracket(std::string_view value, std::string_view before) {
  for (const auto& [open, close] : {std::pair('(', ')'), std::pair('[', ']')}) {
    if (value.ends_with(close) && !value.contains(open) && before.contains(open))
      value.remove_suffix(1);
    if (value.size() > 1 && value.ends_with(open) && is_blank(value[value.size() - 2]))
      value = trimmed(value.substr(0, value.size() - 1));
  }
  return value;
}

// Removes the name of the input that `trace-cmd report` prints for several files or buffers:
// "guest.dat: ".
std::string_view without_name_of_input(std::string_view text) {
  std::string_view rest = text;
  return take_word(rest).ends_with(':') ? rest : text;
}

// Removes "(93,1) 1858816", where a request was before it was mapped to another device, and adds
// it.
void take_old_place(std::string_view& text, std::vector<NamedValue>& fields) {
  if (!take_prefix(text, "<- (")) return;
  fields.push_back({"old_dev", take_to(text, ')')});
  fields.push_back({"old_sector", take_word(text)});
}

// Removes "4096 (2a 00 )", the bytes and the command of a request, of which either may lack, and
// adds them.
void take_command(std::string_view& text, std::vector<NamedValue>& fields) {
  std::string_view rest = text;
  const std::string_view bytes = take_word(rest);
  if (is_digit(bytes.front()) && trimmed(rest).starts_with('(')) {
    fields.push_back({"bytes", bytes});
    text = trimmed(rest);
  }
  if (!take_prefix(text, "(")) return;
  const std::string_view command = trimmed(take_to(text, ')'));
  if (!command.empty()) fields.push_back({"cmd", command});
  text = trimmed(text);
}

}  // namespace

// Source: linux 6.18, include/trace/events/block.h.
std::vector<NamedValue> block_fields(std::string_view event, std::string_view args) {
  if (!event.starts_with("block_")) return {};
  std::string_view rest = args;
  const std::string_view device = take_word(rest);
  std::string_view direction = take_word(rest);
  rest = trimmed(rest);
  if (!rest.empty() && is_letter(rest.front())) direction = take_word(rest);  // behind the action
  rest = trimmed(rest);
  if (!is_device(device) || direction.empty() || rest.empty()) return {};
  std::vector<NamedValue> fields{{"dev", device}, {"rwbs", direction}};
  take_command(rest, fields);
  const std::string_view sector = take_word(rest), sign = take_word(rest), second = take_word(rest);
  if ((sign != "+" && sign != "/") || !parse_number<uint64_t>(sector) ||
      !parse_number<uint64_t>(second))
    return {};
  fields.push_back({"sector", sector});
  fields.push_back({sign == "+" ? "nr_sector" : "new_sector", second});
  rest = trimmed(rest);
  take_old_place(rest, fields);
  const size_t open = rest.find('[');
  if (open == std::string_view::npos || !rest.ends_with(']')) return fields;
  if (open > 0) fields.push_back({"ioprio", trimmed(rest.substr(0, open))});
  const bool is_over =
      event.ends_with("_complete") || event.ends_with("_requeue") || event.ends_with("_error");
  fields.push_back({is_over ? "error" : "comm", rest.substr(open + 1, rest.size() - open - 2)});
  return fields;
}

bool parse_line(std::string_view text, Line& line) {
  text = without_name_of_input(text);
  // A task's name may look like a CPU: the first that has a task before and a time behind it.
  for (size_t open = text.find('['); open != std::string_view::npos;
       open = text.find('[', open + 1)) {
    size_t behind = 0;
    if (!parse_cpu(text, open, line.cpu, behind) || !parse_task(text.substr(0, open), line))
      continue;
    std::string_view rest = text.substr(behind);
    // The flags are not always there.
    const std::string_view first = take_word(rest);
    if (parse_clock(first, line) || parse_flags_and_clock(first, line) ||
        parse_clock(take_word(rest), line))
      return parse_event(rest, line);
  }
  return parse_latency_line(text, line) || parse_verbose_line(text, line);
}

FieldPlace find_field(std::string_view args, size_t from) {
  for (size_t equals = args.find('=', from); equals != std::string_view::npos;
       equals = args.find('=', equals + 1)) {
    size_t begin = equals;
    while (begin > from && is_word_char(args[begin - 1])) --begin;
    const bool is_name = begin < equals && !is_digit(args[begin]) && begins_name(args, begin);
    if (is_name) return {begin, equals};
  }
  return {};
}

std::string_view value_between(std::string_view args, size_t equals, size_t next) {
  constexpr std::string_view kArrow = "==>";
  std::string_view value = args.substr(equals + 1, next - equals - 1);
  if (next == std::string_view::npos) value = args.substr(equals + 1);
  const auto trim = [&] {
    while (!value.empty() && kBetweenFields.contains(value.back())) value.remove_suffix(1);
  };
  trim();
  if (value.ends_with(kArrow)) {
    value.remove_suffix(kArrow.size());
    trim();
  }
  if (!value.empty() && kBrackets.contains(value.back()))
    value = without_bracket(value, args.substr(0, equals));
  return plain_number(value);
}

std::string_view field(std::string_view args, std::string_view name) {
  for (size_t at = args.find(name); at != std::string_view::npos; at = args.find(name, at + 1)) {
    const size_t equals = at + name.size();
    if (equals < args.size() && args[equals] == '=' && begins_name(args, at))
      return value_between(args, equals, find_field(args, equals + 1).begin);
  }
  return {};
}

}  // namespace weft::formats::ftrace
