#include "core/formats/kernel/tool_output/tool_output_reader.h"

#include <fmt/core.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/general/custom/built_in_rules.h"
#include "core/formats/general/custom/custom_reader.h"
#include "core/formats/general/custom/definition.h"

namespace weft::formats {
namespace {

using custom::built_in_rules;
using custom::with_parts;

// Words in capitals stand for parts of patterns (kParts). A call that another process interrupts
// ends in a later line, which has the time of its begin, or none if it began before all. The calls
// of one thread alone do not say whose they are.
constexpr std::string_view kPerfTrace = R"json({
  "time": "ms",
  "rules": [
    {"pattern": "^TOOK TASK(?<type>\w+)\((?<args>.*)\) += (?<result>.*)$", "makes": "state"},
    {"pattern": "^TOOK TASK(?<type>(?:min|maj)fault) \[(?<at>.*?)\] => (?<of>.*)$"},
    {"pattern": "^AT \( *\): TASK(?<type>\w+)\((?<args>.*?)\)? +\.\.\.$", "makes": "begin"},
    {"pattern": "^AT \( *\): TASK(?<type>\w+)\((?<args>.*)\) += \?$"},
    {"pattern": "^ *\? \( *\): TASK\.\.\. \[continued\]: ", "makes": "end"},
    {"pattern": "^TOOK TASK\.\.\. \[continued\]: (?<type>\w+)\(.*\)\) += (?<result>.*)$",
     "makes": "end", "duration": "{duration}", "params": {"result": "{result}"}},
    {"pattern": "^AT (?:\( *\): )?TASK(?<type>\w+:\w+)\((?<args>.*)\)$"},
    {"pattern": "^AT (?<type>\w+:\w+):? ?(?<args>.*)$", "lane": "events"},
    {"pattern": "^LOST (?<value>\d+) events!$", "makes": "loss"},
    {"pattern": "^ Summary of events:$|^ \S.*, \d+ events(?:, .*)?$|^ +syscall +calls |^ +\(msec\)|^ +-+ -[- ]+$|^ +\w+ +\d+ +\d+ +[\d.]+ +[\d.]+ .*%$",
     "makes": "nothing"},
    {"pattern": "^ {20,}(?<stack>\S.*)$", "makes": "child"}
  ]
})json";

// `perf sched timehist` says when a task left its CPU, and below -V by a sign which CPU it was. The
// sums behind it (-S) say nothing new.
constexpr std::string_view kPerfTimehist = R"json({
  "time": "s",
  "duration_unit": "ms",
  "rules": [
    {"pattern": "^ *(?<end>\d+\.\d+) \[0*(?<cpu>\d+)\] +(?:[imsw] +)?(?<type>\S.*?\S) +(?<wait>[\d.]+) +(?<delay>[\d.]+) +(?<duration>[\d.]+)(?<more>.*)$",
     "makes": "state", "lane": "CPU {cpu}"},
    {"pattern": "^ *(?<time>\d+\.\d+) \[0*(?<cpu>\d+)\] +(?:[imsw] +)?(?<by>\S.*?\S) +(?<type>awakened|migrated): (?<task>.*)$",
     "lane": "CPU {cpu}"},
    {"pattern": "^(?:Samples do not|Samples of| +time +cpu| +\[tid/pid\]|[- ]+$|Runtime summary| +comm +parent|  +\(count\)|Terminated tasks:|Idle stats:|    CPU +\d+ idle| +\S.*\] +-?\d+ +\d+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ | *Total (?:number|run time|scheduling))",
     "makes": "nothing"}
  ]
})json";

