#include "core/formats/general/program_log/program_log_reader.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/regex.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/general/custom/built_in_rules.h"
#include "core/formats/general/custom/custom_reader.h"
#include "core/formats/general/program_log/event_list.h"
#include "core/formats/general/program_log/spark_log.h"
#include "core/io/memory_source.h"
#include "core/trace/event_counter.h"

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
constexpr LoggedTime kOfPostgres[] = {
    {"%Y-%m-%d %H:%M:%S.%f", R"(DAY \d\d:\d\d:\d\d\.\d+)"},
    {"%Y-%m-%d %H:%M:%S", R"(DAY \d\d:\d\d:\d\d)"},
};
// Before what most libraries write, whose level tells them from others.
constexpr LoggedTime kOfLines[] = {
    {"%Y-%m-%d %H:%M:%S.%f %z", R"(DAY \d\d:\d\d:\d\d\.\d+ [+-]\d\d:?\d\d)"},
    {"%Y-%m-%d %H:%M:%S %z", R"(DAY \d\d:\d\d:\d\d [+-]\d\d:?\d\d)"},
    {"%Y-%m-%d %H:%M:%S.%f%z", R"(DAY \d\d:\d\d:\d\d\.\d+ZONE)"},
    {"%Y-%m-%d %H:%M:%S%z", R"(DAY \d\d:\d\d:\d\dZONE)"},
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
    {"%H:%M:%S", R"((?<![\d-] |[T\d])\d\d:\d\d:\d\d(?![.,]\d))"},
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
    {"pattern": "^TIME +\[(?<lane>[^\]]+)\] +LEVEL\\b\W{0,3}(?<message>.*)$"},
    {"pattern": "^TIME (?<thread>\d+) LEVEL (?<lane>[\w.$]+): (?<message>.*)$"},
    {"pattern": "^TIME (?<pid>\d+) LEVEL (?<lane>\S+) (?<message>.*)$"},
    {"pattern": "^\[TIME\] LEVEL (?<message>.*) \((?<lane>[\w.$]+)\)$"},
    {"pattern": "^\[TIME\] LEVEL (?<message>.*)$", "lane": "log"},
    {"pattern": "^TIME \[LEVEL\] (?<lane><[\d.]+>) ?(?<message>.*)$"},
    {"pattern": "^\[TIME\] \[(?<lane>[^\]]+)\] \[LEVEL\] *(?:\[(?<place>[^\]\s]+:\d+)\] ?)?(?<message>.*)$"},
    {"pattern": "^\[TIME\] \[LEVEL\] \[(?<place>[^\]\s]+:\d+)\] ?(?<message>.*)$", "lane": "log"},
    {"pattern": "^\[TIME\] \[LEVEL\] \[(?<lane>[A-Za-z_/][^\]\s]*)\] (?<message>.*)$"},
    {"pattern": "^\[TIME LEVEL\] ?(?<message>.*)$", "lane": "log"},
    {"pattern": "^\[TIME LEVEL +(?<lane>[^\]]+)\] (?<message>.*)$"},
    {"pattern": "^\[TIME\]\[LEVEL *\]\[(?<lane>[^\]]*)\] ?(?<message>.*)$"},
    {"pattern": "^TIME \[LEVEL\] (?<lane>\d+)#(?<thread>\d+): (?:\*(?<connection>\d+) )?(?<message>.*)$"},
    {"pattern": "^TIME (?<lane>\d+) \[LEVEL\] (?<message>.*)$"},
    {"pattern": "^(?:time|ts|t)=\"?TIME\"? (?:level|lvl)=LEVEL (?<fields>.*)$", "lane": "log"},
    {"pattern": "^(?:time|ts|t)=\"?TIME\"? caller=(?<caller>\S+) (?:level|lvl)=LEVEL (?<fields>.*)$", "lane": "log"},
    {"pattern": "^(?:level|lvl)=LEVEL (?:time|ts|t)=\"?TIME\"? (?<fields>.*)$", "lane": "log"},
    {"pattern": "^[A-Z], \[TIME #(?<lane>\d+)\] +LEVEL -- (?<program>[^:]*): ?(?<message>.*)$"},
    {"pattern": "^\[?LEVEL\]? *\[?TIME\]? \[(?<lane>[^\]]+)\] (?<logger>[\w.$:]+) +-{1,2} ?(?<message>.*)$"},
    {"pattern": "^\[?LEVEL\W{1,4}TIME\]?\W+(?<message>.*)$", "lane": "log"},
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
  "time": "FORM",
  "rules": [
    {"pattern": "^I(?:0000 00:00:)?TIMEPLACE", "type": "info"},
    {"pattern": "^W(?:0000 00:00:)?TIMEPLACE", "type": "warning"},
    {"pattern": "^E(?:0000 00:00:)?TIMEPLACE", "type": "error"},
    {"pattern": "^F(?:0000 00:00:)?TIMEPLACE", "type": "fatal"},
    {"pattern": "^(?:WARNING: All log messages before absl|Log file created|Running on machine|Binary:|Running duration|Log line format|Binary |Application fingerprint).*$", "makes": "nothing"},
    {"pattern": "^(?![IWEF]\d{4,8} )(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

// TensorFlow's own, before it took that of Abseil.
constexpr std::string_view kTensorFlow = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^TIME: IOFSOURCE", "type": "info"},
    {"pattern": "^TIME: WOFSOURCE", "type": "warning"},
    {"pattern": "^TIME: EOFSOURCE", "type": "error"},
    {"pattern": "^TIME: FOFSOURCE", "type": "fatal"},
    {"pattern": "^(?!\d{4}-\d\d)(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

constexpr std::string_view kChromium = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^\[(?<process>\d+):(?<thread>-?\d+):TIME:(?<type>[A-Z]+\d*):(?<place>[^\]]+)\] ?(?<message>.*)$",
     "lane": "Process {process}/Thread {thread}"},
    {"pattern": "^(?!\[\d+:)(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

constexpr std::string_view kUnreal = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^\[TIME\]\[ *(?<frame>\d+)\](?<lane>\w+): (?<type>Fatal|Error|Warning|Display|Verbose|VeryVerbose): ?(?<message>.*)$"},
    {"pattern": "^\[TIME\]\[ *(?<frame>\d+)\](?<lane>\w+): ?(?<message>.*)$", "type": "Log"},
    {"pattern": "^(?:Log file open|Log\w+: ).*$", "makes": "nothing"},
    {"pattern": "^(?!\[\d)(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

// Nodes of ROS 1 and 2, as they print and as `ros2 launch` passes it on; the launch's own.
constexpr std::string_view kRos = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^COLORS(?:\[(?<process>[\w.-]+-\d+)\] )?COLORS\[ ?LEVEL\] \[TIME(?:, \d+\.\d+)?\](?: \[(?<lane>[^\]]+)\])?: ?(?<message>.*?)COLORS$"},
    {"pattern": "^TIME \[LEVEL\] \[(?<lane>[^\]]+)\]: ?(?<message>.*)$"},
    {"pattern": "^(?!COLORS(?:\[[\w. -]+\] )*\[?\d{9})(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

// All of ROS 1, and what its library for Python says of itself. The first line has another clock
// where times are simulated.
constexpr std::string_view kRosout = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^TIME LEVEL (?<lane>\S+) \[(?<place>[^\]]*)\] \[topics: ?(?<topics>[^\]]*)\] ?(?<message>.*)$"},
    {"pattern": "^\d+\.\d+ +Node Startup$", "makes": "nothing"},
    {"pattern": "^(?!\d+\.\d{9} )(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";
constexpr std::string_view kRospy = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^\[(?<lane>[^\]]+)\]\[LEVEL\] TIME: ?(?<message>.*)$"},
    {"pattern": "^(?!\[[^\]]+\]\[[A-Z]+\] \d{4}-)(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

// What Java's own library writes: a line of where, a line of what.
constexpr std::string_view kJavaLogging = R"json({
  "time": "FORM",
  "continued": "^[A-Z][a-z]{2} \d{1,2}, \d{4}",
  "rules": [
    {"pattern": "^TIME (?<lane>\S+)(?: (?<method>\S+))?\nLEVEL: ?(?<message>.*)$"},
    {"pattern": "^(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

// Systems on microcontrollers, whose times count from their start, mostly.
constexpr std::string_view kZephyr = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^SINCESTART COLORS<dbg> (?:\[(?<thread>[^\]]+)\] )?NAMED$", "time": "{clock}.{ms}{us}", "type": "debug"},
    {"pattern": "^SINCESTART COLORS<inf> (?:\[(?<thread>[^\]]+)\] )?NAMED$", "time": "{clock}.{ms}{us}", "type": "info"},
    {"pattern": "^SINCESTART COLORS<wrn> (?:\[(?<thread>[^\]]+)\] )?NAMED$", "time": "{clock}.{ms}{us}", "type": "warning"},
    {"pattern": "^SINCESTART COLORS<err> (?:\[(?<thread>[^\]]+)\] )?NAMED$", "time": "{clock}.{ms}{us}", "type": "error"},
    {"pattern": "^COLORS\*{3} .* \*{3}.*$", "makes": "nothing"},
    {"pattern": "^(?!COLORS\[ *\d[\d:T .,Z-]+\] )(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";
// Parts of a system may count milliseconds from its start where others have a clock: these lines
// are told as more of the one before.
constexpr std::string_view kEspressif = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^COLORSV \(TIME\) NAMED$", "type": "verbose"},
    {"pattern": "^COLORSD \(TIME\) NAMED$", "type": "debug"},
    {"pattern": "^COLORSI \(TIME\) NAMED$", "type": "info"},
    {"pattern": "^COLORSW \(TIME\) NAMED$", "type": "warning"},
    {"pattern": "^COLORSE \(TIME\) NAMED$", "type": "error"},
    {"pattern": "^(?:ets \w+ +\d|rst:|configsip:|clk_drv:|mode:|load:|entry |SPIWP:|ESP-ROM:|Build:|SHA-256).*$", "makes": "nothing"},
    {"pattern": "^(?!COLORS[VDIWE] \((?:MOMENT|\d\d[:-]))(?<more>.*\S.*)$", "makes": "child"}
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

// A request of a proxy that was logged when it was done.
constexpr std::string_view kSquid = R"json({
  "time": "s",
  "duration_unit": "ms",
  "rules": [
    {"pattern": "^(?<end>MOMENT) +(?<duration>-?\d+) (?<client>\S+) (?<action>[A-Z_]+)/(?<status>\d{3}) (?<bytes>\d+) (?<method>[A-Z_]+|-) (?<url>\S+) (?<user>\S+) (?<peer>[A-Z_]+/\S+) (?<content>\S+)$",
     "makes": "state", "lane": "requests", "type": "{method} {status}"}
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

// Levels of bunyan and pino are numbers, those of MongoDB letters. Caddy logs requests when they
// are done, in seconds.
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
    {"where": {"s": "^D\d?$", MONGO "debug"},
    {"where": {"s": "^I$", MONGO "info"},
    {"where": {"s": "^W$", MONGO "warning"},
    {"where": {"s": "^E$", MONGO "error"},
    {"where": {"s": "^F$", MONGO "fatal"},
    {"where": {"level": "^10$", "TIMES": "^TIME$"}, LOGGED "trace"},
    {"where": {"level": "^20$", "TIMES": "^TIME$"}, LOGGED "debug"},
    {"where": {"level": "^30$", "TIMES": "^TIME$"}, LOGGED "info"},
    {"where": {"level": "^40$", "TIMES": "^TIME$"}, LOGGED "warn"},
    {"where": {"level": "^50$", "TIMES": "^TIME$"}, LOGGED "error"},
    {"where": {"level": "^60$", "TIMES": "^TIME$"}, LOGGED "fatal"},
    {"where": {"LEVELS": "\S", "TIMES": "^TIME$"}, LOGGED "{LEVELS}"},
    OFLIST
    {"where": {"TIMES": "^TIME$"}, LOGGED "message"}
  ]
})json";

// An event of a list may have a name, where a line has the name of its logger.
constexpr std::string_view kOfList =
    R"json({"where": {"name": "\S", "TIMES": "^TIME$"}, "time": "{TIMES}", "lane": "events", "type": "{name}"},)json";
// Times of a list may be whatever its program counts.
constexpr LoggedTime kCounted[] = {{"s", R"(\d+\.\d+)"}, {"ticks", R"(\d+)"}};

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

// Parts that contain others precede them.
const PatternParts kLogParts = {
    {"MONGO", R"("t/$date": "^TIME$"}, "time": "{t/$date}", "lane": "{ctx}", "type":)"},
    {"LOGGED", R"("time": "{TIMES}", "lane": "{LOGGERS}", "type":)"},
    {"PROCESS",
     R"((?: [A-Z]{2,5})? \[(?<lane>\d+)\](?:: \[\d+-\d+\])?(?: (?:user=)?(?<user>[^\s@,]*)[@,](?:db=)?(?<database>[^\s,]*)\S*)?)"},
    {"OFSOURCE", R"( (?<lane>[^\s:]+):(?<line>\d+)\] ?(?<message>.*)$)"},
    {"NAMED", R"((?<lane>[^\s:]+): ?(?<message>.*?)COLORS)"},
    {"SINCESTART", R"(COLORS\[ *MOMENT\])"},
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
     "service.name|service|app|job|stream|logStreamName|hostname|host"},
    {"TIME", "(?<time>MOMENT)"},
    {"LEVEL",
     "(?<type>(?i:TRACE|VERBOSE|DEBUG|FINE(?:R|ST)?|CONFIG|INFO(?:RMATION)?|NOTICE|NOTE|"
     "WARN(?:ING)?|ERR(?:OR)?|CRIT(?:ICAL)?|ALERT|EMERG|SEVERE|FATAL|PANIC|SYSTEM)|"
     "VRB|TRC|DBG|INF|WRN|CRT|FTL)"},
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
             {kRedis, R"(\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d\.\d+)"},
             {kApacheErrors, R"([A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d\.\d+ \d{4})"},
             {kOldApacheErrors, R"([A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \d{4})"},
             {kGitHubSteps, R"(DAYT\d\d:\d\d:\d\d\.\d+Z)"},
             {kGitLab, ""}})
      rules.push_back(log_rules(definition, {"", time}));
    for (const LoggedTime& time : kOfPostgres) rules.push_back(log_rules(kPostgres, time));
    return rules;
  }();
  return all;
}

const std::vector<custom::RulesPtr>& json_logs() {
  static const std::vector<custom::RulesPtr> all = [] {
    const std::string definition = with_parts(std::string(kJsonLines), {{"OFLIST", ""}});
    std::vector<custom::RulesPtr> rules = rules_of(definition, kOfJson);
    rules.push_back(log_rules(spark_log(kSparkStages), {}));
    rules.push_back(log_rules(kGoTests, {}));
    return rules;
  }();
  return all;
}

// Logs as one document.
const std::vector<custom::RulesPtr>& event_lists() {
  static const std::vector<custom::RulesPtr> all = [] {
    const std::string definition = with_parts(std::string(kJsonLines), {{"OFLIST", kOfList}});
    std::vector<custom::RulesPtr> rules = rules_of(definition, kOfJson);
    for (const auto& each : rules_of(definition, kCounted)) rules.push_back(each);
    return rules;
  }();
  return all;
}

// Logs with lines of their own whose times say whether they come into question.
struct TimedLog {
  std::string_view definition;
  LoggedTime time;
};

constexpr TimedLog kTimedLogs[] = {
    {kKlog, {"%m%d %H:%M:%S.%f", R"((?<=[IWEF])\d{4} \d\d:\d\d:\d\d\.\d+)"}},
    {kKlog, {"%Y%m%d %H:%M:%S.%f", R"((?<=[IWEF])\d{8} \d\d:\d\d:\d\d\.\d+)"}},
    {kKlog, {"s", R"((?<=0000 00:00:)\d{9,}\.\d+)"}},
    {kTensorFlow, {"%Y-%m-%d %H:%M:%S.%f", R"(DAY \d\d:\d\d:\d\d\.\d+(?=: [IWEF] ))"}},
    {kChromium, {"%m%d/%H%M%S.%f", R"((?<=:)\d{4}/\d{6}\.\d+(?=:[A-Z]))"}},
    {kUnreal, {"%Y.%m.%d-%H.%M.%S:%f", R"((?<=\[)\d{4}\.\d\d\.\d\d-\d\d\.\d\d\.\d\d:\d{3})"}},
    {kRos, {"s", R"(\d{9,}\.\d{6,9})"}},
    {kJavaLogging,
     {"%b %d, %Y %I:%M:%S %p", R"([A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d [AP]M)"}},
    // Hours count on beyond a day.
    {kZephyr, {"%H:%M:%S.%f", R"((?<clock>\d{2,}:\d\d:\d\d)\.(?<ms>\d{3}),(?<us>\d{3})(?=\] ))"}},
    {kZephyr,
     {"%Y-%m-%d %H:%M:%S.%f", R"((?<clock>DAY \d\d:\d\d:\d\d)\.(?<ms>\d{3}),(?<us>\d{3})(?=\] ))"}},
    {kZephyr,
     {"%Y-%m-%dT%H:%M:%S.%f", R"((?<clock>DAYT\d\d:\d\d:\d\d),(?<ms>\d{3})(?<us>\d{3})Z(?=\] ))"}},
    {kZephyr, {"s", R"((?<clock>\d+)\.(?<ms>\d{3})(?<us>\d{3})(?=\] \S*<(?:dbg|inf|wrn|err)> ))"}},
    {kRosout, {"s", R"(\d+\.\d{9}(?= [A-Z]+ /\S* \[))"}},
    {kRospy, {"%Y-%m-%d %H:%M:%S,%f", R"(DAY \d\d:\d\d:\d\d,\d{3}(?=: ))"}},
    {kEspressif, {"%H:%M:%S.%f", R"((?<=[VDIWE] \()\d\d:\d\d:\d\d\.\d{3}(?=\) ))"}},
    {kEspressif,
     {"%y-%m-%d %H:%M:%S.%f", R"((?<=[VDIWE] \()\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}(?=\) ))"}},
    {kEspressif, {"ms", R"((?<=[VDIWE] \()\d+(?=\) ))"}},
    {kSquid, {"", R"(\d{9,}\.\d{3}(?= ))"}},
};

// Returns the time forms that occur in a text: rules for the others need not be made.
std::vector<LoggedTime> times_in(std::string_view text, std::span<const LoggedTime> times) {
  std::vector<LoggedTime> found;
  for (const LoggedTime& each : times) {
    const auto pattern = Regex::compile(with_parts(std::string(each.time), kTimeParts));
    if (pattern && pattern->matches(text)) found.push_back(each);
  }
  return found;
}

std::vector<custom::RulesPtr> timed_logs_in(std::string_view text) {
  std::vector<custom::RulesPtr> rules;
  for (const TimedLog& each : kTimedLogs) {
    if (!times_in(text, {&each.time, 1}).empty())
      rules.push_back(log_rules(each.definition, each.time));
  }
  return rules;
}

// Returns the candidates for a log that begins so. Most are recognised by a level in each line.
std::vector<custom::RulesPtr> logs_like(std::string_view head) {
  if (trimmed(head).starts_with('{'))
    return has_older_stages(head) ? std::vector{log_rules(spark_log(kOlderSparkStages), {})}
                                  : json_logs();
  if (head.find("Z ##[group]") != std::string_view::npos)
    return {log_rules(kGitHub, {"", R"(DAYT\d\d:\d\d:\d\d\.\d+Z)"})};
  std::vector<custom::RulesPtr> rules = named_logs();
  for (const auto& each : timed_logs_in(head)) rules.push_back(each);
  for (const auto& each : rules_of(kLines, times_in(head, kOfLines))) rules.push_back(each);
  for (const auto& each : rules_of(kGoLog, times_in(head, kOfGo))) rules.push_back(each);
  return rules;
}

// Whether a text is one object of JSON in one line that is no line of a log: another document that
// has a time somewhere.
bool is_other_document(std::string_view head) {
  static constexpr std::string_view kOfLines[] = {
      "msg",       "message",   "log",     "text",      "body",          "event",       "Event",
      "MESSAGE",   "level",     "lvl",     "levelname", "severity",      "Level",       "loglevel",
      "log_level", "log.level", "error",   "Action",    "verb",          "stream",      "logger",
      "stage",     "status",    "request", "method",    "severity_text", "SeverityText"};
  std::string_view rest = trimmed(head);
  const std::string_view line = take_to(rest, '\n');
  if (!line.starts_with('{') || !trimmed(rest).empty()) return false;
  const auto document = json::Document::parse(line);
  if (!document) return false;
  return std::ranges::none_of(kOfLines, [&](std::string_view name) {
    return json::member(document->root(), name).has_value();
  });
}

}  // namespace

int sniff_program_log(std::span<const std::byte> head) {
  constexpr uint64_t kMemoryBytes = 8 << 20;
  const std::string_view text = as_chars(head);
  if (text.find('\0') != std::string_view::npos) return 0;
  if (is_event_list(text)) {
    io::MemorySource source(head);
    trace::EventCounter sink;
    const auto lines = lines_of_events(source, sink, kMemoryBytes);
    if (!lines || lines->empty()) return 0;
    return custom::surest_of(event_lists(), std::as_bytes(std::span(*lines))).second;
  }
  if (is_other_document(text)) return 0;
  return custom::surest_of(logs_like(text), head).second;
}

Status read_program_log(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  if (is_event_list(as_chars(head))) {
    WEFT_TRY_ASSIGN(const std::string text, lines_of_events(source, sink, context.memory_bytes));
    io::MemorySource lines(std::as_bytes(std::span(text)));
    return custom::read_surest(event_lists(), lines, sink, context.memory_bytes, context.changed);
  }
  return custom::read_surest(logs_like(as_chars(head)), source, sink, context.memory_bytes,
                             context.changed);
}

}  // namespace weft::formats
