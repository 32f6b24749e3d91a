#include "core/formats/embedded/tlv/tlv_component_log.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"

namespace weft::formats::tlv {

bool parse_component_line(std::string_view text, ComponentLine& out) {
  text = trimmed(text);
  if (!take_prefix(text, "time=")) return false;
  std::string_view time = take_to(text, ' ');
  const size_t digits = std::min(time.find_first_not_of("0123456789"), time.size());
  const auto unit = time_base_from_name(time.substr(digits));
  if (digits == 0 || !unit) return false;
  out.time = time.substr(0, digits);
  out.unit = *unit;

  const size_t arrow = text.find("->"), bracket = text.find('(');
  if (arrow == 0 || bracket == std::string_view::npos || arrow > bracket) return false;
  out.caller = trimmed(text.substr(0, arrow));
  std::string_view callee = text.substr(arrow + 2, bracket - arrow - 2);
  out.is_enter = callee.ends_with(".enter");
  if (!out.is_enter && !callee.ends_with(".leave")) return false;
  constexpr size_t kEnding = 6;
  callee.remove_suffix(kEnding);
  out.callee = trimmed(callee);
  text.remove_prefix(bracket + 1);
  if (text.ends_with(')')) text.remove_suffix(1);
  out.function = trimmed(take_to(text, ';'));
  out.arguments = trimmed(text);
  return !out.callee.empty() && !out.function.empty();
}

std::optional<TimeBase> unit_of_component_log(std::string_view head) {
  HeadLines lines(head);
  ComponentLine parts;
  while (const auto line = lines.next()) {
    if (trimmed(*line).empty()) continue;
    return parse_component_line(*line, parts) ? std::optional(parts.unit) : std::nullopt;
  }
  return std::nullopt;
}

const std::vector<KernelEvent>& ComponentLog::events_of(const ComponentLine& line) {
  events_.clear();
  if (line.is_enter) {
    behave(line.caller, "call", line.callee, line);
    behave(line.callee, "called", line.caller, line);
  } else {
    behave(line.callee, "return", line.caller, line);
    behave(line.caller, "callback", line.callee, line);
  }
  return events_;
}

// Arguments are parted by commas in a standard log.
void ComponentLog::behave(std::string_view component, std::string_view name, std::string_view other,
                          const ComponentLine& line) {
  std::string arguments = fmt::format("{},{}", other, line.function);
  std::string_view rest = line.arguments;
  while (!rest.empty()) arguments.append(",").append(trimmed(take_to(rest, ';')));
  events_.push_back({.resource = component,
                     .type = "Cell",
                     .name = name,
                     .value = std::move(arguments),
                     .is_behavior = true});
}

}  // namespace weft::formats::tlv