// `truss -d -f` says when a call returned, `kdump -T` of ktrace when it began and when it returned.
constexpr std::string_view kTruss = R"json({
  "time": "s",
  "rules": [
    {"pattern": "^ *(?<lane>\d+): (?<time>\d+\.\d{4,9}) +(?<type>\w+)\((?<args>.*)\)\s+(?:= (?<result>.*)|ERR#(?<error>.*))$"},
    {"pattern": "^ *(?<lane>\d+): (?<time>\d+\.\d{4,9}) +(?<type>SIGNAL|process|<)(?<text>.*)$"}
  ]
})json";
constexpr std::string_view kKdump = R"json({
  "time": "s",
  "rules": [
    {"pattern": "^ *(?<pid>\d+) .* (?<time>\d+\.\d+) RET +(?<type>ktrace) ?(?<result>\d*)$", "lane": "Process {pid}"},
    {"pattern": "^ *(?<pid>\d+)(?: +(?<thread>\d{5,}))? +(?<program>\S.*?) +(?<time>\d+\.\d+) CALL +(?<type>\w+)(?:\((?<args>.*)\))?$",
     "makes": "begin", "lane": "Process {pid}", "id": "{pid} {thread}"},
    {"pattern": "^ *(?<pid>\d+)(?: +(?<thread>\d{5,}))? +(?<program>\S.*?) +(?<time>\d+\.\d+) RET +\w+ (?<result>.*)$",
     "makes": "end", "lane": "Process {pid}", "id": "{pid} {thread}", "params": {"result": "{result}"}},
    {"pattern": "^ *(?<pid>\d+)(?: +\d{5,})? +(?<program>\S.*?) +(?<time>\d+\.\d+) (?<type>[A-Z]{3,4}) +(?<text>.*)$",
     "lane": "Process {pid}"},
    {"pattern": "^(?! *\d+ +\S.* \d+\.\d+ [A-Z])(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

// The kernel's usbmon: a request from where it is submitted to where it is complete.
constexpr std::string_view kUsbmon = R"json({
  "time": "us",
  "rules": [
    {"pattern": "^(?<id>[0-9a-f]{8,16}) (?<time>\d+) S REQUEST (?<setup>.*)$",
     "makes": "begin", "lane": "Bus {bus}/Device {device}", "type": "{pipe} {endpoint}"},
    {"pattern": "^(?<id>[0-9a-f]{8,16}) (?<time>\d+) C REQUEST (?<status>-?\d+)\S*(?: (?<length>\d+))?.*$",
     "makes": "end", "lane": "Bus {bus}/Device {device}", "params": {"status": "{status}", "length": "{length}"}},
    {"pattern": "^[0-9a-f]{8,16} (?<time>\d+) E REQUEST (?<status>-?\d+).*$",
     "lane": "Bus {bus}/Device {device}", "type": "error"}
  ]
})json";

// BCC's biosnoop, which prints when a request was complete.
constexpr std::string_view kBiosnoop = R"json({
  "time": "s",
  "duration_unit": "ms",
  "rules": [
    {"pattern": "^(?<end>\d+\.\d+) +(?<process>\S.*?) +(?<pid>\d+) +(?<disk>\S+) +(?<type>\w+) +(?<sector>-?\d+) +(?<bytes>\d+) +(?:(?<queued_ms>[\d.]+) +)?(?<duration>[\d.]+)$",
     "makes": "state", "lane": "{disk}"},
    {"pattern": "^(?:Tracing|TIME)", "makes": "nothing"}
  ]
})json";

// Events that have no end are those of switches and of what ends.
constexpr std::string_view kSysdig = R"json({
  "time": "%H:%M:%S.%f",
  "rules": [
    {"pattern": "^EVENT > (?<type>switch|procexit|signaldeliver|drop)\s*(?<args>.*)$",
     "lane": "{process} {thread}"},
    {"pattern": "^EVENT > (?<type>\w+)\s*(?<args>.*)$", "makes": "begin",
     "lane": "{process} {thread}", "params": {"cpu": "{cpu}", "args": "{args}"}},
    {"pattern": "^EVENT < (?<type>\w+)\s*(?<result>.*)$", "makes": "end",
     "lane": "{process} {thread}", "params": {"result": "{result}"}}
  ]
})json";

