#include "core/formats/shiviz/clock_line.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/formats/text.h"

namespace weft::formats::shiviz {
namespace {

// The clock that begins at the brace; how long it is, 0 where it is none.
size_t parse_clock(std::string_view text, std::vector<ClockEntry>& out) {
  const size_t whole = text.size();
  out.clear();
  text.remove_prefix(1);
  for (;;) {
    text = trimmed(text);
    if (!text.starts_with('"')) return 0;
    const size_t quote = text.find('"', 1);
    if (quote == std::string_view::npos || quote == 1) return 0;
    const std::string_view host = text.substr(1, quote - 1);
    text = trimmed(text.substr(quote + 1));
    if (!text.starts_with(':')) return 0;
    text = trimmed(text.substr(1));
    const auto count = take_number<int64_t>(text);
    if (!count || *count < 0 || *count > std::numeric_limits<int32_t>::max()) return 0;
    out.emplace_back(host, *count);
    text = trimmed(text);
    if (text.starts_with('}')) return whole - text.size() + 1;
    if (!text.starts_with(',')) return 0;
    text.remove_prefix(1);
  }
}

}  // namespace

bool parse_clock_line(std::string_view line, ClockLine& out) {
  line = trimmed(line);
  for (size_t brace = line.find("{\""); brace != std::string_view::npos;
       brace = line.find("{\"", brace + 1)) {
    const size_t length = parse_clock(line.substr(brace), out.clock);
    if (length == 0) continue;
    out.before = trimmed(line.substr(0, brace));
    out.clock_text = line.substr(brace, length);
    out.behind = trimmed(line.substr(brace + length));
    return true;
  }
  return false;
}

std::string_view host_of(const ClockLine& line) {
  const auto is_host = [&](std::string_view name) {
    return std::ranges::find(line.clock, name, &ClockEntry::first) != line.clock.end();
  };
  const size_t space = line.before.find_last_of(" \t");
  const std::string_view word = line.before.substr(space + 1);  // npos + 1 is 0
  if (is_host(word)) return word;
  const ClockEntry* last = nullptr;
  size_t last_at = 0;
  for (const ClockEntry& entry : line.clock) {
    const size_t at = line.before.rfind(entry.first);
    if (at == std::string_view::npos || (last != nullptr && at < last_at)) continue;
    last = &entry;
    last_at = at;
  }
  return last == nullptr ? std::string_view() : last->first;
}

}  // namespace weft::formats::shiviz
