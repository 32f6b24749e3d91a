#include "core/formats/embedded/kanata/kanata_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr std::string_view kKanataMagic = "Kanata\t";
constexpr uint32_t kMainLane = 0;

// Fields are short: a loop finds their end sooner than a call.
std::string_view take_field(std::string_view& rest) {
  const std::string_view field = rest.substr(0, find_any<'\t'>(rest));
  rest.remove_prefix(std::min(rest.size(), field.size() + 1));
  return field;
}

class KanataReader {
 public:
  explicit KanataReader(trace::EventSink& sink) : sink_(sink) {}

  void add(const io::Line& line) {
    std::string_view rest = line.text;
    while (rest.ends_with('\r')) rest.remove_suffix(1);
    if (rest.starts_with('#') || rest.starts_with(kKanataMagic)) return;
    const std::string_view command = take_field(rest);
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
  using StageName = ByName<EventTypeId>::Entry;  // the type: none until a stage of it ends
  struct Stage {
    uint32_t lane = kMainLane;
    StageName* name = nullptr;
    Time begin;
    std::string text{};
  };
  struct Row {
    LaneId lane = LaneId::none();
    std::map<uint32_t, LaneId> below;  // by the number of a further lane
  };
  struct Thread {
    LaneId lane = LaneId::none();
    std::vector<Row> rows;
    std::vector<size_t> free_rows;  // a heap, the least first
  };
  struct Instruction {
    Thread* thread = nullptr;
    size_t row = 0;
    uint64_t number = 0;  // in the simulated program
    Time begin;
    std::string label{};
    std::vector<Stage> stages{};  // that are open, by lane
    uint32_t last_lane = kMainLane;
    std::string_view end{};  // how it ended
  };
  using InFlight = std::map<uint64_t, Instruction>;

  bool move_time(std::string_view command, std::string_view rest) {
    const auto cycles = parse_number<int64_t>(take_field(rest));
    int64_t to = 0;
    if (!cycles || (command == "C" && *cycles < 0)) return false;
    if (__builtin_add_overflow(command == "C" ? now_.ticks : 0, *cycles, &to)) return false;
    end_said();
    now_ = Time{to};
    return true;
  }

  bool add_of_instruction(std::string_view command, std::string_view rest) {
    const auto id = parse_number<uint64_t>(take_field(rest));
    if (!id) return false;
    if (command == "I") return begin_instruction(*id, rest);
    const auto it = in_flight_.find(*id);
    if (it == in_flight_.end() && command == "L" && *id < ids_end_) {
      sink_.note("label that comes after its instruction", offset_);
      return true;
    }
    if (it == in_flight_.end()) return false;
    Instruction& instruction = it->second;
    if (command == "L") return add_label(instruction, rest);
    if (!instruction.end.empty()) return false;
    if (command == "S" || command == "E") return add_stage(instruction, command == "S", rest);
    if (command == "W") return add_wake_up(instruction, rest);
    if (command != "R") return false;
    take_field(rest);  // its number among those that retired
    const std::string_view how = take_field(rest);
    instruction.end = how == "1" ? "flushed" : "retired";
    ended_.push_back(*id);  // in this cycle it may still be described
    return true;
  }

  bool begin_instruction(uint64_t id, std::string_view rest) {
    constexpr size_t kMostRows = 4096;
    constexpr uint64_t kMostIds = UINT64_MAX - 1;
    const auto number = parse_number<uint64_t>(take_field(rest));
    const auto thread_id = parse_number<uint64_t>(take_field(rest));
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
      std::ranges::pop_heap(thread.free_rows, std::greater());
      row = thread.free_rows.back();
      thread.free_rows.pop_back();
    }
    in_flight_.emplace(
        id, Instruction{.thread = &thread, .row = row, .number = *number, .begin = now_});
    return true;
  }

  // 0: beside the instruction, 1: of the instruction, 2: of what its stage does now.
  bool add_label(Instruction& instruction, std::string_view rest) {
    constexpr size_t kMost = 4096;
    const std::string_view kind = take_field(rest);
    if (kind != "0" && kind != "1" && kind != "2") return false;
    const auto stage = stage_at(instruction, instruction.last_lane);
    const bool is_of_stage = kind == "2" && is_open(instruction, stage, instruction.last_lane);
    std::string& text = is_of_stage ? stage->text : instruction.label;
    if (text.size() + rest.size() > kMost) {
      sink_.loss("label that is too long", offset_);
      return true;
    }
    if (!text.empty()) text += ' ';
    // Lines end with a backslash and an n.
    for (size_t end = rest.find("\\n"); end != rest.npos; end = rest.find("\\n")) {
      text += rest.substr(0, end);
      rest.remove_prefix(end + 2);
      if (!rest.empty()) text += ' ';
    }
    text += rest;
    return true;
  }

