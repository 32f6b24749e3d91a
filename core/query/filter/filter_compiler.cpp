#include "core/query/filter/filter_compiler.h"

#include <fmt/core.h>

#include <chrono>
#include <cmath>

#include "core/base/text.h"
#include "core/query/cpu_lanes.h"
#include "core/query/filter/answer_filter.h"
#include "core/query/filter/causal_filter.h"
#include "core/query/filter/filter_words.h"
#include "core/query/filter/motif_filter.h"
#include "core/query/filter/param_predicate.h"
#include "core/query/filter/text_predicate.h"

namespace weft::query {
namespace {

using aggregate::Condition;
using aggregate::FormulaPtr;
using aggregate::Interval;
using On = Condition::On;
using NodeKind = ExpressionNode::Kind;

std::unexpected<FilterError> error(std::string message, TextSpan where) {
  return std::unexpected(FilterError{std::move(message), where});
}

int64_t ticks_from(long double value) {
  constexpr long double kLimit = 0x1p63L;
  if (value >= kLimit) return std::numeric_limits<int64_t>::max();
  if (value < -kLimit) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

// The whole numbers that a comparison with one value holds for; kNotEqual: as kEqual.
Interval<int64_t> whole_numbers(Comparison comparison, const Literal& value) {
  constexpr Interval<int64_t> kAny;
  constexpr Interval<int64_t> kNone{1, 0};
  const bool is_whole = value.is_integer;
  const int64_t at_most = is_whole ? value.integer : ticks_from(std::floor(value.number));
  const int64_t at_least = is_whole ? value.integer : ticks_from(std::ceil(value.number));
  switch (comparison) {
    case Comparison::kLess:
      if (!is_whole) return {kAny.least, at_most};
      return at_most == kAny.least ? kNone : Interval<int64_t>{kAny.least, at_most - 1};
    case Comparison::kLessOrEqual:
      return {kAny.least, at_most};
    case Comparison::kMore:
      if (!is_whole) return {at_least, kAny.most};
      return at_least == kAny.most ? kNone : Interval<int64_t>{at_least + 1, kAny.most};
    case Comparison::kMoreOrEqual:
      return {at_least, kAny.most};
    default:
      return is_whole ? Interval<int64_t>{value.integer, value.integer} : kNone;
  }
}

// The same for any real numbers.
template <class Real>
Interval<Real> real_numbers(Comparison comparison, Real value) {
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  switch (comparison) {
    case Comparison::kLess:
      return {-kInfinity, std::nextafter(value, -kInfinity)};
    case Comparison::kLessOrEqual:
      return {-kInfinity, value};
    case Comparison::kMore:
      return {std::nextafter(value, kInfinity), kInfinity};
    case Comparison::kMoreOrEqual:
      return {value, kInfinity};
    default:
      return {value, value};
  }
}

long double exact(const Literal& number) {
  return number.is_integer ? static_cast<long double>(number.integer) : number.number;
}

template <class Ids>
FormulaPtr where_ids(On on, Ids ids) {
  if (std::ranges::find(ids, true) == ids.end()) return aggregate::nothing();
  return aggregate::where({.on = on, .ids = std::move(ids), .test = {}});
}

class Compiler {
 public:
  Compiler(const Expression& expression, const store::Trace& trace, const std::stop_token& stop)
      : expression_(&expression),
        trace_(&trace),
        dictionary_(&trace.dictionary()),
        stop_(&stop),
        deadline_(Clock::now() + std::chrono::seconds(kMostCompileSeconds)) {}

  using Compiled = FilterResult<FormulaPtr>;

  Compiled run() {
    if (expression_->nodes.empty()) return aggregate::everything();
    // Children lie before their parents.
    std::vector<FormulaPtr> formulas;
    for (const ExpressionNode& node : expression_->nodes) {
      Compiled formula = compile(node, formulas);
      if (!formula) return formula;
      formulas.push_back(std::move(*formula));
    }
    return formulas.back();
  }

 private:
  using Clock = std::chrono::steady_clock;

  Compiled compile(const ExpressionNode& node, const std::vector<FormulaPtr>& formulas) {
    switch (node.kind) {
      case NodeKind::kNot:
        return aggregate::negation(formulas[node.left]);
      case NodeKind::kAnd:
        return aggregate::all_of(formulas[node.left], formulas[node.right]);
      case NodeKind::kOr:
        return aggregate::any_of(formulas[node.left], formulas[node.right]);
      case NodeKind::kComparison:
        return comparison(node);
    }
    return aggregate::everything();
  }

  Compiled comparison(const ExpressionNode& node) {
    switch (node.field) {
      case Field::kCategory:
      case Field::kType:
      case Field::kGroup:
      case Field::kLane:
      case Field::kSource:
      case Field::kTarget:
        return names(node);
      case Field::kCpu:
        return cpu(node);
      case Field::kDepth:
      case Field::kBegin:
      case Field::kEnd:
      case Field::kDuration:
      case Field::kLatency:
      case Field::kPayload:
        return ticks(node);
      case Field::kValue:
        return value(node);
      case Field::kCauseOf:
      case Field::kEffectOf:
        return causality(node);
      case Field::kAnswer:
        return answer(node);
      case Field::kMotif:
        return motif(node);
      case Field::kParam:
      case Field::kPayloadField:
        return param(node);
      case Field::kText:
        return text(node);
    }
    return aggregate::everything();
  }

  // Names: of lanes, types, groups, categories. ------------------------------------------------

  Compiled names(const ExpressionNode& node) {
    const auto test = TextPredicate::make(node.comparison, node.values);
    if (!test) return std::unexpected(test.error());
    auto ids = ids_of(node.field, *test, node.comparison, node.where);
    if (!ids) return std::unexpected(ids.error());
    if (is_negated(node.comparison)) ids->flip();
    return where_ids(on_of(node.field), std::move(*ids));
  }

  static On on_of(Field field) {
    switch (field) {
      case Field::kCategory:
        return On::kCategory;
      case Field::kLane:
        return On::kLane;
      case Field::kSource:
        return On::kSource;
      case Field::kTarget:
        return On::kTarget;
      default:
        return On::kType;
    }
  }

  // Which of them pass, by id.
  FilterResult<std::vector<bool>> ids_of(Field field, const TextPredicate& test,
                                         Comparison comparison, TextSpan where) {
    const bool is_category = field == Field::kCategory;
    const bool is_type = field == Field::kType || field == Field::kGroup;
    const size_t size = is_category ? trace::kCategoryCount
                        : is_type   ? dictionary_->types.size()
                                    : dictionary_->lanes.size();
    if (!is_category && !is_type) make_paths();
    std::vector<bool> ids(size);
    for (uint32_t i = 0; i < size; ++i) {
      if (auto goes_on = check_time(where); !goes_on) return std::unexpected(goes_on.error());
      if (is_category) {
        ids[i] = test.passes(name_of(static_cast<trace::Category>(i)));
      } else if (is_type) {
        const trace::EventType& type = dictionary_->types[i];
        ids[i] = test.passes(field == Field::kType ? type.name : type.group);
      } else {
        ids[i] = test.passes(paths_[i]) ||
                 (is_equality(comparison) && test.passes(dictionary_->lanes[i].name));
      }
    }
    return ids;
  }

  void make_paths() {
    if (!paths_.empty()) return;
    for (uint32_t i = 0; i < dictionary_->lanes.size(); ++i) {
      paths_.push_back(dictionary_->path_text(LaneId(i)));
    }
  }

  FilterResult<void> check_time(TextSpan where) const {
    if (stop_->stop_requested()) return error("stopped", where);
    if (Clock::now() < deadline_) return {};
    return error(
        fmt::format("comparing the names of this trace takes more than {} s", kMostCompileSeconds),
        where);
  }

  // Numbers. ----------------------------------------------------------------------------------

  // The value as a whole number of ticks, levels or bytes, or as a number.
  FilterResult<Literal> number(const ExpressionNode& node, Literal value) const {
    if (value.kind == Literal::Kind::kNumber) return value;
    const bool is_point = node.field == Field::kBegin || node.field == Field::kEnd;
    int64_t ticks = 0;
    if (auto read = read_time(value.text, is_point, ticks); !read) {
      return error(printable(read.error().message), value.where);
    }
    value.is_integer = true;
    value.integer = ticks;
    return value;
  }

  Status read_time(std::string_view text, bool is_point, int64_t& ticks) const {
    const TimeBase base = dictionary_->time_base;
    if (is_point) {
      WEFT_TRY_ASSIGN(const Time time, parse_time(text, trace_->range(), base));
      ticks = time.ticks;
    } else {
      WEFT_TRY_ASSIGN(const Duration duration, parse_duration(text, base));
      ticks = duration.ticks;
    }
    return {};
  }

  // The intervals of whole numbers that pass; disjoint or not.
  FilterResult<std::vector<Interval<int64_t>>> intervals(const ExpressionNode& node) const {
    std::vector<Interval<int64_t>> result;
    for (const Literal& value : node.values) {
      const auto known = number(node, value);
      if (!known) return std::unexpected(known.error());
      if (node.comparison != Comparison::kNotEqual) {
        result.push_back(whole_numbers(node.comparison, *known));
      } else if (!known->is_integer) {
        result.emplace_back();
      } else {
        result.push_back(whole_numbers(Comparison::kLess, *known));
        result.push_back(whole_numbers(Comparison::kMore, *known));
      }
    }
    return result;
  }

  Compiled ticks(const ExpressionNode& node) const {
    const auto passing = intervals(node);
    if (!passing) return std::unexpected(passing.error());
    if (node.field == Field::kPayload) {
      return aggregate::where({.on = On::kRecord, .ids = {}, .test = payload_test(*passing)});
    }
    const On on = node.field == Field::kDepth      ? On::kDepth
                  : node.field == Field::kBegin    ? On::kBegin
                  : node.field == Field::kEnd      ? On::kEnd
                  : node.field == Field::kDuration ? On::kDuration
                                                   : On::kLatency;
    FormulaPtr formula = aggregate::nothing();
    for (const Interval<int64_t>& interval : *passing) {
      if (interval.is_empty()) continue;
      formula =
          any_of(formula, aggregate::where({.on = on, .ids = {}, .ticks = interval, .test = {}}));
    }
    return formula;
  }

  Compiled cpu(const ExpressionNode& node) const {
    const auto passing = intervals(node);
    if (!passing) return std::unexpected(passing.error());
    std::vector<bool> lanes, others;
    for (const std::optional<int64_t>& cpu : cpu_of_lanes(*dictionary_)) {
      lanes.push_back(cpu && std::ranges::any_of(*passing, [&](const Interval<int64_t>& numbers) {
                        return numbers.contains(*cpu);
                      }));
      others.push_back(!cpu);
    }
    // A parameter may be any number: 1.5, or 2^64 for none.
    ParamCondition says_it{.path = {std::string(kCpuParam)}, .numbers = {}, .texts = {}};
    for (const Literal& number : node.values) {
      const bool is_other = node.comparison == Comparison::kNotEqual;
      says_it.numbers.push_back(
          real_numbers(is_other ? Comparison::kLess : node.comparison, exact(number)));
      if (is_other) says_it.numbers.push_back(real_numbers(Comparison::kMore, exact(number)));
    }
    return any_of(
        where_ids(On::kLane, std::move(lanes)),
        all_of(where_ids(On::kLane, std::move(others)),
               aggregate::where(
                   {.on = On::kRecord, .ids = {}, .test = param_predicate(std::move(says_it))})));
  }

  Compiled value(const ExpressionNode& node) const {
    FormulaPtr formula = aggregate::nothing();
    const auto add = [&](Comparison comparison, long double number) {
      formula = any_of(
          formula, aggregate::where({.on = On::kValue,
                                     .ids = {},
                                     .value = real_numbers(comparison, static_cast<double>(number)),
                                     .test = {}}));
    };
    for (const Literal& literal : node.values) {
      const auto known = number(node, literal);
      if (!known) return std::unexpected(known.error());
      if (node.comparison == Comparison::kNotEqual) {
        add(Comparison::kLess, known->number);
        add(Comparison::kMore, known->number);
      } else {
        add(node.comparison, known->number);
      }
    }
    return formula;
  }

  // Causes and effects. --------------------------------------------------------------------------

  Compiled causality(const ExpressionNode& node) const {
    const Causal direction = node.field == Field::kCauseOf ? Causal::kCauses : Causal::kEffects;
    FormulaPtr formula = aggregate::nothing();
    for (const Literal& value : node.values) {
      auto part = causal_formula(*trace_, value.text, direction, *stop_);
      if (!part) return error(printable(part.error().message), value.where);
      formula = any_of(formula, *part);
    }
    return is_negated(node.comparison) ? negation(formula) : formula;
  }

  Compiled answer(const ExpressionNode& node) {
    const auto test = TextPredicate::make(node.comparison, node.values);
    if (!test) return std::unexpected(test.error());
    auto types = ids_of(Field::kType, *test, node.comparison, node.where);
    if (!types) return std::unexpected(types.error());
    return aggregate::where({.on = On::kRecord,
                             .ids = {},
                             .test = answer_test({.types = std::move(*types),
                                                  .takes_no_answer = test->passes(""),
                                                  .is_negated = is_negated(node.comparison)})});
  }

  static Compiled motif(const ExpressionNode& node) {
    MotifCondition condition{.motifs = {}, .is_negated = is_negated(node.comparison)};
    for (const Literal& value : node.values) {
      condition.motifs.push_back(*motif_from_name(value.text));
    }
    return aggregate::where(
        {.on = On::kRecord, .ids = {}, .test = motif_test(std::move(condition))});
  }

  // Parameters and all texts. -------------------------------------------------------------------

  Compiled param(const ExpressionNode& node) const {
    ParamCondition condition{.path = node.param,
                             .is_of_payload = node.field == Field::kPayloadField,
                             .is_negated = is_negated(node.comparison),
                             .numbers = {},
                             .texts = {}};
    std::vector<Literal> texts;
    for (const Literal& value : node.values) {
      if (value.kind == Literal::Kind::kNumber && !is_text_comparison(node.comparison)) {
        condition.numbers.push_back(real_numbers(node.comparison, exact(value)));
      } else {
        texts.push_back(value);
      }
    }
    auto test = TextPredicate::make(node.comparison, texts);
    if (!test) return std::unexpected(test.error());
    if (!texts.empty()) condition.texts.push_back(std::move(*test));
    return aggregate::where(
        {.on = On::kRecord, .ids = {}, .test = param_predicate(std::move(condition))});
  }

  Compiled text(const ExpressionNode& node) {
    auto test = TextPredicate::make(node.comparison, node.values);
    if (!test) return std::unexpected(test.error());
    FormulaPtr formula = aggregate::nothing();
    for (const Field field : {Field::kType, Field::kGroup, Field::kLane, Field::kTarget}) {
      auto ids = ids_of(field, *test, node.comparison, node.where);
      if (!ids) return std::unexpected(ids.error());
      formula = any_of(formula, where_ids(on_of(field), std::move(*ids)));
    }
    ParamCondition condition;
    condition.texts.push_back(std::move(*test));
    formula = any_of(formula, aggregate::where({.on = On::kRecord,
                                                .ids = {},
                                                .test = param_predicate(std::move(condition))}));
    return is_negated(node.comparison) ? negation(formula) : formula;
  }

  const Expression* expression_;
  const store::Trace* trace_;
  const trace::Dictionary* dictionary_;
  const std::stop_token* stop_;
  Clock::time_point deadline_;
  std::vector<std::string> paths_;  // by lane, once they are asked for
};

}  // namespace

FilterResult<FormulaPtr> compile_formula(const Expression& expression, const store::Trace& trace,
                                         const std::stop_token& stop) {
  return Compiler(expression, trace, stop).run();
}

FilterResult<FormulaPtr> compile_formula(std::string_view text, const store::Trace& trace,
                                         const std::stop_token& stop) {
  const auto expression = parse_filter(text);
  if (!expression) return std::unexpected(expression.error());
  return compile_formula(*expression, trace, stop);
}

FilterResult<aggregate::FilterPtr> compile_filter(std::string_view text, const store::Trace& trace,
                                                  const std::stop_token& stop) {
  const auto formula = compile_formula(text, trace, stop);
  if (!formula) return std::unexpected(formula.error());
  return std::make_shared<const aggregate::Filter>(*formula, trace.dictionary().types.size());
}

}  // namespace weft::query
