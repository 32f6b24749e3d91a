// Keeps what lies in [from, to); either end may be left open. Times as parse_time() reads them.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

Status narrow_to_after(const store::Trace& trace, std::string_view value, Selection& selection);
Status narrow_to_before(const store::Trace& trace, std::string_view value, Selection& selection);

}  // namespace weft::query
