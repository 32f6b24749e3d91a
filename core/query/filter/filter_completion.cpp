#include "core/query/filter/filter_completion.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>

#include "core/base/ascii.h"
#include "core/query/filter/filter_lexer.h"
#include "core/query/filter/filter_words.h"
#include "core/query/filter/motif_filter.h"
#include "core/query/filter/param_predicate.h"
#include "core/query/filter/text_predicate.h"

namespace weft::query {
namespace {

using Kind = Token::Kind;

constexpr size_t kMostParamNames = 1000;

// The parser's state at the cursor.
struct Context {
  enum class Next : uint8_t { kCondition, kComparison, kList, kValue, kListEnd, kConnection };
  Next next = Next::kCondition;
  Field field = Field::kText;  // kComparison, kValue
  bool is_in_list = false;
};

std::optional<Field> field_from(const Token& token) {
  if (token.kind != Kind::kWord) return std::nullopt;
  for (const FieldWord& word : field_words()) {
    if (is_open(word.field) && token.text.starts_with(word.name)) return word.field;
    if (word.name == token.text) return word.field;
  }
  return std::nullopt;
}

bool is_comparison(const Token& token) {
  return std::ranges::any_of(comparison_words(),
                             [&](const ComparisonWord& word) { return word.name == token.text; });
}

void follow(Context& context, const Token& token) {
  using Next = Context::Next;
  switch (context.next) {
    case Next::kCondition:
      if (token.text == "(" || token.text == "!" || token.text == "not") return;
      context.field = field_from(token).value_or(Field::kText);
      context.next = field_from(token) ? Next::kComparison : Next::kConnection;
      return;
    case Next::kComparison:
      context.is_in_list = token.text == "in";
      if (context.is_in_list) context.next = Next::kList;
      if (is_comparison(token)) context.next = Next::kValue;
      return;
    case Next::kList:
      context.next = Next::kValue;
      return;
    case Next::kValue:
      context.next = context.is_in_list ? Next::kListEnd : Next::kConnection;
      return;
    case Next::kListEnd:
      context.next = token.text == "," ? Next::kValue : Next::kConnection;
      return;
    case Next::kConnection:
      if (token.text != ")") context.next = Next::kCondition;
      return;
  }
}

bool is_number(Field field) {
  switch (field) {
    case Field::kCpu:
    case Field::kDepth:
    case Field::kBegin:
    case Field::kEnd:
    case Field::kDuration:
    case Field::kLatency:
    case Field::kValue:
    case Field::kPayload:
      return true;
    default:
      return false;
  }
}

bool fits(Comparison comparison, Field field) {
  const bool is_order = comparison == Comparison::kLess || comparison == Comparison::kMore ||
                        comparison == Comparison::kLessOrEqual ||
                        comparison == Comparison::kMoreOrEqual;
  const bool is_equality = comparison == Comparison::kEqual || comparison == Comparison::kNotEqual;
  return is_open(field) || is_equality || is_order == is_number(field);
}

// Gathers what begins with the word at the cursor, and, behind it, what holds it.
class Candidates {
 public:
  Candidates(std::string_view word, size_t most)
      : small_(lower_case(std::string(word))), most_(most) {}

  void add(std::string_view name, std::string_view help, bool is_text = false) {
    const bool begins = contains_ignoring_case(name.substr(0, small_.size()), small_);
    std::vector<Completion>& list = begins ? beginning_ : holding_;
    if (list.size() >= most_ || !contains_ignoring_case(name, small_)) return;
    if (!seen_.emplace(name).second) return;
    list.push_back({is_text ? quoted_for_filter(name) : std::string(name), std::string(help)});
  }
  void add_text(std::string_view name) {
    if (!name.empty()) add(name, {}, true);
  }

  std::vector<Completion> finish() && {
    beginning_.insert(beginning_.end(), holding_.begin(), holding_.end());
    beginning_.resize(std::min(beginning_.size(), most_));
    return std::move(beginning_);
  }

