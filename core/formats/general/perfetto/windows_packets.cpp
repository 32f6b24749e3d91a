#include "core/formats/general/perfetto/windows_packets.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/message_names.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/typed_args.h"

namespace weft::formats::perfetto {
namespace {

// Fields of EtwTraceEvent.
enum EtwField : uint32_t {
  kTime = 1,
  kSwitch = 2,
  kReady = 3,
  kCpu = 4,
  kThread = 5,
  kMemory = 6,
  kOperationEnd = 12,
};

// Scheduler states of a thread that no longer runs.
constexpr std::string_view kThreadStates[] = {
    ftrace::kNotRunning, ftrace::kRunnable, ftrace::kRunnable,   ftrace::kRunnable,
    ftrace::kDead,       "sleeping",        ftrace::kNotRunning, ftrace::kRunnable};

// Pages of a kind, by the field of MemInfoEtwEvent; those that repeat count priorities.
constexpr std::pair<uint32_t, std::string_view> kPages[] = {
    {2, "zero"},        {3, "free"},
    {4, "modified"},    {5, "modified, no write"},
    {6, "bad"},         {7, "standby"},
    {8, "repurposed"},  {9, "modified, page file"},
    {10, "paged pool"}, {11, "non-paged pool"},
    {12, "MDL"},        {13, "commit"}};
constexpr uint32_t kStandby = 7, kRepurposed = 8;

// Operations on files and disks, by their opcodes.
constexpr std::pair<uint64_t, std::string_view> kOperations[] = {
    {10, "disk read"},       {11, "disk write"},        {14, "disk flush"},
    {64, "create file"},     {65, "clean up file"},     {66, "close file"},
    {67, "read file"},       {68, "write file"},        {69, "set information"},
    {70, "delete file"},     {71, "rename file"},       {72, "list directory"},
    {73, "flush file"},      {74, "query information"}, {75, "control file system"},
    {77, "watch directory"}, {79, "delete path"},       {80, "rename path"}};

}  // namespace

bool WindowsPackets::add(const Field& data, uint64_t offset) {
  if (data.number != kEtwEvents) return false;
  uint32_t cpu = 0;
  bool is_good = true;
  is_good &= for_each_field(data.bytes, [&](const Field& field) {
    if (field.number == 1) cpu = field.uint32();
  });
  is_good &= for_each_field(data.bytes, [&](const Field& field) {
    if (field.number == 2) is_good &= add_event(field.bytes, cpu, offset);
  });
  if (!is_good) sink_.loss("etw_events damaged", offset);
  return true;
}

bool WindowsPackets::add_event(std::string_view message, uint32_t cpu, uint64_t offset) {
  Event event;
  event.at.cpu = cpu;
  event.at.offset = offset;
  bool has_time = false;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == kTime) {
      has_time = true;
      event.at.time = {saturated(field.value)};
    }
    if (field.number == kCpu) event.at.cpu = field.uint32();
    if (field.number == kThread) event.thread = field.int32();
    if (field.is_bytes) event.data = field;
  });
  if (!has_time) {
    sink_.loss("packet without a time", offset);
    return is_good;
  }
  switch (event.data.number) {
    case 0:
      return is_good;
    case kSwitch:
      return add_switch(event) && is_good;
    case kReady:
      return add_ready(event) && is_good;
    case kMemory:
      return add_memory(event) && is_good;
    default:
      return add_file_operation(event) && is_good;
  }
}

// A thread whose number was taken out is called -1, and is none of the others.
bool WindowsPackets::add_switch(const Event& event) {
  ftrace::Switch to;
  to.previous = to.next = -1;
  to.previous_state = ftrace::kNotRunning;
  const bool is_good = for_each_field(event.data.bytes, [&](const Field& field) {
    if (field.number == 1) to.next = field.int32();
    if (field.number == 2) to.previous = field.int32();
    const bool is_state = field.number == 8 || field.number == 13;
    const uint64_t state = field.number == 13 ? field.value >> 1 : field.value;  // 13: signed
    if (is_state && state < std::size(kThreadStates)) to.previous_state = kThreadStates[state];
  });
  kernel_.switch_tasks(to, event.at);
  return is_good;
}

bool WindowsPackets::add_ready(const Event& event) {
  int32_t thread = -1;
  const bool is_good = for_each_field(event.data.bytes, [&](const Field& field) {
    if (field.number == 1) thread = field.int32();
  });
  kernel_.wake(thread, {}, lane_of(event), event.at);
  return is_good;
}

bool WindowsPackets::add_memory(const Event& event) {
  const LaneId lane = counters_.group("Memory [pages]");
  uint32_t standby = 0, repurposed = 0;
  bool is_good = true;
  is_good &= for_each_field(event.data.bytes, [&](const Field& field) {
    const auto* const kind =
        std::ranges::find(kPages, field.number, &std::pair<uint32_t, std::string_view>::first);
    if (kind == std::end(kPages)) return;
    is_good &= for_each_number(field, [&](uint64_t pages) {
      std::string name(kind->second);
      if (kind->first == kStandby) name += fmt::format(" {}", standby++);
      if (kind->first == kRepurposed) name += fmt::format(" {}", repurposed++);
      counters_.sample(lane, name, static_cast<double>(pages), event.at.time);
    });
  });
  return is_good;
}

// One that has a request lasts until that ends, which another says; all else is an instant.
bool WindowsPackets::add_file_operation(Event event) {
  const FieldName* const known = names_of_message("Etw").find(event.data.number);
  const MessageNames& names = names_of_message(known != nullptr ? known->message : "");
  std::string name(known != nullptr ? known->name : fmt::format("event {}", event.data.number));
  std::vector<Field> fields;
  uint64_t request = 0;
  const bool is_good = for_each_field(event.data.bytes, [&](const Field& field) {
    const FieldName* const member = names.find(field.number);
    const std::string_view said = member != nullptr ? member->name : std::string_view();
    if (said == "irp") request = field.value;
    if (said == "thread" && event.thread < 0) event.thread = field.int32();
    const auto* const operation =
        said != "opcode" ? std::end(kOperations)
                         : std::ranges::find(kOperations, field.value,
                                             &std::pair<uint64_t, std::string_view>::first);
    if (operation != std::end(kOperations)) name = operation->second;
    fields.push_back(field);
  });
  ArgsText args;
  add_typed_arguments(fields, names, args);
  const bool is_end = event.data.number == kOperationEnd, is_state = is_end || request != 0;
  Record record{.time = event.at.time,
                .stack = request >> 3 | uint64_t{3} << 61,
                .offset = event.at.offset,
                .args = timeline_.keep_args(args.take()),
                .action = is_end     ? Action::kEnd
                          : is_state ? Action::kBegin
                                     : Action::kInstant};
  record.lane = lane_of(event);
  if (!is_end) {
    record.type = sink_.type(is_state ? trace::Category::kState : trace::Category::kPunctual,
                             valid_utf8(name), "file");
  }
  timeline_.add(record);
  return is_good;
}

LaneId WindowsPackets::lane_of(const Event& event) {
  return event.thread > 0 ? kernel_.lanes().task(event.thread, {}, -1)
                          : kernel_.lanes().cpu(event.at.cpu);
}

}  // namespace weft::formats::perfetto
