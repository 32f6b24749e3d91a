// The parser: recursive descent over the tokens.
//
//   either     = both { ("||" | "or") both }
//   both       = single { ("&&" | "and") single }
//   single     = ("!" | "not") single | "(" either ")" | comparison
//   comparison = field operator value | field "in" "[" value { "," value } "]" | text
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/query/filter/filter_check.h"
#include "core/query/filter/filter_expression.h"
#include "core/query/filter/filter_lexer.h"
#include "core/query/filter/filter_words.h"

namespace weft::query {
namespace {

using Kind = Token::Kind;
using NodeKind = ExpressionNode::Kind;

template <class Words>
const auto* word_in(const Words& words, std::string_view name) {
  const auto found = std::ranges::find_if(words, [&](const auto& w) { return w.name == name; });
  return found == words.end() ? nullptr : &*found;
}

std::string shown(const Token& token) {
  return token.kind == Kind::kEnd ? "the end" : "'" + printable(token.text, 40) + "'";
}

double factor_of(std::string_view suffix) {
  constexpr std::pair<std::string_view, double> kFactors[] = {{"", 1},
                                                              {"k", 1e3},
                                                              {"K", 1e3},
                                                              {"M", 1e6},
                                                              {"G", 1e9},
                                                              {"T", 1e12},
                                                              {"ki", 1024.0},
                                                              {"Ki", 1024.0},
                                                              {"Mi", 1048576.0},
                                                              {"Gi", 1073741824.0},
                                                              {"Ti", 1099511627776.0}};
  for (const auto& [name, factor] : kFactors) {
    if (name == suffix) return factor;
  }
  return 0;
}

// Fills the number in where the text is one: digits, perhaps with a factor behind them. Times
// (5ms, +3, 40%) are read when the trace is known.
void read_number(Literal& literal) {
  const std::string_view text = literal.text;
  literal.kind = Literal::Kind::kTime;
  if (text.starts_with('+')) return;
  const bool is_negative = text.starts_with('-');
  const std::string_view digits = text.substr(is_negative ? 1 : 0);
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    const auto bits = parse_number<uint64_t>(digits.substr(2), 16);
    if (!bits) return;
    literal.number = static_cast<long double>(*bits) * (is_negative ? -1 : 1);
    literal.is_integer = *bits <= uint64_t{std::numeric_limits<int64_t>::max()};
    if (literal.is_integer) literal.integer = static_cast<int64_t>(*bits) * (is_negative ? -1 : 1);
    literal.kind = Literal::Kind::kNumber;
    return;
  }
  const auto whole = parse_number<int64_t>(text);
  literal.is_integer = whole.has_value();
  literal.integer = whole.value_or(0);
  std::string_view unit = text;
  const auto value = take_number<double>(unit);
  const double factor = factor_of(unit);
  if (!value || factor == 0 || !std::isfinite(*value * factor)) return;
  const auto bits = parse_number<uint64_t>(text);
  literal.number = bits ? static_cast<long double>(*bits) : *value * factor;
  literal.kind = Literal::Kind::kNumber;
  constexpr long double kExact = 0x1p53L;  // whole numbers below it are exact
  if (!literal.is_integer && std::fabs(literal.number) <= kExact &&
      literal.number == std::floor(literal.number)) {
    literal.is_integer = true;
    literal.integer = static_cast<int64_t>(literal.number);
  }
}

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  FilterResult<Expression> run() {
    if (next().kind == Kind::kEnd) return Expression{};
    auto root = either();
    if (!root) return std::unexpected(root.error());
    if (next().kind != Kind::kEnd) {
      return error(fmt::format("&& or || is missing before {}", shown(next())));
    }
    return std::move(expression_);
  }

 private:
  using Parsed = FilterResult<uint32_t>;  // the index of a node

  const Token& next() const { return tokens_[at_]; }
  Token take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool is_next(std::string_view symbol, std::string_view word = {}) const {
    return (next().kind == Kind::kSymbol && next().text == symbol) ||
           (next().kind == Kind::kWord && !word.empty() && next().text == word);
  }
  std::unexpected<FilterError> error(std::string message) const {
    return error(std::move(message), next().where);
  }
  static std::unexpected<FilterError> error(std::string message, TextSpan where) {
    return std::unexpected(FilterError{std::move(message), where});
  }

