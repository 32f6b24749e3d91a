#include "core/formats/profiles/callgrind/callgrind_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/formats/base/args_text.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/profiles/callgrind/call_tree.h"
#include "core/formats/profiles/callgrind/cost_file.h"

namespace weft::formats {
namespace {

using callgrind::cost_at;
using callgrind::Costs;
using callgrind::Part;

constexpr std::string_view kEventOption = "event";

class CallgrindReader {
 public:
  CallgrindReader(trace::EventSink& sink, std::string event)
      : sink_(sink), event_(std::move(event)) {
    sink_.set_time_base(TimeBase::kTicks);
  }

  void add(Part& part) {
    if (!sink_.keep_going()) return;
    tell_header(part);
    if (part.graph.is_empty()) return;
    const size_t event = event_of(part);
    check_totals(part);
    Thread& thread = thread_of(part, event);
    add_part(part, thread);
    callgrind::CallTree tree(sink_, part.graph, part.events, event);
    const Time begin = thread.end;
    thread.end = tree.draw(thread.calls, begin);
    types_.clear();
    for (uint32_t i = 0; i < part.graph.functions.size(); ++i)
      add_function(part, thread, tree, i, event, begin);
    add_lines(part, thread, tree, event, begin);
  }

 private:
  static constexpr size_t kMostTold = 4096;  // lines of headers
  static constexpr size_t kMostThreads = 4096;
  struct Thread {
    LaneId calls, functions, lines;
    Time end;
  };

  // A line that another part has with another value is called by the part, too.
  void tell_header(const Part& part) {
    for (const auto& [key, value] : part.header) {
      const auto known = told_.find(key);
      if (known != told_.end() && known->second == value) continue;
      if (told_.size() == kMostTold) {
        sink_.note("line of the header of a part", part.offset);
        continue;
      }
      const std::string name =
          known == told_.end() ? key : fmt::format("{} (part {})", key, parts_ + 1);
      if (told_.try_emplace(name, value).second) sink_.set_metadata(name, value);
    }
    ++parts_;
  }

  // By default the first event with costs, in the first part that has one.
  size_t event_of(const Part& part) {
    const auto it = std::ranges::find(part.events, event_);
    if (it != part.events.end()) return static_cast<size_t>(it - part.events.begin());
    if (!event_.empty())
      sink_.loss("part without the event that was asked for: its first is shown", part.offset);
    for (size_t i = 0; i < part.events.size(); ++i) {
      const bool costs = std::ranges::any_of(
          part.graph.functions, [i](const auto& each) { return cost_at(each.self, i) > 0; });
      if (!costs) continue;
      if (event_.empty()) event_ = part.events[i];
      return i;
    }
    return 0;
  }

  void check_totals(const Part& part) {
    if (part.totals.empty()) return;
    Costs sum;
    for (const callgrind::Function& function : part.graph.functions)
      callgrind::add_costs(sum, function.self);
    for (size_t i = 0; i < part.events.size(); ++i) {
      if (cost_at(sum, i) == cost_at(part.totals, i)) continue;
      return sink_.note("part whose costs are others than its totals", part.offset);
    }
  }

  Thread& thread_of(const Part& part, size_t event) {
    const bool has_room = threads_.size() < kMostThreads || threads_.contains(part.thread);
    const auto [it, is_new] = threads_.try_emplace(has_room ? part.thread : std::string());
    if (!is_new) return it->second;
    Thread& thread = it->second;
    const std::string unit = event < part.events.size() ? part.events[event] : "costs";
    const std::string who =
        part.thread.empty() ? std::string("calls") : fmt::format("thread {}", part.thread);
    thread.calls = sink_.add_lane(
        {.name = fmt::format("{} ({})", who, unit), .kind = trace::LaneKind::kThread});
    thread.functions = sink_.add_lane(
        {.name = "functions", .parent = thread.calls, .kind = trace::LaneKind::kAsync});
    thread.lines =
        sink_.add_lane({.name = "lines", .parent = thread.calls, .kind = trace::LaneKind::kAsync});
    return thread;
  }

  void add_part(const Part& part, const Thread& thread) {
    ArgsText& params = no_params();
    if (!part.number.empty()) params.add("part", part.number);
    for (const auto& [key, value] : part.header)
      if (key == "Trigger" || key == "Timerange") params.add(key, value);
    for (size_t i = 0; i < std::min(part.events.size(), part.totals.size()); ++i)
      params.add(part.events[i], part.totals[i]);
    give(thread.calls, thread.end, sink_.type(trace::Category::kPunctual, "part"), params);
  }

  void add_function(const Part& part, const Thread& thread, const callgrind::CallTree& tree,
                    uint32_t index, size_t event, Time begin) {
    const callgrind::Function& function = part.graph.functions[index];
    const auto& place = tree.place_of(index);
    ArgsText& params = no_params();
    params.add("self", cost_at(function.self, event));
    params.add("inclusive", tree.inclusive(index));
    params.add("called", function.called);
    if (!function.object.empty()) params.add("object", function.object);
    add_others(part, function.self, event, params);
    if (cost_at(function.self, event) < 0)
      sink_.note("function of negative cost, which has no width", part.offset);
    types_.push_back(sink_.type(trace::Category::kPunctual, function.name, function.file));
    give(thread.functions, place ? place->begin : begin, types_.back(), params);
  }