constexpr std::string_view kTcpdump = R"json({
  "time": "FORM",
  "continued": "\(tos 0x.*\)$",
  "rules": [
    {"pattern": "^PACKET HOSTS_WITH_PORTS: FLAGS,? ?(?<text>.*)$",
     "makes": "link", "type": "TCP {flags}"},
    {"pattern": "^PACKET HOSTS_WITH_PORTS: (?<text>tcp \d+)$", "makes": "link", "type": "TCP"},
    {"pattern": "^PACKET HOSTS_WITH_PORTS: (?<text>sctp\\b.*)$", "makes": "link", "type": "SCTP"},
    {"pattern": "^PACKET (?<from>\S+) > (?<to>\S+): (?<type>ICMP6?)[,\s] ?(?<text>.*)$",
     "makes": "link"},
    {"pattern": "^PACKET (?<from>V4|V6)\.SOURCE > (?<to>V4|V6)\.TARGET: (?<text>.*)$",
     "makes": "link", "type": "UDP"},
    {"pattern": "^PACKET HOSTS_WITH_PORTS: (?<text>(?:UDP, |\d+[-+*|$%]* |NTPv|BOOTP/DHCP|NBT |\[(?:bad )?udp).*)$",
     "makes": "link", "type": "UDP"},
    {"pattern": "^PACKET (?<from>\S+) > (?<to>\S+): (?<text>.*)$", "makes": "link", "type": "IP"},
    {"pattern": "^STAMP(?:STATIONS, (?:ethertype )?)?(?<type>ARP|STP|LLDP|EAPOL|IP6?|802\.1Q|LLC|PPPoE|MPLS)(?: \(0x\w+\), length \d+:)?(?:,? (?<text>.*))?$",
     "lane": "network"},
    {"pattern": "^STAMP(?<from>MAC)MAKER > (?<to>MAC)MAKER, (?<text>.*)$", "makes": "link", "type": "Ethernet"},
    {"pattern": "^\s+(?<more>\S(?s:.*))$", "makes": "child"},
    {"pattern": "^(?:tcpdump|reading from file|listening on|dropped privs|\d+ packets?) ?.*$",
     "makes": "nothing"}REST
  ]
})json";
// With -A the bytes of a packet follow as text, which may be anything.
constexpr std::string_view kAsText = R"json(,
    {"pattern": "^(?!STAMP)(?<more>.+)$", "makes": "child"})json";

// A packet a line, with the columns that it has by itself.
constexpr std::string_view kTshark = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^ *(?<number>\d+) +(?<time>TIME) +(?<from>\S+) (?:→|->) (?<to>\S+) +(?<type>\S+) (?<length>\d+) ?(?<text>.*)$",
     "makes": "link"},
    {"pattern": "^(?:Running as user|Capturing on|\d+ packets?) ?.*$", "makes": "nothing"}
  ]
})json";

constexpr std::string_view kCandump = R"json({
  "time": "s",
  "rules": [
    {"pattern": "^BUS +ID#(?<data>[HEX._]*)(?: [RT])?$",
     "lane": "{bus}/0x{identifier}", "type": "CAN"},
    {"pattern": "^BUS +ID##(?<flags>HEX)(?<data>[HEX.]*)(?: [RT])?$",
     "lane": "{bus}/0x{identifier}", "type": "CAN FD"},
    {"pattern": "^BUS +ID#R(?<size>\d?)(?: [RT])?$",
     "lane": "{bus}/0x{identifier}", "type": "CAN remote request"},
    {"pattern": "^ *BUS +(?:(?<direction>[TR]X) +\S \S +)?ID +\[(?<size>\d+)\] +(?<data>remote request|[HEX ]*)\s*(?:'.*')?$",
     "lane": "{bus}/0x{identifier}", "type": "CAN"}
  ]
})json";

