#include "core/formats/kernel/strace/strace_files.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/formats.h"
#include "core/formats/kernel/strace/strace_line.h"
#include "core/formats/kernel/strace/strace_reader.h"
#include "core/io/listing.h"

namespace weft::formats::strace {
namespace {

namespace fs = std::filesystem;

std::optional<int64_t> pid_of(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return std::nullopt;
  return parse_number<int64_t>(name.substr(dot + 1));
}
std::string plain_name(const fs::path& path) {
  return io::without_compression(path.filename()).string();
}

// The first call of a file; none: it has none.
std::optional<Line> first_line(io::Source& source) {
  const auto head = source.peek(kHeadBytes);
  if (!head) return std::nullopt;
  HeadLines lines(as_chars(*head));
  Line line;
  while (const auto text = lines.next()) {
    if (parse_line(trimmed(*text), line)) return line;
  }
  return std::nullopt;
}

bool is_of_task(const std::optional<Line>& line) {
  return line && line->pid < 0 && (line->clock == Clock::kOfDay || line->clock == Clock::kAbsolute);
}

}  // namespace

std::string run_of(std::string_view file_name) {
  const std::string name = plain_name(fs::path(file_name));
  return pid_of(name) ? name.substr(0, name.rfind('.')) : std::string();
}

TaskFiles task_files(io::Source& source) {
  TaskFiles found;
  const fs::path path = source.path();
  const std::string run = run_of(path.filename().string());
  const auto own = run.empty() ? std::nullopt : first_line(source);
  if (run.empty() || !is_of_task(own)) return found;
  found.files.push_back({*pid_of(plain_name(path)), path, own->time});
  for (const fs::directory_entry& each : io::Listing::beside(path).entries) {
    const fs::path beside = each.path().filename();
    if (beside == path.filename() || run_of(beside.string()) != run) continue;
    auto opened = io::Source::open(each.path());
    if (!opened || (*opened)->is_folder()) continue;
    const auto line = first_line(**opened);
    if (is_of_task(line) && line->clock == own->clock) {
      found.files.push_back({*pid_of(plain_name(beside)), each.path(), line->time});
    } else if (const auto head = (*opened)->peek(kHeadBytes); head && sniff_strace(*head) > 0) {
      ++found.others;
    }
  }
  // Files that begin more than half a day before others began after the next midnight.
  const Time latest = std::ranges::max(found.files, {}, &TaskFile::first).first;
  for (TaskFile& file : found.files) {
    const bool is_next =
        own->clock == Clock::kOfDay && latest - file.first > Duration{kDay.ticks / 2};
    if (is_next) file.first = file.first + kDay;
  }
  std::ranges::sort(found.files, [](const TaskFile& a, const TaskFile& b) {
    return a.first != b.first ? a.first < b.first : a.pid < b.pid;
  });
  if (found.files.size() == 1) found.files.clear();
  return found;
}

}  // namespace weft::formats::strace
