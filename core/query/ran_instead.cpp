#include "core/query/ran_instead.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/numbers.h"
#include "core/query/cpu_lanes.h"
#include "core/query/filter/param_predicate.h"
#include "core/query/thread_states.h"

namespace weft::query {
namespace {

constexpr std::string_view kOnCpus = "task";  // a group of types

// Outermost first, without the lane itself.
std::vector<LaneId> parents_of(const trace::Dictionary& dictionary, LaneId lane) {
  std::vector<LaneId> parents;
  for (LaneId at = dictionary.lane(lane).parent; !at.is_none(); at = dictionary.lane(at).parent)
    parents.push_back(at);
  std::ranges::reverse(parents);
  return parents;
}

// Returns none() if there is none, or it cannot be told which of several is meant.
LaneId lane_of_cpu(const trace::Dictionary& dictionary, int64_t cpu, LaneId thread) {
  const std::vector<LaneId> parents = parents_of(dictionary, thread);
  const auto cpus = cpu_of_lanes(dictionary);
  LaneId best = LaneId::none();
  ptrdiff_t most_shared = -1;
  for (uint32_t i = 0; i < cpus.size(); ++i) {
    const bool is_it = dictionary.lanes[i].kind == trace::LaneKind::kCpu && cpus[i] == cpu;
    if (!is_it) continue;
    const std::vector<LaneId> others = parents_of(dictionary, LaneId(i));
    const ptrdiff_t shared = std::ranges::mismatch(parents, others).in1 - parents.begin();
    best = shared == most_shared ? LaneId::none() : shared > most_shared ? LaneId(i) : best;
    most_shared = std::max(most_shared, shared);
  }
  return best;
}

// The number at the end of "worker-12" or "worker (12)", where the name begins so.
std::optional<int64_t> number_after(std::string_view name, std::string_view thread) {
  if (!name.starts_with(thread)) return std::nullopt;
  std::string_view rest = name.substr(thread.size());
  if (rest.ends_with(')')) rest.remove_suffix(1);
  rest.remove_prefix(std::min(rest.find_first_of("0123456789"), rest.size()));
  return parse_number<int64_t>(rest);
}

// Returns none() if the state names no thread by number, or several lanes could be that one's.
LaneId lane_of_thread(const store::Trace& trace, const store::Record& record) {
  if (record.params.is_none()) return LaneId::none();
  const trace::Dictionary& dictionary = trace.dictionary();
  const std::string_view thread = dictionary.type(record.type).name;
  const auto number =
      parse_number<int64_t>(param_text(trace.params(record.params).json, "pid").value_or(""));
  LaneId found = LaneId::none();
  for (uint32_t i = 0; number && i < dictionary.lanes.size(); ++i) {
    const trace::Lane& lane = dictionary.lanes[i];
    if (lane.kind != trace::LaneKind::kThread || number_after(lane.name, thread) != number)
      continue;
    if (!found.is_none()) return LaneId::none();
    found = LaneId(i);
  }
  return found;
}

void add_runs(const Elements& elements, TimeRange wait, RanInstead& instead) {
  const store::Trace& trace = *elements.trace();
  // A thread's name may be another's, too: its number is among the parameters.
  std::map<std::pair<EventTypeId, ParamsId>, size_t> known;
  Duration busy;
  uint64_t runs = 0;
  const store::RowSpan rows = elements.rows_of(instead.cpu, store::RowKind::kState);
  for (uint32_t i = rows.begin; i < rows.end && instead.is_complete; ++i) {
    const store::Row& row = trace.row(RowId(i));
    trace.for_each(row, wait, [&](const store::Record& record) {
      const Duration time = std::min(record.end(), wait.end) - std::max(record.begin, wait.begin);
      if (time.ticks <= 0 || trace.dictionary().type(record.type).group != kOnCpus) return true;
      if (runs++ == RanInstead::kMostRuns) return instead.is_complete = false;
      const auto [thread, is_new] =
          known.try_emplace({record.type, record.params}, instead.threads.size());
      if (is_new) {
        const ElementRef ref{.lane = row.lane,
                             .kind = row.kind,
                             .which = row.depth,
                             .begin = record.begin,
                             .type = record.type,
                             .duration = record.duration};
        instead.threads.push_back({{RowId(i), record, ref}, {}, 0});
      }
      instead.threads[thread->second].time.ticks += time.ticks;
      ++instead.threads[thread->second].runs;
      busy.ticks += time.ticks;
      return true;
    });
  }
  std::ranges::stable_sort(instead.threads, std::ranges::greater{},
                           [](const RanInstead::Thread& thread) { return thread.time.ticks; });
  constexpr size_t kMostNamed = 64;  // more are hardly read
  for (size_t i = 0; i < std::min(kMostNamed, instead.threads.size()); ++i)
    instead.threads[i].lane = lane_of_thread(trace, instead.threads[i].first.record);
  instead.idle.ticks = std::max<int64_t>(0, wait.length().ticks - busy.ticks);
}

}  // namespace

std::optional<RanInstead> ran_instead(const Elements& elements, const Element& state) {
  const store::Trace& trace = *elements.trace();
  const trace::Dictionary& dictionary = trace.dictionary();
  const TimeRange wait = {state.record.begin, state.record.end()};
  if (!is_thread_state(dictionary, state, kRunnable) || wait.is_empty()) return std::nullopt;
  std::optional<int64_t> cpu;
  RanInstead instead;
  if (const auto next = run_after(elements, state)) cpu = cpu_in_params(trace, next->record);
  instead.is_next = cpu.has_value();
  if (!cpu) {
    for (const Element& before : elements.states_at(state.ref.lane, wait.begin - Duration{1})) {
      if (before.record.end() == wait.begin && is_thread_state(dictionary, before, kRunning))
        cpu = cpu_in_params(trace, before.record);
    }
  }
  if (!cpu) return std::nullopt;
  instead.cpu = lane_of_cpu(dictionary, *cpu, state.ref.lane);
  if (instead.cpu.is_none()) return std::nullopt;
  add_runs(elements, wait, instead);
  return instead;
}

}  // namespace weft::query
