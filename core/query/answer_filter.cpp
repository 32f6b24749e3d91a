#include "core/query/answer_filter.h"

#include <atomic>
#include <utility>

#include "core/query/link_ends.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;

class AnswerTest final : public aggregate::RecordTest {
 public:
  explicit AnswerTest(AnswerCondition condition) : condition_(std::move(condition)) {}

  bool passes(const store::Trace& trace, const Row& row, const Record& record) const override {
    if (!is_link(row.kind)) return false;
    const LinkEnds ends = ends_of(row.kind, row.lane, record);
    if (!ends.is_sent() || !ends.is_received() || ends.source == ends.target) return false;
    bool is_answered = false, is_met = false;
    const auto take = [&](EventTypeId type) {
      is_answered = true;
      is_met = type.value() < condition_.types.size() && condition_.types[type.value()];
      return !is_met;
    };
    search_of(trace)->for_each_answer(ends, take);
    if (!is_answered) is_met = condition_.takes_no_answer;
    return is_met != condition_.is_negated;
  }

 private:
  std::shared_ptr<const AnswerSearch> search_of(const store::Trace& trace) const {
    std::shared_ptr<const AnswerSearch> known = search_.load();
    if (known && known->is_of(trace)) return known;
    const auto made = std::make_shared<const AnswerSearch>(trace);
    // Another thread may have been first: what both find is to be shared.
    const bool is_first = search_.compare_exchange_strong(known, made);
    return is_first || !known || !known->is_of(trace) ? made : known;
  }

  AnswerCondition condition_;
  mutable std::atomic<std::shared_ptr<const AnswerSearch>> search_;
};

}  // namespace

std::shared_ptr<const aggregate::RecordTest> answer_test(AnswerCondition condition) {
  return std::make_shared<const AnswerTest>(std::move(condition));
}

aggregate::FormulaPtr unanswered() {
  return aggregate::where({.on = aggregate::Condition::On::kRecord,
                           .ids = {},
                           .test = answer_test({.types = {}, .takes_no_answer = true})});
}

}  // namespace weft::query
