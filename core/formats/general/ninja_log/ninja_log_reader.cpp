#include "core/formats/general/ninja_log/ninja_log_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/text_hash.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace {

constexpr std::string_view kNinjaLogMagic = "# ninja log v";

// A command: what it made, and when it ran in its build.
struct Command {
  int64_t begin = 0, end = 0;
  std::string hash;
  std::vector<std::string> outputs;
};

class NinjaLogReader {
 public:
  NinjaLogReader(trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink), most_bytes_(memory_bytes / 2) {
    sink_.set_time_base(TimeBase::kMilliseconds);
  }

  void add(const io::Line& line) {
    std::string_view rest = line.text;
    if (rest.starts_with('#')) return;
    const auto begin = parse_number<int64_t>(take_to(rest, '\t'));
    const auto end = parse_number<int64_t>(take_to(rest, '\t'));
    take_to(rest, '\t');  // when the output was modified, on another clock
    const std::string_view output = take_to(rest, '\t'), hash = take_to(rest, '\t');
    if (!begin || !end || output.empty())
      return sink_.loss("line that is not a command", line.offset);
    if (*end < *begin || *begin < 0)
      return sink_.loss("command that ends before it begins", line.offset);
    // Commands are noted when they end; an earlier end is another build's.
    if (*end < last_end_) finish_build();
    const auto known = by_hash_.find(TextHash()(hash));
    Command* const same = known == by_hash_.end() ? nullptr : &commands_[known->second];
    if (same != nullptr && same->begin == *begin && same->hash == hash) {
      same->outputs.push_back(valid_utf8(output));
      bytes_ += bytes_of(output);
    } else {
      commands_.push_back({*begin, *end, std::string(hash), {valid_utf8(output)}});
      last_end_ = *end;
      note(commands_.size() - 1);
    }
    if (bytes_ > most_bytes_) give_first((commands_.size() + 1) / 2);
  }

  void finish() { finish_build(); }

 private:
  void finish_build() {
    give_first(commands_.size());
    base_ = saturating_add(base_, std::exchange(last_end_, 0));
    free_from_.clear();
  }

  // Gives the commands that began first. In a build too large for memory, a command may have begun
  // before others that were given: it gets a worker that has been idle since.
  void give_first(size_t count) {
    std::ranges::stable_sort(commands_, {}, &Command::begin);
    for (const Command& command : std::span(commands_).first(count)) place(command);
    commands_.erase(commands_.begin(), commands_.begin() + static_cast<ptrdiff_t>(count));
    by_hash_.clear();
    bytes_ = 0;
    for (size_t i = 0; i < commands_.size(); ++i) note(i);
  }
  void note(size_t index) {
    const Command& command = commands_[index];
    by_hash_.insert_or_assign(TextHash()(command.hash), index);
    bytes_ += kCommandBytes + command.hash.size();
    for (const std::string& output : command.outputs) bytes_ += bytes_of(output);
  }
  // About.
  static uint64_t bytes_of(std::string_view output) { return 64 + output.size(); }

  // Each command runs on the first worker that is free.
  void place(const Command& command) {
    const auto worker =
        std::ranges::find_if(free_from_, [&](int64_t time) { return time <= command.begin; });
    const auto index = static_cast<size_t>(worker - free_from_.begin());
    if (index == kMostWorkers)
      return sink_.loss("command beside too many others", trace::LossPlace::nowhere());
    if (worker == free_from_.end()) free_from_.push_back(0);
    free_from_[index] = command.end;
    give(command, lane_of(index));
  }

  void give(const Command& command, LaneId lane) {
    const std::string& name = command.outputs.front();
    const size_t dot = name.rfind('.'), slash = name.rfind('/');
    const bool has_extension =
        dot != std::string::npos && (slash == std::string::npos || dot > slash);
    ArgsText params;
    params.add("command", command.hash);
    if (command.outputs.size() > 1) {
      params.name("outputs");
      params.begin('[');
      for (const std::string& output : command.outputs) params.text(output);
      params.end(']');
    }
    const Time begin{saturating_add(base_, command.begin)};
    sink_.give(trace::StateEvent{
        .begin = begin,
        .duration = {command.end - command.begin},
        .params = sink_.params(params.take()),
        .lane = lane,
        .type =
            sink_.type(trace::Category::kState, name,
                       has_extension ? std::string_view(name).substr(dot) : std::string_view())});
  }

  LaneId lane_of(size_t worker) {
    if (worker == lanes_.size()) {
      lanes_.push_back(sink_.add_lane(
          {.name = fmt::format("worker {}", worker + 1), .kind = trace::LaneKind::kThread}));
    }
    return lanes_[worker];
  }

  static constexpr size_t kMostWorkers = 4096;
  static constexpr uint64_t kCommandBytes = 192;  // about, beside its texts
  trace::EventSink& sink_;
  uint64_t most_bytes_, bytes_ = 0;
  std::vector<Command> commands_;                 // of the build
  std::unordered_map<uint64_t, size_t> by_hash_;  // the last of them, by the hash of its hash
  std::vector<int64_t> free_from_;                // by worker
  std::vector<LaneId> lanes_;
  int64_t last_end_ = 0;
  int64_t base_ = 0;  // of the build
};

}  // namespace

int sniff_ninja_log(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with(kNinjaLogMagic) ? 100 : 0;
}

Status read_ninja_log(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  NinjaLogReader reader(sink, context.memory_bytes);
  for_each_ended_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