 private:
  std::string small_;
  size_t most_;
  std::vector<Completion> beginning_;
  std::vector<Completion> holding_;
  std::unordered_set<std::string> seen_;
};

void add_conditions(const trace::Dictionary& dictionary,
                    const std::vector<std::string>& param_names, Candidates& candidates) {
  for (const FieldWord& word : field_words()) candidates.add(word.name, word.help);
  for (const std::string& name : param_names) candidates.add(name, {});
  for (const trace::EventType& type : dictionary.types) candidates.add_text(type.name);
  for (const trace::Lane& lane : dictionary.lanes) candidates.add_text(lane.name);
}

void add_values(Field field, const trace::Dictionary& dictionary, Candidates& candidates) {
  switch (field) {
    case Field::kCategory:
      for (int i = 0; i < trace::kCategoryCount; ++i) {
        candidates.add(name_of(static_cast<trace::Category>(i)), {});
      }
      return;
    case Field::kType:
      for (const trace::EventType& type : dictionary.types) candidates.add_text(type.name);
      return;
    case Field::kGroup:
      for (const trace::EventType& type : dictionary.types) candidates.add_text(type.group);
      return;
    case Field::kMotif:
      for (const MotifWord& word : motif_words()) candidates.add(word.name, word.meaning);
      return;
    case Field::kLane:
    case Field::kSource:
    case Field::kTarget:
      for (const trace::Lane& lane : dictionary.lanes) candidates.add_text(lane.name);
      return;
    default:
      return;
  }
}

}  // namespace

Completions complete_filter(std::string_view text, size_t cursor,
                            const trace::Dictionary& dictionary,
                            const std::vector<std::string>& param_names, size_t max_items) {
  cursor = std::min(cursor, text.size());
  const std::string_view before = text.substr(0, cursor);
  std::vector<Token> tokens;
  Completions completions{{cursor, cursor}, {}};
  std::string word;
  if (auto whole = lex_filter(before, &tokens)) {
    tokens = std::move(*whole);
    tokens.pop_back();  // kEnd
    const bool is_at_end = !tokens.empty() && tokens.back().where.end == cursor;
    const Kind last = is_at_end ? tokens.back().kind : Kind::kEnd;
    if (last == Kind::kText || last == Kind::kPattern) return completions;  // closed, so whole
    if (last == Kind::kWord || last == Kind::kNumber) {
      word = tokens.back().text;
      completions.span.begin = tokens.back().where.begin;
      tokens.pop_back();
    }
  } else {  // a text that is not closed yet
    completions.span.begin = whole.error().where.begin;
    word = before.substr(std::min(completions.span.begin + 1, cursor));
  }
  Context context;
  for (const Token& token : tokens) follow(context, token);

  Candidates candidates(word, max_items);
  switch (context.next) {
    case Context::Next::kCondition:
      add_conditions(dictionary, param_names, candidates);
      break;
    case Context::Next::kComparison:
      for (const ComparisonWord& comparison : comparison_words()) {
        if (fits(comparison.comparison, context.field)) {
          candidates.add(comparison.name, comparison.help);
        }
      }
      candidates.add("in", "is one of a list: [a, b]");
      break;
    case Context::Next::kValue:
      add_values(context.field, dictionary, candidates);
      break;
    case Context::Next::kList:
      candidates.add("[", {});
      break;
    case Context::Next::kListEnd:
      candidates.add(",", {});
      candidates.add("]", {});
      break;
    case Context::Next::kConnection:
      candidates.add("&&", "both");
      candidates.add("||", "one of the two");
      break;
  }
  completions.items = std::move(candidates).finish();
  return completions;
}

bool may_become_field(std::string_view text) {
  auto tokens = lex_filter(text);
  if (!tokens || tokens->size() < 2) return false;
  tokens->pop_back();  // kEnd
  const Token word = std::move(tokens->back());
  tokens->pop_back();
  if (word.kind != Kind::kWord || word.where.end != text.size()) return false;
  Context context;
  for (const Token& token : *tokens) follow(context, token);
  return context.next == Context::Next::kCondition &&
         std::ranges::any_of(field_words(), [&](const FieldWord& field) {
           return field.name.starts_with(word.text) ||
                  (is_open(field.field) && word.text.starts_with(field.name));
         });
}

bool is_field_name(std::string_view text) {
  const auto tokens = lex_filter(text);
  return tokens && tokens->size() == 2 && field_from(tokens->front()).has_value();
}

std::vector<std::string> param_names(const store::Trace& trace, uint64_t max_records,
                                     const std::stop_token& stop) {
  std::set<std::string, std::less<>> names;
  std::unordered_set<ParamsId> known;
  const uint64_t rows = std::max<uint64_t>(1, trace.rows().size());
  const uint64_t of_row = std::max<uint64_t>(1, max_records / rows);
  for (const store::Row& row : trace.rows()) {
    const uint64_t step = std::max<uint64_t>(1, row.count / of_row);
    for (uint64_t i = 0; i < row.count; i += step) {
      if (stop.stop_requested() || max_records-- == 0) return {names.begin(), names.end()};
      const ParamsId params = trace.record(row, i).params;
      if (params.is_none() || !known.insert(params).second) continue;
      const auto add = [&](std::string_view json, const char* field) {
        for_each_param_name(json, [&](std::string_view name) {
          if (names.size() < kMostParamNames) names.insert(field + std::string(name));
        });
      };
      const store::Record record = trace.record(row, i);
      add(trace.params(params).json, "params.");
      add(trace.payload_fields(record.type, params), "payload.");
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace weft::query
