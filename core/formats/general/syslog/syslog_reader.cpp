#include "core/formats/general/syslog/syslog_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/base/text.h"
#include "core/formats/general/custom/custom_reader.h"
#include "core/formats/general/syslog/dmesg_json.h"
#include "core/io/memory_source.h"

namespace weft::formats {
namespace {

struct LogForm {
  std::string_view form;  // of its times
  std::string_view time;  // a regular expression with a group for them
};

// Before a host. journalctl's names of zones say nothing that could be counted with.
constexpr LogForm kOfHosts[] = {
    {"%b %e %H:%M:%S", R"((?<time>[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d))"},
    {"%b %e %H:%M:%S.%f", R"((?<time>[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d\.\d+))"},
    {"%Y-%m-%dT%H:%M:%S%z", R"((?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:?\d\d)))"},
    {"%Y-%m-%dT%H:%M:%S.%f%z",
     R"((?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:?\d\d)))"},
    {"s", R"((?<time>\d{9,}\.\d{6}))"},
    {"%Y-%m-%d %H:%M:%S", R"([A-Z][a-z]{2} (?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) [A-Z]{1,6})"},
    {"%Y-%m-%d %H:%M:%S %z",
     R"([A-Z][a-z]{2} (?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d(?:\d\d)?))"},
};
// Before a text of the kernel's, in brackets or none; with -d what has passed stands there, too.
// With -H the first of each minute has that minute, others what has passed.
constexpr LogForm kOfKernels[] = {
    {"s", R"(\[ {0,4}(?<time>\d+\.\d{6})(?: < *\d+\.\d+[ *]?>| {2,})?\](?: ?\[ *[TC]\d+\])?)"},
    {"%a %b %e %H:%M:%S %Y",
     R"(\[(?<time>\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})(?: < *\d+\.\d+>)?\])"},
    {"%Y-%m-%dT%H:%M:%S,%f%z", R"((?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d+[+-]\d\d:?\d\d))"},
    {"%b%e %H:%M",
     R"(\[ *(?<time>[A-Z][a-z]{2}[ \d]\d \d\d:\d\d|\+\d+\.\d{6})\](?: ?\[ *[TC]\d+\])?)"},
    {"+s", R"(\[< *(?<time>\d+\.\d{6})>\](?: ?\[ *[TC]\d+\])?)"},
};

constexpr std::string_view kProgram =
    R"((?<host>\S+) (?<type>[^\s\[]+(?=\[\d+\])|[^\s:\[]+)(?:\[(?<pid>\d+)\])?(?: \([^)]*\))?: ?(?<message>.*)$)";

void add_log_rule(custom::Definition& definition, std::string pattern, std::string_view lane,
                  std::string_view type = {}) {
  custom::Rule rule{.pattern = std::move(pattern)};
  rule.role(custom::Role::kLane) = lane;
  rule.role(custom::Role::kType) = type;
  definition.rules.push_back(std::move(rule));
}

custom::RulesPtr rules_behind(custom::Definition definition) {
  // Notices by journalctl itself, "-- Boot 3c5a --"; continuation lines.
  definition.rules.push_back({.pattern = "^-- .* --$", .makes = custom::Makes::kNothing});
  definition.rules.push_back({.pattern = R"(^\s+(?<message>.*)$)", .makes = custom::Makes::kChild});
  return custom::Rules::compile(std::move(definition)).value();
}

custom::RulesPtr rules_of_hosts(const LogForm& form) {
  constexpr std::string_view kProgramLane = "{host}/{type}";
  custom::Definition definition{.time = std::string(form.form)};
  const std::string begin = fmt::format(R"(^(?:<(?<priority>\d+)>)?{} )", form.time);
  add_log_rule(definition, begin + std::string(kProgram), kProgramLane);
  add_log_rule(definition, begin + R"((?<host>\S+) (?<message>.*)$)", "{host}", "message");
  add_log_rule(
      definition,
      fmt::format(
          R"(^<(?<priority>\d+)>1 {} (?<host>\S+) (?<type>\S+) )"
          R"((?:-|(?<pid>\S+)) (?:-|(?<msgid>\S+)) (?:-|(?<data>\[.*?\])) ?(?<message>.*)$)",
          form.time),
      kProgramLane);
  return rules_behind(std::move(definition));
}

custom::RulesPtr rules_of_kernel(const LogForm& form) {
  custom::Definition definition{.time = std::string(form.form)};
  const std::string begin =
      fmt::format(R"(^(?:<(?<priority>\d+)>|(?<facility>\w+) *:(?<level>\w+) *: )?{} )", form.time);
  // With journalctl's -o short-monotonic.
  add_log_rule(definition,
               begin + R"((?<host>[^\s:]+) (?<type>[^\s:\[]+)\[(?<pid>\d+)\]: ?(?<message>.*)$)",
               "{host}/{type}");
  add_log_rule(definition, begin + R"((?<host>[^\s:]+) (?<type>kernel): ?(?<message>.*)$)",
               "{host}/{type}");
  add_log_rule(definition, begin + R"((?<type>\S(?:(?!: ).){0,40}): (?<message>.*)$)", "kernel");
  add_log_rule(definition, begin + R"((?<message>.*)$)", "kernel", "message");
  return rules_behind(std::move(definition));
}

const std::vector<custom::RulesPtr>& log_variants() {
  static const std::vector<custom::RulesPtr> all = [] {
    std::vector<custom::RulesPtr> rules;
    for (const LogForm& form : kOfHosts) rules.push_back(rules_of_hosts(form));
    for (const LogForm& form : kOfKernels) rules.push_back(rules_of_kernel(form));
    return rules;
  }();
  return all;
}

}  // namespace

int sniff_syslog(std::span<const std::byte> head) {
  constexpr int kSure = 55, kNamed = 90;  // many texts begin with a time
  if (is_dmesg_json(as_chars(head))) return kNamed;
  return std::min(custom::surest_of(log_variants(), head).second, kSure);
}

Status read_syslog(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  constexpr size_t kHeadBytes = 4 << 10;
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  if (is_dmesg_json(as_chars(head))) {
    WEFT_TRY_ASSIGN(const std::string text, dmesg_lines(source, sink, context.memory_bytes));
    if (text.empty()) return {};  // an array without a message
    io::MemorySource lines(std::as_bytes(std::span(text)));
    return custom::read_surest(log_variants(), lines, sink, context.memory_bytes, context.changed);
  }
  return custom::read_surest(log_variants(), source, sink, context.memory_bytes, context.changed);
}

}  // namespace weft::formats
