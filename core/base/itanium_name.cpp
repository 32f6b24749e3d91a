// Names: functions, scopes, operators.
#include "core/base/itanium_name.h"

namespace weft::itanium {
namespace {

constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
    {"nw", " new"}, {"na", " new[]"}, {"dl", " delete"}, {"da", " delete[]"}, {"aw", " co_await"},
    {"ps", "+"},    {"ng", "-"},      {"ad", "&"},       {"de", "*"},         {"co", "~"},
    {"pl", "+"},    {"mi", "-"},      {"ml", "*"},       {"dv", "/"},         {"rm", "%"},
    {"an", "&"},    {"or", "|"},      {"eo", "^"},       {"aS", "="},         {"pL", "+="},
    {"mI", "-="},   {"mL", "*="},     {"dV", "/="},      {"rM", "%="},        {"aN", "&="},
    {"oR", "|="},   {"eO", "^="},     {"ls", "<<"},      {"rs", ">>"},        {"lS", "<<="},
    {"rS", ">>="},  {"eq", "=="},     {"ne", "!="},      {"lt", "<"},         {"gt", ">"},
    {"le", "<="},   {"ge", ">="},     {"ss", "<=>"},     {"nt", "!"},         {"aa", "&&"},
    {"oo", "||"},   {"pp", "++"},     {"mm", "--"},      {"cm", ","},         {"pm", "->*"},
    {"pt", "->"},   {"cl", "()"},     {"ix", "[]"},      {"qu", "?"}};

constexpr std::pair<std::string_view, std::string_view> kSpecial[] = {{"TV", "vtable for "},
                                                                      {"TT", "VTT for "},
                                                                      {"TI", "typeinfo for "},
                                                                      {"TS", "typeinfo name for "}};

}  // namespace

std::string Reader::special(std::string_view what) {
  std::string text(what);
  add(text, type().text());
  return text;
}

std::string Reader::encoding(bool is_outermost) {
  const Level level(*this);
  for (const auto& [code, what] : kSpecial) {
    if (take(code)) return special(what);
  }
  if (take("GV")) return "guard variable for " + name().text;
  const bool is_virtual = take("Tv");
  if (is_virtual || take("Th")) {
    const auto offset = [&] {
      take('n');
      (void)number();
      want('_');
    };
    offset();
    if (is_virtual) offset();
    return (is_virtual ? "virtual thunk to " : "non-virtual thunk to ") + encoding(false);
  }
  const size_t known = known_.size();
  const auto outer = std::exchange(arguments_, {});
  is_name_ = true;
  const Name named = name();
  is_name_ = false;
  std::string text;
  const bool is_function = !failed_ && !rest_.empty() && peek() != 'E' && peek() != '.';
  if (is_function) {
    Type result;
    const bool has_result = named.has_arguments && named.has_return_type;
    if (has_result) result = type();
    const std::string given = parameters();
    if (has_result && is_outermost) {
      add(text, result.before);
      if (result.after.empty() && !text.ends_with(' ')) add(text, " ");
    }
    add(text, named.text);
    add(text, "(");
    add(text, given);
    add(text, ")");
    add(text, named.qualifiers);
    if (has_result && is_outermost) add(text, result.after);
  } else {
    add(text, named.text);
  }
  arguments_ = outer;
  for (size_t i = known; i < known_.size() && !is_outermost; ++i)
    known_[i].is_bound |= known_[i].has_parameter;
  return text;
}

Name Reader::name() {
  const Level level(*this);
  if (failed_) return {};
  if (take('N')) return nested();
  if (take('Z')) return local();
  return unscoped();
}

// The template itself can be referred to, not the function that it makes.
Name Reader::unscoped() {
  Name named;
  const bool is_of_function = is_name_;
  if (peek() == 'S' && peek(1) != 't') {
    named.text = substitution(Arguments::kLeave).text();
    fail_if(peek() != 'I');
  } else {
    if (take("St")) named.text = "std";
    add_unqualified(named);
    if (peek() == 'I') keep(named.text);
  }
  if (peek() != 'I') return named;
  if (named.text.ends_with('<')) add(named.text, " ");  // operator<
  add(named.text, arguments(is_of_function));
  named.has_arguments = true;
  return named;
}

