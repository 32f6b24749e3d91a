// A trace's events as one plain list: what the queries are compared with.
#pragma once

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include "core/query/selection.h"
#include "core/store/trace.h"
#include "tests/core/store/random_trace.h"

namespace weft::query {

using testing_traces::ScratchFolder;

struct FlatEvent {
  const store::Row* row;
  store::Record record;

  auto key() const { return std::tuple(record.begin, row); }  // rows lie in display order
};

// Every event once (a link by its send, or by its receive where the send is missing), in order.
inline std::vector<FlatEvent> flat_events(const store::Trace& trace) {
  std::vector<FlatEvent> events;
  for (const store::Row& row : trace.rows()) {
    for (uint64_t i = 0; i < row.count; ++i) {
      const store::Record record = trace.record(row, i);
      if (row.kind == store::RowKind::kLinkIn && !record.peer.is_none()) continue;
      events.push_back({&row, record});
    }
  }
  std::ranges::stable_sort(events, {}, &FlatEvent::key);
  return events;
}

// Whether an event meets a condition of a random selection.
inline bool is_met(const aggregate::Condition& condition, const FlatEvent& event) {
  const auto& [row, record] = event;
  using On = aggregate::Condition::On;
  const bool is_sent = row->kind == store::RowKind::kLinkIn && !record.peer.is_none();
  switch (condition.on) {
    case On::kCategory:
      return condition.ids[static_cast<size_t>(category_of(row->kind))];
    case On::kType:
      return condition.ids[record.type.value()];
    case On::kLane:
      return condition.ids[(is_sent ? record.peer : row->lane).value()];
    case On::kDepth:
      return row->kind == store::RowKind::kState && condition.ticks.contains(row->depth);
    case On::kBegin:
      return condition.ticks.contains(
          (is_sent ? record.begin - record.duration : record.begin).ticks);
    case On::kDuration:
      return row->kind == store::RowKind::kState && condition.ticks.contains(record.duration.ticks);
    default:
      ADD_FAILURE() << "not in random selections";
      return false;
  }
}

inline bool passes(const aggregate::Formula& formula, const FlatEvent& event) {
  using Kind = aggregate::Formula::Kind;
  switch (formula.kind) {
    case Kind::kNone:
      return false;
    case Kind::kAll:
      return true;
    case Kind::kCondition:
      return is_met(formula.condition, event);
    case Kind::kNot:
      return !passes(*formula.left, event);
    case Kind::kAnd:
      return passes(*formula.left, event) && passes(*formula.right, event);
    case Kind::kOr:
      return passes(*formula.left, event) || passes(*formula.right, event);
  }
  return false;
}

// Whether an event is in a selection, by the definitions of selection.h, one event at a time.
inline bool is_in(const Selection& selection, const FlatEvent& event) {
  const auto& [row, record] = event;
  if (!passes(*selection.filter->formula(), event)) return false;
  const TimeRange range = selection.range;
  if (range.contains(record.begin)) return true;
  return row->kind == store::RowKind::kState && record.begin < range.begin &&
         record.end() > range.begin && range.begin < range.end;
}

// A random condition on ids, or on ticks that some events of the trace have.
inline aggregate::FormulaPtr random_condition(const store::Trace& trace, std::mt19937_64& random) {
  using On = aggregate::Condition::On;
  constexpr On kOn[] = {On::kCategory, On::kType, On::kLane, On::kDepth, On::kBegin, On::kDuration};
  aggregate::Condition condition{.on = kOn[random() % std::size(kOn)], .ids = {}, .test = {}};
  const trace::Dictionary& dictionary = trace.dictionary();
  condition.ids.resize(std::max({dictionary.types.size(), dictionary.lanes.size(), size_t{4}}));
  for (size_t i = 0; i < condition.ids.size(); ++i) condition.ids[i] = random() % 3 != 0;
  const uint64_t length = condition.on == On::kDepth ? 6
                          : condition.on == On::kBegin
                              ? static_cast<uint64_t>(trace.range().length().ticks) + 1
                              : uint64_t{1} << random() % 16;
  const int64_t from = condition.on == On::kBegin ? trace.range().begin.ticks : 0;
  const auto at = [&] { return from + static_cast<int64_t>(random() % length); };
  if (random() % 3 != 0) condition.ticks.least = at();
  if (random() % 3 != 0) condition.ticks.most = at();
  return where(std::move(condition));
}

inline aggregate::FormulaPtr random_formula(const store::Trace& trace, std::mt19937_64& random,
                                            int conditions) {
  if (conditions <= 1) return random_condition(trace, random);
  const int left = 1 + static_cast<int>(random() % static_cast<uint64_t>(conditions - 1));
  const auto a = random_formula(trace, random, left);
  const auto b = random_formula(trace, random, conditions - left);
  const auto both = random() % 2 == 0 ? all_of(a, b) : any_of(a, b);
  return random() % 4 == 0 ? negation(both) : both;
}

// A random part of the trace: of its time always, of its events mostly.
inline Selection random_selection(const store::Trace& trace, std::mt19937_64& random) {
  Selection selection = Selection::all(trace);
  const auto length = static_cast<uint64_t>(selection.range.length().ticks);
  const auto at = [&] {
    return selection.range.begin + Duration{static_cast<int64_t>(random() % (length + 1))};
  };
  const auto [from, to] = std::minmax({at(), at()});
  selection.range = {from, to};
  if (random() % 4 == 0) return selection;
  const int conditions = 1 + static_cast<int>(random() % 5);
  selection.filter = std::make_shared<const aggregate::Filter>(
      random_formula(trace, random, conditions), trace.dictionary().types.size());
  return selection;
}

}  // namespace weft::query
