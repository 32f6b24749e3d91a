// An event filter, compiled for one trace.
//
// A filter is a Boolean formula of conditions. A condition is an array look-up or a comparison of
// numbers; a test that needs more than the record (its parameters) is a RecordPredicate. For each
// row the formula is solved as far as the row decides it, then once for each class of types that
// the conditions do not tell apart, so that most records are decided by type alone and most others
// by a few ranges:
//
//   formula ──for_row──→ RowFilter: class of the type → none │ all │ ranges │ ranges and the rest
//
// A filter sees an event's category, type and depth; the lane it begins on (for a link the sender
// or, if the send is missing, the receiver); its begin, end and duration in ticks. A condition on a
// property that the event lacks is false. A link passes in its row of sends exactly if it passes in
// its row of receives.
//
// Filters are immutable and shared (FilterPtr); all reading is thread-safe. A filter belongs to the
// dictionary it was made for: a growing trace that has new lanes or types needs a new one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/time.h"
#include "core/store/trace.h"

namespace weft::aggregate {

constexpr bool is_link(store::RowKind kind) {
  return kind == store::RowKind::kLinkOut || kind == store::RowKind::kLinkIn;
}

// A closed interval [least, most]; empty if most < least. Never contains not-a-number.
template <class T>
struct Interval {
  T least = std::numeric_limits<T>::lowest();
  T most = std::numeric_limits<T>::max();
  bool contains(T value) const { return least <= value && value <= most; }
  bool is_empty() const { return !(least <= most); }
  Interval both(const Interval& other) const {
    return {std::max(least, other.least), std::min(most, other.most)};
  }
  Interval hull(const Interval& other) const {
    return {std::min(least, other.least), std::max(most, other.most)};
  }
  bool operator==(const Interval&) const = default;
};

// A test that needs more than the record. Thread-safe. Must give the same answer at both ends of a
// link.
class RecordPredicate {
 public:
  virtual ~RecordPredicate() = default;
  virtual bool passes(const store::Trace& trace, const store::Row& row,
                      const store::Record& record) const = 0;
};

// A single condition on an event.
struct Condition {
  enum class On : uint8_t {
    kCategory,  // ids: trace::Category
    kType,      // ids
    kLane,      // ids: the lane it begins on
    kSource,    // ids: sender; links that have a send
    kTarget,    // ids: receiver; links that have a receive
    kDepth,     // ticks: states
    kBegin,     // ticks; links: the send, if any
    kEnd,       // ticks; links: the receive, if any; instants: the begin
    kDuration,  // ticks: states
    kLatency,   // ticks: links that have both ends, where latencies are known
    kValue,     // value: samples
    kRecord,    // test
  };
  On on = On::kRecord;
  std::vector<bool> ids;  // which ids pass; those beyond the end do not
  Interval<int64_t> ticks{};
  Interval<double> value{};
  std::shared_ptr<const RecordPredicate> test;
};

// A formula of conditions, an immutable tree.
struct Formula;
using FormulaPtr = std::shared_ptr<const Formula>;
struct Formula {
  enum class Kind : uint8_t { kNone, kAll, kCondition, kNot, kAnd, kOr };
  Kind kind = Kind::kAll;
  Condition condition;  // kCondition
  FormulaPtr left;      // kNot, kAnd, kOr
  FormulaPtr right;     // kAnd, kOr
};
// Build formulas, simplified: all_of(everything, x) is x. Depth: one more than the deeper
// operand's.
FormulaPtr everything();
FormulaPtr nothing();
FormulaPtr where(Condition condition);
FormulaPtr negation(const FormulaPtr& of);
FormulaPtr all_of(const FormulaPtr& left, const FormulaPtr& right);
FormulaPtr any_of(const FormulaPtr& left, const FormulaPtr& right);

// What remains of a formula for the records of one row and one class of types: the conjunction of
// the intervals and `rest`. `begin` and `duration` are the record's.
struct RecordRule {
  bool is_all = false;
  bool is_none = false;  // the other fields are then meaningless
  Interval<int64_t> begin{};
  Interval<int64_t> duration{};
  bool tests_value = false;
  Interval<double> value{};
  FormulaPtr rest;  // null: no further test
};

// A filter specialised to one row. A small value; the filter, the trace and the row must outlive
// it.
class RowFilter {
 public:
  bool passes_all() const { return rules_->passes_all; }
  bool passes_none() const { return rules_->passes_none; }
  // Whether lane, category and depth alone exclude every record, whatever its type.
  bool leaves_row_out() const { return rules_->leaves_row_out; }
  bool passes(const store::Record& record) const {
    const RecordRule& rule = rule_of(record.type);
    if (rule.is_all || rule.is_none) return rule.is_all;
    return rule.begin.contains(record.begin.ticks) &&
           rule.duration.contains(record.duration.ticks) &&
           (!rule.tests_value || rule.value.contains(record.value)) &&
           (rule.rest == nullptr || passes_rest(*rule.rest, record));
  }