constexpr std::string_view kVectorLog = R"json({
  "time": "s",
  "rules": [
    {"pattern": "^(?:date |base |(?:no )?internal events|(?i:begin trigger|end trigger)|//)",
     "makes": "nothing"},
    {"pattern": "^AT +(?<bus>\d+) +IDx? +WAY +d +(?<size>HEX+) *(?<data>BYTES)(?: .*)?$",
     "lane": "CAN {bus}/0x{identifier}", "type": "CAN"},
    {"pattern": "^AT +(?<bus>\d+) +IDx? +WAY +r.*$",
     "lane": "CAN {bus}/0x{identifier}", "type": "CAN remote request"},
    {"pattern": "^AT +CANFD +(?<bus>\d+) +WAY +IDx? +(?<data>.*)$",
     "lane": "CAN {bus}/0x{identifier}", "type": "CAN FD"},
    {"pattern": "^AT +(?:CANFD +)?(?<bus>\d+) +(?:WAY +)?ErrorFrame.*$",
     "lane": "CAN {bus}/errors", "type": "CAN error"},
    {"pattern": "^AT +(?<bus>\d+) +(?<type>J1939\w*) +(?<text>.*)$", "lane": "CAN {bus}"},
    {"pattern": "^AT +(?<text>(?:Start of|CAN|LIN|ETH|SV:|J1939|L\d|\d+ +Stat|.*Trigger).*)$",
     "lane": "log", "type": "message"}
  ]
})json";

constexpr std::string_view kPeakLog = R"json({
  "time": "ms",
  "rules": [
    {"pattern": "^;", "makes": "nothing"},
    {"pattern": "^ *\d+\) +SINCE +(?:(?<bus>\d) +)?(?:WAY +)?ID +(?:- +)?(?<size>\d+) +(?<data>BYTES|RTR)\s*$",
     "lane": "CAN/0x{identifier}", "type": "CAN"},
    {"pattern": "^ *\d+ +SINCE +(?<kind>[DF][TDBE]|BI|RR) +(?:(?<bus>\d) +)?ID +WAY +(?:- +)?(?<size>\d+) *(?<data>BYTES)\s*$",
     "lane": "CAN/0x{identifier}", "type": "CAN"},
    {"pattern": "^ *\d+\)? +SINCE +(?:\d +)?(?<text>(?:Error|Warng|ST|EC|ER|EV|FFFFFFFF)\\b.*)$",
     "lane": "CAN", "type": "message"}
  ]
})json";

// BUSMASTER, whose files have lines about the session between stars.
constexpr std::string_view kBusmaster = R"json({
  "time": "%H:%M:%S:%f",
  "rules": [
    {"pattern": "^\*{3}.*\*{3}$", "makes": "nothing"},
    {"pattern": "^(?<time>\d+:\d\d:\d\d:\d+) +WAY +(?<bus>\d+) +(?:0x)?ID +(?<kind>[sxre]+) +(?<size>\d+) *(?<data>BYTES)\s*$",
     "lane": "CAN {bus}/0x{identifier}", "type": "CAN"}
  ]
})json";

// OVMS and SavvyCAN.
constexpr std::string_view kCrtd = R"json({
  "time": "s",
  "rules": [
    {"pattern": "^AT (?<bus>\d)(?<direction>[RT])(?<bits>11|29) +ID +(?<data>BYTES)\s*$",
     "lane": "CAN {bus}/0x{identifier}", "type": "CAN"},
    {"pattern": "^AT (?<direction>[RT])(?<bits>11|29) +ID +(?<data>BYTES)\s*$",
     "lane": "CAN/0x{identifier}", "type": "CAN"},
    {"pattern": "^AT \d?(?<kind>C(?:XX|EV|BC|ST|VR|ER)) +(?<text>.*)$", "lane": "log", "type": "message"}
  ]
})json";

// SavvyCAN.
constexpr std::string_view kGvret = R"json({
  "kind": "csv",
  "time": "us",
  "rules": [
    {"where": {"Time Stamp": "^\d+$", "ID": "^[0-9A-Fa-f]+$", "Bus": "^\d+$"},
     "time": "{Time Stamp}", "lane": "CAN {Bus}/0x{ID}", "type": "CAN"}
  ]
})json";

