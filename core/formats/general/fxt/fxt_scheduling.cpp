#include "core/formats/general/fxt/fxt_scheduling.h"

#include <iterator>
#include <limits>

namespace weft::formats::fxt {
namespace {

enum SchedulingKind : uint64_t { kLegacySwitch = 0, kSwitch = 1, kWake = 2 };

// The weight of a CPU's idle thread.
constexpr auto kIdleWeight = static_cast<double>(std::numeric_limits<int32_t>::min());

bool is_idle(const std::vector<Argument>& arguments, std::string_view weight) {
  for (const Argument& each : arguments) {
    if (each.name == weight && each.number() == kIdleWeight) return true;
  }
  return false;
}

}  // namespace

std::string_view name_of_thread_state(int64_t state) {
  // A thread that is new or runs still wants to.
  constexpr std::string_view kStates[] = {"runnable", "runnable", "suspended",
                                          "blocked",  "dying",    "dead"};
  return state >= 0 && state < std::ssize(kStates) ? kStates[state] : "not running";
}

bool Scheduling::add(uint64_t header, Words record, const Provider& provider, uint64_t offset) {
  Record out{.time = provider.time_of(record.word()), .offset = offset};
  bool is_shown = false;
  switch (bits(header, 60, 63)) {
    case kLegacySwitch:
      is_shown = take_legacy(header, record, provider, out);
      break;
    case kSwitch:
      is_shown = take_switch(header, record, provider, out);
      break;
    case kWake:
      is_shown = take_wake(header, record, provider, out);
      break;
    default:
      sink_.loss("scheduling record of an unknown kind", offset);
  }
  if (record.is_cut()) return false;
  if (is_shown) order_.add(out, [this](const Record& r) { play(r); });
  return true;
}

// The idle thread is of no process and of the lowest priority.
bool Scheduling::take_legacy(uint64_t header, Words& record, const Provider& provider,
                             Record& out) {
  const ThreadId outgoing = provider.thread(bits(header, 28, 35), record);
  const ThreadId incoming = provider.thread(bits(header, 36, 43), record);
  const bool is_outgoing_idle = outgoing.process == 0 && bits(header, 44, 51) == 0;
  const bool is_incoming_idle = incoming.process == 0 && bits(header, 52, 59) == 0;
  out.cpu = static_cast<uint32_t>(bits(header, 16, 23));
  out.outgoing_state = static_cast<uint8_t>(bits(header, 24, 27));
  out.outgoing = is_outgoing_idle ? 0 : outgoing.thread;
  out.incoming = is_incoming_idle ? 0 : incoming.thread;
  return true;
}

bool Scheduling::take_switch(uint64_t header, Words& record, const Provider& provider,
                             Record& out) {
  const uint64_t outgoing = record.word(), incoming = record.word();
  const auto arguments = take_arguments(bits(header, 16, 19), provider, record);
  out.cpu = static_cast<uint32_t>(bits(header, 20, 35));
  out.outgoing_state = static_cast<uint8_t>(bits(header, 36, 39));
  out.outgoing = is_idle(arguments, "outgoing_weight") ? 0 : outgoing;
  out.incoming = is_idle(arguments, "incoming_weight") ? 0 : incoming;
  return true;
}

// That the idle thread of a CPU is woken tells nothing.
bool Scheduling::take_wake(uint64_t header, Words& record, const Provider& provider, Record& out) {
  out.incoming = record.word();
  const auto arguments = take_arguments(bits(header, 16, 19), provider, record);
  out.cpu = static_cast<uint32_t>(bits(header, 20, 35));
  out.is_wake = true;
  for (const Argument& each : arguments) {
    if (each.name == "waker" && each.type == ArgumentType::kKernelObject) out.outgoing = each.value;
  }
  return !is_idle(arguments, "weight");
}

void Scheduling::play(const Record& record) {
  const ftrace::At at{record.time, record.cpu, record.offset};
  if (record.is_wake) {
    const LaneId waker =
        record.outgoing == 0
            ? kernel_.lanes().cpu(record.cpu)
            : kernel_.lanes().task(task(record.outgoing), objects_.name_of(record.outgoing), -1);
    kernel_.wake(task(record.incoming), objects_.name_of(record.incoming), waker, at);
    return;
  }
  kernel_.switch_tasks({.previous_name = objects_.name_of(record.outgoing),
                        .next_name = objects_.name_of(record.incoming),
                        .previous_state = name_of_thread_state(record.outgoing_state),
                        .previous = task(record.outgoing),
                        .next = task(record.incoming)},
                       at);
}

void Scheduling::finish() {
  order_.finish([this](const Record& record) { play(record); });
  if (order_.late() > 0)
    sink_.note("scheduling record later than the window of order", trace::LossPlace::nowhere(),
               order_.late());
  kernel_.finish();
}

}  // namespace weft::formats::fxt
