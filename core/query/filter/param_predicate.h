// Conditions on an event's parameters and payload: the only ones that look beyond the record.
//
// Parameters are the text of one JSON object, as the trace gives it. They are read by events of a
// parser (SAX) that stops at the first answer, and only where the bytes hold what is looked for; an
// object that is no JSON has the parameters before the place where it breaks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/query/filter/text_test.h"

namespace weft::query {

// What a parameter is compared with.
struct ParamCondition {
  std::vector<std::string> path;  // empty: any parameter, and the names, too
  bool is_of_payload = false;     // of its fields (store::PayloadReader)
  bool is_negated = false;        // a parameter that is there passes if the tests below fail
  // A number passes where it lies in one of them; so does a text that is a number.
  std::vector<aggregate::Interval<long double>> numbers;
  std::vector<TextTest> texts;  // any; numbers, true, false and null are compared as written
};
std::shared_ptr<const aggregate::RecordTest> param_test(ParamCondition condition);

// Events that have a payload, of a size in one of the intervals.
std::shared_ptr<const aggregate::RecordTest> payload_test(
    std::vector<aggregate::Interval<int64_t>> sizes);

// The value of the parameter that for_each_param_name calls so: a text as it is, all else as
// written. None where there is none of that name.
std::optional<std::string> param_text(std::string_view json, std::string_view name);

// Calls body(path) for each parameter that is no object or array: "pos.x".
void for_each_param_name(std::string_view json, const std::function<void(std::string_view)>& body);

// The same of an event's parameters and of the fields of its payload together, which are called as
// filters call them: "payload.reading.value". Of one name a parameter counts.
std::optional<std::string> field_text(const store::Trace& trace, const store::Record& record,
                                      std::string_view name);
void for_each_field_name(const store::Trace& trace, const store::Record& record,
                         const std::function<void(std::string_view)>& body);

}  // namespace weft::query