// The kernel's tracer "mmiotrace": accesses of a driver to its device, map by map.
constexpr std::string_view kMmioTrace = R"json({
  "time": "s",
  "rules": [
    {"pattern": "^R (?<bytes>\d+) AT (?<map>\d+) ADDRESS (?<value>0x\w+) CALLER$",
     "lane": "map {map}", "type": "read"},
    {"pattern": "^W (?<bytes>\d+) AT (?<map>\d+) ADDRESS (?<value>0x\w+) CALLER$",
     "lane": "map {map}", "type": "write"},
    {"pattern": "^MAP AT (?<id>-?\d+) ADDRESS (?<virtual>0x\w+) (?<bytes>0x\w+) CALLER$",
     "makes": "begin", "lane": "map {id}", "type": "mapped"},
    {"pattern": "^UNMAP AT (?<id>-?\d+) CALLER$", "makes": "end", "params": {}},
    {"pattern": "^UNKNOWN AT (?<map>\d+) ADDRESS (?<data>[\w,]+) CALLER$",
     "lane": "map {map}", "type": "unknown instruction"},
    {"pattern": "^MARK [\d.]+ Lost (?<value>\d+) events\.$", "makes": "loss"},
    {"pattern": "^MARK AT (?<text>.*)$", "lane": "marks", "type": "mark"},
    {"pattern": "^(?:VERSION|PC.DEV|LSPCI|#) ?.*$", "makes": "nothing"}
  ]
})json";

// Times of packets: how they are written, what finds them, and what stands before them.
struct PacketTime {
  std::string_view form, time, before;
};
constexpr std::string_view kOfDay = R"(\d\d:\d\d:\d\d\.\d+)";
constexpr std::string_view kOfDate = R"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+)";

// btmon of BlueZ: what goes between the host and its Bluetooth controllers, what programs ask the
// kernel to manage, and what is said of the system. Packets are told in the lines below them.
constexpr std::string_view kBtmon = R"json({
  "time": "FORM",
  "rules": [
    {"pattern": "^PROGRAM< SENT(?<text>.*?)ONINDEX$", "makes": "link", "from": "{index}/host", "to": "{index}/controller"},
    {"pattern": "^PROGRAM> CAME(?<text>.*?)ONINDEX$", "makes": "link", "from": "{index}/controller", "to": "{index}/host"},
    {"pattern": "^PROGRAM< SENT(?<text>.*?)HCIINDEX$", "makes": "link", "from": "host", "to": "controller"},
    {"pattern": "^PROGRAM> CAME(?<text>.*?)HCIINDEX$", "makes": "link", "from": "controller", "to": "host"},
    {"pattern": "^PROGRAM@ (?<type>(?:MGMT|RAW|USER) [^:]*: .*?)(?= \(| version|\s\s|\{) *(?<text>.*?)\s+\{(?<client>0x\w+)\}HCIINDEX$",
     "lane": "clients/{client}"},
    {"pattern": "^PROGRAM= (?<type>[^:]+): (?<text>.*?)HCIINDEX$", "lane": "system"},
    {"pattern": "^Bluetooth monitor ver ", "makes": "nothing"},
    {"pattern": "^\s+(?<more>\S.*)$", "makes": "child"}
  ]
})json";
constexpr PacketTime kBtmonTimes[] = {
    {"%Y-%m-%d %H:%M:%S.%f", kOfDate, ""},
    {"%H:%M:%S.%f", kOfDay, ""},
    {"s", R"(\d+\.\d{6})", ""},
};

// What Wine says with WINEDEBUG=+relay,+timestamp, also with +pid: calls of functions of Windows,
// and whatever other channels say. A function may also be left by an exception.
constexpr std::string_view kWine = R"json({
  "time": "s",
  "rules": [
    {"pattern": "^WHERE:Call +(?<type>\S+?)\((?<args>.*)\)(?: ret=(?<from>\w+))?$", "makes": "begin", "lane": "LANE"},
    {"pattern": "^WHERE:Ret +(?<type>\S+?)\((?<more>.*)\)(?: retval=(?<result>\w+))?(?: ret=\w+)?$", "makes": "end", "lane": "LANE", "params": {"result": "{result}"}},
    {"pattern": "^WHERE:Call +(?<type>PE DLL|window proc|driver init|driver dispatch|[\w ]+?) ?(?<at>(?:0x)?[0-9A-Fa-f]{4,16})? ?\((?<args>.*)\)$", "makes": "begin", "lane": "LANE"},
    {"pattern": "^WHERE:Ret +(?<type>PE DLL|window proc|driver init|driver dispatch|[\w ]+?) ?(?<at>(?:0x)?[0-9A-Fa-f]{4,16})? ?\((?<args>.*)\)(?: retval=(?<result>\w+))?$", "makes": "end", "lane": "LANE", "params": {"result": "{result}"}},
    {"pattern": "^WHERE:(?<type>(?:trace|warn|err|fixme):[\w.]+):(?<text>.*)$", "lane": "LANE"},
    {"pattern": "^WHERE:(?<type>Starting (?:thread|process)|Ret|Call)\\b *(?<text>.*)$", "lane": "LANE"},
    {"pattern": "^(?!\d+\.\d{3}:)(?<more>.*\S.*)$", "makes": "child"}
  ]
})json";

