#include "core/query/filter/filter_check.h"

#include <fmt/core.h>

#include "core/base/text.h"
#include "core/query/filter/filter_words.h"
#include "core/query/filter/motif_filter.h"
#include "core/query/filter/text_predicate.h"
#include "core/trace/event_types.h"

namespace weft::query {
namespace {

using LiteralKind = Literal::Kind;

std::unexpected<FilterError> problem(std::string message, TextSpan where) {
  return std::unexpected(FilterError{std::move(message), where});
}

bool is_pattern_comparison(Comparison comparison) {
  return comparison == Comparison::kMatches || comparison == Comparison::kMatchesNot;
}

// Regular expressions stand behind =~ and !~ only, and PCRE2 takes them.
FilterResult<void> check_patterns(const ExpressionNode& node) {
  if (is_pattern_comparison(node.comparison)) {
    const auto patterns = TextPredicate::make(node.comparison, node.values);
    if (!patterns) return std::unexpected(patterns.error());
    return {};
  }
  for (const Literal& value : node.values) {
    if (value.kind != LiteralKind::kPattern) continue;
    return problem(fmt::format("a regular expression goes with =~ or !~, not with '{}'; a text is "
                               "written in quotes",
                               name_of(node.comparison)),
                   value.where);
  }
  return {};
}

FilterResult<void> check_text(const ExpressionNode& node) {
  if (is_text_comparison(node.comparison) || is_equality(node.comparison)) return {};
  return problem(fmt::format("'{}' compares numbers, and {} is a text", name_of(node.comparison),
                             name_of(node.field)),
                 node.where);
}

FilterResult<void> check_categories(const ExpressionNode& node) {
  if (!is_equality(node.comparison)) return {};
  for (const Literal& value : node.values) {
    bool is_known = false;
    for (int i = 0; i < trace::kCategoryCount; ++i) {
      is_known |= name_of(static_cast<trace::Category>(i)) == value.text;
    }
    if (is_known) continue;
    return problem(fmt::format("'{}' is not a category (punctual, state, link, variable)",
                               printable(value.text, 40)),
                   value.where);
  }
  return {};
}

FilterResult<void> check_number(const ExpressionNode& node) {
  if (is_text_comparison(node.comparison)) {
    return problem(fmt::format("'{}' compares texts, and {} is a number", name_of(node.comparison),
                               name_of(node.field)),
                   node.where);
  }
  const bool is_time = node.field == Field::kBegin || node.field == Field::kEnd ||
                       node.field == Field::kDuration || node.field == Field::kLatency;
  for (const Literal& value : node.values) {
    if (value.kind == LiteralKind::kNumber || (value.kind == LiteralKind::kTime && is_time))
      continue;
    const std::string shown = printable(value.text, 40);
    if (value.kind == LiteralKind::kTime)
      return problem(fmt::format("'{}' is not a number", shown), value.where);
    return problem(fmt::format("'{}' is not a number, and {} is one", shown, name_of(node.field)),
                   value.where);
  }
  return {};
}

FilterResult<void> check_causality(const ExpressionNode& node) {
  if (is_equality(node.comparison)) return {};
  return problem(fmt::format("'{}' compares values, and {} names a message: {} == 77",
                             name_of(node.comparison), name_of(node.field), name_of(node.field)),
                 node.where);
}

FilterResult<void> check_motifs(const ExpressionNode& node) {
  if (!is_equality(node.comparison)) {
    return problem(fmt::format("'{}' compares values, and motif has a name: motif == broadcast",
                               name_of(node.comparison)),
                   node.where);
  }
  for (const Literal& value : node.values) {
    if (!motif_from_name(value.text)) return problem(no_motif(value.text), value.where);
  }
  return {};
}

// Parameters are numbers or texts, as their value is.
FilterResult<void> check_param(const ExpressionNode& node) {
  if (is_text_comparison(node.comparison)) return {};
  for (const Literal& value : node.values) {
    const std::string shown = printable(value.text, 40);
    if (value.kind == LiteralKind::kTime) {
      return problem(fmt::format("'{}' is not a plain number, as parameters are; as a text it is "
                                 "written in quotes",
                                 shown),
                     value.where);
    }
    if (value.kind == LiteralKind::kNumber || is_equality(node.comparison)) continue;
    return problem(
        fmt::format("'{}' compares numbers, and '{}' is none", name_of(node.comparison), shown),
        value.where);
  }
  return {};
}

FilterResult<void> check_field(const ExpressionNode& node) {
  switch (node.field) {
    case Field::kCategory: {
      auto fits = check_text(node);
      return fits ? check_categories(node) : fits;
    }
    case Field::kType:
    case Field::kGroup:
    case Field::kLane:
    case Field::kSource:
    case Field::kTarget:
    case Field::kAnswer:
    case Field::kText:
      return check_text(node);
    case Field::kCpu:
    case Field::kDepth:
    case Field::kBegin:
    case Field::kEnd:
    case Field::kDuration:
    case Field::kLatency:
    case Field::kPayload:
    case Field::kValue:
      return check_number(node);
    case Field::kCauseOf:
    case Field::kEffectOf:
      return check_causality(node);
    case Field::kMotif:
      return check_motifs(node);
    case Field::kParam:
    case Field::kPayloadField:
      return check_param(node);
  }
  return {};
}

}  // namespace

FilterResult<void> check_comparison(const ExpressionNode& comparison) {
  auto fits = check_field(comparison);
  return fits ? check_patterns(comparison) : fits;
}

}  // namespace weft::query
