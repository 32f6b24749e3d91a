#include "core/formats/general/program_log/program_log_reader.h"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/regex.h"
#include "core/formats/base/text.h"
#include "core/formats/general/custom/built_in_rules.h"
#include "core/formats/general/custom/custom_reader.h"

namespace weft::formats {
namespace {

using custom::built_in_rules;
using custom::PatternParts;
using custom::with_parts;

// How times are written, and what finds them.
struct LoggedTime {
  std::string_view form, time;
};

constexpr LoggedTime kOfGo[] = {
    {"%Y/%m/%d %H:%M:%S.%f", R"(\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d+)"},
    {"%Y/%m/%d %H:%M:%S", R"(\d{4}/\d\d/\d\d \d\d:\d\d:\d\d)"},
};
// Before what most libraries write, whose level tells them from others.
constexpr LoggedTime kOfLines[] = {
    {"%Y-%m-%d %H:%M:%S,%f", R"(DAY \d\d:\d\d:\d\d,\d+)"},
    {"%Y-%m-%d %H:%M:%S.%f", R"(DAY \d\d:\d\d:\d\d\.\d+)"},
    {"%Y-%m-%d %H:%M:%S", R"(DAY \d\d:\d\d:\d\d)"},
    {"%Y-%m-%dT%H:%M:%S.%f%z", R"(DAYT\d\d:\d\d:\d\d\.\d+ZONE)"},
    {"%Y-%m-%dT%H:%M:%S%z", R"(DAYT\d\d:\d\d:\d\dZONE)"},
    {"%Y-%m-%dT%H:%M:%S.%f", R"(DAYT\d\d:\d\d:\d\d\.\d+)"},
    {"%Y-%m-%dT%H:%M:%S,%f", R"(DAYT\d\d:\d\d:\d\d,\d+)"},
    {"%y/%m/%d %H:%M:%S", R"(\d\d/\d\d/\d\d \d\d:\d\d:\d\d)"},
    kOfGo[0],
    kOfGo[1],
    {"%y%m%d %H%M%S", R"(\d{6} \d{6})"},
    {"%d-%b-%Y %H:%M:%S.%f", R"(\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d\.\d+)"},
    {"%H:%M:%S.%f", R"(\d\d:\d\d:\d\d\.\d+)"},
    {"%H:%M:%S,%f", R"(\d\d:\d\d:\d\d,\d+)"},
};

// A line without a time goes on what the one before says.
constexpr std::string_view kLines = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^TIME +LEVEL +(?<pid>\d+) --- (?:\[(?<program>[^\]]*)\] )?\[ *(?<lane>[^\]]*)\] (?<logger>\S+) *: ?(?<message>.*)$"},
    {"pattern": "^TIME +LEVEL +\[(?<lane>.*?)\] (?<logger>[\w.$]+): ?(?<message>.*)$"},
    {"pattern": "^TIME +- +LEVEL +\[(?<lane>.*?)(?:@(?<line>\d+))?\] - ?(?<message>.*)$"},
    {"pattern": "^TIME +LEVEL +(?:(?<spans>(?:[\w-]+\{.*?\}:)+) )?(?<lane>[\w.$:/-]+?): (?<message>.*)$"},
    {"pattern": "^TIME - (?<lane>[^\s\[]+)\[LEVEL\]: ?(?<message>.*)$"},
    {"pattern": "^TIME LEVEL (?<lane>Daemon|[A-Z]\w*Handler) ?(?<message>.*)$"},
    {"pattern": "^TIME (?:-|\|) (?<lane>\S+) (?:-|\|) LEVEL +(?:-|\|) ?(?<message>.*)$"},
    {"pattern": "^TIME \| LEVEL +\| (?<lane>\S+) - ?(?<message>.*)$"},
    {"pattern": "^TIME \[(?<lane>[^\]]*)\] LEVEL +(?<logger>\S+) +-{1,2} ?(?<message>.*)$"},
    {"pattern": "^TIME +LEVEL +\[(?<lane>[^\]]*)\] (?<logger>\S+) (?:- )?(?<message>.*)$"},
    {"pattern": "^TIME (?<thread>\d+) LEVEL (?<lane>[\w.$]+): (?<message>.*)$"},
    {"pattern": "^TIME (?<pid>\d+) LEVEL (?<lane>\S+) (?<message>.*)$"},
    {"pattern": "^\[TIME\] LEVEL (?<message>.*) \((?<lane>[\w.$]+)\)$"},
    {"pattern": "^\[TIME\] LEVEL (?<message>.*)$", "lane": "log"},
    {"pattern": "^\[TIME LEVEL +(?<lane>[^\]]+)\] (?<message>.*)$"},
    {"pattern": "^\[TIME\]\[LEVEL *\]\[(?<lane>[^\]]*)\] ?(?<message>.*)$"},
    {"pattern": "^TIME \[LEVEL\] (?<lane>\d+)#(?<thread>\d+): (?:\*(?<connection>\d+) )?(?<message>.*)$"},
    {"pattern": "^TIME (?<lane>\d+) \[LEVEL\] (?<message>.*)$"},
    {"pattern": "^(?:time|ts|t)=\"?TIME\"? (?:level|lvl)=LEVEL (?<fields>.*)$", "lane": "log"},
    {"pattern": "^(?:level|lvl)=LEVEL (?:time|ts|t)=\"?TIME\"? (?<fields>.*)$", "lane": "log"},
    {"pattern": "^[\[(]?TIME[\])]?(?: ?[-|:,])? *\W?LEVEL\\b\W{0,3}(?<message>.*)$", "lane": "log"},
    {"pattern": "^[\[(]?TIME[\])]?\W(?<from>\S.{0,80}?)\W LEVEL\\b\W{0,3}(?<message>.*)$", "lane": "log", "params": {"from": "{from}", "message": "{message}"}},
    {"pattern": "^(?!\W{0,2}(?:\d\d[:/]\d\d|DAY))(?<message>.*\S.*)$", "makes": "child"}
  ]
})json";

