#include "core/formats/general/ninja_log/ninja_log_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/general/chrome_json/json_text.h"

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
  explicit NinjaLogReader(trace::EventSink& sink) : sink_(sink) {
    sink_.set_time_base(TimeBase::kMilliseconds);
  }

  void add(const io::Line& line) {
    std::string_view rest = line.text;
    if (rest.starts_with('#')) return;
    const auto begin = parse_number<int64_t>(take_to(rest, '\t'));
    const auto end = parse_number<int64_t>(take_to(rest, '\t'));
    take_to(rest, '\t');  // when the output was modified, on another clock
    const std::string_view output = take_to(rest, '\t'), hash = take_to(rest, '\t');
    if (!begin || !end || output.empty()) return sink_.loss("line that is no command", line.offset);
    if (*end < *begin || *begin < 0)
      return sink_.loss("command that ends before it begins", line.offset);
    // Commands are noted when they end; an earlier end is another build's.
    if (!commands_.empty() && *end < commands_.back().end) finish_build();
    const auto [known, is_new] = by_hash_.try_emplace(std::string(hash), commands_.size());
    if (!is_new && commands_[known->second].begin == *begin) {
      commands_[known->second].outputs.push_back(valid_utf8(output));
      return;
    }
    known->second = commands_.size();
    commands_.push_back({*begin, *end, std::string(hash), {valid_utf8(output)}});
  }

  void finish() { finish_build(); }

 private:
  // Each command runs on the first worker that is free.
  void finish_build() {
    if (commands_.empty()) return;
    int64_t length = 0;
    for (const Command& command : commands_) length = std::max(length, command.end);
    std::ranges::stable_sort(commands_, {}, &Command::begin);
    std::vector<int64_t> free_from;
    for (const Command& command : commands_) {
      const auto worker =
          std::ranges::find_if(free_from, [&](int64_t time) { return time <= command.begin; });
      const auto index = static_cast<size_t>(worker - free_from.begin());
      if (index == kMostWorkers) {
        sink_.loss("command beside too many others", trace::LossPlace::nowhere());
        continue;
      }
      if (worker == free_from.end()) free_from.push_back(0);
      free_from[index] = command.end;
      give(command, lane_of(index));
    }
    base_ = saturating_add(base_, length);
    commands_.clear();
    by_hash_.clear();
  }

  void give(const Command& command, LaneId lane) {
    const std::string& name = command.outputs.front();
    const size_t dot = name.rfind('.'), slash = name.rfind('/');
    const bool has_extension =
        dot != std::string::npos && (slash == std::string::npos || dot > slash);
    std::string json = R"({"command":)";
    chrome_json::append_quoted(json, valid_utf8(command.hash));
    if (command.outputs.size() > 1) {
      json += R"(,"outputs":[)";
      for (size_t i = 0; i < command.outputs.size(); ++i) {
        if (i > 0) json += ',';
        chrome_json::append_quoted(json, command.outputs[i]);
      }
      json += ']';
    }
    json += '}';
    const Time begin{saturating_add(base_, command.begin)};
    const trace::StateEvent state{
        .begin = begin,
        .duration = {command.end - command.begin},
        .params = sink_.params(json),
        .lane = lane,
        .type =
            sink_.type(trace::Category::kState, name,
                       has_extension ? std::string_view(name).substr(dot) : std::string_view())};
    sink_.states({&state, 1});
  }

  LaneId lane_of(size_t worker) {
    if (worker == lanes_.size()) {
      lanes_.push_back(sink_.add_lane(
          {.name = fmt::format("worker {}", worker + 1), .kind = trace::LaneKind::kThread}));
    }
    return lanes_[worker];
  }

  static constexpr size_t kMostWorkers = 4096;
  trace::EventSink& sink_;
  std::vector<Command> commands_;                    // of the build
  std::unordered_map<std::string, size_t> by_hash_;  // the last of them
  std::vector<LaneId> lanes_;
  int64_t base_ = 0;  // of the build
};

}  // namespace

int sniff_ninja_log(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with(kNinjaLogMagic) ? 100 : 0;
}

Status read_ninja_log(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  NinjaLogReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
