#include "core/formats/general/logcat/logcat_reader.h"

#include <fmt/core.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/general/custom/custom_reader.h"

namespace weft::formats {
namespace {

struct Variant {
  std::string_view form;  // of its times
  std::string_view time;  // a regular expression for them
};

// Variants of the time printed by "threadtime".
constexpr std::array kVariants = {
    Variant{"%m-%d %H:%M:%S.%f", R"(\d\d-\d\d \d\d:\d\d:\d\d\.\d+)"},
    Variant{"%m-%d %H:%M:%S.%f %z", R"(\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4})"},
    Variant{"%Y-%m-%d %H:%M:%S.%f", R"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+)"},
    Variant{"%Y-%m-%d %H:%M:%S.%f %z", R"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4})"},
    Variant{"s", R"(\d+\.\d+)"},
};

custom::Rule line(std::string pattern, custom::Makes makes = custom::Makes::kEvent) {
  return {.pattern = std::move(pattern), .makes = makes};
}

custom::Rule message(std::string pattern, std::string lane) {
  custom::Rule rule = line(std::move(pattern));
  rule.role(custom::Role::kLane) = std::move(lane);
  return rule;
}

custom::RulesPtr rules_of(const Variant& variant, bool is_long) {
  const std::string thread_time =
      R"((?:(?<uid>\w+) +)?(?<pid>\d+) +(?<tid>\d+) (?<level>[VDIWEFS]) )"
      R"((?<type>.*?) *: ?(?<message>.*)$)";
  const std::string time_only =
      R"((?<level>[VDIWEFS])/(?<type>.*?) *\( *(?<pid>\d+)\): ?(?<message>.*)$)";
  const std::string long_head =
      R"((?:(?<uid>\w+): *)?(?<pid>\d+): *(?<tid>\d+) (?<level>[VDIWEFS])/(?<type>.*?) *\]$)";
  const std::string thread = "Process {pid}/Thread {tid}";
  custom::Definition definition{.time = std::string(variant.form)};
  const custom::Rule note = line("^--------- (beginning of|switch to) ", custom::Makes::kNothing);
  if (is_long) {
    definition.rules.push_back(
        message(fmt::format(R"(^\[ +(?<time>{}) +{})", variant.time, long_head), thread));
    definition.rules.push_back(note);
    definition.rules.push_back(line("^$", custom::Makes::kNothing));
    definition.rules.push_back(line("^(?<message>.+)$", custom::Makes::kChild));
  } else {
    const std::string time = fmt::format(R"(^ *(?<time>{}) +)", variant.time);
    definition.rules.push_back(message(time + thread_time, thread));
    definition.rules.push_back(message(time + time_only, "Process {pid}"));
    definition.rules.push_back(note);
  }
  return custom::Rules::compile(std::move(definition)).value();
}

const std::vector<custom::RulesPtr>& variants() {
  static const std::vector<custom::RulesPtr> all = [] {
    std::vector<custom::RulesPtr> rules;
    for (const bool is_long : {false, true}) {
      for (const Variant& variant : kVariants) rules.push_back(rules_of(variant, is_long));
    }
    return rules;
  }();
  return all;
}

}  // namespace

int sniff_logcat(std::span<const std::byte> head) {
  return custom::surest_of(variants(), head).second;
}

Status read_logcat(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  return custom::read_surest(variants(), source, sink, context.memory_bytes, context.changed);
}

}  // namespace weft::formats
