#include "core/formats/kernel/strace/strace_line.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "core/base/time.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/text.h"

namespace weft::formats::strace {
namespace {

// A call that strace stopped looking at while it lasted is not finished either; the last is
// ltrace's.
constexpr std::string_view kUnfinished[] = {"<unfinished ...>", "<detached ...>",
                                            "<no return ...>"};

// Seconds with a fraction.
std::optional<int64_t> parse_seconds(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  const auto time = nearest_time(text, DecimalUnit::kSeconds);
  return time ? std::optional(time->ticks) : std::nullopt;
}

// "<bash>", as option -Y says who it is; empty where it does not.
std::string_view take_command(std::string_view& text) {
  const size_t end = text.starts_with('<') ? text.find('>') : std::string_view::npos;
  if (end == std::string_view::npos) return {};
  const std::string_view command = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  return command;
}

// "[pid  4590] ", or "4590  " before something else.
void take_pid(std::string_view& text, Line& out) {
  constexpr std::string_view kPid = "[pid";
  std::string_view rest = text;
  const bool is_bracketed = take_prefix(rest, kPid);
  skip_white_space(rest);
  const auto pid = take_number<int64_t>(rest);
  const std::string_view command = take_command(rest);
  constexpr int64_t kMostPid = 1 << 22;  // of Linux; what is more is a time
  if (!pid || rest.empty() || *pid < 0 || *pid > kMostPid) return;
  if (is_bracketed ? !take_prefix(rest, "]") : !is_space(rest.front())) return;
  skip_white_space(rest);
  out.pid = *pid;
  out.command = command;
  text = rest;
}

// "14:32:01.5"
std::optional<int64_t> parse_time_of_day(std::string_view text) {
  const auto hours = take_number<int64_t>(text);
  if (!hours || *hours < 0 || *hours > 23 || !take_prefix(text, ":")) return std::nullopt;
  const auto minutes = take_number<int64_t>(text);
  if (!minutes || *minutes < 0 || *minutes > 59 || !take_prefix(text, ":")) return std::nullopt;
  const auto seconds = parse_seconds(text);
  if (!seconds || *seconds > 60 * kNsPerSecond) return std::nullopt;
  return (*hours * 60 + *minutes) * 60 * kNsPerSecond + *seconds;
}

void take_time(std::string_view& text, Line& out) {
  std::string_view rest = text;
  const std::string_view word = take_word(rest);
  if (const auto of_day = parse_time_of_day(word)) {
    out.clock = Clock::kOfDay;
    out.time = {*of_day};
  } else if (const auto seconds = parse_seconds(word)) {
    constexpr int64_t kOldest =
        100'000'000 * kNsPerSecond;  // 1973: nothing runs for so long in between
    if (*seconds < kOldest && word.find('.') == std::string_view::npos) return;
    out.clock = *seconds < kOldest ? Clock::kRelative : Clock::kAbsolute;
    out.time = {*seconds};
  } else {
    return;
  }
  skip_white_space(rest);
  // -r together with another clock: "(+     0.000130)".
  if (take_prefix(rest, "(+")) {
    const auto passed = parse_seconds(trimmed(take_to(rest, ')')));
    if (passed && word.find('.') == std::string_view::npos) out.since_last = Duration{*passed};
  }
  skip_white_space(rest);
  text = rest;
}

// "[00007f3c5a0b1a37] ", "[  59] "
void skip_brackets(std::string_view& text) {
  while (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
    skip_white_space(text);
  }
}

// "<0.000047>" at the end.
void take_duration(std::string_view& text, Line& out) {
  const size_t open = text.ends_with('>') ? text.rfind('<') : std::string_view::npos;
  if (open == std::string_view::npos) return;
  const auto ns = parse_seconds(text.substr(open + 1, text.size() - open - 2));
  if (!ns) return;
  out.duration = Duration{*ns};
  text = trimmed(text.substr(0, open));
}

// "--- SIGCHLD {…} ---", "+++ exited with 0 +++"
bool parse_note(std::string_view text, Line& out) {
  const bool is_signal = text.starts_with("--- ") && text.ends_with(" ---");
  const bool is_exit = text.starts_with("+++ ") && text.ends_with(" +++");
  if ((!is_signal && !is_exit) || text.size() < 8) return false;
  text = text.substr(4, text.size() - 8);
  out.what = is_signal ? What::kSignal : What::kExit;
  out.name = is_signal ? take_word(text) : text;
  out.arguments = is_signal ? trimmed(text) : std::string_view();
  return !out.name.empty();
}

// What ltrace says of itself.
bool parse_message(std::string_view text, Line& out) {
  constexpr std::string_view kMessage = "unexpected breakpoint";
  if (!take_prefix(text, kMessage) || !take_prefix(text, " at ") || !text.starts_with("0x"))
    return false;
  out.what = What::kMessage;
  out.name = kMessage;
  out.arguments = text;
  return true;
}

bool leave_open(std::string_view arguments, Line& out) {
  out.arguments = trimmed(arguments);
  if (out.what == What::kCall) out.what = What::kUnfinished;
  return true;
}

// In ltrace a name may include the caller or the function's location: "ls->malloc",
// "malloc@libc.so.6", "read@SYS"; or be that of a C++ function: "operator new(unsigned long)",
// whose arguments are in the last parentheses.
size_t length_of_name(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && is_word_char(text[length])) ++length;
  if (text.substr(length).starts_with('(')) return length;
  const size_t bracket = text.find('(', length);
  if (bracket == std::string_view::npos) return length;
  const std::string_view name = text.substr(0, bracket);
  if (name.find(": ") != std::string_view::npos) return length;  // "73 ms: std::map<int>("
  if (name.find("::") == std::string_view::npos && !name.starts_with("operator ")) {
    const size_t sign = std::min(name.find("->"), name.find('@'));
    const bool is_whole = sign > 0 && sign < name.size() && name.find_first_of(" \t\"=") > bracket;
    return is_whole ? bracket : length;
  }
  size_t end = bracket;
  while (true) {  // "f(int (*)(int))(…"
    int depth = 0;
    size_t close = end;
    for (; close < text.size(); ++close) {
      depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    std::string_view behind = text.substr(std::min(close + 1, text.size()));
    const size_t left = behind.size();
    take_prefix(behind, " const");
    if (!behind.starts_with('(')) return end;
    end = close + 1 + (left - behind.size());
  }
}

// Parses what follows "name(" or "<... name resumed>": arguments, and the result.
bool parse_rest(std::string_view text, Line& out) {
  text = trimmed(text);
  for (const std::string_view end : kUnfinished) {
    if (text.ends_with(end)) return leave_open(text.substr(0, text.size() - end.size()), out);
  }
  take_duration(text, out);
  const size_t equals = text.rfind(" = ");
  const bool has_origin = out.pid >= 0 || out.clock != Clock::kNone;
  out.is_torn = equals == std::string_view::npos;
  if (out.is_torn) return has_origin && leave_open(text, out);
  out.result = trimmed(text.substr(equals + 3));
  out.is_in_columns = equals > 0 && text[equals - 1] == ' ';
  text = trimmed(text.substr(0, equals));
  out.is_torn = !text.ends_with(')');
  if (out.is_torn) return false;
  out.arguments = text.substr(0, text.size() - 1);
  return !out.result.empty();
}

// Whether what stands before a time has more spaces than belong to a pid, which is padded itself.
bool is_padded(std::string_view before) {
  constexpr size_t kPidColumns = 6;
  const std::string_view pid = trimmed(before);
  const size_t spaces = before.size() - (before.find_last_not_of(' ') + 1);  // npos + 1 is 0
  if (pid.empty()) return spaces > 0;
  const bool is_filled = pid.ends_with(']') || pid.size() >= kPidColumns;
  return spaces > (is_filled ? 1 : kPidColumns - pid.size());
}

}  // namespace

bool parse_notice(std::string_view text, Notice& out) {
  constexpr std::string_view kName = "strace: ", kProcess = "Process ";
  out = {};
  text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
  if (text.ends_with("runs in 32 bit mode. ]") || text.ends_with("runs in 64 bit mode. ]") ||
      text.ends_with("runs in x32 mode. ]") || trimmed(text) == kUnfinished[1])
    return true;
  if (!text.contains(kProcess)) return text.starts_with(kName);
  const size_t at = text.rfind(kProcess);
  std::string_view rest = text.substr(at + kProcess.size());
  const auto pid = take_number<int64_t>(rest);
  const std::string_view what = take_word(rest);
  // Older ones say more: " (waiting for parent)", " with 4 threads - interrupt to quit".
  const bool is_whole = rest.empty() || rest.starts_with(" - interrupt") ||
                        rest.starts_with(" with ") ||
                        (rest.starts_with(" (") && rest.ends_with(')'));
  out.is_attached = what == "attached";
  const bool is_of_process =
      out.is_attached || what == "detached" || what == "resumed" || what == "suspended";
  if (!pid || !is_whole || !is_of_process) return text.starts_with(kName);
  if (what == "detached" || out.is_attached) out.pid = *pid;
  out.before = text.substr(0, at);
  if (out.before.ends_with(kName)) out.before.remove_suffix(kName.size());
  return true;
}

std::string_view without_place(std::string_view name) {
  const size_t arrow = name.find("->");
  const size_t begin = arrow == std::string_view::npos ? 0 : arrow + 2;
  return name.substr(begin, name.find('@', begin) - begin);
}

std::string first_text(std::string_view arguments) {
  std::string text;
  const auto take_digits = [&](size_t from, size_t most, int base) {
    const char* begin = arguments.data() + from;
    const size_t length = std::min(most, arguments.size() - from);
    unsigned value = 0;
    const auto [end, error] = std::from_chars(begin, begin + length, value, base);
    if (error == std::errc{}) text += static_cast<char>(value);
    return from + static_cast<size_t>(end - begin);
  };
  size_t at = arguments.find('"');
  while (at < arguments.size() && ++at < arguments.size() && arguments[at] != '"') {
    if (arguments[at] != '\\' || at + 1 == arguments.size()) {
      text += arguments[at];
    } else if (const char escaped = arguments[++at]; escaped == 'x') {
      at = take_digits(at + 1, 2, 16) - 1;
    } else if (escaped >= '0' && escaped <= '7') {
      at = take_digits(at, 3, 8) - 1;
    } else {
      text += escaped;
    }
  }
  return text;
}

bool parse_line(std::string_view text, Line& out) {
  out = {};
  const std::string_view line = text;
  text = trimmed(text);
  take_pid(text, out);
  out.is_padded = is_padded(line.substr(0, static_cast<size_t>(text.data() - line.data())));
  take_time(text, out);
  skip_brackets(text);
  if (parse_note(text, out) || parse_message(text, out)) return true;
  constexpr std::string_view kResumed = "<... ";
  const bool is_resumed = take_prefix(text, kResumed);
  constexpr std::string_view kBehind = " resumed>";
  const size_t length =
      is_resumed ? std::min(text.find(kBehind), text.size()) : length_of_name(text);
  out.name = text.substr(0, length);
  text.remove_prefix(length);
  const std::string_view behind = is_resumed ? kBehind : std::string_view("(");
  if (out.name.empty() || !text.starts_with(behind)) return false;
  out.what = is_resumed ? What::kResumed : What::kCall;
  return parse_rest(text.substr(behind.size()), out);
}

bool parse_end(std::string_view text, Line& out) {
  out = {};
  return parse_rest(text, out);
}

void join_arguments(std::pmr::string& arguments, std::string_view more) {
  if (arguments.ends_with(more)) return;
  if (arguments.ends_with(',') && !more.empty()) arguments += ' ';
  arguments += more;
}

bool is_frame(std::string_view line) { return trimmed(line).starts_with(kFrame); }

bool is_dump(std::string_view line) {
  constexpr std::string_view kBuffer = " * ";
  return line.starts_with(kDump) ||
         (line.starts_with(kBuffer) && line.contains(" bytes in buffer "));
}

}  // namespace weft::formats::strace
