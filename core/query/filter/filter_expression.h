// The parser of the filter language.
//
//   dur > 5ms && type =~ /irq/i && (lane == "CPU 2" || params.size >= 1k) && !text contains idle
//
// docs/filter-language.md describes the language. This header covers what does not depend on a
// trace: the syntax tree, and errors that point at a column. compile_filter() (filter_compiler.h)
// binds a tree to a trace.
//
// Bounded for hostile text: at most kMostExpressionBytes, kMostConditions conditions, parentheses
// and negations at most kDeepestExpression deep. Parsing is linear. It compiles regular expressions
// once, to say what is wrong with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace weft::query {

inline constexpr size_t kMostExpressionBytes = 16 << 10;
inline constexpr size_t kMostConditions = 500;
inline constexpr size_t kDeepestExpression = 100;

// Bytes [begin, end) of an expression.
struct TextSpan {
  size_t begin = 0;
  size_t end = 0;
};

struct FilterError {
  std::string message;  // "a value is missing after '>'"
  TextSpan where{};

  // "column 7: a value is missing after '>'"; columns count characters from 1.
  std::string one_line(std::string_view text) const;
};

template <class T>
using FilterResult = std::expected<T, FilterError>;

enum class Field : uint8_t {
  kCategory,
  kType,
  kGroup,
  kLane,
  kSource,
  kTarget,
  kCpu,
  kDepth,
  kBegin,
  kEnd,
  kDuration,
  kLatency,
  kValue,
  kPayload,
  kCauseOf,  // what may have led to the given messages, and they themselves
  kEffectOf,
  kAnswer,        // types of what a message's receiver sent back
  kMotif,         // the pattern it is part of: request, response, broadcast, gather
  kParam,         // params.NAME
  kPayloadField,  // payload.NAME
  kText           // any text of the event
};

enum class Comparison : uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kMore,
  kMoreOrEqual,
  kMatches,
  kMatchesNot,
  kContains
};

// A value as written.
struct Literal {
  enum class Kind : uint8_t { kNumber, kTime, kText, kPattern };
  Kind kind = Kind::kText;
  std::string text;        // texts and patterns: without quotes, escapes resolved; else as written
  long double number = 0;  // numbers: exact where they are whole and of 64 bits
  int64_t integer = 0;     // numbers, where is_integer
  bool is_integer = false;
  TextSpan where{};
};

// A node of the syntax tree; children precede it.
struct ExpressionNode {
  enum class Kind : uint8_t { kComparison, kNot, kAnd, kOr };
  Kind kind = Kind::kComparison;
  uint32_t left = 0;   // kNot, kAnd, kOr
  uint32_t right = 0;  // kAnd, kOr
  // Comparisons hold if they hold for one of the values ("in [a, b]" is kEqual with two).
  Field field = Field::kText;
  std::vector<std::string> param{};  // kParam: names from the outermost object inwards
  Comparison comparison = Comparison::kContains;
  std::vector<Literal> values{};
  TextSpan where{};
};

struct Expression {
  std::vector<ExpressionNode> nodes;  // the root is last; empty: everything passes
};

// Parses `text`; blank text gives an empty expression, which everything passes. Also fails on a
// comparison that no trace could answer (filter_check.h): category < 3, type =~ /(/.
FilterResult<Expression> parse_filter(std::string_view text);

}  // namespace weft::query
