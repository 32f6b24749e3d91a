// Types of parameters, and template arguments.
#include <algorithm>

#include "core/base/itanium_name.h"

namespace weft::itanium {
namespace {

constexpr std::pair<char, std::string_view> kBuiltIn[] = {
    {'v', "void"},        {'w', "wchar_t"},
    {'b', "bool"},        {'c', "char"},
    {'a', "signed char"}, {'h', "unsigned char"},
    {'s', "short"},       {'t', "unsigned short"},
    {'i', "int"},         {'j', "unsigned int"},
    {'l', "long"},        {'m', "unsigned long"},
    {'x', "long long"},   {'y', "unsigned long long"},
    {'n', "__int128"},    {'o', "unsigned __int128"},
    {'f', "float"},       {'d', "double"},
    {'e', "long double"}, {'g', "__float128"},
    {'z', "..."}};
constexpr std::pair<char, std::string_view> kNewBuiltIn[] = {
    {'i', "char32_t"},       {'s', "char16_t"},          {'u', "char8_t"}, {'a', "auto"},
    {'c', "decltype(auto)"}, {'n', "decltype(nullptr)"}, {'h', "half"}};
constexpr std::pair<char, std::string_view> kOfStd[] = {
    {'a', "std::allocator"}, {'b', "std::basic_string"}, {'s', "std::string"},
    {'i', "std::istream"},   {'o', "std::ostream"},      {'d', "std::iostream"}};
}  // namespace

std::string Reader::arguments(bool are_of_name) {
  const Level level(*this);
  want('I');
  const bool was_name = std::exchange(is_name_, false);
  std::vector<Argument> found;
  while (!failed_ && !take('E')) add_argument(found);
  is_name_ = was_name;
  std::string text = "<";
  for (const Argument& each : found) {
    for (const Type& type : each.types) {
      if (text.size() > 1) add(text, ", ");
      add(text, type.text());
    }
  }
  add(text, text.ends_with('>') ? " >" : ">");
  if (are_of_name) arguments_ = std::move(found);
  return text;
}

void Reader::add_argument(std::vector<Argument>& to) {
  if (take('J')) {
    Argument pack{.types = {}, .is_pack = true};
    while (!failed_ && !take('E')) {
      std::vector<Argument> inner;
      add_argument(inner);
      for (Argument& each : inner) {
        for (Type& type : each.types) pack.types.push_back(std::move(type));
      }
    }
    to.push_back(std::move(pack));
    return;
  }
  Argument argument;
  if (peek() == 'L') {
    argument.types.push_back(literal());
  } else {
    add_types(argument.types);
  }
  to.push_back(std::move(argument));
}

Type Reader::literal() {
  want('L');
  std::string text;
  if (take("_Z")) {
    text = encoding(false);
    want('E');
    return {.before = text};
  }
  const char kind = peek();
  const std::string of = type().text();
  const bool is_negative = take('n');
  std::string digits = is_negative ? "-" : "";
  while (!failed_ && is_digit(peek())) {
    digits += peek();
    rest_.remove_prefix(1);
  }
  want('E');
  fail_if(digits.empty() || digits == "-");
  if (kind == 'b' && (digits == "0" || digits == "1"))
    return {.before = digits == "0" ? "false" : "true"};
  constexpr std::pair<char, std::string_view> kSuffixes[] = {
      {'i', ""}, {'j', "u"}, {'l', "l"}, {'m', "ul"}, {'x', "ll"}, {'y', "ull"}};
  for (const auto& [code, suffix] : kSuffixes) {
    if (kind == code) return {.before = digits + std::string(suffix)};
  }
  fail_if(kind == 'f' || kind == 'd' || kind == 'e' || kind == 'D');
  add(text, "(" + of + ")" + digits);
  return {.before = text};
}

Type Reader::type() {
  const Level level(*this);
  parameters_before_ = parameters_read_;
  if (failed_) return {};
  for (const auto& [code, text] : kBuiltIn) {
    if (take(code)) return {.before = std::string(text)};
  }
  switch (peek()) {
    case 'r':
    case 'V':
    case 'K':
      return qualified();
    case 'P':
      return pointed("*");
    case 'R':
      return pointed("&");
    case 'O':
      return pointed("&&");
    case 'F':
      return function();
    case 'A':
      return array();
    case 'M':
      return member_pointer();
    case 'T':
      return parameter();
    case 'S':
      if (peek(1) != 't') return substitution();
      return named_type();
    case 'D':
      for (const auto& [code, text] : kNewBuiltIn) {
        if (peek(1) != code) continue;
        rest_.remove_prefix(2);
        return {.before = std::string(text)};
      }
      fail();
      return {};
    default:
      return named_type();
  }
}

Type Reader::named_type() {
  const bool was_name = std::exchange(is_name_, false);
  fail_if(peek() != 'N' && peek() != 'Z' && peek() != 'S' && !is_digit(peek()));
  const Name named = name();
  is_name_ = was_name;
  Type type{.before = named.text};
  keep(type);
  return type;
}

Type Reader::qualified() {
  std::string signs;
  if (take('r')) signs += " __restrict";
  if (take('V')) signs = " volatile" + signs;
  if (take('K')) signs = " const" + signs;
  Type of = type();
  fail_if(of.is_function || of.is_array);
  add(of.before, signs);
  keep(of);
  return of;
}

Type Reader::pointed(std::string_view sign) {
  rest_.remove_prefix(1);
  Type of = type();
  const bool is_reference = sign != "*" && of.before.ends_with('&');
  if (is_reference) {
    const bool is_moved = sign == "&&" && of.before.ends_with("&&");
    while (of.before.ends_with('&')) of.before.pop_back();
    add(of.before, is_moved ? "&&" : "&");
  } else if (of.is_function || of.is_array) {
    add(of.before, of.is_array ? " (" : "(");
    add(of.before, sign);
    of.after = ")" + of.after;
    of.is_function = of.is_array = false;
  } else {
    add(of.before, sign);
  }
  keep(of);
  return of;
}

Type Reader::function(std::string_view qualifiers) {
  want('F');
  take('Y');
  Type result = type();
  const std::string given = parameters();
  fail_if(peek() == 'R' || peek() == 'O');
  want('E');
  Type made{.before = result.before, .is_function = true};
  if (result.after.empty()) add(made.before, " ");
  add(made.after, "(");
  add(made.after, given);
  add(made.after, ")");
  add(made.after, result.after);
  add(made.after, qualifiers);
  keep(made);
  return made;
}

Type Reader::array() {
  want('A');
  std::string length;
  if (peek() != '_') length = std::to_string(number());
  want('_');
  Type of = type();
  fail_if(of.is_function);
  of.after = " [" + length + "]" + (of.is_array ? of.after.substr(1) : of.after);
  of.is_array = true;
  keep(of);
  return of;
}

Type Reader::member_pointer() {
  want('M');
  const std::string owner = type().text();
  const bool is_const = peek() == 'K' && peek(1) == 'F';
  if (is_const) take('K');
  Type of = is_const ? function(" const") : type();
  if (of.is_function) {
    add(of.before, "(" + owner + "::*");
    of.after = ")" + of.after;
    of.is_function = false;
  } else {
    fail_if(of.is_array);
    add(of.before, " " + owner + "::*");
  }
  keep(of);
  return of;
}

// Keeps the name with its arguments as a substitution candidate, too.
std::string Reader::with_arguments(std::string text) {
  add(text, arguments(false));
  keep(text);
  return text;
}

Type Reader::substitution(Arguments theirs) {
  want('S');
  Type found;
  for (const auto& [code, text] : kOfStd) {
    if (!take(code)) continue;
    found.before = text;
    while (take('B')) {
      add(found.before, "[abi:" + source_name() + "]");
      keep(found);
    }
    return peek() == 'I' && theirs == Arguments::kTake
               ? Type{.before = with_arguments(found.before)}
               : found;
  }
  const size_t index = sequence();
  fail_if(index >= known_.size());
  if (failed_) return {};
  found = known_[index];
  fail_if(found.is_bound);
  if (peek() == 'I' && theirs == Arguments::kTake) return {.before = with_arguments(found.text())};
  return found;
}

Type Reader::parameter(Arguments theirs) {
  want('T');
  const size_t index = sequence();
  fail_if(is_in_lambda_ || index >= arguments_.size());
  if (failed_) return {};
  const Argument& given = arguments_[index];
  Type found;
  if (given.is_pack) {
    fail_if(!of_pack_);
    has_pack_ = true;
    pack_size_ = given.types.size();
    if (of_pack_ && *of_pack_ < pack_size_) found = given.types[*of_pack_];
    found.is_bound = true;
  } else {
    found = given.types.empty() ? Type() : given.types.front();
  }
  ++parameters_read_;
  keep(found);
  if (peek() == 'I' && theirs == Arguments::kTake) return {.before = with_arguments(found.text())};
  return found;
}

// One, or as many as an expanded pack has.
void Reader::add_types(std::vector<Type>& to) {
  if (!take("Dp")) {
    to.push_back(type());
    return;
  }
  fail_if(of_pack_.has_value());
  const std::string_view pattern = rest_;
  const size_t known = known_.size();
  size_t known_after = 0, count = 1;
  for (size_t i = 0; i < count && !failed_; ++i) {
    rest_ = pattern;
    known_.resize(std::min(known_.size(), known));
    of_pack_ = i;
    has_pack_ = false;
    Type each = type();
    fail_if(!has_pack_);
    count = pack_size_;
    known_after = known_.size();
    if (count > 0) to.push_back(std::move(each));
    fail_if(to.size() > kMostChars / 4);
  }
  of_pack_.reset();
  for (size_t i = known; i < known_after && i < known_.size(); ++i) known_[i].is_bound = true;
  keep(Type{.is_bound = true});  // all of it
}

// Up to the end of the name, or of what it is in: "int, char".
std::string Reader::parameters() {
  std::vector<Type> types;
  const auto has_more = [&] {
    const bool is_qualified = (peek() == 'R' || peek() == 'O') && peek(1) == 'E';
    return !failed_ && !rest_.empty() && peek() != 'E' && peek() != '.' && !is_qualified;
  };
  while (has_more()) add_types(types);
  std::string text;
  if (types.size() == 1 && types.front().text() == "void") return text;
  for (const Type& each : types) {
    if (!text.empty()) add(text, ", ");
    add(text, each.text());
  }
  return text;
}

}  // namespace weft::itanium
