#include "core/formats/kernel/trace_dat/printed_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/base/ascii.h"
#include "core/formats/kernel/ftrace/kernel.h"

namespace weft::formats::trace_dat {
namespace {

std::string_view text_of(const char* text) { return text == nullptr ? "" : text; }

// "pS" of "%-20pS", behind the percent sign; takes it off. The length of a number ("ll") is left
// away, the letters behind a pointer are kept. Empty: a percent sign.
std::string_view take_conversion(std::string_view& format) {
  constexpr std::string_view kBefore = "-+ #0123456789.*hlLzjt";
  format.remove_prefix(std::min(format.find_first_not_of(kBefore), format.size()));
  if (format.empty()) return {};
  size_t size = 1;
  if (format.front() == 'p')
    while (size < format.size() && is_alphanumeric(format[size])) ++size;
  const std::string_view conversion = format.substr(0, size);
  format.remove_prefix(size);
  return conversion == "%" ? std::string_view() : conversion;
}

// What is printed where a condition is met: `REC->found ? REC->status : 0`. Null: it has none.
const tep_print_arg* first_choice(const tep_print_arg& arg) {
  if (arg.type != TEP_PRINT_OP || text_of(arg.op.op) != "?") return nullptr;
  const tep_print_arg* const choice = arg.op.right;
  return choice == nullptr || choice->type != TEP_PRINT_OP ? nullptr : choice->op.left;
}

// Returns the field whose number it is, in any type; empty: it is something else.
std::string_view field_of(const tep_print_arg* arg) {
  constexpr int kMostNested = 16;
  for (int nested = 0; arg != nullptr && nested < kMostNested; ++nested) {
    if (arg->type == TEP_PRINT_FIELD) return text_of(arg->field.name);
    arg = arg->type == TEP_PRINT_TYPE ? arg->typecast.item : first_choice(*arg);
  }
  return {};
}

// The library has evaluated what stands there, except for names: those of soft interrupts are
// known.
std::optional<uint64_t> value_of(const tep_print_flag_sym& named) {
  constexpr int64_t kSoftInterrupts = 10;
  const std::string_view text = text_of(named.value);
  if (!text.empty() && (is_digit(text.front()) || text.front() == '-'))
    return std::strtoull(named.value, nullptr, 0);
  for (int64_t vector = 0; vector < kSoftInterrupts; ++vector) {
    if (text == ftrace::name_of_soft_interrupt(vector) + "_SOFTIRQ")
      return static_cast<uint64_t>(vector);
  }
  return std::nullopt;
}

}  // namespace

std::vector<PrintedNames::Named> PrintedNames::names_of(const tep_print_flag_sym* named) {
  std::vector<Named> names;
  for (; named != nullptr; named = named->next) {
    if (const auto value = value_of(*named)) names.push_back({*value, text_of(named->str)});
  }
  return names;
}

// What has no name stands behind the names.
std::string PrintedNames::names_of_bits(const Rule& rule, uint64_t bits) {
  std::string names;
  for (const auto& [mask, name] : rule.names) {
    if (mask == 0 || (bits & mask) != mask) continue;
    if (!names.empty()) names += rule.between;
    names += name;
    bits &= ~mask;
  }
  if (bits != 0 && !names.empty()) names += fmt::format("{}{:#x}", rule.between, bits);
  return names;
}

PrintedNames::PrintedNames(const tep_event& event) : tep_(event.tep) {
  const tep_print_arg* arg = event.print_fmt.args;
  std::string_view format = text_of(event.print_fmt.format);
  while (arg != nullptr) {
    const size_t percent = format.find('%');
    if (percent == std::string_view::npos) break;
    format.remove_prefix(percent + 1);
    const std::string_view before = format;
    const std::string_view conversion = take_conversion(format);
    if (conversion.empty()) continue;
    // A star takes its width from an argument of its own.
    const std::string_view said = before.substr(0, before.size() - format.size());
    for (auto stars = std::ranges::count(said, '*'); stars > 0 && arg != nullptr; --stars)
      arg = arg->next;
    if (arg == nullptr) break;
    add_printed(*arg, conversion);
    arg = arg->next;
  }
  for (const tep_format_field* field = event.format.fields; field != nullptr; field = field->next) {
    if (text_of(field->type) == "dev_t") rules_.push_back({field->name, Kind::kDevice});
  }
}

void PrintedNames::add_printed(const tep_print_arg& arg, std::string_view conversion) {
  if (arg.type == TEP_PRINT_SYMBOL)
    rules_.push_back({field_of(arg.symbol.field), Kind::kValues, names_of(arg.symbol.symbols)});
  if (arg.type == TEP_PRINT_FLAGS)
    rules_.push_back({field_of(arg.flags.field), Kind::kBits, names_of(arg.flags.flags),
                      text_of(arg.flags.delim)});
  const std::string_view kind = conversion.substr(0, 2);
  if (kind == "pS" || kind == "pF") rules_.push_back({field_of(&arg), Kind::kPlaceInFunction});
  if (kind == "ps" || kind == "pf") rules_.push_back({field_of(&arg), Kind::kFunction});
}

std::string PrintedNames::of(std::string_view field, uint64_t value) const {
  const auto rule = std::ranges::find(rules_, field, &Rule::field);
  if (rule == rules_.end()) return {};
  switch (rule->kind) {
    case Kind::kValues: {
      const auto named = std::ranges::find(rule->names, value, &Named::value);
      return named == rule->names.end() ? std::string() : std::string(named->name);
    }
    case Kind::kBits:
      return names_of_bits(*rule, value);
    case Kind::kFunction:
    case Kind::kPlaceInFunction:
      return name_of_function(value, rule->kind == Kind::kPlaceInFunction);
    case Kind::kDevice: {
      constexpr int kMinorBits = 20;
      return fmt::format("{},{}", value >> kMinorBits, value & ((1U << kMinorBits) - 1));
    }
  }
  return {};
}

std::string PrintedNames::name_of_function(uint64_t address, bool has_offset) const {
  const char* const name = tep_find_function(tep_, address);
  if (name == nullptr) return {};
  if (!has_offset) return name;
  return fmt::format("{}+{:#x}", name, address - tep_find_function_address(tep_, address));
}

}  // namespace weft::formats::trace_dat
