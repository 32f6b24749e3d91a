#include "core/aggregate/filter.h"

#include <atomic>
#include <optional>

namespace weft::aggregate {
namespace {

using On = Condition::On;
using Kind = Formula::Kind;
using store::Record;
using store::Row;
using store::RowKind;

bool holds(const std::vector<bool>& ids, uint32_t id) { return id < ids.size() && ids[id]; }

// Returns the answer given by the row and the trace alone; nullopt if it depends on the record.
std::optional<bool> answer_of(const Condition& condition, const store::Trace& trace,
                              const Row& row) {
  switch (condition.on) {
    case On::kCategory:
      return holds(condition.ids, static_cast<uint32_t>(category_of(row.kind)));
    case On::kType:
      if (row.kind == RowKind::kVariable) return holds(condition.ids, row.variable.value());
      return std::nullopt;
    case On::kLane:
      if (row.kind == RowKind::kLinkIn) return std::nullopt;
      return holds(condition.ids, row.lane.value());
    case On::kSource:
      if (row.kind == RowKind::kLinkIn) return std::nullopt;
      return row.kind == RowKind::kLinkOut && holds(condition.ids, row.lane.value());
    case On::kTarget:
      if (row.kind == RowKind::kLinkOut) return std::nullopt;
      return row.kind == RowKind::kLinkIn && holds(condition.ids, row.lane.value());
    case On::kDepth:
      return row.kind == RowKind::kState && condition.ticks.contains(row.depth);
    case On::kDuration:
      if (row.kind != RowKind::kState) return false;
      return std::nullopt;
    case On::kLatency:
      if (!is_link(row.kind) || !trace.knows_latencies()) return false;
      return std::nullopt;
    case On::kValue:
      if (row.kind != RowKind::kVariable) return false;
      return std::nullopt;
    case On::kBegin:
    case On::kEnd:
    case On::kRecord:
      return std::nullopt;
  }
  return std::nullopt;
}

// The formula with every condition replaced that `answer` knows.
template <class Answer>
FormulaPtr solved(const FormulaPtr& formula, const Answer& answer) {
  switch (formula->kind) {
    case Kind::kNone:
    case Kind::kAll:
      return formula;
    case Kind::kCondition: {
      const std::optional<bool> known = answer(formula->condition);
      if (!known) return formula;
      return *known ? everything() : nothing();
    }
    case Kind::kNot:
      return negation(solved(formula->left, answer));
    case Kind::kAnd:
      return all_of(solved(formula->left, answer), solved(formula->right, answer));
    case Kind::kOr:
      return any_of(solved(formula->left, answer), solved(formula->right, answer));
  }
  return formula;
}

// The ticks that are not in the interval, where they are an interval, too.
std::optional<Interval<int64_t>> outside(const Interval<int64_t>& ticks) {
  constexpr Interval<int64_t> kAny;
  if (ticks.is_empty() || ticks == kAny) return std::nullopt;
  if (ticks.least == kAny.least) return Interval<int64_t>{ticks.most + 1, kAny.most};
  if (ticks.most == kAny.most) return Interval<int64_t>{kAny.least, ticks.least - 1};
  return std::nullopt;
}

// Takes a formula that is known of the row and the type apart: what its factors say of begin,
// duration and value becomes intervals, the others the rest.
class RuleMaker {
 public:
  explicit RuleMaker(RowKind kind) : kind_(kind) {}

  RecordRule make(const FormulaPtr& formula) {
    rule_.is_none = formula->kind == Kind::kNone;
    rule_.is_all = formula->kind == Kind::kAll;
    if (rule_.is_all || rule_.is_none) return rule_;
    add(formula);
    rule_.is_none = rule_.begin.is_empty() || rule_.duration.is_empty() ||
                    (rule_.tests_value && rule_.value.is_empty());
    return rule_;
  }

