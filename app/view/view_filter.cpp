#include "app/view/view_filter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/query/filter/filter_expression.h"
#include "core/query/filter/filter_lexer.h"

namespace weft::app {
namespace {

// "or" binds less than "and".
std::string as_operand(std::string_view text) {
  const auto parsed = query::parse_filter(text);
  const bool is_or = parsed && !parsed->nodes.empty() &&
                     parsed->nodes.back().kind == query::ExpressionNode::Kind::kOr;
  return is_or ? "(" + std::string(text) + ")" : std::string(text);
}

// A condition type != "name", where it stands alone or is joined to the rest by "and".
struct HiddenType {
  std::string name;
  size_t begin = 0, end = 0;  // in the text, with the "and" that joins it
};

bool is_and(const query::Token& token) {
  using Kind = query::Token::Kind;
  return (token.kind == Kind::kSymbol && token.text == "&&") ||
         (token.kind == Kind::kWord && token.text == "and");
}

std::vector<HiddenType> find_hidden_types(std::string_view text) {
  using Kind = query::Token::Kind;
  std::vector<HiddenType> found;
  const auto tokens = query::lex_filter(text);
  if (!tokens || !query::parse_filter(text)) return found;
  int depth = 0;
  for (size_t i = 0; i + 1 < tokens->size(); ++i) {
    const query::Token& token = (*tokens)[i];
    if (token.kind == Kind::kSymbol && (token.text == "(" || token.text == "[")) ++depth;
    if (token.kind == Kind::kSymbol && (token.text == ")" || token.text == "]")) --depth;
    const bool is_or = (token.kind == Kind::kSymbol && token.text == "||") ||
                       (token.kind == Kind::kWord && token.text == "or");
    if (depth == 0 && is_or) return {};
    if (depth != 0 || i + 3 >= tokens->size()) continue;
    const query::Token &compared = (*tokens)[i + 1], &name = (*tokens)[i + 2];
    const query::Token& next = (*tokens)[i + 3];
    const bool begins = i == 0 || is_and((*tokens)[i - 1]);
    const bool ends = next.kind == Kind::kEnd || is_and(next);
    const bool is_it = token.kind == Kind::kWord && token.text == "type" &&
                       compared.kind == Kind::kSymbol && compared.text == "!=" &&
                       (name.kind == Kind::kText || name.kind == Kind::kWord);
    if (!begins || !ends || !is_it) continue;
    const size_t begin = i == 0 ? token.where.begin : (*tokens)[i - 1].where.begin;
    const bool takes_next = i == 0 && next.kind != Kind::kEnd;
    found.push_back({name.text, begin, takes_next ? next.where.end : name.where.end});
  }
  return found;
}

}  // namespace

std::set<std::string> hidden_types(std::string_view text) {
  std::set<std::string> names;
  for (HiddenType& hidden : find_hidden_types(text)) names.insert(std::move(hidden.name));
  return names;
}

bool hides_only_types(std::string_view text) {
  constexpr size_t kTokens = 4;  // of a condition, with the "and" or the end behind it
  const size_t count = find_hidden_types(text).size();
  const auto tokens = query::lex_filter(text);
  return count > 0 && tokens && tokens->size() == count * kTokens;
}

std::string with_type(std::string_view text, std::string_view type, bool is_shown) {
  if (!is_shown) return both(text, "type != " + query::quoted_for_filter(type));
  for (const HiddenType& hidden : find_hidden_types(text)) {
    if (hidden.name != type) continue;
    std::string rest(text.substr(0, hidden.begin));
    while (rest.ends_with(' ')) rest.pop_back();
    rest.append(text.substr(hidden.end));
    rest.erase(0, rest.find_first_not_of(' '));
    return rest;
  }
  return std::string(text);
}

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
  if (first == second) return std::string(first);
  return as_operand(first) + " && " + as_operand(second);
}

}  // namespace weft::app
