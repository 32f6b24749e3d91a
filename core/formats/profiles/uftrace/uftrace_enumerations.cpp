#include "core/formats/profiles/uftrace/uftrace_enumerations.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "core/base/time.h"
#include "core/formats/base/text.h"

namespace weft::formats::uftrace {
namespace {

constexpr size_t kMostValues = 1'000'000;

// "5", "0x10", "0100", "-1"; as C reads them.
std::optional<int64_t> number_of(std::string_view text) {
  const bool is_negative = take_prefix(text, "-");
  const bool is_hexadecimal = take_prefix(text, "0x");
  const int base = is_hexadecimal ? 16 : text.starts_with('0') ? 8 : 10;
  const auto bits = parse_number<uint64_t>(text, base);
  if (!bits) return std::nullopt;
  const auto value = static_cast<int64_t>(*bits);
  return is_negative ? saturating_sub(0, value) : value;
}

}  // namespace

void Enumerations::add(std::string_view text) {
  while (!text.empty()) {
    std::string_view definition = trimmed(take_to(text, ';'));
    if (!take_prefix(definition, "enum ")) continue;
    const std::string_view name = trimmed(take_to(definition, '{'));
    std::string_view names = take_to(definition, '}');
    std::vector<Value> values;
    int64_t next = 0;
    while (!names.empty() && count_ < kMostValues) {
      std::string_view number = take_to(names, ',');
      const std::string_view value = trimmed(take_to(number, '='));
      if (value.empty()) continue;
      next = number_of(trimmed(number)).value_or(next);
      values.push_back({next, std::string(value)});
      next += next < INT64_MAX ? 1 : 0;
      ++count_;
    }
    std::ranges::stable_sort(values, std::greater(), &Value::number);
    values_.insert_or_assign(std::string(name), std::move(values));
  }
}

std::string Enumerations::text_of(std::string_view name, int64_t number) const {
  const auto known = values_.find(name);
  if (known == values_.end()) return {};
  const auto exact = std::ranges::find(known->second, number, &Value::number);
  if (exact != known->second.end()) return exact->name;
  std::string text;
  const auto append = [&](std::string_view part) { text.append(text.empty() ? "" : "|") += part; };
  for (const Value& value : known->second) {
    if (value.number <= 0 || (number & value.number) != value.number) continue;
    append(value.name);
    number &= ~value.number;
  }
  if (number != 0) append(fmt::format("{:#x}", number));
  return text;
}

}  // namespace weft::formats::uftrace
