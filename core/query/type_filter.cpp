#include "core/query/type_filter.h"

#include "core/base/regex.h"

namespace weft::query {

Status narrow_to_types(const store::Trace& trace, std::string_view value, Selection& selection) {
  WEFT_TRY_ASSIGN(const Regex pattern, Regex::compile(value));
  const trace::Dictionary& dictionary = trace.dictionary();
  for (uint32_t i = 0; i < selection.types.size(); ++i) {
    if (selection.types[i] && !pattern.matches(dictionary.types[i].name)) {
      selection.types[i] = false;
      selection.has_all_types = false;
    }
  }
  return {};
}

}  // namespace weft::query
