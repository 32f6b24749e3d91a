#include "core/formats/profiles/jvm_log/jvm_events.h"

#include <string>

#include "core/formats/base/text.h"
#include "core/formats/profiles/jvm_log/jvm_log_line.h"

namespace weft::formats::jvm_log {

ParamsId Events::params(std::string_view members) {
  if (members.empty()) return ParamsId::none();
  text_.assign(1, '{').append(members).append(1, '}');
  return sink_.params(text_);
}

void Events::add_state(std::string_view lane_name, std::string_view name, Time begin,
                       Duration length, std::string_view members, uint32_t nesting) {
  const trace::StateEvent state = {.begin = begin,
                                   .duration = length,
                                   .params = params(members),
                                   .lane = lane(lane_name),
                                   .type = states_.of(name),
                                   .nesting = nesting};
  sink_.give(state);
}

void Events::add_message(std::string_view type, Time time, std::string_view members) {
  const trace::PunctualEvent event = {.time = time,
                                      .params = params(members),
                                      .lane = lane("Messages"),
                                      .type = messages_.of(type)};
  sink_.give(event);
}

bool Events::add_sizes(std::string_view what, std::string_view text, std::optional<Time> begin,
                       Time end) {
  const auto before = take_size(text);
  if (text.starts_with('(')) take_to(text, ')');
  if (!before || !take_prefix(text, "->")) return false;
  const auto after = take_size(text);
  if (!after) return false;
  if (begin) add_sample(what, *begin, *before);
  add_sample(what, end, *after);
  if (!take_prefix(text, "(")) return true;
  const auto whole = take_size(text);
  // "12M(9%)": of the whole.
  if (whole && text == ")") add_capacity(what, end, *whole);
  return true;
}

bool Events::add_size(std::string_view what, std::string_view text, Time time) {
  std::string plain(text);  // some have a space before the letter
  std::erase(plain, ' ');
  std::string_view rest = plain;
  const auto used = take_size(rest);
  if (!used || !take_prefix(rest, "(")) return false;
  const auto whole = take_size(rest);
  if (!whole || !rest.starts_with(')')) return false;
  add_sample(what, time, *used);
  add_capacity(what, time, *whole);
  return true;
}

void Events::add_capacity(std::string_view what, Time time, double value) {
  name_.assign(what).append(" (capacity)");
  add_sample(name_, time, value);
}

void Events::add_sample(std::string_view what, Time time, double value) {
  const trace::VariableSample sample = {
      .time = time, .value = value, .lane = lane("Memory"), .type = samples_.of(what)};
  sink_.give(sample);
}

}  // namespace weft::formats::jvm_log
