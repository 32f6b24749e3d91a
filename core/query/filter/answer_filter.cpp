#include "core/query/filter/answer_filter.h"

#include <utility>

#include "core/query/filter/of_trace.h"
#include "core/query/link_ends.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;

class AnswerTest final : public aggregate::RecordPredicate {
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
    search_.of(trace)->for_each_answer(ends, take);
    if (!is_answered) is_met = condition_.takes_no_answer;
    return is_met != condition_.is_negated;
  }

 private:
  AnswerCondition condition_;
  OfTrace<AnswerSearch> search_;
};

}  // namespace

std::shared_ptr<const aggregate::RecordPredicate> answer_test(AnswerCondition condition) {
  return std::make_shared<const AnswerTest>(std::move(condition));
}

aggregate::FormulaPtr unanswered() {
  return aggregate::where({.on = aggregate::Condition::On::kRecord,
                           .ids = {},
                           .test = answer_test({.types = {}, .takes_no_answer = true})});
}

}  // namespace weft::query
