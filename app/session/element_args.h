// An element as the arguments of a command, and back:
//   {"lane":3,"kind":"state","depth":1,"type":7,"at":1000,"duration":250}
// "kind" is state, punctual, variable, link_out (named by its send) or link_in (by its receive);
// "peer" the lane at a link's other end, "nth" which of several that are equal in all this.
#pragma once

#include "app/base/json.h"
#include "app/session/choice.h"
#include "core/base/result.h"
#include "core/query/element.h"

namespace weft::app {

class OpenTrace;

// In the order of store::RowKind.
inline constexpr std::array<Choice, store::kRowKindCount> kElementKinds = {
    {{"state"}, {"punctual"}, {"variable"}, {"link_out"}, {"link_in"}}};

Json args_from_element(const query::ElementRef& element);
// Every value a number, of any trace's.
Result<query::ElementRef> element_from_json(const Json& json);
// Times and lanes as a person may write them, too; of this trace.
Result<query::ElementRef> element_arg(const Json& args, const OpenTrace& trace);

}  // namespace weft::app
