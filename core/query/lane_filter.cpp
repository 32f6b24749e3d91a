#include "core/query/lane_filter.h"

#include "core/base/regex.h"

namespace weft::query {

Status narrow_to_lanes(const store::Trace& trace, std::string_view value, Selection& selection) {
  WEFT_TRY_ASSIGN(const Regex pattern, Regex::compile(value));
  const trace::Dictionary& dictionary = trace.dictionary();
  for (uint32_t i = 0; i < selection.lanes.size(); ++i) {
    if (selection.lanes[i] && !pattern.matches(dictionary.path_text(LaneId(i)))) {
      selection.lanes[i] = false;
    }
  }
  return {};
}

}  // namespace weft::query
