// Conditions on an event's parameters and payload: the only ones that need more than the record.
//
// Parameters are the text of one JSON object, as given by the trace. They are read by a SAX parser
// that stops as soon as the answer is known, and only if the bytes contain what is looked for. A
// malformed object has the parameters before the error.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/query/filter/text_predicate.h"

namespace weft::query {

// A condition on a parameter.
struct ParamCondition {
  std::vector<std::string> path;  // empty: any parameter, names included
  bool is_of_payload = false;     // a payload field (store::PayloadReader)
  bool is_negated = false;        // an existing parameter passes if the tests below fail
  // A number, or a text that is a number, passes if it lies in one of these.
  std::vector<aggregate::Interval<long double>> numbers;
  std::vector<TextPredicate> texts;  // any; numbers, true, false and null are compared as written
};
std::shared_ptr<const aggregate::RecordPredicate> param_predicate(ParamCondition condition);

// Passes events with a payload whose size lies in one of the intervals.
std::shared_ptr<const aggregate::RecordPredicate> payload_test(
    std::vector<aggregate::Interval<int64_t>> sizes);

// Returns the value of a parameter, named as by for_each_param_name(): a string's text, other
// values as written. nullopt if there is none.
std::optional<std::string> param_text(std::string_view json, std::string_view name);

// Calls body(path) for each parameter that is not an object or array: "pos.x".
void for_each_param_name(std::string_view json, const std::function<void(std::string_view)>& body);

// As param_text(), for an event's parameters and payload fields together, named as in filters
// ("payload.reading.value"). Parameters take precedence.
std::optional<std::string> field_text(const store::Trace& trace, const store::Record& record,
                                      std::string_view name);
void for_each_field_name(const store::Trace& trace, const store::Record& record,
                         const std::function<void(std::string_view)>& body);

}  // namespace weft::query
