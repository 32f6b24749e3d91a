#include "core/query/category_filter.h"

#include <fmt/format.h>

namespace weft::query {

Status narrow_to_category(const store::Trace&, std::string_view value, Selection& selection) {
  bool is_known = false;
  for (int i = 0; i < trace::kCategoryCount; ++i) {
    const bool is_asked = name_of(static_cast<trace::Category>(i)) == value;
    is_known |= is_asked;
    if (!is_asked) selection.categories[static_cast<size_t>(i)] = false;
  }
  if (!is_known) {
    return fail(fmt::format("'{}' is no category (punctual, state, link, variable)", value));
  }
  return {};
}

}  // namespace weft::query
