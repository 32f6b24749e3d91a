// Reads "steps": a line "STEPS 1", then lines "TIME TASK begin|end NAME", times in microseconds.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/formats.h"

namespace weft::formats {
namespace {

constexpr std::string_view kMagic = "STEPS 1\n";

class StepsReader {
 public:
  explicit StepsReader(trace::EventSink& sink) : sink_(sink) {
    sink_.set_time_base(TimeBase::kMicroseconds);
  }

  void add(const io::Line& line) {
    std::string_view rest = line.text;
    const auto time = parse_number<int64_t>(take_word(rest));
    const std::string_view name = take_word(rest), what = take_word(rest), of = take_word(rest);
    if (!time || of.empty()) return sink_.loss("line that is not a step", line.offset);
    Task& task = task_of(name);
    if (what == "begin") {
      task.open.emplace_back(*time, sink_.type(trace::Category::kState, valid_utf8(of), "steps"));
    } else if (what == "end" && !task.open.empty() && task.open.back().first <= *time) {
      const auto [begin, type] = task.open.back();
      task.open.pop_back();
      const trace::StateEvent state = {
          .begin = {begin}, .duration = {*time - begin}, .lane = task.lane, .type = type};
      sink_.states({&state, 1});
    } else {
      sink_.loss("line that is not a step", {line.offset, task.lane, Time{*time}});
    }
  }

  void finish(uint64_t offset) {
    for (const auto& [name, task] : tasks_) {
      for (size_t i = 0; i < task.open.size(); ++i) sink_.loss("begin without an end", offset);
    }
  }

 private:
  struct Task {
    LaneId lane;
    std::vector<std::pair<int64_t, EventTypeId>> open;  // begins, the innermost last
  };

  Task& task_of(std::string_view name) {
    const auto [it, is_new] = tasks_.try_emplace(valid_utf8(name));
    if (is_new)
      it->second.lane = sink_.add_lane({.name = it->first, .kind = trace::LaneKind::kThread});
    return it->second;
  }

  trace::EventSink& sink_;
  std::map<std::string, Task> tasks_;
};

int sniff_steps(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  return text.starts_with(kMagic) ? 100 : 0;
}

Status read_steps(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  StepsReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) {
    if (line.offset > 0) reader.add(line);  // the first line says what it is
  });
  reader.finish(source.offset());
  return {};
}

}  // namespace

// The row, as it would stand in the table of a field, hpc/hpc_formats.cpp or another.
Format steps_format() {
  return {.id = "steps",
          .name = "Steps of tasks",
          .category = "Examples",
          .extensions = {"steps"},
          .sniff = sniff_steps,
          .read = read_steps,
          .pages = {{"steps",
                     "Steps",
                     "SELECT type AS step, count(*) AS count, sum(dur) AS time FROM states "
                     "WHERE begin >= :from AND begin < :to GROUP BY type_id ORDER BY time DESC",
                     {"time"}}}};
}

}  // namespace weft::formats