  uint32_t add(ExpressionNode node) {
    expression_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(expression_.nodes.size() - 1);
  }

  Parsed either() {
    return chain([this] { return both(); }, "||", "or", NodeKind::kOr);
  }
  Parsed both() {
    return chain([this] { return single(); }, "&&", "and", NodeKind::kAnd);
  }
  template <class Part>
  Parsed chain(const Part& part, std::string_view symbol, std::string_view word, NodeKind kind) {
    Parsed left = part();
    while (left && is_next(symbol, word)) {
      const TextSpan where = take().where;
      const Parsed right = part();
      if (!right) return right;
      left = add({.kind = kind, .left = *left, .right = *right, .where = where});
    }
    return left;
  }

  Parsed single() {
    const bool is_not = is_next("!", "not");
    if (!is_not && !is_next("(")) return comparison();
    if (++depth_ > kDeepestExpression) {
      return error(fmt::format("more than {} levels deep", kDeepestExpression));
    }
    const TextSpan where = take().where;
    Parsed inner = is_not ? single() : either();
    --depth_;
    if (!inner) return inner;
    if (is_not) return add({.kind = NodeKind::kNot, .left = *inner, .where = where});
    if (!is_next(")"))
      return error("a ) is missing", next().kind == Kind::kEnd ? where : next().where);
    take();
    return inner;
  }

  Parsed comparison() {
    if (++conditions_ > kMostConditions) {
      return error(fmt::format("more than {} conditions", kMostConditions));
    }
    if (next().kind == Kind::kEnd) return error("the expression ends where a condition should be");
    if (next().kind == Kind::kSymbol) {
      return error(fmt::format("a condition should be here, not {}", shown(next())));
    }
    ExpressionNode node;
    const Token first = take();
    const bool is_compared = is_comparison_next();
    node.where = first.where;
    if (!is_compared) return alone(std::move(node), first);
    if (auto field = read_field(node, first); !field) return std::unexpected(field.error());
    if (is_next("", "in")) {
      node.comparison = Comparison::kEqual;
      return in_list(std::move(node));
    }
    const Token comparison = take();
    if (comparison.text == "=") return error("'=' is not an operator; '==' is", comparison.where);
    node.comparison = word_in(comparison_words(), comparison.text)->comparison;
    auto value = literal(comparison);
    if (!value) return std::unexpected(value.error());
    node.where.end = value->where.end;
    node.values.push_back(std::move(*value));
    return checked(std::move(node));
  }

  Parsed checked(ExpressionNode node) {
    if (auto fits = check_comparison(node); !fits) return std::unexpected(fits.error());
    return add(std::move(node));
  }

  // Whether what was taken is the left side of a comparison. A parameter's name may still go on.
  bool is_comparison_next() const {
    size_t at = at_;
    while (goes_on(at)) ++at;
    const Token& token = tokens_[at];
    if (token.kind != Kind::kWord && token.kind != Kind::kSymbol) return false;
    return token.text == "in" || token.text == "=" ||
           word_in(comparison_words(), token.text) != nullptr;
  }

  // params."a b".c: quoted text right behind the dot, words right behind the quote.
  bool goes_on(size_t at) const {
    if (at == 0 || tokens_[at].where.begin != tokens_[at - 1].where.end) return false;
    const Token& before = tokens_[at - 1];
    if (tokens_[at].kind == Kind::kText) {
      return before.kind == Kind::kWord && before.text.ends_with('.');
    }
    return tokens_[at].kind == Kind::kWord && before.kind == Kind::kText &&
           tokens_[at].text.starts_with('.');
  }

  // A text by itself: the events that hold it.
  Parsed alone(ExpressionNode node, const Token& token) {
    if (token.kind == Kind::kWord && word_in(field_words(), token.text) != nullptr) {
      return error(
          fmt::format("'{0}' is compared with nothing; the text is written \"{0}\"", token.text),
          token.where);
    }
    node.comparison = token.kind == Kind::kPattern ? Comparison::kMatches : Comparison::kContains;
    Literal literal{.text = token.text, .where = token.where};
    if (token.kind == Kind::kPattern) literal.kind = Literal::Kind::kPattern;
    node.values.push_back(std::move(literal));
    return checked(std::move(node));
  }