 private:
  void add(const FormulaPtr& factor) {
    if (factor->kind == Kind::kAnd) {
      add(factor->left);
      add(factor->right);
      return;
    }
    if (factor->kind == Kind::kCondition && take(factor->condition)) return;
    if (factor->kind == Kind::kNot && factor->left->kind == Kind::kCondition) {
      Condition inverse = factor->left->condition;
      const bool is_always_there = inverse.on == On::kBegin || inverse.on == On::kDuration;
      const auto ticks = outside(inverse.ticks);
      inverse.ticks = ticks.value_or(inverse.ticks);
      if (is_always_there && ticks && take(inverse)) return;
    }
    rule_.rest = rule_.rest == nullptr ? factor : all_of(rule_.rest, factor);
  }

  // Only conditions that are still open in a row of the kind come here.
  bool take(const Condition& condition) {
    const On on = condition.on;
    const bool begins_here = kind_ != RowKind::kLinkIn;
    if (on == On::kBegin && begins_here) {
      rule_.begin = rule_.begin.both(condition.ticks);
    } else if (on == On::kDuration) {
      rule_.duration = rule_.duration.both(condition.ticks);
    } else if (on == On::kValue) {
      rule_.value = rule_.value.both(condition.value);
      rule_.tests_value = true;
    } else {
      return false;
    }
    return true;
  }

