#include "tests/core/formats/perfetto_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <protozero/pbf_writer.hpp>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace weft::test {
namespace {

// "Message field=number[kind][:Message] …": kinds are d (double), f (fixed64), p (packed).
// A field may also be called by its number, with the kind behind it: its own are called so, too.
constexpr std::string_view kSchema = R"(
Trace packet=1:Packet other=3
Packet ftrace=1:Ftrace process_tree=2:ProcessTree uid=3 clock_snapshot=6:ClockSnapshot
  sys_stats=7:SysStats timestamp=8 process_stats=9:ProcessStats sequence=10
  track_event=11:TrackEvent interned=12:Interned sequence_flags=13 config=33 ftrace_stats=34:FtraceStats
  trace_stats=35:TraceStats marker=36 heap=37:Heap battery=38:Battery android_log=39:Log rails=40:Rails
  cleared=41 dropped=42
  process_descriptor=43:Process thread_descriptor=44:Thread system_info=45:SystemInfo
  compressed=50:Trace zstd=133 gpu_counters=52:GpuCounters gpu_stage=53:GpuStage streaming=54:Streaming clock=58
  defaults=59:Defaults track=60:Track symbols=61:Symbols deobfuscation=64:Deobfuscation
  perf_sample=66:PerfSample smaps=68:Smaps service_event=69:Service gpu_memory=71:GpuMemory
  extensions=72:Extensions
  frame=76:Frame energy=77:EnergyOf uuid=89:Uuid residency=91:Residency etw=95:Etw machine=98
  proto_log=104:ProtoLog proto_log_config=105:ProtoLogConfig remote=107:Remote
  wake_locks=115:WakeLocks task_state=117:TaskState stack_sample=135:StackSample
TaskState cpu=1 comm=2 tid=3 state=4
Extensions set=1:Files packed=2
Files file=1:File
File package=2 message=4:Described enum=5:DescribedEnum extension=7:DescribedField
Described name=1 field=2:DescribedField nested=3:Described enum=4:DescribedEnum extension=6:DescribedField
DescribedField name=1 extends=2 number=3 type=5 type_name=6
DescribedEnum name=1 value=2:DescribedValue
DescribedValue name=1 number=2
Defaults clock=58 events=11:EventDefaults perf=12:PerfDefaults
PerfDefaults timebase=1:Timebase follower=4:Follower
Timebase tracepoint=3:Tracepoint counter=4 raw=5:RawEvent name=10
Follower counter=1 tracepoint=2:Tracepoint raw=3:RawEvent name=4
Tracepoint name=1
RawEvent type=1 config=2
EventDefaults track=11 counters=31 real_counters=45
ClockSnapshot clocks=1:Clock primary=2
Clock id=1 time=2 incremental=3 unit=4
Track uuid=1 name=2 process=3:Process thread=4:Thread parent=5 chrome_process=6:ChromeProcess
  counter=8:Counter ordering=11 rank=12
Process pid=1 cmdline=2 type=4 name=6
Thread pid=1 tid=2 name=5 time_us=6 thread_time_us=7 instructions=8
ChromeProcess type=1
Counter type=1 unit=3 multiplier=4 incremental=5 unit_name=6
TrackEvent time_delta_us=1 thread_time_delta_us=2 category_iid=3 annotation=4:Annotation
  task=5:Task legacy=6:Legacy instructions_delta=8 type=9 name_iid=10 track=11 extra_value=12
  time_us=16 thread_time_us=17 instructions=20 log=21:LogMessage category=22 name=23 counter=30
  extra_track=31 source=33:Source source_iid=34 old_flow=36 typed=38:Mojo old_ending_flow=42 real=44d
  extra_real_track=45 extra_real=46d latency=29:Latency extra_typed=1001:Extra flow=47f ending_flow=48f correlation=52 correlation_text=53
  correlation_iid=54 stack=55:InlineStack stack_iid=56 stack_weight=57d
Mojo hash=2 tag=3 raw=9
Latency trace_id=1 step=2 component=4:LatencyPart coalesced=5
LatencyPart type=1 time_us=2
Extra count=1 ratio=2d kind=3 inner=4:Extra delta=5 is_last=6 unnamed=7 text=8
Annotation name_iid=1 bool=2 uint=3 int=4 double=5d string=6 pointer=7 nested=8:Nested json=9
  name=10 entry=11:Annotation element=12:Annotation string_iid=17
Nested kind=1 key=2 value=3:Nested element=4:Nested int=5 double=6d bool=7 string=8
Task posted_from=1
LogMessage source=1 body=2 priority=3
Source iid=1 file=2 function=3 line=4
InlineStack frame=1:InlineFrame
InlineFrame function=1 file=2 line=3
Legacy name_iid=1 phase=2 duration_us=3 unscoped=6 scope=7 bind=8 local=10 global=11 enclosing=12
  direction=13 instant_scope=14 pid=18 tid=19
Interned category=1:Text event=2:Text annotation=3:Text source=4:Source function=5:Text
  frame=6:StackFrame stack=7:Stack mapping_path=17:Text mapping=19:Mapping log=20:Text gpu=24:Text
  build_id=16:Text string=29:Text kernel_symbol=26:Text proto_text=36:Text proto_stack=37:Text correlation=43:Text gpu_counters=47:InternedGpu context=48:Context
  async=51:AsyncContext
Text iid=1 text=2
StackFrame iid=1 function=2 mapping=3 address=4
Stack iid=1 frame=2
Mapping iid=1 build_id=2 path=7
Ftrace cpu=1 event=2:FtraceEvent lost=3 compact=4:Compact clock=5 ftrace_time=6 boot_time=7
  descriptor=11:Descriptor
Compact switch_time=1p switch_state=2p switch_pid=3p name=5 switch_name=6p waking_time=7p
  waking_pid=8p waking_name=11p
FtraceEvent time=1 pid=2 print=3:Print switch=4:Switch frequency=11:Power idle=13:Power
  wakeup=17:Wakeup waking=20:Wakeup softirq_entry=24:Softirq softirq_exit=25:Softirq
  irq_entry=36:Irq irq_exit=37:Irq mark=80:Mark work=58:Work
  rss=313:Rss gpu_frequency=332:GpuFrequency gpu_memory=340:GpuMemoryEvent
  temperature=341:Temperature limits=12:Limits dpu_mark=348:DpuMark graph_entry=437:GraphEntry graph_exit=438:GraphExit
  suspend_resume=113:Suspend new_task=235:NewTask rename=236:Rename
  generic=327:Generic sys_enter=329:Call sys_exit=330:Call util=421:Util kprobe=542:Kprobe
  unknown=9999:Call described=70000:Call
Print ip=1 text=2
Switch prev_comm=1 prev_pid=2 prev_prio=3 prev_state=4 next_comm=5 next_pid=6
Power state=1 cpu=2
Wakeup comm=1 pid=2
Softirq vector=1
Irq irq=1 name=2
Mark pid=1 name=2 begin=3
Suspend action=1 val=2 start=3
NewTask pid=1 comm=2 flags=3
Rename pid=1 old=2 new=3
Generic name=1 field=2:GenericField
GenericField name=1 text=3 int=4 uint=5
Call id=1 ret=2 args=2
Util active=1 capacity=2
Kprobe name=1 type=2
Work work=1 func=2
Rss member=1 size=2 curr=3 space=4
GpuFrequency gpu=1 state=2
GpuMemoryEvent gpu=1 pid=2 size=3
Temperature id=1 temp=2 zone=4
Limits min=1 max=2 cpu=3
DpuMark pid=1 name=4 type=5 value=6
GraphEntry depth=1 func=2
GraphExit calltime=1 depth=2 func=3
Descriptor number=1 message=2:DescriptorProto
DescriptorProto name=1 field=2:FieldProto
FieldProto name=1 number=3
ProcessTree process=1:TreeProcess thread=2:TreeThread
TreeProcess pid=1 parent=2 cmdline=3
TreeThread tid=1 name=2 tgid=3
ProcessStats process=1:StatsProcess
StatsProcess pid=1 vm_size=2 rss=3 oom=10
SysStats memory=1:Pair vmstat=2:Pair cpu=3:CpuTimes forks=4 irq=6:Pair devfreq=10:NamedPair
  cpufreq=11 disk=13:Disk
Pair key=1 value=2
NamedPair key=1 value=2
CpuTimes cpu=1 user=2 idle=5
Disk device=1 read=2
SystemInfo names=1:Names version=4 cpus=8 name=17
Names system=1 version=2 release=3 machine=4
Log event=1:LogEvent stats=2:LogStats
LogEvent pid=2 tid=3 time=5 tag=6 priority=7 message=8 value=9:LogValue
LogValue name=1 integer=2 text=4
LogStats total=1 failed=2
GpuCounters description=1:GpuDescription counter=2:GpuCounter gpu=3 description_iid=4
GpuDescription spec=1:GpuSpec
GpuSpec id=1 name=2
GpuCounter id=1 int=2 real=3d
Battery charge=1 current=3
Rails rail=1:Rail energy=2:Energy
Rail index=1 name=2
Energy index=1 ms=2 energy=3
GpuMemory gpu=1 pid=2 bytes=3
GpuStage duration=2 queue=3 stage=4 extra=6:Extra specifications=7:GpuSpecs gpu=11 queue_iid=13
  stage_iid=14 name=17
Extra name=1 value=2
GpuSpecs queue=2:GpuName stage=3:GpuName
GpuName name=1
Frame expected_display=1:DisplayFrame actual_display=2:DisplayFrame expected=3:SurfaceFrame
  actual=4:SurfaceFrame end=5:SurfaceFrame
DisplayFrame cookie=1 token=2 pid=3 on_time=5 jank=7
SurfaceFrame cookie=1 token=2 display=3 pid=4 layer=5 on_time=7 jank=9
Service started=2
TraceStats buffer=1:BufferStats
BufferStats overwritten=3 discarded=18
FtraceStats phase=1 cpu=2:CpuStats
CpuStats cpu=1 overrun=3 dropped=8
Uuid high=1 low=2
Streaming stack=1 delta_us=2
Heap string=1:Text frame=2:StackFrame stack=3:Stack mapping=4:Mapping dump=5:HeapDump continued=6 index=7
HeapDump pid=1 sample=2:HeapSample time=9 guardrail=10 name=11 start=15
HeapSample stack=1 allocated=2 freed=3 allocations=5 frees=6 most=8 most_count=9
Symbols path=1 build_id=2 address=3:AddressSymbols
AddressSymbols address=1 line=2:Line
Line function=1
Deobfuscation package=1 class=3:ObfuscatedClass
ObfuscatedClass from=1 to=2 method=4:ObfuscatedMethod
ObfuscatedMethod from=1 to=2
Smaps pid=1 entry=2:SmapsEntry packed=3:PackedSmaps
SmapsEntry path=1 size=2 dirty=3
PackedSmaps size=4p resident=5p
EnergyOf consumers=1:Consumers id=2 energy=3 user=4:UserEnergy
Consumers consumer=1:Consumer
Consumer id=1 name=4
UserEnergy uid=1 energy=2
Residency name=1:ResidencyName time=2:ResidencyTime
ResidencyName entity=1 state=2 entity_name=3 state_name=4
ResidencyTime entity=1 state=2 ms=3 entries=4
Remote round=1:Round
Round client=2:ClockSnapshot host=3:ClockSnapshot
WakeLocks name=1:WakeLock lock=2p held_ms=3p
WakeLock id=1 name=2 type=3
StackSample context=1:Context context_iid=2 stack=5:InlineStack stack_iid=6
Context iid=1 pid=2 tid=3 async=4
AsyncContext iid=1 name=2
InternedGpu iid=1 description=2:GpuDescription gpu=3
Etw cpu=1 event=2:EtwEvent
EtwEvent time=1 switch=2:EtwSwitch ready=3:EtwReady cpu=4 thread=5 memory=6:EtwMemory create=7:EtwCreate
  access=10:EtwAccess operation=11:EtwOperation end=12:EtwEnd disk=15:EtwDisk
EtwSwitch new=1 old=2 old_state=8 old_state_number=13
EtwReady thread=1
EtwMemory zero=2 free=3 standby=7 commit=13
EtwCreate irp=1 path=7
EtwAccess irp=2 thread=5 size=6 opcode=8
EtwOperation irp=1 opcode=5
EtwEnd irp=1 status=3
EtwDisk disk=1 size=3 opcode=9
ProtoLog id=1f text=2 integer=3 real=4d flag=5 stack=6
ProtoLogConfig message=1:ProtoLogText group=2:ProtoLogGroup
ProtoLogText id=1f text=2 level=3 group=4 location=5
ProtoLogGroup id=1 name=2 tag=3
PerfSample cpu=1 pid=2 tid=3 stack=4 count=6 follower=7 lost=17 skipped=18
)";

