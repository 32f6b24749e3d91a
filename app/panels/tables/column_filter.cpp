#include "app/panels/tables/column_filter.h"

#include <algorithm>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/base/time.h"

namespace weft::app {
namespace {

constexpr std::string_view kExactly = "= ";

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return parse_number<double>(text);
}

}  // namespace

std::optional<ColumnFilter::Quantity> ColumnFilter::quantity_of(std::string_view text) {
  constexpr std::string_view kAbout = "≈ ";
  std::string plain(trimmed(text));
  if (plain.starts_with(kAbout)) plain.erase(0, kAbout.size());
  if (plain.starts_with('+')) plain.erase(0, 1);
  std::erase(plain, ',');  // of thousands
  const auto number_before = [&](std::string_view unit) -> std::optional<double> {
    if (!plain.ends_with(unit)) return std::nullopt;
    return number_of(trimmed(std::string_view(plain).substr(0, plain.size() - unit.size())));
  };
  for (const std::string_view unit : {"", "%", "ticks", "tick", "cycles", "cycle"}) {
    if (const auto value = number_before(unit)) return Quantity{Kind::kNumber, *value};
  }
  constexpr std::pair<std::string_view, int> kSizes[] = {
      {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}, {"B", 0}};
  for (const auto& [unit, bits] : kSizes) {
    if (const auto value = number_before(unit))
      return Quantity{Kind::kBytes, *value * static_cast<double>(uint64_t{1} << bits)};
  }
  auto length = parse_duration(plain, TimeBase::kPicoseconds);
  if (!length) return std::nullopt;
  const bool is_beyond = length->ticks == INT64_MAX || length->ticks == INT64_MIN;  // 106 days
  if (is_beyond) length = parse_duration(plain, TimeBase::kNanoseconds);
  return Quantity{Kind::kTime, static_cast<long double>(length->ticks) * (is_beyond ? 1000 : 1)};
}

ColumnFilter::Comparisons ColumnFilter::comparisons_of(std::string_view typed) {
  constexpr std::string_view kSigns = "<>=!";
  constexpr std::pair<std::string_view, Relation> kRelations[] = {
      {"<=", Relation::kLessOrSame}, {">=", Relation::kMoreOrSame}, {"==", Relation::kSame},
      {"!=", Relation::kOther},      {"<", Relation::kLess},        {">", Relation::kMore}};
  Comparisons found;
  for (typed = trimmed(typed); !typed.empty();) {
    const auto relation = std::ranges::find_if(
        kRelations, [&](const auto& each) { return typed.starts_with(each.first); });
    if (relation == std::end(kRelations)) return {};
    typed.remove_prefix(relation->first.size());
    const std::string_view value = typed.substr(0, typed.find_first_of(kSigns));
    const auto quantity = quantity_of(value);
    if (!quantity) return {};
    found.push_back({relation->second, *quantity});
    typed.remove_prefix(value.size());
  }
  return found;
}

Result<ColumnFilter> ColumnFilter::compile(const std::string& typed) {
  if (Comparisons comparisons = comparisons_of(typed); !comparisons.empty())
    return ColumnFilter(std::move(comparisons));
  if (typed.starts_with(kExactly)) return ColumnFilter(typed.substr(kExactly.size()));
  const auto is_capital = [](char c) { return is_upper(c); };
  const bool is_exact = std::ranges::any_of(typed, is_capital);
  WEFT_TRY_ASSIGN(Regex regex, Regex::compile(typed));
  if (is_exact) return ColumnFilter(std::move(regex));
  WEFT_TRY_ASSIGN(Regex any_case, Regex::compile("(?i)" + typed));
  return ColumnFilter(std::move(any_case));
}

bool ColumnFilter::Comparison::holds(const Quantity& value) const {
  if (value.kind != with.kind && with.value != 0) return false;
  switch (relation) {
    case Relation::kLess:
      return value.value < with.value;
    case Relation::kLessOrSame:
      return value.value <= with.value;
    case Relation::kMore:
      return value.value > with.value;
    case Relation::kMoreOrSame:
      return value.value >= with.value;
    case Relation::kSame:
      return value.value == with.value;
    case Relation::kOther:
      break;
  }
  return value.value != with.value;
}

bool ColumnFilter::matches(std::string_view text) const {
  if (const Regex* regex = std::get_if<Regex>(&test_)) return regex->matches(text);
  if (const std::string* whole = std::get_if<std::string>(&test_)) return text == *whole;
  const auto value = quantity_of(text);
  return value && std::ranges::all_of(std::get<Comparisons>(test_),
                                      [&](const Comparison& each) { return each.holds(*value); });
}

std::string exactly(std::string_view name) { return std::string(kExactly).append(name); }

}  // namespace weft::app
