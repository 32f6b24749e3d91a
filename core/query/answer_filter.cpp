#include "core/query/answer_filter.h"

#include <atomic>
#include <utility>

#include "core/query/causality.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;

// What is asked of a trace again and again, for the snapshot that is read now.
struct Followed {
  explicit Followed(const store::Trace& of)
      : trace(&of),
        generation(of.generation()),
        // Used while the caller holds the trace.
        elements(std::shared_ptr<const store::Trace>(std::shared_ptr<void>(), &of)) {}

  bool is_of(const store::Trace& other) const {
    return trace == &other && generation == other.generation();
  }

  const store::Trace* trace;
  uint64_t generation;
  Elements elements;
};

class AnswerTest final : public aggregate::RecordTest {
 public:
  explicit AnswerTest(AnswerCondition condition) : condition_(std::move(condition)) {}

  bool passes(const store::Trace& trace, const Row& row, const Record& record) const override {
    if (!is_link(row.kind)) return false;
    const LinkEnds ends = ends_of(row.kind, row.lane, record);
    if (!ends.is_sent() || !ends.is_received() || ends.source == ends.target) return false;
    const std::shared_ptr<const Followed> followed = of(trace);
    bool is_answered = false, is_met = false;
    const auto take = [&](EventTypeId type) {
      is_answered = true;
      is_met = type.value() < condition_.types.size() && condition_.types[type.value()];
      return !is_met;
    };
    Causality(followed->elements).for_each_answer(ends, kMostFollowed, take);
    if (!is_answered) is_met = condition_.takes_no_answer;
    return is_met != condition_.is_negated;
  }

 private:
  std::shared_ptr<const Followed> of(const store::Trace& trace) const {
    std::shared_ptr<const Followed> known = followed_.load();
    if (known && known->is_of(trace)) return known;
    known = std::make_shared<const Followed>(trace);
    followed_.store(known);
    return known;
  }

  AnswerCondition condition_;
  mutable std::atomic<std::shared_ptr<const Followed>> followed_;
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