// A statement that was logged when it was done.
constexpr std::string_view kPostgres = R"json({
  "time": "FORM",
  "duration_unit": "ms",
  "rules": [
    {"pattern": "^(?<end>MOMENT)PROCESS LOG: +duration: (?<duration>[\d.]+) ms +(?<what>statement|parse|bind|execute)[^:]*: (?<statement>(?<verb>\w+)(?s:.*))$",
     "makes": "state", "type": "{verb}"},
    {"pattern": "^(?<end>MOMENT)PROCESS LOG: +duration: (?<duration>[\d.]+) ms$", "makes": "state", "type": "statement"},
    {"pattern": "^TIMEPROCESS (?<type>[A-Z]+\d?): +(?<message>.*)$"},
    {"pattern": "^\s+(?<more>\S.*)$", "makes": "child"}
  ]
})json";

// A request that was logged when it was done; how long it took stands last, where it does.
constexpr std::string_view kRequests = R"json({
  "time": "%d/%b/%Y:%H:%M:%S %z",
  "rules": [
    {"pattern": "^CLIENT\[(?<end>MOMENT)\] REQUEST.* \"?(?<duration>\d+\.\d+)\"?s?$", "makes": "state",
     "lane": "requests", "type": "{method} {status}"},
    {"pattern": "^CLIENT\[TIME\] REQUEST.*$", "lane": "requests", "type": "{method} {status}"},
    {"pattern": "^CLIENT\[TIME\] \"(?<request>[^\"]*)\" (?<status>\d{3}) .*$", "lane": "requests", "type": "malformed {status}"}
  ]
})json";