  RowKind kind_;
  RecordRule rule_;
};

void gather(const Formula& formula, std::vector<const Condition*>& conditions) {
  if (formula.kind == Kind::kCondition) conditions.push_back(&formula.condition);
  if (formula.left != nullptr) gather(*formula.left, conditions);
  if (formula.right != nullptr) gather(*formula.right, conditions);
}

FormulaPtr formula_of(Kind kind, FormulaPtr left = {}, FormulaPtr right = {}) {
  return std::make_shared<const Formula>(Formula{kind, {}, std::move(left), std::move(right)});
}

}  // namespace

FormulaPtr everything() {
  static const FormulaPtr all = formula_of(Kind::kAll);
  return all;
}
FormulaPtr nothing() {
  static const FormulaPtr none = formula_of(Kind::kNone);
  return none;
}
FormulaPtr where(Condition condition) {
  return std::make_shared<const Formula>(Formula{Kind::kCondition, std::move(condition), {}, {}});
}
FormulaPtr negation(const FormulaPtr& of) {
  if (of->kind == Kind::kAll) return nothing();
  if (of->kind == Kind::kNone) return everything();
  if (of->kind == Kind::kNot) return of->left;
  return formula_of(Kind::kNot, of);
}
FormulaPtr all_of(const FormulaPtr& left, const FormulaPtr& right) {
  if (left->kind == Kind::kNone || right->kind == Kind::kAll) return left;
  if (right->kind == Kind::kNone || left->kind == Kind::kAll) return right;
  return formula_of(Kind::kAnd, left, right);
}
FormulaPtr any_of(const FormulaPtr& left, const FormulaPtr& right) {
  if (left->kind == Kind::kAll || right->kind == Kind::kNone) return left;
  if (right->kind == Kind::kAll || left->kind == Kind::kNone) return right;
  return formula_of(Kind::kOr, left, right);
}

bool RowFilter::passes_rest(const Formula& formula, const Record& record) const {
  switch (formula.kind) {
    case Kind::kNone:
      return false;
    case Kind::kAll:
      return true;
    case Kind::kCondition:
      return passes_condition(formula.condition, record);
    case Kind::kNot:
      return !passes_rest(*formula.left, record);
    case Kind::kAnd:
      return passes_rest(*formula.left, record) && passes_rest(*formula.right, record);
    case Kind::kOr:
      return passes_rest(*formula.left, record) || passes_rest(*formula.right, record);
  }
  return false;
}

bool RowFilter::passes_condition(const Condition& condition, const Record& record) const {
  const bool comes_in = row_->kind == RowKind::kLinkIn;
  const bool has_peer = !record.peer.is_none();
  switch (condition.on) {
    case On::kType:
      return holds(condition.ids, record.type.value());
    case On::kLane:  // of links that come in; elsewhere the row knows, as it does of the category
      return holds(condition.ids, has_peer ? record.peer.value() : row_->lane.value());
    case On::kSource:
    case On::kTarget:
      return has_peer && holds(condition.ids, record.peer.value());
    case On::kBegin:
      return condition.ticks.contains(comes_in && has_peer ? (record.begin - record.duration).ticks
                                                           : record.begin.ticks);
    case On::kEnd:
      if (row_->kind == RowKind::kLinkOut && !has_peer) return false;
      return condition.ticks.contains(comes_in ? record.begin.ticks : record.end().ticks);
    case On::kDuration:
      return condition.ticks.contains(record.duration.ticks);
    case On::kLatency:
      return has_peer && condition.ticks.contains(record.duration.ticks);
    case On::kValue:
      return condition.value.contains(record.value);
    case On::kRecord:
      return condition.test->passes(*trace_, *row_, record);
    case On::kCategory:
    case On::kDepth:
      return *answer_of(condition, *trace_, *row_);
  }
  return false;
}

Filter::Filter(FormulaPtr formula, size_t types) : formula_(std::move(formula)) {
  static std::atomic<uint64_t> next_id = 1;
  id_ = next_id++;
  gather(*formula_, conditions_);
  std::map<Signature, uint32_t> classes;
  const auto class_of = [&](EventTypeId type) {
    Signature signature;
    for (const Condition* condition : conditions_) {
      if (condition->on == On::kType) signature.push_back(holds(condition->ids, type.value()));
    }
    const auto next = static_cast<uint32_t>(classes.size());
    const auto [entry, is_new] = classes.try_emplace(std::move(signature), next);
    if (is_new) class_examples_.push_back(type);
    return entry->second;
  };
  for (uint32_t i = 0; i < std::max<size_t>(1, types); ++i) {
    type_classes_.push_back(class_of(EventTypeId(i)));
  }
}

RowFilter Filter::for_row(const store::Trace& trace, const Row& row) const {
  Signature signature{static_cast<int8_t>(row.kind)};
  for (const Condition* condition : conditions_) {
    const std::optional<bool> answer = answer_of(*condition, trace, row);
    signature.push_back(answer ? static_cast<int8_t>(*answer) : int8_t{-1});
  }
  RowFilter filter;
  filter.trace_ = &trace;
  filter.row_ = &row;
  filter.type_classes_ = type_classes_.data();
  filter.types_ = type_classes_.size();
  filter.rules_ = known_rules(signature);
  if (filter.rules_ == nullptr) {
    filter.rules_ = solve(trace, row);  // without the lock: two may solve the same
    const std::lock_guard lock(mutex_);
    solved_.try_emplace(std::move(signature), filter.rules_);
  }
  return filter;
}

std::shared_ptr<const RowFilter::Rules> Filter::known_rules(const Signature& signature) const {
  const std::lock_guard lock(mutex_);
  const auto known = solved_.find(signature);
  return known == solved_.end() ? nullptr : known->second;
}

std::shared_ptr<const RowFilter::Rules> Filter::solve(const store::Trace& trace,
                                                      const Row& row) const {
  const FormulaPtr of_row = solved(
      formula_, [&](const Condition& condition) { return answer_of(condition, trace, row); });
  auto rules = std::make_shared<RowFilter::Rules>();
  rules->leaves_row_out = of_row->kind == Kind::kNone;
  rules->passes_all = rules->passes_none = true;
  for (const EventTypeId type : class_examples_) {
    const FormulaPtr of_type =
        solved(of_row, [&](const Condition& condition) -> std::optional<bool> {
          if (condition.on != On::kType) return std::nullopt;
          return holds(condition.ids, type.value());
        });
    const RecordRule rule = RuleMaker(row.kind).make(of_type);
    const bool is_first = rules->passes_none;
    rules->passes_all &= rule.is_all;
    rules->passes_none &= rule.is_none;
    if (!rule.is_none) {
      rules->begin = is_first ? rule.begin : rules->begin.hull(rule.begin);
      rules->duration = is_first ? rule.duration : rules->duration.hull(rule.duration);
    }
    rules->by_class.push_back(rule);
  }
  return rules;
}

}  // namespace weft::aggregate