  // The stage on this lane, or where it belongs.
  static std::vector<Stage>::iterator stage_at(Instruction& instruction, uint32_t lane) {
    return std::ranges::lower_bound(instruction.stages, lane, {}, &Stage::lane);
  }
  static bool is_open(Instruction& instruction, std::vector<Stage>::iterator stage, uint32_t lane) {
    return stage != instruction.stages.end() && stage->lane == lane;
  }

  // A stage ends where the next begins.
  bool add_stage(Instruction& instruction, bool is_begin, std::string_view rest) {
    const auto lane = parse_number<uint32_t>(take_field(rest));
    const std::string_view name = take_field(rest);
    constexpr uint32_t kMostLanes = 64;
    if (!lane || *lane >= kMostLanes || name.empty()) return false;
    const auto it = stage_at(instruction, *lane);
    const bool has_one = is_open(instruction, it, *lane);
    if (!is_begin && (!has_one || it->name->first != name)) return false;
    if (has_one) end_stage(instruction, *it);
    if (!is_begin) {
      instruction.stages.erase(it);
      return true;
    }
    const Stage stage{.lane = *lane,
                      .name = stage_names_.try_emplace(name, EventTypeId::none()).first,
                      .begin = now_};
    if (has_one) {
      *it = stage;
    } else {
      instruction.stages.insert(it, stage);
    }
    instruction.last_lane = *lane;
    return true;
  }

  void end_stage(const Instruction& instruction, const Stage& stage) {
    Row& row = instruction.thread->rows[instruction.row];
    LaneId lane = row.lane;
    if (const uint32_t number = stage.lane; number != kMainLane) {
      const auto [it, is_new] = row.below.try_emplace(number);
      if (is_new)
        it->second = sink_.add_lane(
            {.name = fmt::format("lane {}", number), .parent = row.lane, .kind = LaneKind::kAsync});
      lane = it->second;
    }
    auto& [name, type] = *stage.name;
    if (type.is_none()) type = sink_.type(Category::kState, valid_utf8(name), "stage");
    give(lane, type, stage.begin, params_of(instruction, stage.text),
         stage.lane == kMainLane ? 1 : 0);
  }

  void end_instruction(InFlight::iterator it, std::string_view how) {
    Instruction& instruction = it->second;
    for (const Stage& stage : instruction.stages) end_stage(instruction, stage);
    Thread& thread = *instruction.thread;
    give(thread.rows[instruction.row].lane, sink_.type(Category::kState, how, "instruction"),
         instruction.begin, params_of(instruction, instruction.label), 0);
    thread.free_rows.push_back(instruction.row);
    std::ranges::push_heap(thread.free_rows, std::greater());
    in_flight_.erase(it);
  }

  ParamsId params_of(const Instruction& instruction, std::string_view text) {
    params_.clear();
    params_.add("instruction", instruction.number);
    if (!text.empty()) params_.add("text", text);
    return sink_.params(params_.whole());
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
    sink_.give(trace::StateEvent{.begin = begin,
                                 .duration = std::max(now_, begin) - begin,
                                 .params = params,
                                 .lane = lane,
                                 .type = type,
                                 .nesting = nesting});
  }

  bool add_wake_up(const Instruction& consumer, std::string_view rest) {
    const auto id = parse_number<uint64_t>(take_field(rest));
    const auto it = id ? in_flight_.find(*id) : in_flight_.end();
    if (it == in_flight_.end()) return false;
    const Instruction& producer = it->second;
    sink_.give(trace::LinkEvent{.send = now_,
                                .receive = now_,
                                .source = producer.thread->rows[producer.row].lane,
                                .target = consumer.thread->rows[consumer.row].lane,
                                .type = sink_.type(Category::kLink, "wake-up", "instruction")});
    return true;
  }

  trace::EventSink& sink_;
  Time now_;
  uint64_t offset_ = 0, ids_end_ = 0;
  std::map<uint64_t, Thread> threads_;
  InFlight in_flight_;
  std::vector<uint64_t> ended_;  // in this cycle
  ByName<EventTypeId> stage_names_;
  ArgsText params_;  // kept for its memory
};

}  // namespace

int sniff_kanata(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with(kKanataMagic) ? 100 : 0;
}

Status read_kanata(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  sink.set_time_base(TimeBase::kCycles);
  KanataReader reader(sink);
  for_each_ended_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