constexpr std::string_view kKlog = R"json({
  "time": "%m%d %H:%M:%S.%f",
  "rules": [
    {"pattern": "^ITIMEPLACE", "type": "info"},
    {"pattern": "^WTIMEPLACE", "type": "warning"},
    {"pattern": "^ETIMEPLACE", "type": "error"},
    {"pattern": "^FTIMEPLACE", "type": "fatal"},
    {"pattern": "^(?:Log file created|Running on machine|Binary:|Running duration|Log line format|Binary |Application fingerprint).*$", "makes": "nothing"},
    {"pattern": "^(?![IWEF]\d{4} )(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

// Logs of Go's library, which has no levels.
constexpr std::string_view kGoLog = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^TIME (?:(?<place>[\w./-]+\.go:\d+): )?(?<message>.*)$", "lane": "log", "type": "message"},
    {"pattern": "^(?!\d{4}/\d\d)(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

constexpr std::string_view kRedis = R"json({
  "time": "%d %b %Y %H:%M:%S.%f",
  "rules": [
    {"pattern": "^BEFORE # (?<message>.*)$", "type": "warning"},
    {"pattern": "^BEFORE \* (?<message>.*)$", "type": "notice"},
    {"pattern": "^BEFORE - (?<message>.*)$", "type": "verbose"},
    {"pattern": "^BEFORE \. (?<message>.*)$", "type": "debug"}
  ]
})json";

constexpr std::string_view kApacheErrors = R"json({
  "time": "%a %b %d %H:%M:%S.%f %Y",
  "rules": [
    {"pattern": "^\[TIME\] \[(?<module>\w+):(?<type>\w+)\] \[pid (?<lane>\d+)(?::tid (?<thread>\d+))?\] (?:\[client (?<client>[^\]]*)\] )?(?<message>.*)$"},
    {"pattern": "^(?!\[)(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";
// Until version 2.2.
constexpr std::string_view kOldApacheErrors = R"json({
  "time": "%a %b %d %H:%M:%S %Y",
  "rules": [
    {"pattern": "^\[TIME\] \[(?<type>\w+)\] (?:\[client (?<client>[^\]]*)\] )?(?<message>.*)$", "lane": "log"},
    {"pattern": "^(?!\[)(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

// Jobs of GitHub: as they are downloaded, and as `gh run view --log` prints them, each line a part
// of its step.
constexpr std::string_view kGitHub = R"json({
  "time": "%Y-%m-%dT%H:%M:%S.%f%z",
  "rules": [
    {"pattern": "^TIME ##\[group\](?<type>.*)$", "makes": "begin", "lane": "groups"},
    {"pattern": "^TIME ##\[endgroup\]", "makes": "end", "lane": "groups"},
    {"pattern": "^TIME ##\[(?<type>\w+)\](?<message>.*)$", "lane": "output"},
    {"pattern": "^TIME ?(?<message>.*)$", "lane": "output", "type": "output"}
  ]
})json";
constexpr std::string_view kGitHubSteps = R"json({
  "time": "%Y-%m-%dT%H:%M:%S.%f%z",
  "rules": [
    {"pattern": "^(?<job>[^\t]+)\t(?<step>[^\t]+)\t\x{FEFF}?TIME ?(?<message>.*)$",
     "makes": "change", "lane": "{job}", "type": "{step}"}
  ]
})json";

// A section ends and the next begins in the same line; others say no time.
constexpr std::string_view kGitLab = R"json({
  "time": "s",
  "rules": [
    {"pattern": "section_end:(?<time>\d+):(?<id>\w+)", "makes": "end", "goes_on": true},
    {"pattern": "section_start:(?<time>\d+):(?<id>\w+)(?:\[[^\]]*\])?\r?COLORS(?<title>.*)$",
     "makes": "begin", "lane": "sections", "type": "{id}", "goes_on": true},
    {"pattern": "^COLORS(?:Running with gitlab-runner |\s+on \S).*$", "makes": "nothing"},
    {"pattern": "^(?!.*section_(?:start|end):)(?<output>.*\S.*)$", "makes": "child"}
  ]
})json";

// ---- lines of JSON

constexpr LoggedTime kOfJson[] = {
    {"%Y-%m-%dT%H:%M:%S.%f%z", R"(DAY[T ]\d\d:\d\d:\d\d\.\d+ZONE)"},
    {"%Y-%m-%dT%H:%M:%S%z", R"(DAYT\d\d:\d\d:\d\dZONE)"},
    {"%Y-%m-%dT%H:%M:%S.%f", R"(DAYT\d\d:\d\d:\d\d\.\d+)"},
    {"%Y-%m-%dT%H:%M:%S", R"(DAYT\d\d:\d\d:\d\d)"},
    {"%Y-%m-%d %H:%M:%S.%f", R"(DAY \d\d:\d\d:\d\d\.\d+)"},
    {"%Y-%m-%d %H:%M:%S,%f", R"(DAY \d\d:\d\d:\d\d,\d+)"},
    {"%Y-%m-%d %H:%M:%S", R"(DAY \d\d:\d\d:\d\d)"},
    {"s", R"(\d{9,10}(?:\.\d+)?)"},
    {"ms", R"(\d{12,13}(?:\.\d+)?)"},
    {"us", R"(\d{15,16})"},
    {"ns", R"(\d{18,19})"},
};

