#include "core/formats/kernel/boot/bootchart.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats::boot {
namespace {

namespace fs = std::filesystem;
using trace::EventSink;

constexpr std::string_view kHeaderFile = "header", kProcessFile = "proc_ps.log",
                           kCpuFile = "proc_stat.log", kDiskFile = "proc_diskstats.log";

Time time_of(int64_t hundredths) {
  constexpr int64_t kMilliseconds = 10, kMost = int64_t{1} << 50;
  return {std::clamp(hundredths, -kMost, kMost) * kMilliseconds};
}

// The line above a copy says its time alone.
std::optional<Time> time_above(std::string_view line) {
  const auto time = parse_number<int64_t>(trimmed(line));
  return time ? std::optional(time_of(*time)) : std::nullopt;
}

std::vector<int64_t> all_numbers(std::string_view words) {
  std::vector<int64_t> numbers;
  while (!trimmed(words).empty())
    numbers.push_back(parse_number<int64_t>(take_word(words)).value_or(0));
  return numbers;
}

class ChartProcesses {
 public:
  explicit ChartProcesses(EventSink& sink) : sink_(sink) {}

  void add(const io::Line& line) {
    if (const auto time = time_above(line.text)) {
      end_missing();
      now_ = *time;
    } else if (!add_process(line.text)) {
      sink_.loss("line of no process", line.offset);
    }
  }

  void finish() {
    end_missing();
    for (const auto& [pid, process] : running_) tell(process, now_);
  }

 private:
  struct Process {
    LaneId lane;
    char state = 0;
    int64_t start = 0;
    Time since, seen;
  };

  // "162 (kblockd/0) S 2 0 …": the name may hold anything, also brackets.
  bool add_process(std::string_view text) {
    constexpr size_t kStart = 19, kMostProcesses = 1 << 16;  // of the numbers behind the name
    const size_t open = text.find('('), close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
      return false;
    const auto pid = parse_number<int64_t>(trimmed(text.substr(0, open)));
    std::string_view rest = text.substr(close + 1);
    const std::string_view state = take_word(rest);
    const std::vector<int64_t> numbers = all_numbers(rest);
    if (!pid || state.size() != 1 || numbers.size() < kStart) return false;
    const int64_t start = numbers[kStart - 1];
    auto [at, is_new] = running_.try_emplace(*pid);
    Process& process = at->second;
    if (!is_new && process.start != start) tell(process, now_);
    if (is_new || process.start != start) {
      if (running_.size() > kMostProcesses) {
        running_.erase(at);
        return false;
      }
      const std::string name(text.substr(open + 1, close - open - 1));
      process = {.lane = sink_.add_lane({.name = valid_utf8(name) + ' ' + std::to_string(*pid),
                                         .parent = processes(),
                                         .kind = trace::LaneKind::kProcess}),
                 .state = state[0],
                 .start = start,
                 .since = std::min(time_of(start), now_),
                 .seen = now_};
    } else if (process.state != state[0]) {
      tell(process, now_);
      process.since = now_;
      process.state = state[0];
    }
    process.seen = now_;
    return true;
  }

  LaneId processes() {
    if (processes_.is_none()) processes_ = sink_.add_lane({.name = "processes"});
    return processes_;
  }

  // Ends processes missing from the last copy.
  void end_missing() {
    std::erase_if(running_, [&](const auto& each) {
      const bool is_over = each.second.seen < now_;
      if (is_over) tell(each.second, now_);
      return is_over;
    });
  }

  void tell(const Process& process, Time until) {
    if (until <= process.since) return;
    const std::string_view name = process.state == 'R'   ? "running"
                                  : process.state == 'S' ? "sleeping"
                                  : process.state == 'I' ? "idle"
                                  : process.state == 'D' ? "waiting for a device"
                                  : process.state == 'Z' ? "zombie"
                                  : process.state == 'T' ? "stopped"
                                                         : "other";
    sink_.give(trace::StateEvent{.begin = process.since,
                                 .duration = until - process.since,
                                 .lane = process.lane,
                                 .type = sink_.type(trace::Category::kState, name)});
  }

  EventSink& sink_;
  std::map<int64_t, Process> running_;  // by number
  Time now_;
  LaneId processes_ = LaneId::none();
};

// Counters that only grow become what they grew by, of the time between two copies.
class ChartCounters {
 public:
  explicit ChartCounters(EventSink& sink) : sink_(sink) {}

  void add_cpu_line(const io::Line& line) {
    if (is_time(line.text)) return;
    std::string_view rest = line.text;
    const std::string_view name = take_word(rest);
    if (name == "procs_running" || name == "procs_blocked") {
      const bool is_blocked = name == "procs_blocked";
      tell("tasks", is_blocked ? "blocked" : "runnable",
           static_cast<double>(parse_number<int64_t>(trimmed(rest)).value_or(0)));
    }
    if (name != "cpu") return;
    // user, nice, system, idle, waiting for devices, interrupts
    constexpr size_t kUser = 0, kNice = 1, kSystem = 2, kWaiting = 4, kFewest = 5;
    const std::vector<int64_t> grown = grown_by("cpu", all_numbers(rest));
    if (grown.size() < kFewest) return;
    double all = 0, interrupts = 0;
    for (size_t i = 0; i < grown.size(); ++i) {
      all += static_cast<double>(grown[i]);
      if (i > kWaiting) interrupts += static_cast<double>(grown[i]);
    }
    if (all <= 0) return;
    const auto share = [&](double part) { return 100 * part / all; };
    tell("CPU", "user %", share(static_cast<double>(grown[kUser] + grown[kNice])));
    tell("CPU", "system %", share(static_cast<double>(grown[kSystem]) + interrupts));
    tell("CPU", "waiting for devices %", share(static_cast<double>(grown[kWaiting])));
  }

