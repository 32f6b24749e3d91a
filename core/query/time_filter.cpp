#include "core/query/time_filter.h"

namespace weft::query {

Status narrow_to_after(const store::Trace& trace, std::string_view value, Selection& selection) {
  WEFT_TRY_ASSIGN(selection.range.begin,
                  parse_time(value, trace.range(), trace.dictionary().time_base));
  return {};
}

Status narrow_to_before(const store::Trace& trace, std::string_view value, Selection& selection) {
  WEFT_TRY_ASSIGN(selection.range.end,
                  parse_time(value, trace.range(), trace.dictionary().time_base));
  return {};
}

}  // namespace weft::query