// Levels of bunyan and pino are numbers. Caddy logs requests when they are done, in seconds.
constexpr std::string_view kJsonLines = R"json({
  "kind": "json",
  "time": "FORM",
  "duration_unit": "s",
  "rules": [
    {"where": {"stageTimestamp": "\S", "requestReceivedTimestamp": "\S", "verb": "\S"}, "makes": "state",
     "time": "{requestReceivedTimestamp}", "end": "{stageTimestamp}", "lane": "{user/username}",
     "type": "{verb} {objectRef/resource}"},
    {"where": {"logger": "^http\.log\.access", "duration": "^[\d.]+$", "TIMES": "^TIME$"}, "makes": "state",
     "end": "{TIMES}", "lane": "{logger}", "type": "{request/method} {status}"},
    {"where": {"level": "^10$", "TIMES": "^TIME$"}, LOGGED "trace"},
    {"where": {"level": "^20$", "TIMES": "^TIME$"}, LOGGED "debug"},
    {"where": {"level": "^30$", "TIMES": "^TIME$"}, LOGGED "info"},
    {"where": {"level": "^40$", "TIMES": "^TIME$"}, LOGGED "warn"},
    {"where": {"level": "^50$", "TIMES": "^TIME$"}, LOGGED "error"},
    {"where": {"level": "^60$", "TIMES": "^TIME$"}, LOGGED "fatal"},
    {"where": {"LEVELS": "\S", "TIMES": "^TIME$"}, LOGGED "{LEVELS}"},
    {"where": {"TIMES": "^TIME$"}, LOGGED "message"}
  ]
})json";

constexpr std::string_view kGoTests = R"json({
  "kind": "json",
  "time": "%Y-%m-%dT%H:%M:%S.%f%z",
  "rules": [
    {"where": {"Action": "^(?:run|start)$", "Package": "\S"}, "makes": "begin",
     "time": "{Time}", "lane": "{Package}", "type": "{Test|Package}", "id": "{Package} {Test}", "params": {}},
    {"where": {"Action": "^(?:pass|fail|skip)$", "Package": "\S"}, "makes": "end",
     "time": "{Time}", "lane": "{Package}", "id": "{Package} {Test}", "params": {"result": "{Action}"}},
    {"where": {"Action": "^(?:output|pause|cont|bench|build-output|build-fail)$"},
     "time": "{Time}", "lane": "{Package|ImportPath}/output", "type": "{Action}"}
  ]
})json";