constexpr std::pair<std::string_view, std::string_view> kWineProcesses[] = {
    {"", "Thread {thread}"}, {"(?<process>[0-9a-f]{4,8}):", "Process {process}/Thread {thread}"}};

constexpr std::string_view kProcessMonitor = R"json({
  "kind": "csv",
  "time": "%I:%M:%S.%f %p",
  "rules": [
    {"where": {"Operation": "\S", "PID": "^\d+$"}, "time": "{Time of Day}",
     "lane": "{Process Name}/{PID}", "type": "{Operation}"}
  ]
})json";
constexpr std::string_view kTimedProcessMonitor = R"json({
  "kind": "csv",
  "time": "%I:%M:%S.%f %p",
  "duration_unit": "s",
  "rules": [
    {"where": {"Duration": "\d", "Operation": "\S"}, "makes": "state", "time": "{Time of Day}",
     "duration": "{Duration}", "lane": "{Process Name}/{PID}", "type": "{Operation}"},
    {"where": {"Operation": "\S", "PID": "^\d+$"}, "time": "{Time of Day}",
     "lane": "{Process Name}/{PID}", "type": "{Operation}"}
  ]
})json";

const custom::PatternParts kParts = {
    {"ONINDEX", R"(\s+(?:#(?<number>\d+) +)?\[(?<index>\w+)\] *(?<time>TIME))"},
    {"HCIINDEX", R"(\s+(?:#(?<number>\d+) +)?(?:\[(?<index>\w+)\] *)?(?<time>TIME))"},
    {"SENT", R"((?<type>HCI (?:Command|Event): .*?|(?:ACL|SCO|ISO) Data TX)CUT)"},
    {"CAME", R"((?<type>HCI Event: .*?|(?:ACL|SCO|ISO) Data RX)CUT)"},
    {"CUT", R"((?::|(?= \()|\.\. ) ?)"},
    {"PROGRAM", R"((?:(?<by>[\w.-]+\[\d+\]): )?)"},
    {"REQUEST", R"((?<pipe>[CZIB][io]):(?<bus>\d+):(?<device>\d+):(?<endpoint>\d+))"},
    {"TOOK", R"(AT \( *(?<duration>[\d.]+) ms\):)"},
    {"TASK", R"( *(?:(?<lane>(?:\S.{0,13}?/)?-?\d+) +)?)"},
    {"EVENT",
     R"(\d+ (?<time>\d\d:\d\d:\d\d\.\d+) (?<cpu>\d+) (?<process>.+?) \((?<thread>\d+)(?:[.:]-?\d+)?\))"},
    {"PACKET",
     R"(STAMP(?:IP6?|(?:STATIONS,|(?:ifindex \d+ )?STATION)(?: FRAME)?)(?: \((?<header>.*?)\))?\s*)"},
    {"FRAME",
     R"((?:(?:ethertype )?802\.1Q.*?(?<vlan>vlan \d+).*?)?(?:ethertype )?IPv[46](?: \(0x\w+\))?,(?: length (?<frame_bytes>\d+):)?)"},
    {"STATIONS", "(?<from_station>MAC)MAKER > (?<to_station>MAC)MAKER"},
    {"STATION", "(?<station>MAC)MAKER"},
    {"STAMP",
     R"((?: *(?<number>\d+)  )?BEFORE(?<time>TIME) +(?:(?:(?<interface>\S+) +)?(?<direction>In|Out|B|M|P) +)?)"},
    {"HOSTS_WITH_PORTS", R"((?<from>\S+)\.SOURCE > (?<to>\S+)\.TARGET)"},
    {"FLAGS", R"(Flags \[(?<flags>[^\]]*)\])"},
    {"SOURCE", R"((?<source_port>[\w-]+))"},
    {"TARGET", R"((?<target_port>[\w-]+))"},
    {"V4", R"(\d+\.\d+\.\d+\.\d+)"},
    {"V6", "[0-9a-f:]+"},
    {"MAC", "(?:[0-9a-f:]{17}|Broadcast)"},
    {"MAKER", R"((?: \([^)]*\))?)"},
    {"BUS", R"(\((?<time>\d+\.\d+)\) +(?<bus>\S+))"},
    {"AT", R"( *(?<time>\d+\.\d+))"},
    {"ADDRESS", R"((?<address>0x\w+))"},
    {"CALLER", R"((?<pc>0x\w+) (?<process>\d+))"},
    {"SINCE", R"((?<time>\d+(?:\.\d+)?))"},
    {"WAY", "(?<direction>Rx|Tx|TxRq)"},
    {"ID", "(?<identifier>[HEX]+)"},
    {"BYTES", "(?:[HEX]{2} ?)*"},
    {"[HEX", "[0-9A-Fa-f"},
    {"HEX", "[0-9A-Fa-f]"},
};