  FilterResult<void> read_field(ExpressionNode& node, const Token& token) {
    for (const FieldWord& word : field_words()) {
      const bool is_it =
          token.kind == Kind::kWord && is_open(word.field) && token.text.starts_with(word.name);
      if (is_it) return read_param(node, token, word);
    }
    const FieldWord* field =
        token.kind == Kind::kWord ? word_in(field_words(), token.text) : nullptr;
    if (field != nullptr) {
      node.field = field->field;
      return {};
    }
    if (const FieldWord* meant = field_like(token.text); meant != nullptr) {
      return error(fmt::format("{} is not a field, but {} is", shown(token), meant->name),
                   token.where);
    }
    std::string names;
    for (const FieldWord& word : field_words()) {
      names += names.empty() ? "" : ", ";
      names += word.name;
      if (is_open(word.field)) names += "NAME";
    }
    return error(fmt::format("{} is not a field ({})", shown(token), names), token.where);
  }

  FilterResult<void> read_param(ExpressionNode& node, const Token& token, const FieldWord& word) {
    node.field = word.field;
    const auto add_names = [&](std::string_view dotted) {
      for (size_t end = 0; end != std::string_view::npos; dotted.remove_prefix(end + 1)) {
        end = dotted.find('.');
        node.param.emplace_back(dotted.substr(0, end));
        if (end == std::string_view::npos) break;
      }
    };
    add_names(std::string_view(token.text).substr(word.name.size()));
    // A quoted name may be empty, as keys of JSON may.
    size_t quoted_empty = 0;
    while (goes_on(at_)) {
      const Token more = take();
      if (more.kind == Kind::kText) {
        node.param.back() = more.text;  // in place of the nothing behind the dot
        quoted_empty += more.text.empty() ? 1 : 0;
      } else {
        add_names(std::string_view(more.text).substr(1));
      }
    }
    const auto empty = std::ranges::count_if(node.param, &std::string::empty);
    const bool has_gap = static_cast<size_t>(empty) > quoted_empty;
    if (has_gap) return error(fmt::format("the name is missing: {}NAME", word.name), token.where);
    return {};
  }

  Parsed in_list(ExpressionNode node) {
    const Token in = take();
    if (!is_next("[")) return error("'in' wants a list: [a, b]");
    Token before = take();
    --conditions_;  // its values count instead
    while (true) {
      if (++conditions_ > kMostConditions) {
        return error(fmt::format("more than {} conditions", kMostConditions));
      }
      auto value = literal(before);
      if (!value) return std::unexpected(value.error());
      if (value->kind == Literal::Kind::kPattern) {
        return error("a list holds no regular expressions", value->where);
      }
      node.values.push_back(std::move(*value));
      if (is_next("]")) break;
      if (!is_next(",")) return error(fmt::format("a , or ] is missing before {}", shown(next())));
      before = take();
    }
    node.where.end = take().where.end;
    return checked(std::move(node));
  }

  FilterResult<Literal> literal(const Token& before) {
    const Token token = next();
    Literal literal{.text = token.text, .where = token.where};
    switch (token.kind) {
      case Kind::kText:
      case Kind::kWord:
        break;
      case Kind::kPattern:
        literal.kind = Literal::Kind::kPattern;
        break;
      case Kind::kNumber:
        read_number(literal);
        break;
      case Kind::kSymbol:
      case Kind::kEnd:
        return error(fmt::format("a value is missing after '{}'", before.text));
    }
    take();
    return literal;
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
  size_t depth_ = 0;
  size_t conditions_ = 0;
  Expression expression_;
};

}  // namespace

std::string FilterError::one_line(std::string_view text) const {
  const std::string_view before = text.substr(0, std::min(where.begin, text.size()));
  return fmt::format("column {}: {}", letters_in(before) + 1, message);
}

FilterResult<Expression> parse_filter(std::string_view text) {
  if (text.size() > kMostExpressionBytes) {
    return std::unexpected(
        FilterError{fmt::format("the expression is longer than {} bytes", kMostExpressionBytes),
                    {kMostExpressionBytes, text.size()}});
  }
  auto tokens = lex_filter(text);
  if (!tokens) return std::unexpected(tokens.error());
  return Parser(std::move(*tokens)).run();
}

}  // namespace weft::query
