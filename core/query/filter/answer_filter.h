// A filter's condition on answers: answer == "", answer == MSG_ACK.
//
// An answer to a message from lane A to lane B is a message from B to A that may have followed from
// it (causality.h), by way of other lanes, too: B may have asked C first. It is looked for among
// the kMostFollowed nearest (answer_search.h). Only messages that have both ends, on two lanes, can
// have one.
#pragma once

#include <memory>

#include "core/aggregate/filter.h"
#include "core/query/filter/text_test.h"
#include "core/query/messages/answer_search.h"

namespace weft::query {

// What is asked of the types of a message's answers.
struct AnswerCondition {
  std::vector<bool> types;       // by id: an answer of such a type passes
  bool takes_no_answer = false;  // so does a message without any
  bool is_negated = false;       // what can have an answer passes if none of that is true
};

// Costs what an AnswerSearch does, and keeps one of the trace that was asked about last.
std::shared_ptr<const aggregate::RecordTest> answer_test(AnswerCondition condition);
// Messages that can have an answer and have none.
aggregate::FormulaPtr unanswered();

}  // namespace weft::query