constexpr std::string_view kSpark = R"json({
  "kind": "json",
  "time": "ms",
  "rules": [
    {"where": {"Event": "^SparkListenerTaskStart$"}, "makes": "begin", "time": "{Task Info/Launch Time}",
     "lane": "executors/{Task Info/Executor ID}/tasks", "type": "stage {Stage ID}",
     "id": "task {Task Info/Task ID}",
     "params": {"task": "{Task Info/Task ID}", "index": "{Task Info/Index}", "attempt": "{Task Info/Attempt}",
                "host": "{Task Info/Host}", "locality": "{Task Info/Locality}"}},
    {"where": {"Event": "^SparkListenerTaskEnd$"}, "makes": "end", "time": "{Task Info/Finish Time}",
     "lane": "executors/{Task Info/Executor ID}/tasks", "id": "task {Task Info/Task ID}",
     "params": {"end": "{Task End Reason/Reason}", "run ms": "{Task Metrics/Executor Run Time}",
                "GC ms": "{Task Metrics/JVM GC Time}", "deserialize ms": "{Task Metrics/Executor Deserialize Time}",
                "result bytes": "{Task Metrics/Result Size}",
                "shuffle read bytes": "{Task Metrics/Shuffle Read Metrics/Remote Bytes Read}",
                "shuffle written bytes": "{Task Metrics/Shuffle Write Metrics/Shuffle Bytes Written}",
                "spilled bytes": "{Task Metrics/Disk Bytes Spilled}"}},
    {"where": {"Event": "^SparkListenerStageSubmitted$"}, "makes": "begin", "time": "{Stage Info/Submission Time}",
     "lane": "stages", "type": "{Stage Info/Stage Name}",
     "id": "stage {Stage Info/Stage ID} {Stage Info/Stage Attempt ID}",
     "params": {"stage": "{Stage Info/Stage ID}", "attempt": "{Stage Info/Stage Attempt ID}",
                "tasks": "{Stage Info/Number of Tasks}"}},
    {"where": {"Event": "^SparkListenerStageCompleted$"}, "makes": "end", "time": "{Stage Info/Completion Time}",
     "lane": "stages", "id": "stage {Stage Info/Stage ID} {Stage Info/Stage Attempt ID}",
     "params": {"failed": "{Stage Info/Failure Reason}"}},
    {"where": {"Event": "^SparkListenerJobStart$"}, "makes": "begin", "time": "{Submission Time}",
     "lane": "jobs", "type": "job {Job ID}", "id": "job {Job ID}", "params": {"stages": "{Stage IDs}"}},
    {"where": {"Event": "^SparkListenerJobEnd$"}, "makes": "end", "time": "{Completion Time}",
     "lane": "jobs", "id": "job {Job ID}", "params": {"result": "{Job Result/Result}"}},
    {"where": {"Event": "SparkListenerSQLExecutionStart$"}, "makes": "begin", "time": "{time}",
     "lane": "SQL", "type": "{description}", "id": "SQL {executionId}", "params": {"execution": "{executionId}"}},
    {"where": {"Event": "SparkListenerSQLExecutionEnd$"}, "makes": "end", "time": "{time}",
     "lane": "SQL", "id": "SQL {executionId}", "params": {"error": "{errorMessage}"}},
    {"where": {"Event": "^SparkListenerApplicationStart$"}, "makes": "begin", "time": "{Timestamp}",
     "lane": "application", "type": "{App Name}", "id": "application", "params": {"id": "{App ID}", "user": "{User}"}},
    {"where": {"Event": "^SparkListenerApplicationEnd$"}, "makes": "end", "time": "{Timestamp}",
     "lane": "application", "id": "application", "params": {}},
    {"where": {"Event": "^SparkListenerExecutorAdded$"}, "makes": "begin", "time": "{Timestamp}",
     "lane": "executors/{Executor ID}", "type": "executor", "id": "executor {Executor ID}",
     "params": {"host": "{Executor Info/Host}", "cores": "{Executor Info/Total Cores}"}},
    {"where": {"Event": "^SparkListenerExecutorRemoved$"}, "makes": "end", "time": "{Timestamp}",
     "lane": "executors/{Executor ID}", "id": "executor {Executor ID}", "params": {"removed": "{Removed Reason}"}},
    {"where": {"Event": "^SparkListener(?:BlockManager|ExecutorExcluded|ExecutorUnexcluded|NodeExcluded|NodeUnexcluded).*$", "Timestamp": "\d"},
     "time": "{Timestamp}", "lane": "application", "type": "{Event}"},
    {"where": {"Event": "\S"}, "makes": "nothing"}
  ]
})json";

// Parts that contain others precede them.
const PatternParts kLogParts = {
    {"LOGGED", R"("time": "{TIMES}", "lane": "{LOGGERS}", "type":)"},
    {"PROCESS",
     R"((?: [A-Z]{2,5})? \[(?<lane>\d+)\](?:: \[\d+-\d+\])?(?: (?:user=)?(?<user>[^\s@,]*)[@,](?:db=)?(?<database>[^\s,]*)\S*)?)"},
    {"COLORS", R"((?:\x1b\[[\d;]*[A-Za-z])*)"},
    {"CLIENT", R"((?:\S+:\d+ )?(?<client>\S+) \S+ (?<user>\S+) )"},
    {"REQUEST",
     R"(\"(?<method>[A-Z]+) (?<path>\S+)(?: (?<protocol>[^\"]*))?\" (?<status>\d{3}) (?:-|(?<bytes>\d+))(?: \"(?<referrer>[^\"]*)\" \"(?<agent>[^\"]*)\")?)"},
    {"PLACE", R"( +(?<lane>\d+) (?<place>[^\s:]+:\d+)\] ?(?<message>.*)$)"},
    {"BEFORE", R"((?<lane>\d+):(?<role>[A-Z]) TIME)"},
    {"TIMES", "@timestamp|timestamp|time|ts|asctime|datetime|date|Timestamp|Time|eventTime|t"},
    {"LEVELS",
     "level|levelname|severity|log/level|log.level|lvl|loglevel|log_level|Level|SeverityText|"
     "severity_text|stream"},
    {"LOGGERS",
     "thread|thread_name|threadName|process.thread.name|process/thread/name|logger|logger_name|"
     "loggerName|log.logger|log/logger|name|component|module|target|category|SourceContext|"
     "service.name|service|app|job|stream|hostname|host"},
    {"TIME", "(?<time>MOMENT)"},
    {"LEVEL",
     "(?<type>(?i:TRACE|VERBOSE|DEBUG|FINE(?:R|ST)?|CONFIG|INFO(?:RMATION)?|NOTICE|NOTE|"
     "WARN(?:ING)?|ERR(?:OR)?|CRIT(?:ICAL)?|ALERT|EMERG|SEVERE|FATAL|PANIC|SYSTEM))"},
};
const PatternParts kTimeParts = {{"DAY", R"(\d{4}-\d\d-\d\d)"},
                                 {"ZONE", R"((?:Z|[+-]\d\d(?::?\d\d)?))"}};

