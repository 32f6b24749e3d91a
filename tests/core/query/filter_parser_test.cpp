#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/query/filter/filter_expression.h"
#include "core/query/filter/filter_words.h"

namespace weft::query {
namespace {

using Kind = ExpressionNode::Kind;

// The tree as text, every operation in parentheses.
std::string dump(const Expression& expression, uint32_t at) {
  const ExpressionNode& node = expression.nodes[at];
  if (node.kind == Kind::kNot) return "!" + dump(expression, node.left);
  if (node.kind != Kind::kComparison) {
    return "(" + dump(expression, node.left) + (node.kind == Kind::kAnd ? " && " : " || ") +
           dump(expression, node.right) + ")";
  }
  std::string text(name_of(node.field));
  for (const std::string& name : node.param) text += "<" + name + ">";
  text += fmt::format(" {}", name_of(node.comparison));
  for (const Literal& value : node.values) {
    switch (value.kind) {
      case Literal::Kind::kNumber:
        text +=
            value.is_integer ? fmt::format(" {}", value.integer) : fmt::format(" {}", value.number);
        break;
      case Literal::Kind::kTime:
        text += " time:" + value.text;
        break;
      case Literal::Kind::kText:
        text += " '" + value.text + "'";
        break;
      case Literal::Kind::kPattern:
        text += " /" + value.text + "/";
        break;
    }
  }
  return text;
}

std::string parsed(std::string_view text) {
  const auto expression = parse_filter(text);
  if (!expression) return "error: " + expression.error().one_line(text);
  if (expression->nodes.empty()) return "everything";
  return dump(*expression, static_cast<uint32_t>(expression->nodes.size() - 1));
}

TEST(FilterParser, ReadsTheExampleOfTheManual) {
  EXPECT_EQ(
      parsed(R"(dur > 5ms && type =~ /irq/i && lane == "CPU 2" && params.size >= 1k)"),
      "(((dur > time:5ms && type =~ /(?i)irq/) && lane == 'CPU 2') && params.<size> >= 1000)");
}

TEST(FilterParser, BindsNotBeforeAndBeforeOr) {
  EXPECT_EQ(parsed("a || b && !c"),
            "(text contains 'a' || (text contains 'b' && !text contains 'c'))");
  EXPECT_EQ(parsed("a or b and not c"), parsed("a || b && !c"));
  EXPECT_EQ(parsed("(a || b) && c"),
            "((text contains 'a' || text contains 'b') && text contains 'c')");
  EXPECT_EQ(parsed("!!(a)"), "!!text contains 'a'");
}

TEST(FilterParser, ReadsNumbersWithTheirFactors) {
  EXPECT_EQ(parsed("value == -2.5"), "value == -2.5");
  EXPECT_EQ(parsed("value in [1k, 2ki, 3M, 1.5Gi, 0x1f, 1e3, -7]"),
            "value == 1000 2048 3000000 1610612736 31 1000 -7");
  EXPECT_EQ(parsed("begin == 9223372036854775807"), "begin == 9223372036854775807");
  EXPECT_EQ(parsed("begin < 40% && end > +12.5ms && dur != 3parsecs"),
            "((begin < time:40% && end > time:+12.5ms) && dur != time:3parsecs)");
  EXPECT_EQ(parsed("dur > 12.5 µs and dur in [5 ms, 6  s]"),
            "(dur > time:12.5 µs && dur == time:5 ms time:6  s)")
      << "as times are shown";
  EXPECT_EQ(parsed("dur > 5 sec"), "error: column 9: && or || is missing before 'sec'");
  EXPECT_EQ(parsed("dur>5ms&&dur<6ms"), "(dur > time:5ms && dur < time:6ms)");
}

TEST(FilterParser, ReadsTextsAndTheirEscapes) {
  EXPECT_EQ(parsed(R"(type == "a\"b\\c\n")"), "type == 'a\"b\\c\n'");
  EXPECT_EQ(parsed(R"(type == 'it is')"), "type == 'it is'");
  EXPECT_EQ(parsed("foo::bar-2.c"), "text contains 'foo::bar-2.c'");
  EXPECT_EQ(parsed("42"), "text contains '42'");
  EXPECT_EQ(parsed(R"(/a\/b\.c/)"), R"(text =~ /a/b\.c/)");
  EXPECT_EQ(parsed(R"("and")"), "text contains 'and'");
  EXPECT_EQ(parsed("größe"), "text contains 'größe'");
  EXPECT_EQ(parsed("type contains irq"), "type contains 'irq'");
}

TEST(FilterParser, ReadsNamesOfParameters) {
  EXPECT_EQ(parsed("params.pos.x == 1"), "params.<pos><x> == 1");
  EXPECT_EQ(parsed(R"(params."a b".c."d" == 1)"), "params.<a b><c><d> == 1");
  EXPECT_EQ(parsed("params.list.0 in [a, b]"), "params.<list><0> == 'a' 'b'");
  EXPECT_EQ(parsed(R"(params."".x == 1)"), "params.<><x> == 1") << "as keys of JSON may be";
  EXPECT_EQ(parsed(R"(params.""..x == 1)"), "error: column 1: the name is missing: params.NAME");
}

TEST(FilterParser, TakesNothingForEverything) {
  EXPECT_EQ(parsed(""), "everything");
  EXPECT_EQ(parsed(" \t\n"), "everything");
}

TEST(FilterParser, SaysWhatIsWrongAndWhere) {
  const std::pair<std::string_view, std::string_view> kErrors[] = {
      {"dur >", "column 6: a value is missing after '>'"},
      {"dur > && a", "column 7: a value is missing after '>'"},
      {"dur = 5", "column 5: '=' is not an operator; '==' is"},
      {"a & b", "column 3: '&' is not an operator; '&&' is"},
      {"a|b", "column 2: '|' is not an operator; '||' is; a regular expression is /a|b/"},
      {"a b", "column 3: && or || is missing before 'b'"},
      {"(a", "column 1: a ) is missing"},
      {"(a b)", "column 4: a ) is missing"},
      {"a)", "column 2: && or || is missing before ')'"},
      {"a &&", "column 5: the expression ends where a condition should be"},
      {"&& a", "column 1: a condition should be here, not '&&'"},
      {"dur", "column 1: 'dur' is compared with nothing; the text is written \"dur\""},
      {"\"abc", "column 1: the text has no closing \""},
      {"a && /b", "column 6: the regular expression has no closing /"},
      {"type =~ /b/q", "column 12: 'q' are not flags of a regular expression (i, m, s)"},
      {"type in a", "column 9: 'in' wants a list: [a, b]"},
      {"type in [a b]", "column 12: a , or ] is missing before 'b'"},
      {"type in []", "column 10: a value is missing after '['"},
      {"type in [/a/]", "column 10: a list holds no regular expressions"},
      {"params. == 3", "column 1: the name is missing: params.NAME"},
      {"params.a..b == 3", "column 1: the name is missing: params.NAME"},
      {"ähm == 3 ? 4", "column 10: '?' begins nothing that is known here"},
      {"dir > 3", "column 1: 'dir' is not a field, but dur is"},
      {"wxyz > 3",
       "column 1: 'wxyz' is not a field (category, type, name, group, lane, source, "
       "target, cpu, "
       "depth, "
       "begin, end, dur, latency, value, payload, cause_of, effect_of, answer, motif, text, "
       "params.NAME, payload.NAME)"},
  };
  for (const auto& [text, message] : kErrors) {
    EXPECT_EQ(parsed(text), "error: " + std::string(message)) << text;
  }
}

// Such an expression never replaces a filter: no trace could answer it.
TEST(FilterParser, SaysWhatNoTraceCouldAnswer) {
  const std::pair<std::string_view, std::string_view> kErrors[] = {
      {"category < state", "column 1: '<' compares numbers, and category is a text"},
      {"a || category in [state, stat]",
       "column 26: 'stat' is not a category (punctual, state, link, variable)"},
      {"dur > foo", "column 7: 'foo' is not a number, and dur is one"},
      {"value > 5ms", "column 9: '5ms' is not a number"},
      {"depth contains 5", "column 1: 'contains' compares texts, and depth is a number"},
      {"params.t > five", "column 12: '>' compares numbers, and 'five' is none"},
      {"cause_of > 7",
       "column 1: '>' compares values, and cause_of names a message: cause_of == 77"},
      {"motif =~ /b/", "column 1: '=~' compares values, and motif has a name: motif == broadcast"},
      {"motif == cast", "column 10: 'cast' is not a motif (request, response, broadcast, gather)"},
      {"type == /irq/i",
       "column 9: a regular expression goes with =~ or !~, not with '=='; a text is written in "
       "quotes"},
      {"params.x contains /irq/",
       "column 19: a regular expression goes with =~ or !~, not with 'contains'; a text is written "
       "in quotes"},
  };
  for (const auto& [text, message] : kErrors) {
    EXPECT_EQ(parsed(text), "error: " + std::string(message)) << text;
  }
  EXPECT_TRUE(parsed("a && type =~ \"(\"").starts_with("error: column 14: regular expression '('"))
      << parsed("a && type =~ \"(\"");
}

TEST(FilterParser, NamesTheFieldThatWasMeant) {
  const auto meant = [](std::string_view name) {
    const FieldWord* field = field_like(name);
    return field != nullptr ? field->name : "none";
  };
  EXPECT_EQ(meant("duration"), "dur");
  EXPECT_EQ(meant("Dur"), "dur");
  EXPECT_EQ(meant("ty"), "type");
  EXPECT_EQ(meant("nmae"), "name");
  EXPECT_EQ(meant("latancy"), "latency");
  EXPECT_EQ(meant("gruop"), "group");
  EXPECT_EQ(meant("x"), "none");
  EXPECT_EQ(meant("42"), "none");
  EXPECT_EQ(meant(""), "none");
  EXPECT_EQ(meant("thread"), "none");
}

TEST(FilterParser, PointsAtThePlace) {
  const std::string text = "größe && dur > ";
  const auto expression = parse_filter(text + "!");
  ASSERT_FALSE(expression);
  EXPECT_TRUE(expression.error().one_line(text + "!").starts_with("column 16: "));
}

// The samples of tests/fuzz/filter_fuzz.cpp: an expression is their first line.
TEST(FilterParser, ReadsTheSamplesThatAreExpressionsAndNoOther) {
  const std::filesystem::path folder = WEFT_SOURCE_DIR "/tests/core/query/expressions";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path());
    std::string text;
    std::getline(in, text);
    const bool is_expression = entry.path().parent_path().filename() == "succeed";
    EXPECT_EQ(parse_filter(text).has_value(), is_expression) << text;
  }
}

TEST(FilterParser, HoldsToItsLimits) {
  const auto repeated = [](size_t n, std::string_view part) {
    std::string text;
    for (size_t i = 0; i < n; ++i) text += part;
    return text;
  };
  const auto nested = [&](size_t n) { return repeated(n, "(") + "a" + repeated(n, ")"); };
  EXPECT_TRUE(parse_filter(nested(kDeepestExpression)));
  EXPECT_FALSE(parse_filter(nested(kDeepestExpression + 1)));
  EXPECT_TRUE(parse_filter(repeated(kDeepestExpression, "!") + "a"));
  EXPECT_FALSE(parse_filter(repeated(kDeepestExpression + 1, "!") + "a"));
  EXPECT_TRUE(parse_filter("a" + repeated(kMostConditions - 1, "||a")));
  EXPECT_FALSE(parse_filter("a" + repeated(kMostConditions, "||a")));
  EXPECT_FALSE(parse_filter("type in [a" + repeated(kMostConditions, ",a") + "]"));
  EXPECT_TRUE(parse_filter('"' + std::string(kMostExpressionBytes - 2, 'a') + '"'));
  EXPECT_FALSE(parse_filter('"' + std::string(kMostExpressionBytes - 1, 'a') + '"'));
}

}  // namespace
}  // namespace weft::query
