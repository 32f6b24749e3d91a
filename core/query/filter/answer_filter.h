// Filter conditions on answers: answer == "", answer == MSG_ACK.
//
// An answer to a message from lane A to lane B is a message from B to A that may have followed from
// it (causality.h), possibly via other lanes: B may have asked C first. Only the kMostFollowed
// nearest messages are considered (answer_search.h). Only messages with both ends, on different
// lanes, can have answers.
#pragma once

#include <memory>

#include "core/aggregate/filter.h"
#include "core/query/filter/text_predicate.h"
#include "core/query/messages/answer_search.h"

namespace weft::query {

// A condition on the types of a message's answers.
struct AnswerCondition {
  std::vector<bool> types;       // by EventTypeId: passes with an answer of such a type
  bool takes_no_answer = false;  // passes without any answer, too
  bool is_negated = false;       // a message that can have an answer passes if none of that holds
};

// Makes the test. It costs what AnswerSearch costs, and caches one for the trace queried last.
std::shared_ptr<const aggregate::RecordPredicate> answer_test(AnswerCondition condition);
// Passes messages that can have an answer but have none.
aggregate::FormulaPtr unanswered();

}  // namespace weft::query
