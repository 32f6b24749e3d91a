#include "core/formats/profiles/nettrace/nettrace_roles.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/formats/profiles/nettrace/nettrace_runtime.h"

namespace weft::formats::nettrace {
namespace {

constexpr std::string_view kTasksProvider = "System.Threading.Tasks.TplEventSource";

// Pairs of runtime events, by the ids of begin and end.
struct Pair {
  uint32_t begin, end;
  std::string_view state, key, lane;
};
constexpr Pair kPairs[] = {
    {14, 13, "finalizers", "", ""},
    {73, 74, "type load", "TypeLoadStartID", ""},
    {81, 91, "contention", "", ""},
    {145, 143, "JIT", "MethodID", ""},
    {160, 159, "look-up of precompiled code", "MethodID", ""},
    {181, 182, "verification of a strong name", "", ""},
    {183, 184, "Authenticode verification", "", ""},
    {206, 207, "walk of a generation", "", ""},
    {240, 241, "debugger's request", "", ""},
    {242, 243, "debugger's exception processing", "", ""},
    {250, 251, "catch", "", ""},
    {252, 253, "finally", "", ""},
    {254, 255, "filter", "", ""},
    {281, 282, "tiering paused", "", "tiering"},
    {283, 284, "tiered JIT", "", ""},
    {290, 291, "assembly load", "", ""},
    {301, 302, "wait", "", ""},
};

struct Link {
  std::string_view provider, send, receive, name, key;
};
constexpr Link kLinks[] = {
    {kRuntimeProvider, "ThreadPoolEnqueue", "ThreadPoolDequeue", "work item", "WorkID"},
    {kRuntimeProvider, "ThreadPoolIOEnqueue", "ThreadPoolIODequeue", "I/O", "NativeOverlapped"},
    {kRuntimeProvider, "ThreadCreating", "ThreadRunning", "start", "ID"},
    {kTasksProvider, "TaskScheduled", "TaskStarted", "task", "TaskID"},
};

// Roles of runtime events, by id.
struct RuntimeRole {
  uint32_t id;
  Role role;
};
constexpr RuntimeRole kRuntimeRoles[] = {
    {1, Role::kCollectionBegin}, {2, Role::kCollectionEnd}, {3, Role::kRestartEnd},
    {4, Role::kHeapStatistics},  {7, Role::kRestartBegin},  {8, Role::kSuspendEnd},
    {9, Role::kSuspendBegin},    {50, Role::kPoolThreads},  {51, Role::kPoolThreads},
    {55, Role::kPoolThreads},    {57, Role::kPoolThreads},  {60, Role::kPoolThreads},
    {187, Role::kAbout},
};

void add_runtime_role(Shown& shown) {
  constexpr uint32_t kMethods[] = {139, 140, 143, 144};  // with their names
  const uint32_t id = shown.kind.id;
  const auto known = std::ranges::find(kRuntimeRoles, id, &RuntimeRole::id);
  if (known != std::end(kRuntimeRoles)) shown.role = known->role;
  shown.is_method = std::ranges::find(kMethods, id) != std::end(kMethods);
  for (const Pair& pair : kPairs) {
    if (id != pair.begin && id != pair.end) continue;
    shown.role = id == pair.begin ? Role::kBegin : Role::kEnd;
    shown.state = pair.state;
    shown.key = pair.key;
    shown.lane = pair.lane;
  }
}

// "RequestStart" begins "Request", and an opcode says the same without a name.
void add_described_role(Shown& shown) {
  constexpr uint8_t kStart = 1, kStop = 2;
  constexpr std::string_view kStartWord = "Start", kStopWord = "Stop";
  const std::string& name = shown.kind.name;
  const auto begin_with = [&](Role role, std::string_view word) {
    shown.role = role;
    shown.has_activity = true;
    shown.state = name.ends_with(word) && name.size() > word.size()
                      ? name.substr(0, name.size() - word.size())
                      : name;
  };
  const uint8_t opcode = shown.kind.opcode.value_or(0);
  if (opcode == kStart || (opcode == 0 && name.ends_with(kStartWord)))
    begin_with(Role::kBegin, kStartWord);
  if (opcode == kStop || (opcode == 0 && name.ends_with(kStopWord)))
    begin_with(Role::kEnd, kStopWord);
}

// Pairs of task events, by the names of begin and end; identified by the task.
struct NamedPair {
  std::string_view begin, end, state, lane;
};
constexpr NamedPair kTaskPairs[] = {
    {"TaskStarted", "TaskCompleted", "task", ""},
    {"TaskWaitBegin", "TaskWaitEnd", "wait for a task", ""},
    {"TraceSynchronousWorkBegin", "TraceSynchronousWorkEnd", "synchronous work", ""},
    {"TraceOperationBegin", "TraceOperationEnd", "operation", "operations"},
};

void add_task_role(Shown& shown) {
  for (const NamedPair& pair : kTaskPairs) {
    if (shown.kind.name != pair.begin && shown.kind.name != pair.end) continue;
    shown.role = shown.kind.name == pair.begin ? Role::kBegin : Role::kEnd;
    shown.state = pair.state;
    shown.key = "TaskID";
    shown.lane = pair.lane;
  }
}

void add_system_role(Shown& shown) {
  const std::string& name = shown.kind.name;
  if (shown.kind.provider == "Universal.Events") {
    shown.role = name == "cswitch" ? Role::kSystemSwitch : Role::kSystemSample;
  } else if (name == "ProcessMapping") {
    shown.role = Role::kMapping;
  } else if (name == "ProcessSymbol") {
    shown.role = Role::kSymbol;
  } else if (name == "ProcessCreate") {
    shown.role = Role::kProcessName;
  }
}

}  // namespace

Shown shown_as(Kind kind) {
  describe(kind);
  Shown shown;
  shown.kind = std::move(kind);
  const std::string& provider = shown.kind.provider;
  constexpr uint32_t kMethodVerbose = 143, kMethodEndVerbose = 144, kRuntimeRundown = 187;
  if (provider == kRuntimeProvider) {
    add_runtime_role(shown);
  } else if (provider == kRundownProvider) {
    shown.is_rundown = true;
    shown.is_method = shown.kind.id == kMethodVerbose || shown.kind.id == kMethodEndVerbose;
    if (shown.kind.id == kRuntimeRundown) shown.role = Role::kAbout;
  } else if (provider == kSampleProvider) {
    shown.role = Role::kSample;
  } else if (provider == kPipeProvider) {
    shown.role = Role::kAbout;
  } else if (provider.starts_with("Universal.")) {
    add_system_role(shown);
  } else if (provider == kTasksProvider) {
    add_task_role(shown);
  } else if (provider == "System.Diagnostics.Metrics" && shown.kind.name.ends_with("Published") &&
             shown.kind.name != "InstrumentPublished") {
    shown.role = Role::kMeter;
  } else if (shown.kind.name == "EventCounters") {
    shown.role = Role::kCounter;
  } else {
    add_described_role(shown);
  }
  for (const Link& link : kLinks) {
    const bool is_send = shown.kind.name == link.send;
    if (provider != link.provider || (!is_send && shown.kind.name != link.receive)) continue;
    shown.link = link.name;
    shown.link_key = link.key;
    shown.is_send = is_send;
  }
  return shown;
}

}  // namespace weft::formats::nettrace
