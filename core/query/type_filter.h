// Keeps the event types whose name matches a regular expression anywhere.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

Status narrow_to_types(const store::Trace& trace, std::string_view value, Selection& selection);

}  // namespace weft::query