  // They lie side by side where the function was drawn first, below its own cost.
  void add_lines(const Part& part, const Thread& thread, const callgrind::CallTree& tree,
                 size_t event, Time begin) {
    uint32_t last = UINT32_MAX;
    int64_t sum = 0;
    const callgrind::SourceLines& lines = part.graph.lines;
    for (const uint32_t line : lines.in_order()) {
      const auto [index, file, number] = lines.key(line);
      const std::span<const int64_t> self = lines.self(line);
      if (index != last) sum = 0;
      last = index;
      const callgrind::Function& function = part.graph.functions[index];
      const auto& place = tree.place_of(index);
      const int64_t whole = cost_at(function.self, event);
      Time at = place ? place->begin : begin;
      if (place && whole > 0)
        at = at + Duration{static_cast<int64_t>(static_cast<__int128>(place->own_width) *
                                                std::clamp<int64_t>(sum, 0, whole) / whole)};
      sum = saturating_add(sum, cost_at(self, event));
      ArgsText& params = no_params();
      params.add("file", part.graph.file_name(file));
      params.add("line", number);
      params.add("self", cost_at(self, event));
      if (const callgrind::LineCalls* const calls = lines.calls(line))
        add_calls(*calls, event, params);
      add_others(part, self, event, params);
      give(thread.lines, at, types_[index], params);
    }
  }

  static void add_calls(const callgrind::LineCalls& calls, size_t event, ArgsText& params) {
    if (calls.calls != 0 || !calls.of_calls.empty()) {
      params.add("calls", calls.calls);
      params.add("of calls", cost_at(calls.of_calls, event));
    }
    if (calls.jumps != 0) params.add("jumps", calls.jumps);
    if (calls.branches != 0) params.add("conditional jumps met", calls.branches);
  }

  // Adds the costs of the other events.
  static void add_others(const Part& part, std::span<const int64_t> costs, size_t event,
                         ArgsText& params) {
    for (size_t i = 0; i < std::min(part.events.size(), costs.size()); ++i)
      if (i != event) params.add(part.events[i], costs[i]);
  }

  ArgsText& no_params() {
    params_.clear();
    return params_;
  }

  void give(LaneId lane, Time time, EventTypeId type, ArgsText& params) {
    sink_.give(trace::PunctualEvent{
        .time = time, .params = sink_.params(params.whole()), .lane = lane, .type = type});
  }

  trace::EventSink& sink_;
  std::string event_;  // that was asked for, or chosen
  std::map<std::string, Thread> threads_;
  std::map<std::string, std::string> told_;  // of headers
  std::vector<EventTypeId> types_;           // of the part's functions, as punctual events
  size_t parts_ = 0;
  ArgsText params_;  // kept for its memory
};

// Whether lines of a header are followed by costs, as cachegrind and others write them, without
// the first line that callgrind writes.
bool has_costs(std::string_view text) {
  constexpr std::array<std::string_view, 13> kHeader = {
      "version:", "creator:",   "cmd:",    "desc:",   "pid:",     "part:", "thread:",
      "event:",   "positions:", "events:", "totals:", "summary:", "arch:"};
  bool has_events = false;
  HeadLines lines(text, std::numeric_limits<int>::max());
  while (const auto each = lines.next()) {
    const std::string_view line = trimmed(*each);
    if (callgrind::is_remark(line)) continue;
    if (line.starts_with("creator: callgrind-")) return true;  // may have counted nothing
    has_events |= line.starts_with("events:");
    if (std::ranges::any_of(kHeader, [&](auto key) { return line.starts_with(key); })) continue;
    return has_events && (line.starts_with("fl=") || line.starts_with("fn=") ||
                          line.starts_with("ob=") || line.starts_with("fi="));
  }
  return false;
}

}  // namespace

int sniff_callgrind(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  if (text.starts_with("# callgrind format")) return 100;
  return has_costs(text) ? 90 : 0;
}

Status read_callgrind(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  CallgrindReader reader(sink, std::string(context.option(kEventOption)));
  callgrind::CostFile file(sink, context.memory_bytes, [&](Part& part) { reader.add(part); });
  for_each_whole_line(source, sink, [&](const io::Line& line) { file.add(line); });
  file.finish();
  return {};
}

Option callgrind_event_option() {
  return {.name = std::string(kEventOption),
          .about =
              "The event by whose costs the calls are drawn, as the file calls it (Ir, say); "
              "else the first that cost anything."};
}

std::vector<Page> callgrind_pages() {
  return {{"functions", "Functions",
           "SELECT type AS function, type_group AS file, sum(params ->> '$.self') AS self, "
           "sum(params ->> '$.inclusive') AS inclusive, sum(params ->> '$.called') AS called, "
           "params ->> '$.object' AS object "
           "FROM punctuals WHERE time >= :from AND time < :to AND lane LIKE '%/functions' "
           "GROUP BY type_id, object ORDER BY self DESC"},
          {"lines", "Lines of source",
           "SELECT params ->> '$.file' AS file, params ->> '$.line' AS line, type AS function, "
           "sum(params ->> '$.self') AS self, sum(params ->> '$.\"of calls\"') AS of_calls "
           "FROM punctuals WHERE time >= :from AND time < :to AND lane LIKE '%/lines' "
           "GROUP BY type_id, file, line ORDER BY self DESC"}};
}

}  // namespace weft::formats