  // Returns false if no record with this begin, duration and type can pass.
  bool may_pass(int64_t begin, int64_t duration, EventTypeId type) const {
    const RecordRule& rule = rule_of(type);
    if (rule.is_all || rule.is_none) return rule.is_all;
    return rule.begin.contains(begin) && rule.duration.contains(duration);
  }

  // Bounds that hold for all records that pass, for skipping whole blocks and nodes.
  const Interval<int64_t>& begin() const { return rules_->begin; }
  const Interval<int64_t>& duration() const { return rules_->duration; }
  bool passes_none_of(EventTypeId type) const { return rule_of(type).is_none; }

 private:
  friend class Filter;
  struct Rules {
    std::vector<RecordRule> by_class;
    bool passes_all = false;
    bool passes_none = false;
    bool leaves_row_out = false;
    Interval<int64_t> begin;  // over all that pass
    Interval<int64_t> duration;
  };

  const RecordRule& rule_of(EventTypeId type) const {
    return rules_->by_class[type.value() < types_ ? type_classes_[type.value()] : 0];
  }
  bool passes_rest(const Formula& formula, const store::Record& record) const;
  bool passes_condition(const Condition& condition, const store::Record& record) const;

  const store::Trace* trace_ = nullptr;
  const store::Row* row_ = nullptr;
  const uint32_t* type_classes_ = nullptr;  // by type
  size_t types_ = 0;
  std::shared_ptr<const Rules> rules_;
};

class Filter {
 public:
  // Compiles a formula for a trace with this many types. O(types × conditions).
  Filter(FormulaPtr formula, size_t types);
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  bool passes_all() const { return formula_->kind == Formula::Kind::kAll; }
  const FormulaPtr& formula() const { return formula_; }
  // Unique among the filters of this process: a cache key.
  uint64_t id() const { return id_; }
  // Specialises the filter to a row. Usually O(conditions): solutions are shared by rows that
  // answer the conditions alike.
  RowFilter for_row(const store::Trace& trace, const store::Row& row) const;

 private:
  using Signature = std::vector<int8_t>;  // a row's or type's answer to each condition
  std::shared_ptr<const RowFilter::Rules> known_rules(const Signature& signature) const;
  std::shared_ptr<const RowFilter::Rules> solve(const store::Trace& trace,
                                                const store::Row& row) const;

  FormulaPtr formula_;
  uint64_t id_;
  std::vector<const Condition*> conditions_;  // of the formula
  std::vector<uint32_t> type_classes_;        // by type; the last is for types beyond the end
  std::vector<EventTypeId> class_examples_;   // a type of each class
  mutable std::mutex mutex_;                  // held for look-ups only
  mutable std::map<Signature, std::shared_ptr<const RowFilter::Rules>> solved_;  // guarded by it
};
using FilterPtr = std::shared_ptr<const Filter>;  // null stands for "everything passes"

}  // namespace weft::aggregate
