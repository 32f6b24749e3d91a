// A filter, compiled for one trace: which events pass.
//
// It is a formula of conditions (and, or, not). A condition is one question about an event whose
// answer is an array look-up or a comparison of integers; what needs more than the record (its
// parameters) is a RecordTest. For one row the formula is solved as far as the row decides it, then
// once for each class of types that its conditions do not tell apart, so that most records are
// decided by their type alone, and most of the others by a few ranges:
//
//   formula ──for_row──→ RowFilter: class of the type → none │ all │ ranges │ ranges and the rest
//
// What a filter sees of an event: its category, type, and depth; the lane it begins on (of a link:
// the one that sends or, where the send is missing, the one that receives); its begin, end and
// duration in ticks. A condition on something that the event does not have is false. A link passes
// by its row of sends exactly if it does by its row of receives.
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

trace::Category category_of(store::RowKind kind);
constexpr bool is_link(store::RowKind kind) {
  return kind == store::RowKind::kLinkOut || kind == store::RowKind::kLinkIn;
}

// [least, most], both in it; nothing where most < least. Not-a-number is in none.
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

// A test of what lies outside the record. Thread-safe. Of a link: the same from both of its ends.
class RecordTest {
 public:
  virtual ~RecordTest() = default;
  virtual bool passes(const store::Trace& trace, const store::Row& row,
                      const store::Record& record) const = 0;
};

// One question about an event.
struct Condition {
  enum class On : uint8_t {
    kCategory,  // ids: of trace::Category
    kType,      // ids
    kLane,      // ids: the lane it begins on
    kSource,    // ids: links that have a send
    kTarget,    // ids: links that have a receive
    kDepth,     // ticks: states
    kBegin,     // ticks: links: of the send, where there is one
    kEnd,       // ticks: links: of the receive, where there is one; else equal to the begin
    kDuration,  // ticks: states
    kLatency,   // ticks: links that have both ends, where latencies are known
    kValue,     // value: samples
    kRecord,    // test
  };
  On on = On::kRecord;
  std::vector<bool> ids;  // those that pass; ids beyond its end do not
  Interval<int64_t> ticks{};
  Interval<double> value{};
  std::shared_ptr<const RecordTest> test;
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
// These simplify: all_of(everything, x) is x. Depth: that of the deeper part and one more.
FormulaPtr everything();
FormulaPtr nothing();
FormulaPtr where(Condition condition);
FormulaPtr negation(const FormulaPtr& of);
FormulaPtr all_of(const FormulaPtr& left, const FormulaPtr& right);
FormulaPtr any_of(const FormulaPtr& left, const FormulaPtr& right);

// What is left of a formula for the records of one row and one class of types: all of the
// intervals and the rest. `begin` and `duration` are the record's.
struct RecordRule {
  bool is_all = false;
  bool is_none = false;  // the others say nothing then
  Interval<int64_t> begin{};
  Interval<int64_t> duration{};
  bool tests_value = false;
  Interval<double> value{};
  FormulaPtr rest;  // null: nothing
};

// A filter as one row sees it. A small value; the filter, the trace and the row must outlive it.
class RowFilter {
 public:
  bool passes_all() const { return rules_->passes_all; }
  bool passes_none() const { return rules_->passes_none; }
  // Nothing on this lane, of this category and depth passes, whatever its type.
  bool leaves_row_out() const { return rules_->leaves_row_out; }
  bool passes(const store::Record& record) const {
    const RecordRule& rule = rule_of(record.type);
    if (rule.is_all || rule.is_none) return rule.is_all;
    return rule.begin.contains(record.begin.ticks) &&
           rule.duration.contains(record.duration.ticks) &&
           (!rule.tests_value || rule.value.contains(record.value)) &&
           (rule.rest == nullptr || passes_rest(*rule.rest, record));
  }

  // False where no record of this begin, duration and type passes, whatever else it holds.
  bool may_pass(int64_t begin, int64_t duration, EventTypeId type) const {
    const RecordRule& rule = rule_of(type);
    if (rule.is_all || rule.is_none) return rule.is_all;
    return rule.begin.contains(begin) && rule.duration.contains(duration);
  }

  // What all records that pass have in common, for skipping whole blocks and nodes.
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
    Interval<int64_t> begin;  // of all that pass
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
  // Of a trace whose dictionary has this many types. O(types × conditions).
  Filter(FormulaPtr formula, size_t types);
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  bool passes_all() const { return formula_->kind == Formula::Kind::kAll; }
  const FormulaPtr& formula() const { return formula_; }
  // Differs from that of any other filter of this process: the key of caches.
  uint64_t id() const { return id_; }
  // O(conditions), mostly; the first of rows that differ to the formula solves it.
  RowFilter for_row(const store::Trace& trace, const store::Row& row) const;

 private:
  using Signature = std::vector<int8_t>;  // what a row, or a type, answers to each condition
  std::shared_ptr<const RowFilter::Rules> known_rules(const Signature& signature) const;
  std::shared_ptr<const RowFilter::Rules> solve(const store::Trace& trace,
                                                const store::Row& row) const;

  FormulaPtr formula_;
  uint64_t id_;
  std::vector<const Condition*> conditions_;  // in the formula
  std::vector<uint32_t> type_classes_;        // by type; one more for types beyond the end
  std::vector<EventTypeId> class_examples_;   // a type of each class
  mutable std::mutex mutex_;                  // held for look-ups only
  mutable std::map<Signature, std::shared_ptr<const RowFilter::Rules>> solved_;  // guarded by it
};
using FilterPtr = std::shared_ptr<const Filter>;  // null stands for "everything passes"

}  // namespace weft::aggregate