// The meaning of blkparse's letters.
struct BlockAction {
  char letter;
  std::string_view name;
};
constexpr BlockAction kBlockActions[] = {{'Q', "queued"},
                                         {'G', "request got"},
                                         {'I', "inserted"},
                                         {'D', "issued"},
                                         {'C', "completed"},
                                         {'M', "merged behind"},
                                         {'F', "merged before"},
                                         {'P', "plugged"},
                                         {'U', "unplugged"},
                                         {'T', "unplugged by timer"},
                                         {'X', "split"},
                                         {'A', "remapped"},
                                         {'S', "waits for request"},
                                         {'R', "put back"},
                                         {'B', "bounced"},
                                         {'m', "message"}};

// A request lasts from when it is issued to the device until it is complete. The letters stand in
// the order of a request's way, since each line is held against those before its own.
custom::Definition block_trace() {
  using custom::Makes;
  using custom::Role;
  constexpr std::string_view kHead =
      R"(^ *(?<device>\d+,\d+) +(?<cpu>\d+) +\d+ +(?<time>\d+\.\d+) +(?<pid>\d+) +)";
  constexpr std::string_view kRange = R"( +(?<kind>\w+) +(?<sector>\d+) \+ (?<sectors>\d+))";
  custom::Definition definition;
  const auto add = [&](std::string pattern, Makes makes) -> custom::Rule& {
    custom::Rule& rule = definition.rules.emplace_back();
    rule.pattern = std::move(pattern);
    rule.makes = makes;
    return rule;
  };
  const auto add_request = [&](char letter, Makes makes, custom::NamedTexts params) {
    custom::Rule& rule = add(fmt::format("{}{}{}", kHead, letter, kRange), makes);
    rule.role(Role::kLane) = "{device}";
    rule.role(Role::kType) = "{kind}";
    rule.role(Role::kId) = "{device} {sector}";
    rule.params = std::move(params);
    rule.goes_on = true;
  };
  const auto add_action = [&](const BlockAction& action, std::string_view rest) {
    custom::Rule& rule = add(fmt::format("{}{}{}", kHead, action.letter, rest), Makes::kEvent);
    rule.role(Role::kLane) = "{device}/CPU {cpu}";
    rule.role(Role::kType) = action.name;
  };
  for (const BlockAction& action : kBlockActions) {
    if (action.letter == 'D')
      add_request('D', Makes::kBegin, {{"sector", "{sector}"}, {"sectors", "{sectors}"}});
    if (action.letter == 'C') add_request('C', Makes::kEnd, {});
    const std::string_view by = action.letter == 'C' ? "error" : "process";
    add_action(action, fmt::format(R"({}.*?\[(?<{}>[^\]]*)\]$)", kRange, by));
  }
  for (const BlockAction& action : kBlockActions) add_action(action, "(?<text>.*)$");
  add(R"(^(?:CPU\d+|Total|Throughput|Events|Skips|Input file|  .*Size:| (?:Reads|Writes|Read|Write|PC|IO|Completes|Allocations|Merge)) ?.*$)",
      Makes::kNothing);
  return definition;
}

