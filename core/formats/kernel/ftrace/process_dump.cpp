#include "core/formats/kernel/ftrace/process_dump.h"

#include "core/formats/base/text.h"

namespace weft::formats::ftrace {
namespace {

constexpr std::string_view kBegin = "PROCESS DUMP", kHead = "USER ";

}  // namespace

bool ProcessDump::begins(std::string_view text) { return text.starts_with(kBegin); }

bool ProcessDump::add(std::string_view line, Lanes& lanes) {
  if (begins(line)) {
    rows_ = Rows::kUnknown;
    return true;
  }
  if (line.starts_with(kHead) && line.contains(" PID")) {
    rows_ = line.contains(" TID") ? Rows::kThreads : Rows::kProcesses;
    return true;
  }
  if (rows_ == Rows::kNone) return false;
  if (trimmed(line).empty() || add_row(line, lanes)) return true;
  rows_ = Rows::kNone;
  return false;
}

// Kernel threads stand in brackets, and are called so by the kernel, too.
bool ProcessDump::add_row(std::string_view line, Lanes& lanes) {
  constexpr int kWordsBeforeName = 5;  // VSZ RSS WCHAN PC S
  constexpr uint64_t kMostDescribed = 1 << 18;
  const std::string_view user = take_word(line);
  const auto pid = parse_number<int32_t>(take_word(line));
  const auto other = parse_number<int32_t>(take_word(line));
  if (user.empty() || !pid || !other || *pid < 0 || *other < 0) return false;
  if (described_++ >= kMostDescribed) return true;
  if (rows_ == Rows::kThreads) {
    lanes.describe_task(*other, trimmed(line), *pid);
  } else if (rows_ == Rows::kProcesses) {
    for (int i = 0; i < kWordsBeforeName; ++i) take_word(line);
    const std::string_view name = take_word(line);
    if (!name.starts_with('[')) lanes.describe_process(*pid, name);
  }
  return true;
}

}  // namespace weft::formats::ftrace
