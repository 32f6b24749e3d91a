#include "core/formats/embedded/kanata/o3_pipe_view_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/formats/base/args_text.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace {

using trace::Category;
using trace::LaneKind;

constexpr std::string_view kPipeViewMark = "O3PipeView:";
constexpr std::array<std::string_view, 7> kPipeStages = {"fetch", "decode",   "rename", "dispatch",
                                                         "issue", "complete", "retire"};
constexpr size_t kFetch = 0, kRetire = kPipeStages.size() - 1;

class O3PipeViewReader {
 public:
  explicit O3PipeViewReader(trace::EventSink& sink) : sink_(sink) {}

  void add(const io::Line& line) {
    std::string_view rest = line.text;
    while (rest.ends_with('\r')) rest.remove_suffix(1);
    offset_ = line.offset;
    if (!take_prefix(rest, kPipeViewMark))
      return sink_.note("line that is not of the pipeline", offset_);
    const auto* const stage = std::ranges::find(kPipeStages, take_to(rest, ':'));
    const auto tick = parse_number<int64_t>(take_to(rest, ':'));
    if (stage == kPipeStages.end() || !tick || *tick < 0)
      return sink_.loss("line without a stage and its tick", offset_);
    const auto index = static_cast<size_t>(stage - kPipeStages.begin());
    if (index == kFetch) {
      begin(*tick, rest);
    } else if (!is_open_ || index != next_) {
      sink_.loss("stage of no instruction", offset_);
    } else {
      ticks_[next_++] = *tick;
      if (index == kRetire) end(rest);
    }
  }

  void finish() {
    if (is_open_) sink_.loss("instruction that is cut", begin_offset_);
  }

 private:
  // The rest of the line: the address, the number of the micro-operation, the number of the
  // instruction, the text.
  void begin(int64_t tick, std::string_view rest) {
    if (is_open_) sink_.loss("instruction that is cut", begin_offset_);
    begin_offset_ = offset_;
    ticks_.fill(0);
    ticks_[kFetch] = tick;
    next_ = kFetch + 1;
    is_open_ = true;
    const std::string_view address = take_to(rest, ':');
    const auto part = parse_number<uint64_t>(take_to(rest, ':'));
    number_ = parse_number<uint64_t>(take_to(rest, ':'));
    ArgsText params;
    if (number_) params.add("instruction", *number_);
    if (!trimmed(rest).empty()) params.add("text", trimmed(rest));
    params.add("address", address);
    if (part && *part > 0) params.add("micro-operation", *part);
    params_ = sink_.params(params.take());
  }

  void end(std::string_view rest) {
    is_open_ = false;
    const bool is_retired = ticks_[kRetire] > 0;
    const int64_t over = *std::ranges::max_element(ticks_);
    const size_t row = row_for(Time{ticks_[kFetch]}, Time{over});
    if (row == kMostRows)
      return sink_.loss("instruction beyond the 4096 that are shown in flight", begin_offset_);
    give(rows_[row].lane, is_retired ? "retired" : "flushed", "instruction", ticks_[kFetch], over,
         params_, 0);
    ArgsText of_stage;
    if (number_) of_stage.add("instruction", *number_);
    const ParamsId its_number = sink_.params(of_stage.take());
    // A stage lasts until the next that was reached.
    for (size_t i = kFetch; i < kRetire; ++i) {
      if (i > kFetch && ticks_[i] == 0) continue;
      const auto* const next = std::find_if(ticks_.begin() + static_cast<ptrdiff_t>(i) + 1,
                                            ticks_.end(), [](int64_t tick) { return tick > 0; });
      const int64_t until = next == ticks_.end() ? over : *next;
      if (until < ticks_[i]) {
        sink_.loss("stage that ends before it begins", begin_offset_);
        continue;
      }
      give(rows_[row].lane, kPipeStages[i], "stage", ticks_[i], until, its_number, 1);
    }
    if (take_to(rest, ':') != "store") return;
    const auto written = parse_number<int64_t>(take_to(rest, ':'));
    if (!written || *written <= over) return;
    LaneId& below = rows_[row].stores;
    if (below.is_none())
      below =
          sink_.add_lane({.name = "stores", .parent = rows_[row].lane, .kind = LaneKind::kAsync});
    give(below, "store", "stage", over, *written, its_number, 0);
  }

  // The first row that is free by then, which is taken; kMostRows: there is none.
  size_t row_for(Time begin, Time end) {
    auto row = std::ranges::find_if(rows_, [&](const Row& each) { return each.end <= begin; });
    if (row == rows_.end()) {
      if (rows_.size() == kMostRows) return kMostRows;
      if (pipeline_.is_none())
        pipeline_ = sink_.add_lane({.name = "pipeline", .kind = LaneKind::kThread});
      const LaneId lane = sink_.add_lane({.name = fmt::format("row {}", rows_.size() + 1),
                                          .parent = pipeline_,
                                          .kind = LaneKind::kAsync});
      rows_.push_back({.lane = lane});
      row = rows_.end() - 1;
    }
    row->end = std::max(end, Time{begin.ticks + 1});
    return static_cast<size_t>(row - rows_.begin());
  }

  void give(LaneId lane, std::string_view name, std::string_view group, int64_t begin, int64_t end,
            ParamsId params, uint32_t nesting) {
    sink_.give(trace::StateEvent{.begin = Time{begin},
                                 .duration = Duration{end - begin},
                                 .params = params,
                                 .lane = lane,
                                 .type = sink_.type(Category::kState, name, group),
                                 .nesting = nesting});
  }

  static constexpr size_t kMostRows = 4096;
  struct Row {
    LaneId lane;
    LaneId stores = LaneId::none();
    Time end = {};
  };
  trace::EventSink& sink_;
  LaneId pipeline_ = LaneId::none();
  std::vector<Row> rows_;
  // The instruction whose lines are being read.
  std::array<int64_t, kPipeStages.size()> ticks_{};
  size_t next_ = 0;  // stage
  bool is_open_ = false;
  std::optional<uint64_t> number_;
  ParamsId params_ = ParamsId::none();
  uint64_t offset_ = 0, begin_offset_ = 0;
};

}  // namespace

// gem5 writes other lines, too, before the first instruction is over.
int sniff_o3_pipe_view(std::span<const std::byte> head) {
  constexpr int kSure = 95;
  HeadLines lines(as_chars(head));
  while (const auto line = lines.next())
    if (line->starts_with("O3PipeView:fetch:")) return kSure;
  return 0;
}

Status read_o3_pipe_view(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  sink.set_time_base(TimeBase::kTicks);
  O3PipeViewReader reader(sink);
  for_each_ended_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