constexpr PacketTime kPacketTimes[] = {
    {"%H:%M:%S.%f", kOfDay, ""},
    {"%Y-%m-%d %H:%M:%S.%f", kOfDate, ""},
    {"s", R"(\d+\.\d+)", ""},
    {"%H:%M:%S.%f", kOfDay, " "},  // since the first
};
constexpr PacketTime kSteps = {"+%H:%M:%S.%f", kOfDay, " "};

custom::RulesPtr packet_rules(std::string_view tool, const PacketTime& time,
                              std::string_view rest = "") {
  const std::string rules = with_parts(with_parts(std::string(tool), {{"REST", rest}}), kParts);
  return built_in_rules(
      with_parts(rules, {{"TIME", time.time}, {"FORM", time.form}, {"BEFORE", time.before}}));
}

std::vector<custom::RulesPtr> all_variants() {
  std::vector<custom::RulesPtr> rules;
  rules.push_back(custom::Rules::compile(block_trace()).value());
  for (const std::string_view each :
       {kPerfTrace, kPerfTimehist, kBiosnoop, kSysdig, kCandump, kVectorLog, kPeakLog, kBusmaster,
        kCrtd, kMmioTrace, kTruss, kKdump, kUsbmon})
    rules.push_back(built_in_rules(with_parts(std::string(each), kParts)));
  for (const std::string_view each : {kTimedProcessMonitor, kProcessMonitor, kGvret})
    rules.push_back(built_in_rules(each));
  for (const PacketTime& time : kPacketTimes) rules.push_back(packet_rules(kTcpdump, time));
  for (const PacketTime& time : kPacketTimes)
    rules.push_back(packet_rules(kTcpdump, time, kAsText));
  for (const PacketTime& time : std::span(kPacketTimes).first(3))
    rules.push_back(packet_rules(kTshark, time));
  for (const PacketTime& time : kBtmonTimes) rules.push_back(packet_rules(kBtmon, time));
  for (const auto& [process, lane] : kWineProcesses)
    rules.push_back(built_in_rules(with_parts(
        std::string(kWine), {{"WHERE", R"((?<time>\d+\.\d{3}):PROCESS(?<thread>[0-9a-f]{4,8}))"},
                             {"PROCESS", process},
                             {"LANE", lane}})));
  return rules;
}

// With -ttt tcpdump counts times from the packet before, with -ttttt from the first, behind a space
// both. Those from the first do not go back.
bool counts_from_packet_before(std::string_view head) {
  constexpr size_t kTimeBytes = 15;
  HeadLines lines(head);
  std::string_view last;
  while (const auto line = lines.next()) {
    const size_t colon = line->find(':');
    if (!line->starts_with(' ') || colon == std::string_view::npos || colon < 3) continue;
    const std::string_view time = line->substr(colon - 2, kTimeBytes);
    const size_t before = line->find_first_not_of(" 0123456789");
    if (before != colon || time.size() < kTimeBytes || time[5] != ':' || time[8] != '.') continue;
    if (time < last) return true;
    last = time;
  }
  return false;
}

const std::vector<custom::RulesPtr>& variants_for(std::span<const std::byte> head) {
  static const std::vector<custom::RulesPtr> all = all_variants();
  static const std::vector<custom::RulesPtr> steps = {packet_rules(kTcpdump, kSteps),
                                                      packet_rules(kTcpdump, kSteps, kAsText)};
  return counts_from_packet_before(as_chars(head)) ? steps : all;
}

}  // namespace

int sniff_tool_output(std::span<const std::byte> head) {
  return custom::surest_of(variants_for(head), head).second;
}

Status read_tool_output(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  constexpr size_t kHeadBytes = 64 << 10;
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  return custom::read_surest(variants_for(head), source, sink, context.memory_bytes,
                             context.changed);
}

}  // namespace weft::formats
