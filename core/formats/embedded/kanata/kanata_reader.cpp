#include "core/formats/embedded/kanata/kanata_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr std::string_view kKanataMagic = "Kanata\t";
constexpr uint32_t kMainLane = 0;

class KanataReader {
 public:
  explicit KanataReader(trace::EventSink& sink) : sink_(sink) {}

  void add(const io::Line& line) {
    std::string_view rest = line.text;
    while (rest.ends_with('\r')) rest.remove_suffix(1);
    if (rest.starts_with('#') || rest.starts_with(kKanataMagic)) return;
    const std::string_view command = take_to(rest, '\t');
    offset_ = line.offset;
    const bool is_taken = command == "C" || command == "C=" ? move_time(command, rest)
                                                            : add_of_instruction(command, rest);
    if (!is_taken)
      sink_.loss("line that is not a command, or of no instruction in flight", offset_);
  }

  void finish() {
    end_said();
    while (!in_flight_.empty()) end_instruction(in_flight_.begin(), "in flight");
  }

 private:
  struct Stage {
    std::string name, text;
    Time begin;
  };
  struct Row {
    LaneId lane = LaneId::none();
    std::map<uint32_t, LaneId> below;  // by the number of a further lane
  };
  struct Thread {
    LaneId lane = LaneId::none();
    std::vector<Row> rows;
    std::set<size_t> free_rows;
  };
  struct Instruction {
    Thread* thread = nullptr;
    size_t row = 0;
    uint64_t number = 0;  // in the simulated program
    Time begin;
    std::string label{};
    std::map<uint32_t, Stage> stages{};  // by lane
    uint32_t last_lane = kMainLane;
    std::string_view end{};  // how it ended
  };
  using InFlight = std::map<uint64_t, Instruction>;

  bool move_time(std::string_view command, std::string_view rest) {
    const auto cycles = parse_number<int64_t>(take_to(rest, '\t'));
    int64_t to = 0;
    if (!cycles || (command == "C" && *cycles < 0)) return false;
    if (__builtin_add_overflow(command == "C" ? now_.ticks : 0, *cycles, &to)) return false;
    end_said();
    now_ = Time{to};
    return true;
  }

  bool add_of_instruction(std::string_view command, std::string_view rest) {
    const auto id = parse_number<uint64_t>(take_to(rest, '\t'));
    if (!id) return false;
    if (command == "I") return begin_instruction(*id, rest);
    const auto it = in_flight_.find(*id);
    if (it == in_flight_.end() && command == "L" && *id < ids_end_) {
      sink_.loss("label that comes after its instruction", offset_, 1, false);
      return true;
    }
    if (it == in_flight_.end()) return false;
    Instruction& instruction = it->second;
    if (command == "L") return add_label(instruction, rest);
    if (!instruction.end.empty()) return false;
    if (command == "S" || command == "E") return add_stage(instruction, command == "S", rest);
    if (command == "W") return add_wake_up(instruction, rest);
    if (command != "R") return false;
    take_to(rest, '\t');  // its number among those that retired
    const std::string_view how = take_to(rest, '\t');
    instruction.end = how == "1" ? "flushed" : "retired";
    ended_.push_back(*id);  // in this cycle it may still be described
    return true;
  }

  bool begin_instruction(uint64_t id, std::string_view rest) {
    constexpr size_t kMostRows = 4096;
    constexpr uint64_t kMostIds = UINT64_MAX - 1;
    const auto number = parse_number<uint64_t>(take_to(rest, '\t'));
    const auto thread_id = parse_number<uint64_t>(take_to(rest, '\t'));
    if (!number || !thread_id || in_flight_.contains(id) || id > kMostIds) return false;
    ids_end_ = std::max(ids_end_, id + 1);
    if (in_flight_.size() >= kMostRows) {
      sink_.loss("instruction beyond the 4096 that are shown in flight", offset_);
      return true;
    }
    Thread& thread = threads_[*thread_id];
    if (thread.lane.is_none())
      thread.lane =
          sink_.add_lane({.name = fmt::format("thread {}", *thread_id), .kind = LaneKind::kThread});
    size_t row = thread.rows.size();
    if (thread.free_rows.empty()) {
      thread.rows.push_back({.lane = sink_.add_lane({.name = fmt::format("row {}", row + 1),
                                                     .parent = thread.lane,
                                                     .kind = LaneKind::kAsync}),
                             .below = {}});
    } else {
      row = *thread.free_rows.begin();
      thread.free_rows.erase(thread.free_rows.begin());
    }
    in_flight_.emplace(
        id, Instruction{.thread = &thread, .row = row, .number = *number, .begin = now_});
    return true;
  }