  // "8 0 sda 4501 …": of whole disks only.
  void add_disk_line(const io::Line& line) {
    if (is_time(line.text)) return;
    constexpr size_t kRead = 2, kWritten = 6, kBusyMs = 9;
    std::string_view rest = line.text;
    take_word(rest);
    take_word(rest);
    const std::string_view name = take_word(rest);
    if (!is_disk(name)) return;
    const std::vector<int64_t> grown = grown_by(name, all_numbers(rest));
    const auto passed = static_cast<double>((now_ - before_).ticks);
    if (grown.size() <= kBusyMs || passed <= 0) return;
    constexpr double kBytesPerSector = 512, kMsPerSecond = 1000;
    const std::string lane = "disk " + valid_utf8(name);
    const auto rate = [&](size_t i) {
      return static_cast<double>(grown[i]) * kBytesPerSector * kMsPerSecond / passed;
    };
    tell(lane, "read B/s", rate(kRead));
    tell(lane, "written B/s", rate(kWritten));
    tell(lane, "busy %", 100 * static_cast<double>(grown[kBusyMs]) / passed);
  }

 private:
  bool is_time(std::string_view line) {
    const auto time = time_above(line);
    if (time) before_ = std::exchange(now_, *time);
    return time.has_value();
  }

  // "sda", "mmcblk0", "nvme0n1": not their parts, nor what lies in memory.
  static bool is_disk(std::string_view name) {
    const bool ends_in_digit = !name.empty() && is_digit(name.back());
    if (name.starts_with("mmcblk") || name.starts_with("nvme"))
      return name.rfind('p') == std::string_view::npos;
    return !ends_in_digit && (name.starts_with("sd") || name.starts_with("hd") ||
                              name.starts_with("vd") || name.starts_with("xvd"));
  }

  // Empty at first.
  std::vector<int64_t> grown_by(std::string_view name, std::vector<int64_t> numbers) {
    constexpr size_t kMostNames = 4096;
    const auto at = before_of_.find(name);
    if (at == before_of_.end()) {
      if (before_of_.size() < kMostNames) before_of_.emplace(name, std::move(numbers));
      return {};
    }
    std::vector<int64_t> grown = numbers;
    grown.resize(std::min(grown.size(), at->second.size()));
    for (size_t i = 0; i < grown.size(); ++i)
      grown[i] = std::max<int64_t>(
          0, __builtin_sub_overflow(numbers[i], at->second[i], &grown[i]) ? 0 : grown[i]);
    at->second = std::move(numbers);
    return grown;
  }

  void tell(std::string_view lane, std::string_view type, double value) {
    auto at = lanes_.find(lane);
    if (at == lanes_.end())
      at = lanes_
               .emplace(lane, sink_.add_lane(
                                  {.name = std::string(lane), .kind = trace::LaneKind::kCounter}))
               .first;
    sink_.give(trace::VariableSample{.time = now_,
                                     .value = value,
                                     .lane = at->second,
                                     .type = sink_.type(trace::Category::kVariable, type)});
  }

  EventSink& sink_;
  Time now_, before_;
  std::map<std::string, std::vector<int64_t>, std::less<>> before_of_;
  std::map<std::string, LaneId, std::less<>> lanes_;
};

// "system.uname = Linux 2.6.29"
void say_header(const io::Line& line, EventSink& sink) {
  const size_t equals = line.text.find('=');
  if (equals == std::string_view::npos) return;
  sink.set_metadata(valid_utf8(trimmed(line.text.substr(0, equals))),
                    valid_utf8(trimmed(line.text.substr(equals + 1))));
}

template <class Add>
void read_lines(const io::Source& source, const std::string& name, EventSink& sink,
                const Add& add) {
  const auto has = [&](const io::FolderFile& file) { return file.name == name; };
  if (std::ranges::none_of(source.files(), has)) return;
  const auto file = source.open_file(name);
  if (!file)
    return sink.loss(printable(name) + ' ' + file.error().message, trace::LossPlace::nowhere());
  for_each_line(**file, sink, add);
}

}  // namespace

std::optional<std::string> chart_folder(const io::Source& folder) {
  for (const io::FolderFile& file : folder.files()) {
    const fs::path path(file.name);
    const auto stands_beside = [&](const io::FolderFile& other) {
      return fs::path(other.name) == path.parent_path() / kCpuFile;
    };
    if (path.filename() == kProcessFile && std::ranges::any_of(folder.files(), stands_beside))
      return path.parent_path().string();
  }
  return std::nullopt;
}

void read_chart(const io::Source& source, const std::string& folder, EventSink& sink) {
  const auto path_of = [&](std::string_view name) { return (fs::path(folder) / name).string(); };
  sink.set_time_base(TimeBase::kMilliseconds);
  read_lines(source, path_of(kHeaderFile), sink,
             [&](const io::Line& line) { say_header(line, sink); });
  ChartCounters cpus(sink), disks(sink);
  read_lines(source, path_of(kCpuFile), sink,
             [&](const io::Line& line) { cpus.add_cpu_line(line); });
  read_lines(source, path_of(kDiskFile), sink,
             [&](const io::Line& line) { disks.add_disk_line(line); });
  ChartProcesses processes(sink);
  read_lines(source, path_of(kProcessFile), sink,
             [&](const io::Line& line) { processes.add(line); });
  processes.finish();
}

}  // namespace weft::formats::boot
