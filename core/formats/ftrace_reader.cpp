#include "core/formats/ftrace_reader.h"

#include <optional>
#include <string_view>

#include "core/formats/ftrace/ftrace_line.h"
#include "core/formats/ftrace/ftrace_player.h"
#include "core/formats/text.h"
#include "core/formats/text_lines.h"

namespace weft::formats {
namespace {

struct LostEvents {
  uint64_t count = 0;
  uint32_t cpu = 0;
};

// "CPU:1 [LOST 5 EVENTS]"; none where the line says something else.
std::optional<LostEvents> lost_in(std::string_view text) {
  constexpr std::string_view kCpu = "CPU:", kLost = " [LOST ", kEvents = " EVENTS]";
  const size_t at = text.find(kLost);
  const size_t end = text.find(kEvents);
  if (!text.starts_with(kCpu) || at > text.size() || end > text.size() || end < at) return {};
  const size_t begin = at + kLost.size();
  const auto cpu = parse_number<uint32_t>(text.substr(kCpu.size(), at - kCpu.size()));
  const auto count = parse_number<uint64_t>(text.substr(begin, end - begin));
  if (!cpu || !count) return {};
  return LostEvents{*count, *cpu};
}

// What stands around the events: comments, `trace-cmd report`'s head.
bool is_around(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return true;
  text.remove_prefix(first);
  for (const std::string_view begin :
       {"#", "cpus=", "version =", "CPU ", "CPU:", "TRACE:", "trace-cmd "}) {
    if (text.starts_with(begin)) return true;
  }
  return false;
}

}  // namespace

int sniff_ftrace(std::span<const std::byte> head) {
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  ftrace::Line line;
  constexpr size_t kMostLineBytes = 4096;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view each = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (each.ends_with('\r')) each.remove_suffix(1);
    if (each.size() < kMostLineBytes && ftrace::parse_line(each, line)) return 70;
  }
  return 0;
}

Status read_ftrace(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  ftrace::Player player(sink);
  ftrace::Line line;
  for_each_line(source, sink, [&](const io::Line& each) {
    line.offset = each.offset;
    if (ftrace::parse_line(each.text, line)) return player.add(line);
    if (const auto lost = lost_in(each.text))
      return player.lose(lost->count, lost->cpu, each.offset);
    if (!is_around(each.text)) sink.loss("line that is no event", each.offset);
  });
  player.finish();
  return {};
}

}  // namespace weft::formats