struct FieldSchema {
  uint32_t number = 0;
  char kind = 0;
  std::string message;
};
using Schema = std::map<std::string, std::map<std::string, FieldSchema>>;

const Schema& schema() {
  static const Schema all_fields = [] {
    Schema all;
    std::istringstream words{std::string(kSchema)};
    std::string word, message;
    while (words >> word) {
      const size_t equals = word.find('=');
      if (equals == std::string::npos) {
        message = word;
        continue;
      }
      FieldSchema field;
      const size_t colon = word.find(':');
      if (colon != std::string::npos) field.message = word.substr(colon + 1);
      const std::string number = word.substr(equals + 1, colon - equals - 1);
      field.number = static_cast<uint32_t>(std::stoul(number));
      if (std::string_view("dfp").find(number.back()) != std::string_view::npos)
        field.kind = number.back();
      all[message][word.substr(0, equals)] = field;
    }
    return all;
  }();
  return all_fields;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::string trace() {
    std::string out;
    while (!peek().empty()) {
      if (peek() == "raw") {
        take();
        out += text();
      } else {
        field("Trace", out);
      }
    }
    return out;
  }

 private:
  void skip_space() {
    for (;;) {
      const size_t first = rest_.find_first_not_of(" \t\r\n,");
      rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
      if (!rest_.starts_with('#')) return;
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    }
  }
  // A word, or one of { } : [ ] "
  std::string_view peek() {
    skip_space();
    if (rest_.empty()) return {};
    constexpr std::string_view kMarks = "{}:[]\"";
    if (kMarks.find(rest_.front()) != std::string_view::npos) return rest_.substr(0, 1);
    return rest_.substr(0, rest_.find_first_of(" \t\r\n,{}:[]\"#"));
  }
  std::string take() {
    const std::string_view word = peek();
    rest_.remove_prefix(word.size());
    return std::string(word);
  }
  void expect(std::string_view word) {
    if (take() != word) throw std::runtime_error("expected " + std::string(word));
  }

  std::string text() {
    expect("\"");
    std::string out;
    while (!rest_.empty() && rest_.front() != '"') {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\\') {
        c = rest_.front();
        rest_.remove_prefix(1);
        if (c == 'n') c = '\n';
        if (c == 'x') {
          c = static_cast<char>(std::stoi(std::string(rest_.substr(0, 2)), nullptr, 16));
          rest_.remove_prefix(2);
        }
      }
      out += c;
    }
    rest_.remove_prefix(1);
    return out;
  }

  static uint64_t number(const std::string& word) {
    if (word.size() == 3 && word.front() == '\'') return static_cast<uint64_t>(word[1]);
    if (word.front() == '-') return static_cast<uint64_t>(std::stoll(word, nullptr, 0));
    return std::stoull(word, nullptr, 0);
  }

  static FieldSchema find_field(const std::string& message, const std::string& name) {
    if (std::string_view("0123456789").find(name.front()) != std::string_view::npos) {
      FieldSchema numbered;
      numbered.number = static_cast<uint32_t>(std::stoul(name));
      numbered.kind = name.back() > '9' ? name.back() : '\0';
      return numbered;
    }
    const auto& fields = schema().at(message);
    const auto it = fields.find(name);
    if (it == fields.end()) throw std::runtime_error("no field " + name + " in " + message);
    return it->second;
  }

  void field(const std::string& message, std::string& out) {
    const std::string name = take();
    const FieldSchema field = find_field(message, name);
    protozero::pbf_writer writer(out);
    if (peek() == "{") {
      take();
      std::string inner;
      while (peek() != "}") this->field(field.message, inner);
      take();
      writer.add_message(field.number, inner);
      return;
    }
    expect(":");
    if (peek() == "[") {
      take();
      std::vector<uint64_t> numbers;
      while (peek() != "]") numbers.push_back(number(take()));
      take();
      writer.add_packed_uint64(field.number, numbers.begin(), numbers.end());
    } else if (peek() == "\"") {
      writer.add_string(field.number, text());
    } else if (field.kind == 'd') {
      writer.add_double(field.number, std::stod(take()));
    } else if (field.kind == 'f') {
      writer.add_fixed64(field.number, number(take()));
    } else {
      writer.add_uint64(field.number, number(take()));
    }
  }

  std::string_view rest_;
};

}  // namespace

std::string perfetto_from_text(std::string_view text) { return Parser(text).trace(); }

}  // namespace weft::test
