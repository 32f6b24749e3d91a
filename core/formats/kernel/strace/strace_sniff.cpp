// How surely a text is the output of strace or ltrace.
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/strace/strace_line.h"
#include "core/formats/kernel/strace/strace_reader.h"
#include "core/formats/kernel/strace/text_around.h"

namespace weft::formats {
namespace {

// Whether a call that says neither its process nor a time looks like one all the same, and not like
// an assignment to an array: "a(1) = 2".
bool is_surely_call(const strace::Line& line) {
  return line.is_in_columns || line.arguments.find('"') != std::string_view::npos ||
         line.result.starts_with("0x") || line.result.starts_with("-1 E");
}

}  // namespace

// "^^^^ write ^^^^", which somebody wrote below a call.
bool is_remark(std::string_view line) {
  constexpr int kMostWords = 3;
  int words = 0;
  while (!take_word(line).empty()) ++words;
  return words <= kMostWords;
}

int sniff_strace(std::span<const std::byte> head) {
  constexpr int kLinesLookedAt = 32, kMostLines = 1024;  // without and with stacks and dumps
  HeadLines lines(as_chars(head), kMostLines);
  int looked_at = 0;
  int right = 0, wrong = 0, remarks = 0;
  int unsure = 0;  // since a torn call: they may be what the program printed
  bool has_call = false, has_sure_call = false, is_torn = false, is_begun = false;
  strace::Line parts, end;
  std::string begun;  // of a line that notices stand within
  while (looked_at < kLinesLookedAt) {
    const auto next = lines.next();
    if (!next) break;
    const std::string_view line = trimmed(*next);
    strace::Notice notice;
    if (line.starts_with(strace::kSummary)) break;
    if (line.empty() || strace::is_frame(line) || strace::is_dump(*next)) continue;
    ++looked_at;
    const bool is_notice = strace::parse_notice(line, notice);
    begun += is_notice ? notice.before : line;
    if (is_notice) continue;
    const std::string whole = std::exchange(begun, {});
    const bool is_right = strace::parse_line(whole, parts);
    const bool begins = parts.what == strace::What::kUnfinished && !parts.is_torn;
    if (std::exchange(is_begun, begins) && !is_right && strace::parse_end(whole, end))
      continue;  // of the line before
    if (is_torn && !is_right) {
      is_torn = !strace::parse_end(whole, end);
      unsure = is_torn ? unsure + 1 : 0;
      continue;
    }
    wrong += std::exchange(unsure, parts.is_torn && !is_right ? 1 : 0);
    is_torn = parts.is_torn;
    if (unsure > 0) continue;
    if (!is_right && !strace::may_be_of_call(whole) && is_remark(whole)) {
      ++remarks;
      continue;
    }
    ++(is_right ? right : wrong);
    const bool is_ended = parts.what == strace::What::kExit && right > 1;
    const bool has_origin = parts.pid >= 0 || parts.clock != strace::Clock::kNone || parts.duration;
    has_sure_call |= is_right && is_surely_call(parts);
    has_call |=
        is_right && !parts.is_torn && (has_origin || is_ended || (has_sure_call && right > 2));
  }
  constexpr int kSure = 65;
  return has_call && right > 2 * (wrong + unsure) && right > remarks ? kSure : 0;
}

}  // namespace weft::formats
