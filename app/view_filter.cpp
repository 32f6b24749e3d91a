#include "app/view_filter.h"

#include <algorithm>

#include "core/query/filter_expression.h"
#include "core/query/filter_lexer.h"

namespace weft::app {
namespace {

// "or" binds less than "and".
std::string as_operand(std::string_view text) {
  const auto parsed = query::parse_filter(text);
  const bool is_or = parsed && !parsed->nodes.empty() &&
                     parsed->nodes.back().kind == query::ExpressionNode::Kind::kOr;
  return is_or ? "(" + std::string(text) + ")" : std::string(text);
}

}  // namespace

std::optional<FilterMode> filter_mode_from_name(std::string_view name) {
  const auto row = std::ranges::find(kFilterModes, name, &FilterModeRow::id);
  if (row == kFilterModes.end()) return std::nullopt;
  return static_cast<FilterMode>(row - kFilterModes.begin());
}

std::string of_type(const trace::Dictionary& dictionary, EventTypeId type) {
  return "type == " + query::quoted_for_filter(dictionary.type(type).name);
}

std::string on_lane(const trace::Dictionary& dictionary, LaneId lane) {
  return "lane == " + query::quoted_for_filter(dictionary.path_text(lane));
}

std::string both(std::string_view first, std::string_view second) {
  if (first.empty() || second.empty()) return std::string(first.empty() ? second : first);
  return as_operand(first) + " && " + as_operand(second);
}

}  // namespace weft::app