custom::RulesPtr log_rules(std::string_view definition, const LoggedTime& time) {
  const std::string moment = with_parts(std::string(time.time), kTimeParts);
  const std::string rules = with_parts(std::string(definition), kLogParts);
  return built_in_rules(
      with_parts(with_parts(rules, {{"MOMENT", moment}, {"FORM", time.form}}), kTimeParts));
}

std::vector<custom::RulesPtr> rules_of(std::string_view definition,
                                       std::span<const LoggedTime> times) {
  std::vector<custom::RulesPtr> rules;
  for (const LoggedTime& time : times) rules.push_back(log_rules(definition, time));
  return rules;
}

// Logs with unmistakable lines.
const std::vector<custom::RulesPtr>& named_logs() {
  static const std::vector<custom::RulesPtr> all = [] {
    std::vector<custom::RulesPtr> rules;
    for (const auto& [definition, time] :
         std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {kRequests, R"(\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})"},
             {kKlog, R"(\d{4} \d\d:\d\d:\d\d\.\d+)"},
             {kRedis, R"(\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d\.\d+)"},
             {kApacheErrors, R"([A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d\.\d+ \d{4})"},
             {kOldApacheErrors, R"([A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \d{4})"},
             {kGitHubSteps, R"(DAYT\d\d:\d\d:\d\d\.\d+Z)"},
             {kGitLab, ""}})
      rules.push_back(log_rules(definition, {"", time}));
    for (const LoggedTime& time : std::span(kOfLines).subspan(1, 2))
      rules.push_back(log_rules(kPostgres, time));
    return rules;
  }();
  return all;
}

const std::vector<custom::RulesPtr>& json_logs() {
  static const std::vector<custom::RulesPtr> all = [] {
    std::vector<custom::RulesPtr> rules = rules_of(kJsonLines, kOfJson);
    rules.push_back(log_rules(kSpark, {}));
    rules.push_back(log_rules(kGoTests, {}));
    return rules;
  }();
  return all;
}

// Returns the time forms that occur in a text: rules for the others need not be made.
std::vector<LoggedTime> times_in(std::string_view text, std::span<const LoggedTime> times) {
  std::vector<LoggedTime> found;
  for (const LoggedTime& each : times) {
    const auto pattern = Regex::compile(with_parts(std::string(each.time), kTimeParts));
    if (pattern && pattern->matches(text)) found.push_back(each);
  }
  return found;
}

// Returns the candidates for a log that begins so. Most are recognised by a level in each line.
std::vector<custom::RulesPtr> logs_like(std::string_view head) {
  if (trimmed(head).starts_with('{')) return json_logs();
  if (head.find("Z ##[group]") != std::string_view::npos)
    return {log_rules(kGitHub, {"", R"(DAYT\d\d:\d\d:\d\d\.\d+Z)"})};
  std::vector<custom::RulesPtr> rules = named_logs();
  for (const auto& each : rules_of(kLines, times_in(head, kOfLines))) rules.push_back(each);
  for (const auto& each : rules_of(kGoLog, times_in(head, kOfGo))) rules.push_back(each);
  return rules;
}

}  // namespace

int sniff_program_log(std::span<const std::byte> head) {
  if (as_chars(head).find('\0') != std::string_view::npos) return 0;
  return custom::surest_of(logs_like(as_chars(head)), head).second;
}

Status read_program_log(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  return custom::read_surest(logs_like(as_chars(head)), source, sink, context.memory_bytes,
                             context.changed);
}

}  // namespace weft::formats
