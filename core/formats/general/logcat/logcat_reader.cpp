#include "core/formats/general/logcat/logcat_reader.h"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/lane_paths.h"
#include "core/formats/base/text.h"
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

// As Android Studio shows and copies a log: with packages, tags in a column since 2022, and further
// lines of a message below it.
void add_rules_of_studio(custom::Definition& definition, const std::string& time,
                         const std::string& thread) {
  const std::string before_2022 =
      R"((?<pid>\d+)-(?<tid>\d+)/(?<package>\S+) (?<level>[VDIWEFSA])/(?<type>.*?)(?::|﹕) ?)"
      R"((?<message>.*)$)";
  const std::string since_2022 =
      R"((?<pid>\d+)-(?<tid>\d+) +(?<type>\S.*?) +(?<package>\S+) +(?<level>[VDIWEFA])(?:  |$))"
      R"((?<message>.*)$)";
  definition.rules.push_back(message(time + since_2022, thread));
  definition.rules.push_back(message(time + before_2022, thread));
  definition.rules.push_back(line("^-+ PROCESS (?:STARTED|ENDED) ", custom::Makes::kNothing));
  definition.rules.push_back(line("^ {4,}(?<message>.+)$", custom::Makes::kChild));
}

custom::RulesPtr rules_of(const Variant& variant, bool is_long) {
  const std::string thread_time =
      R"((?:(?<uid>\w+) +)?(?<pid>\d+) +(?<tid>\d+) (?<level>[VDIWEFS]) )"
      R"((?<type>.*?) *: ?)";
  const std::string time_only = R"((?<level>[VDIWEFS])/(?<type>.*?) *\( *(?<pid>\d+)\): ?)";
  const std::string text = "(?<message>.*)$";
  const std::string long_head =
      R"((?:(?<uid>\w+): *)?(?<pid>\d+): *(?<tid>\d+) (?<level>[VDIWEFS])/(?<type>.*?) *\]$)";
  const std::string thread = "Process {pid}/Thread {tid}";
  custom::Definition definition{.time = std::string(variant.form)};
  // Also what adb itself says.
  const custom::Rule note =
      line(R"(^(?:--------- (?:beginning of|switch to) |\* daemon |- waiting for ))",
           custom::Makes::kNothing);
  if (is_long) {
    definition.rules.push_back(
        message(fmt::format(R"(^\[ +(?<time>{}) +{})", variant.time, long_head), thread));
    definition.rules.push_back(note);
    definition.rules.push_back(line("^$", custom::Makes::kNothing));
    definition.rules.push_back(line("^(?<message>.+)$", custom::Makes::kChild));
  } else {
    const std::string time = fmt::format(R"(^ *(?<time>{}) +)", variant.time);
    definition.rules.push_back(message(time + thread_time + text, thread));
    definition.rules.push_back(message(time + time_only + text, "Process {pid}"));
    definition.rules.push_back(note);
    add_rules_of_studio(definition, time, thread);
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

constexpr std::string_view kMessages = "logcatMessages";

// What Android Studio exports (".logcat").
bool is_studio_export(std::string_view head) {
  return trimmed(head).starts_with('{') && head.contains(fmt::format("\"{}\"", kMessages));
}

class StudioExport {
 public:
  explicit StudioExport(trace::EventSink& sink) : sink_(sink), paths_(sink) {}

  void add(json::Element message) {
    const auto head = json::member(message, "header");
    const auto text_of = [&](std::string_view name) {
      return json::text(json::member(head, name));
    };
    const auto number = [](const std::optional<json::Element>& in, std::string_view name) {
      return json::integer_or_text(json::member(in, name));
    };
    const auto stamp = json::member(head, "timestamp");
    const auto seconds = number(stamp, "seconds"), pid = number(head, "pid");
    constexpr int64_t kMostSeconds = INT64_MAX / kNsPerSecond - 1;
    const int64_t ns = number(stamp, "nanos").value_or(0);
    if (!seconds || !pid || *seconds < 0 || *seconds > kMostSeconds || ns < 0 || ns >= kNsPerSecond)
      return sink_.loss("message without a time or process", trace::LossPlace::nowhere());
    ArgsText params;
    if (const auto package = text_of("applicationId"); !package.empty())
      params.add("package", package);
    params.add("level", text_of("logLevel").substr(0, 1));
    params.add("message", json::text(json::member(message, "message")));
    sink_.give(
        trace::PunctualEvent{.time = Time{*seconds * kNsPerSecond + ns},
                             .params = sink_.params(params.take()),
                             .lane = paths_.lane_of(fmt::format(
                                 "Process {}/Thread {}", *pid, number(head, "tid").value_or(*pid))),
                             .type = sink_.type(trace::Category::kPunctual, text_of("tag"))});
  }

 private:
  trace::EventSink& sink_;
  LanePaths paths_;
};

Status read_studio_export(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes) {
  WEFT_TRY_ASSIGN(const json::Document document, json::Document::read(source, sink, memory_bytes));
  sink.set_time_base(TimeBase::kNanoseconds);
  StudioExport reader(sink);
  json::for_each_element(json::member(document.root(), kMessages),
                         [&](json::Element message) { reader.add(message); });
  return {};
}

}  // namespace

int sniff_logcat(std::span<const std::byte> head) {
  constexpr int kSureOfExport = 85;
  if (is_studio_export(as_chars(head))) return kSureOfExport;
  return custom::surest_of(variants(), head).second;
}

Status read_logcat(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  if (is_studio_export(as_chars(head)))
    return read_studio_export(source, sink, context.memory_bytes);
  return custom::read_surest(variants(), source, sink, context.memory_bytes, context.changed);
}

}  // namespace weft::formats