  // 0: beside the instruction, 1: of the instruction, 2: of what its stage does now.
  bool add_label(Instruction& instruction, std::string_view rest) {
    constexpr size_t kMost = 4096;
    const std::string_view kind = take_to(rest, '\t');
    if (kind != "0" && kind != "1" && kind != "2") return false;
    const auto stage = instruction.stages.find(instruction.last_lane);
    const bool is_of_stage = kind == "2" && stage != instruction.stages.end();
    std::string& text = is_of_stage ? stage->second.text : instruction.label;
    if (text.size() + rest.size() > kMost) {
      sink_.loss("label that is too long", offset_);
      return true;
    }
    if (!text.empty()) text += ' ';
    // Lines end with a backslash and an n.
    for (size_t i = 0; i < rest.size(); ++i) {
      const bool is_end = rest.substr(i).starts_with("\\n");
      if (!is_end) text += rest[i];
      if (is_end && i + 2 < rest.size()) text += ' ';
      if (is_end) ++i;
    }
    return true;
  }

  bool add_stage(Instruction& instruction, bool is_begin, std::string_view rest) {
    const auto lane = parse_number<uint32_t>(take_to(rest, '\t'));
    const std::string_view name = take_to(rest, '\t');
    constexpr uint32_t kMostLanes = 64;
    if (!lane || *lane >= kMostLanes || name.empty()) return false;
    const auto it = instruction.stages.find(*lane);
    const bool is_open = it != instruction.stages.end();
    if (!is_begin && (!is_open || it->second.name != name)) return false;
    if (is_open) {  // a stage ends where the next begins
      end_stage(instruction, *lane, it->second);
      instruction.stages.erase(it);
    }
    if (is_begin) {
      instruction.stages[*lane] = {.name = std::string(name), .text = {}, .begin = now_};
      instruction.last_lane = *lane;
    }
    return true;
  }

  void end_stage(const Instruction& instruction, uint32_t number, const Stage& stage) {
    Row& row = instruction.thread->rows[instruction.row];
    LaneId lane = row.lane;
    if (number != kMainLane) {
      const auto [it, is_new] = row.below.try_emplace(number);
      if (is_new)
        it->second = sink_.add_lane(
            {.name = fmt::format("lane {}", number), .parent = row.lane, .kind = LaneKind::kAsync});
      lane = it->second;
    }
    ArgsText params;
    params.add("instruction", instruction.number);
    if (!stage.text.empty()) params.add("text", stage.text);
    give(lane, sink_.type(Category::kState, valid_utf8(stage.name), "stage"), stage.begin,
         sink_.params(params.take()), number == kMainLane ? 1 : 0);
  }

  void end_instruction(InFlight::iterator it, std::string_view how) {
    Instruction& instruction = it->second;
    for (const auto& [lane, stage] : instruction.stages) end_stage(instruction, lane, stage);
    ArgsText params;
    params.add("instruction", instruction.number);
    if (!instruction.label.empty()) params.add("text", instruction.label);
    give(instruction.thread->rows[instruction.row].lane,
         sink_.type(Category::kState, how, "instruction"), instruction.begin,
         sink_.params(params.take()), 0);
    instruction.thread->free_rows.insert(instruction.row);
    in_flight_.erase(it);
  }

  void end_said() {
    for (const uint64_t id : ended_) {
      const auto it = in_flight_.find(id);
      end_instruction(it, it->second.end);
    }
    ended_.clear();
  }

  // Time may have been set back.
  void give(LaneId lane, EventTypeId type, Time begin, ParamsId params, uint32_t nesting) {
    const trace::StateEvent state{.begin = begin,
                                  .duration = std::max(now_, begin) - begin,
                                  .params = params,
                                  .lane = lane,
                                  .type = type,
                                  .nesting = nesting};
    sink_.states({&state, 1});
  }

  bool add_wake_up(const Instruction& consumer, std::string_view rest) {
    const auto id = parse_number<uint64_t>(take_to(rest, '\t'));
    const auto it = id ? in_flight_.find(*id) : in_flight_.end();
    if (it == in_flight_.end()) return false;
    const Instruction& producer = it->second;
    const trace::LinkEvent link{.send = now_,
                                .receive = now_,
                                .source = producer.thread->rows[producer.row].lane,
                                .target = consumer.thread->rows[consumer.row].lane,
                                .type = sink_.type(Category::kLink, "wake-up", "instruction")};
    sink_.links({&link, 1});
    return true;
  }

  trace::EventSink& sink_;
  Time now_;
  uint64_t offset_ = 0, ids_end_ = 0;
  std::map<uint64_t, Thread> threads_;
  InFlight in_flight_;
  std::vector<uint64_t> ended_;  // in this cycle
};

}  // namespace

int sniff_kanata(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with(kKanataMagic) ? 100 : 0;
}

Status read_kanata(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  sink.set_time_base(TimeBase::kCycles);
  KanataReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
