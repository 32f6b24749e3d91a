#include "core/formats/embedded/tlv/tlv_condition.h"

#include <algorithm>
#include <array>

#include "core/formats/base/text.h"

namespace weft::formats::tlv {
namespace {

constexpr int kMostDepth = 32;

template <class Value>
bool compare(std::string_view sign, const Value& a, const Value& b) {
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (sign == "<=") return a <= b;
  if (sign == ">=") return a >= b;
  return sign == "<" ? a < b : a > b;
}

class Condition {
 public:
  Condition(std::string_view text, const ValueOf& value_of) : rest_(text), value_of_(value_of) {}

  std::optional<bool> whole() {
    const auto value = any(0);
    return trimmed(rest_).empty() ? value : std::nullopt;
  }

 private:
  bool take(std::string_view sign) {
    rest_ = trimmed(rest_);
    return take_prefix(rest_, sign);
  }

  std::optional<bool> any(int depth) {
    auto value = all(depth);
    while (value && take("||")) {
      const auto next = all(depth);
      value = next ? std::optional(*value || *next) : std::nullopt;
    }
    return value;
  }
  std::optional<bool> all(int depth) {
    auto value = one(depth);
    while (value && take("&&")) {
      const auto next = one(depth);
      value = next ? std::optional(*value && *next) : std::nullopt;
    }
    return value;
  }
  std::optional<bool> one(int depth) {
    if (!take("(")) return comparison();
    if (depth == kMostDepth) return std::nullopt;
    const auto value = any(depth + 1);
    return take(")") ? value : std::nullopt;
  }

  // "true" and "false", too.
  std::optional<bool> comparison() {
    const std::string_view name = word();
    if (name.empty()) return std::nullopt;
    constexpr std::array<std::string_view, 6> kSigns = {"==", "!=", "<=", ">=", "<", ">"};
    const auto* const sign =
        std::ranges::find_if(kSigns, [&](std::string_view each) { return take(each); });
    if (sign == kSigns.end())
      return name == "true" || name == "false" ? std::optional(name == "true") : std::nullopt;
    const std::string_view value = word(), is = value_of_(name);
    if (value.empty()) return std::nullopt;
    const auto a = parse_number<double>(is), b = parse_number<double>(value);
    return a && b ? compare(*sign, *a, *b) : compare(*sign, is, value);
  }

  std::string_view word() {
    rest_ = trimmed(rest_);
    const std::string_view taken =
        rest_.substr(0, find_any<'=', '!', '<', '>', '&', '|', '(', ')'>(rest_));
    rest_.remove_prefix(taken.size());
    return trimmed(taken);
  }

  std::string_view rest_;
  const ValueOf& value_of_;
};

}  // namespace

std::optional<bool> holds(std::string_view condition, const ValueOf& value_of) {
  return Condition(condition, value_of).whole();
}

}  // namespace weft::formats::tlv