Name Reader::nested() {
  const bool is_of_function = is_name_;
  Name named;
  std::string qualifiers;
  if (take('r')) qualifiers += " __restrict";
  if (take('V')) qualifiers += " volatile";
  if (take('K')) qualifiers = " const" + qualifiers;
  if (take('R')) qualifiers += " &";
  if (take('O')) qualifiers += " &&";
  bool is_kept = false;  // the last part, which the whole name is
  while (!failed_ && !take('E')) {
    named.has_arguments = false;
    is_kept = true;
    if (peek() == 'S' && peek(1) == 't') {
      take("St");
      add(named.text, "std");
      is_kept = false;
      continue;
    }
    if (peek() == 'S') {
      const bool is_string = peek(1) == 's' && (peek(2) == 'C' || peek(2) == 'D');
      add(named.text, substitution(Arguments::kLeave).text());
      if (is_string) {
        named.text = "std::basic_string<char, std::char_traits<char>, std::allocator<char> >";
      }
      const std::string_view path = std::string_view(named.text).substr(0, named.text.find('<'));
      const size_t colon = path.rfind(':');
      named.last = path.substr(colon == std::string_view::npos ? 0 : colon + 1);
      is_kept = false;
      continue;
    }
    if (peek() == 'T') {
      add(named.text, parameter(Arguments::kLeave).text());
      is_kept = false;
      continue;
    }
    if (peek() == 'I') {
      fail_if(named.text.empty());
      if (named.text.ends_with('<')) add(named.text, " ");  // operator<
      add(named.text, arguments(is_of_function));
      named.has_arguments = true;
    } else {
      add_unqualified(named);
    }
    keep(named.text);
  }
  if (is_kept && !known_.empty()) known_.pop_back();
  named.qualifiers = qualifiers;
  return named;
}

// Reads a local name, within a function: "f(int)::name".
Name Reader::local() {
  Name named;
  const bool is_of_function = std::exchange(is_name_, false);
  add(named.text, encoding(false));
  want('E');
  is_name_ = is_of_function;
  const auto skip_number = [&] {
    if (!take('_')) return;
    if (take('_')) {
      (void)number();
      want('_');
    } else {
      fail_if(!is_digit(peek()));
      if (!failed_) rest_.remove_prefix(1);
    }
  };
  add(named.text, "::");
  if (take('s')) {
    add(named.text, "string literal");
    skip_number();
    return named;
  }
  if (take('d')) fail();
  Name inner = name();
  add(named.text, inner.text);
  skip_number();
  inner.text = named.text;
  return inner;
}

// Behind what it already has.
void Reader::add_unqualified(Name& to) {
  take('L');  // seen in one file only
  std::string text;
  to.has_return_type = true;
  if (is_digit(peek())) {
    text = source_name();
    to.last = text;
  } else if (peek() == 'C' && peek(1) >= '1' && peek(1) <= '5') {
    rest_.remove_prefix(2);
    text = to.last;
    to.has_return_type = false;
    fail_if(text.empty());
  } else if (peek() == 'D' && peek(1) >= '0' && peek(1) <= '5') {
    rest_.remove_prefix(2);
    text = "~" + to.last;
    to.has_return_type = false;
    fail_if(to.last.empty());
  } else if (peek() == 'U') {
    text = unnamed();
    to.last = text;
  } else {
    text = operator_name(to);
  }
  while (take('B')) add(text, "[abi:" + source_name() + "]");
  if (!to.text.empty()) add(to.text, "::");
  add(to.text, text);
}

std::string Reader::source_name() {
  const size_t length = number();
  fail_if(length == 0 || length > rest_.size());
  if (failed_) return {};
  const std::string_view text = rest_.substr(0, length);
  rest_.remove_prefix(length);
  const bool is_anonymous = text.starts_with("_GLOBAL_") && text.substr(9).starts_with('N');
  return is_anonymous ? "(anonymous namespace)" : std::string(text);
}

std::string Reader::operator_name(Name& to) {
  if (take("cv")) {
    to.has_return_type = false;
    return "operator " + type().text();
  }
  if (take("li")) return "operator\"\" " + source_name();
  for (const auto& [code, sign] : kOperators) {
    if (take(code)) return "operator" + std::string(sign);
  }
  fail();
  return {};
}

std::string Reader::unnamed() {
  std::string text;
  if (take("Ul")) {
    const bool was_in_lambda = std::exchange(is_in_lambda_, true);
    text = "{lambda(" + parameters() + ")#";
    is_in_lambda_ = was_in_lambda;
    want('E');
  } else if (take("Ut")) {
    text = "{unnamed type#";
  } else {
    fail();
  }
  add(text, std::to_string(sequence(10) + 1) + "}");
  return text;
}

}  // namespace weft::itanium
