#include "core/symbols/c_expression.h"

#include <array>
#include <charconv>
#include <string>

#include "core/base/numbers.h"

namespace weft::symbols {
namespace {

using Value = std::optional<int64_t>;

constexpr int kMostNesting = 200;

std::optional<int64_t> literal_value(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '\'') digits += c;
  }
  while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
    digits.pop_back();
  int base = 10;
  size_t skip = 0;
  if (digits.size() > 1 && digits[0] == '0') {
    const char mark = static_cast<char>(digits[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    skip = base == 8 ? 1 : 2;
  }
  const auto value = parse_number<uint64_t>(std::string_view(digits).substr(skip), base);
  return value ? std::optional(static_cast<int64_t>(*value)) : std::nullopt;
}

// 'A', '\n', '\x41', 'abcd'.
std::optional<int64_t> character_value(std::string_view text) {
  if (text.size() < 3 || text.front() != '\'' || text.back() != '\'') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  uint64_t value = 0;
  while (!text.empty()) {
    uint64_t code = static_cast<uint8_t>(text[0]);
    size_t used = 1;
    if (text[0] == '\\' && text.size() > 1) {
      constexpr std::string_view kLetters = "abtnvfr";
      const size_t letter = kLetters.find(text[1]);
      const bool is_hex = text[1] == 'x';
      code = static_cast<uint8_t>(text[1]);
      used = 2;
      if (letter != std::string_view::npos) code = letter + 7;
      if (is_hex || (text[1] >= '0' && text[1] <= '7')) {
        const char* const begin = text.data() + (is_hex ? 2 : 1);
        const auto [stop, error] =
            std::from_chars(begin, text.data() + text.size(), code, is_hex ? 16 : 8);
        if (error != std::errc()) return std::nullopt;
        used = static_cast<size_t>(stop - text.data());
      }
    }
    value = value << 8 | (code & 0xFF);
    text.remove_prefix(used);
  }
  return static_cast<int64_t>(value);
}

struct Operator {
  std::string_view sign;
  int strength;
};
constexpr std::array<Operator, 18> kOperators = {{{"||", 1},
                                                  {"&&", 2},
                                                  {"|", 3},
                                                  {"^", 4},
                                                  {"&", 5},
                                                  {"==", 6},
                                                  {"!=", 6},
                                                  {"<", 7},
                                                  {">", 7},
                                                  {"<=", 7},
                                                  {">=", 7},
                                                  {"<<", 8},
                                                  {">>", 8},
                                                  {"+", 9},
                                                  {"-", 9},
                                                  {"*", 10},
                                                  {"/", 10},
                                                  {"%", 10}}};

Value divided(int64_t a, int64_t b, bool wants_rest) {
  if (b == 0) return std::nullopt;
  if (b == -1) return wants_rest ? 0 : static_cast<int64_t>(0 - static_cast<uint64_t>(a));
  return wants_rest ? a % b : a / b;
}

Value apply(std::string_view sign, int64_t a, int64_t b) {
  const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  if (sign == "||") return a != 0 || b != 0;
  if (sign == "&&") return a != 0 && b != 0;
  if (sign == "|") return a | b;
  if (sign == "^") return a ^ b;
  if (sign == "&") return a & b;
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (sign == "<") return a < b;
  if (sign == ">") return a > b;
  if (sign == "<=") return a <= b;
  if (sign == ">=") return a >= b;
  if (sign == "<<" || sign == ">>") {
    if (ub > 63) return std::nullopt;
    return sign == "<<" ? static_cast<int64_t>(ua << ub) : a >> ub;
  }
  if (sign == "+") return static_cast<int64_t>(ua + ub);
  if (sign == "-") return static_cast<int64_t>(ua - ub);
  if (sign == "*") return static_cast<int64_t>(ua * ub);
  return divided(a, b, sign == "%");
}

class Evaluation {
 public:
  Evaluation(std::span<const Token> tokens, const ExpressionNames& names)
      : tokens_(tokens), names_(names) {}

  Value run() {
    const Value value = conditional();
    return at_ == tokens_.size() ? value : std::nullopt;
  }

 private:
  bool is(std::string_view what) const { return at_ < tokens_.size() && tokens_[at_].is(what); }
  bool take(std::string_view what) {
    if (!is(what)) return false;
    ++at_;
    return true;
  }

  Value conditional() {
    if (depth_ >= kMostNesting) return std::nullopt;
    ++depth_;
    const Value value = conditional_below();
    --depth_;
    return value;
  }

  Value conditional_below() {
    const Value condition = binary(1);
    if (!condition || !take("?")) return condition;
    const Value yes = conditional();
    if (!take(":")) return std::nullopt;
    const Value no = conditional();
    return *condition != 0 ? yes : no;
  }

  Value binary(int least_strength) {
    Value left = unary();
    while (left) {
      const Operator* op = nullptr;
      for (const Operator& each : kOperators) {
        if (is(each.sign) && each.strength >= least_strength) op = &each;
      }
      if (op == nullptr) return left;
      ++at_;
      const Value right = binary(op->strength + 1);
      if (!right) return std::nullopt;
      left = apply(op->sign, *left, *right);
    }
    return left;
  }

  Value unary() {
    if (++depth_ >= kMostNesting) return std::nullopt;  // never taken back: it ends everything
    Value value;
    if (take("-")) {
      value = unary();
      if (value) value = static_cast<int64_t>(0 - static_cast<uint64_t>(*value));
    } else if (take("+")) {
      value = unary();
    } else if (take("~")) {
      value = unary();
      if (value) value = ~*value;
    } else if (take("!")) {
      value = unary();
      if (value) value = *value == 0;
    } else {
      value = primary();
    }
    --depth_;
    return value;
  }

  Value primary() {
    if (at_ >= tokens_.size()) return std::nullopt;
    const Token& token = tokens_[at_];
    if (token.kind == Token::Kind::kNumber) {
      ++at_;
      return literal_value(token.text);
    }
    if (token.kind == Token::Kind::kText) {
      ++at_;
      return character_value(token.text);
    }
    if (token.is("sizeof")) {
      ++at_;
      const auto type = bracketed();
      return type.empty() ? std::nullopt : names_.size(type);
    }
    if (token.is_word()) {
      ++at_;
      return names_.value(token.text);
    }
    if (!take("(")) return std::nullopt;
    const size_t begin = at_;
    if (const Value inner = conditional(); inner && take(")")) return inner;
    at_ = begin - 1;  // a cast, then
    return bracketed().empty() ? std::nullopt : unary();
  }

  // Takes a bracketed group and returns its content.
  std::span<const Token> bracketed() {
    if (!take("(")) return {};
    const size_t begin = at_;
    for (int depth = 1; at_ < tokens_.size(); ++at_) {
      if (is("(")) ++depth;
      if (is(")") && --depth == 0) return tokens_.subspan(begin, at_++ - begin);
    }
    return {};
  }

  std::span<const Token> tokens_;
  const ExpressionNames& names_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<int64_t> evaluate(std::span<const Token> tokens, const ExpressionNames& names) {
  if (tokens.empty()) return std::nullopt;
  return Evaluation(tokens, names).run();
}

}  // namespace weft::symbols
