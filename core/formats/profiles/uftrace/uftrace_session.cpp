#include "core/formats/profiles/uftrace/uftrace_session.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/base/demangle.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats::uftrace {
namespace {

namespace fs = std::filesystem;

// The value of "name=value" or name="value"; empty where it is not there.
std::string_view value_of(std::string_view line, std::string_view name) {
  const size_t at = line.find(fmt::format(" {}=", name));
  if (at == std::string_view::npos) return {};
  std::string_view rest = line.substr(at + name.size() + 2);
  if (!take_prefix(rest, "\"")) return rest.substr(0, rest.find(' '));
  return rest.substr(0, rest.find('"'));
}

std::string_view name_of_path(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::optional<Time> time_of(std::string_view text) {
  constexpr Time kMost{1'000'000'000 * kNsPerSecond};
  const auto time = nearest_time(text, DecimalUnit::kSeconds);
  return time && *time >= Time{} && *time <= kMost ? time : std::nullopt;
}

Sessions::Sessions(const fs::path& folder, bool are_relative)
    : folder_(folder), are_relative_(are_relative) {
  read_tasks(folder / "task.txt");
  for (const auto& [id, map] : maps_) {
    for (const auto& [begin, binary] : map) {
      const auto [it, is_new] = symbols_.try_emplace(binary.name);
      if (is_new) read_symbols(folder / (binary.name + ".sym"), it->second);
    }
  }
}

// "SESS timestamp=1.5 pid=4 sid=6a exename="/bin/x"", "TASK timestamp=1.5 tid=5 pid=4",
// "FORK timestamp=1.5 pid=6 ppid=4", "DLOP timestamp=1.5 tid=5 sid=6a base=7f00 libname="/x.so"".
void Sessions::read_tasks(const fs::path& file) {
  for_each_line_of(file, [&](std::string_view line) {
    const auto number = [&](std::string_view name) {
      return parse_number<int32_t>(value_of(line, name)).value_or(0);
    };
    const std::string id(value_of(line, "sid"));
    const bool is_id = !id.empty() && id.find_first_not_of("0123456789abcdef") == id.npos;
    if (line.starts_with("SESS") && is_id) {
      sessions_.push_back({time_of(value_of(line, "timestamp")).value_or(Time{}), number("pid"), id,
                           std::string(value_of(line, "exename"))});
      process_of_thread_.emplace(number("pid"), number("pid"));
      const auto [it, is_new] = maps_.try_emplace(id);
      if (is_new) read_map(folder_ / fmt::format("sid-{}.map", id), it->second);
    } else if (line.starts_with("TASK")) {
      process_of_thread_[number("tid")] = number("pid");
    } else if (line.starts_with("FORK")) {
      process_of_thread_[number("pid")] = number("pid");
      parent_of_process_[number("pid")] = number("ppid");
    } else if (line.starts_with("DLOP") && is_id) {
      std::string_view base = value_of(line, "base");
      const auto begin = take_hexadecimal(base);
      constexpr uint64_t kMostBytes = 1 << 26;  // the size is not said
      if (begin)
        maps_[id][*begin] = {*begin + kMostBytes,
                             std::string(name_of_path(value_of(line, "libname")))};
    }
  });
}

// "563ce6a8b000-563ce6a90000 r-xp 00000000 00:00 0    /bin/x build-id:51": the first of a binary's
// mappings is where its symbols count from. "[stack]" and the like are none.
void Sessions::read_map(const fs::path& file, Map& map) {
  constexpr int kWordsBetween = 4;  // rights, offset, device, inode
  std::map<std::string, uint64_t, std::less<>> begin_of;
  for_each_line_of(file, [&](std::string_view line) {
    const auto begin = take_hexadecimal(line);
    if (!begin || !take_prefix(line, "-")) return;
    const auto end = take_hexadecimal(line);
    for (int i = 0; i < kWordsBetween; ++i) take_word(line);
    const std::string name(name_of_path(take_word(line)));
    if (!end || name.empty() || name.starts_with('[')) return;
    const auto [it, is_new] = begin_of.emplace(name, *begin);
    Binary& binary = map[it->second];
    binary = {std::max(binary.end, *end), name};
  });
}

// "0000000000001090 00000010 P __stack_chk_fail"; older ones have no size. The first line says how
// many there are.
void Sessions::read_symbols(const fs::path& file, Symbols& symbols) {
  constexpr uint64_t kMostSymbols = 1 << 30;
  uint64_t said = 0, found = 0;
  for_each_line_of(file, [&](std::string_view line) {
    if (take_prefix(line, "# symbols: ")) {
      said = parse_number<uint64_t>(line).value_or(0);
      return;
    }
    const auto address = take_hexadecimal(line);
    if (!address) return;
    ++found;
    std::string_view word = take_word(line);
    Symbol symbol;
    if (word.size() > 1) {
      symbol.size_bytes = take_hexadecimal(word).value_or(0);
      word = take_word(line);
    }
    symbol.name = demangled(trimmed(line)).value_or(std::string(trimmed(line)));
    const bool is_code = word == "T" || word == "t" || word == "P" || word == "W" || word == "w" ||
                         word == "i" || word == "K" || word == "k" || word == "U" || word == "u";
    if (is_code && !symbol.name.empty()) symbols.insert_or_assign(*address, std::move(symbol));
  });
  if (said > found && said < kMostSymbols) missing_symbols_ += said - found;
}

int32_t Sessions::process_of(int32_t thread) const {
  const auto it = process_of_thread_.find(thread);
  return it == process_of_thread_.end() ? thread : it->second;
}

int32_t Sessions::parent_of(int32_t process) const {
  const auto it = parent_of_process_.find(process);
  return it == parent_of_process_.end() ? 0 : it->second;
}

int Sessions::generation_of(int32_t process) const {
  constexpr int kMost = 1000;  // what a circle reaches
  int generation = 0;
  while (generation < kMost && (process = parent_of(process)) != 0) ++generation;
  return generation;
}

Sessions::Place Sessions::place_of(int32_t process, Time time, uint64_t address) const {
  Place plain{.name = fmt::format("{:#x}", address), .binary = {}};
  // The last program of the process; a child without one runs that of its parent.
  const Session* session = nullptr;
  for (int i = generation_of(process); i >= 0 && session == nullptr; --i) {
    for (const Session& each : sessions_) {
      if (each.process == process && each.begin <= time) session = &each;
    }
    process = parent_of(process);
  }
  if (session == nullptr && !sessions_.empty()) session = &sessions_.front();
  if (session == nullptr) return plain;
  const Map& map = maps_.at(session->id);
  const auto above = map.upper_bound(address);
  if (above == map.begin()) return plain;
  const auto& [begin, binary] = *std::prev(above);
  if (address >= binary.end) return plain;
  const uint64_t place = are_relative_ ? address - begin : address;
  const auto found = symbols_.find(binary.name);
  if (found != symbols_.end() && !found->second.empty()) {
    const auto next = found->second.upper_bound(place);
    if (next != found->second.begin()) {
      const auto& [from, symbol] = *std::prev(next);
      if (symbol.size_bytes == 0 || place - from < symbol.size_bytes)
        return {.name = symbol.name, .binary = binary.name, .symbol = from};
    }
  }
  return {.name = fmt::format("{}+{:#x}", binary.name, address - begin), .binary = {}};
}

}  // namespace weft::formats::uftrace
