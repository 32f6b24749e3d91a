// Traces of Go 1.22 and later.
#include <algorithm>
#include <iterator>

#include "core/formats/base/binary.h"
#include "core/formats/profiles/go/go_decoder.h"

namespace weft::formats::go {
namespace {

enum Type : uint8_t {
  kBatch = 1,
  kStacks = 2,
  kStack = 3,
  kStrings = 4,
  kString = 5,
  kSamples = 6,
  kSample = 7,
  kFrequency = 8,
  kProcStatus = 13,
  kGoStatus = 25,
  kGoStatusStack = 48,
  kExperimental = 49,
  kSync = 50,
  kClockSnapshot = 51,
  kTypes = 54,
  kFirstOfMemory = 128,  // of the experiment with allocations
};

// How many numbers an event has, its time first, and which of those behind it is what.
struct Meaning {
  uint8_t numbers = 0;  // 0: no such event
  Action action = Action::kNone;
  uint8_t subject = 0, other = 0, text = 0, second_text = 0, stack = 0;
};
constexpr Meaning kMeanings[kTypes] = {
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {3, Action::kProcessors, 1},
    {3, Action::kProcStart, 1},
    {1, Action::kProcStop},
    {4, Action::kProcSteal, 1, 3},
    {3, Action::kNone},  // by its status
    {4, Action::kCreate, 1, 0, 0, 0, 2},
    {2, Action::kCreate, 1},
    {3, Action::kStart, 1},
    {1, Action::kEnd},
    {1, Action::kEnd},
    {3, Action::kYield, 0, 0, 1, 0, 2},
    {3, Action::kBlock, 0, 0, 1, 0, 2},
    {4, Action::kUnblock, 1},
    {3, Action::kCall, 0, 0, 0, 0, 2},
    {1, Action::kCallReturns},
    {1, Action::kCallEnds},
    {4, Action::kNone},  // by its status
    {3, Action::kStopWorld, 0, 0, 1},
    {1, Action::kStartWorld},
    {2, Action::kCollects},
    {3, Action::kCollect},
    {2, Action::kCollected},
    {2, Action::kSweeps, 1},
    {2, Action::kSweep},
    {3, Action::kSwept},
    {2, Action::kAssists, 1},
    {2, Action::kAssist},
    {1, Action::kAssisted},
    {2, Action::kHeap, 1},
    {2, Action::kHeapGoal, 1},
    {2, Action::kLabel, 0, 0, 1},
    {5, Action::kTask, 1, 2, 3},
    {3, Action::kTaskEnd, 1},
    {4, Action::kRegion, 1, 0, 2},
    {4, Action::kRegionEnd, 1, 0, 2},
    {5, Action::kLog, 1, 0, 2, 3},
    {3, Action::kSwitch, 1},
    {3, Action::kSwitchEnd, 1},
    {4, Action::kCreate, 1, 0, 0, 0, 2},
    {5, Action::kNone},  // by its status
    {},
    {},
    {4, Action::kNone},
    {},
    {},
};
// Written with GODEBUG=traceallocfree=1: existing, new and freed heap spans, objects and stacks.
// Not shown.
constexpr Meaning kOfMemory[] = {{4}, {4}, {2}, {3}, {3}, {2}, {3}, {3}, {2}};

Meaning meaning_of(uint8_t type) {
  if (type < kTypes) return kMeanings[type];
  const auto of_memory = static_cast<size_t>(type - kFirstOfMemory);
  return type >= kFirstOfMemory && of_memory < std::size(kOfMemory) ? kOfMemory[of_memory]
                                                                    : Meaning{};
}

Action of_status(uint64_t status) {
  constexpr Action kActions[] = {Action::kNone, Action::kIsRunnable, Action::kIsRunning,
                                 Action::kIsInCall, Action::kIsWaiting};
  return status < std::size(kActions) ? kActions[status] : Action::kNone;
}

}  // namespace

void Decoder::run_new() {
  while (window_.is_wanted() && new_batch()) {
  }
}

// Returns false at the end.
bool Decoder::new_batch() {
  constexpr size_t kMostHead = 64, kMostBatch = 1 << 20;
  std::string_view rest = window_.peek_most(kMostHead);
  if (rest.empty()) return false;
  const size_t before = rest.size();
  uint8_t type = *take_little<uint8_t>(rest);
  // Between generations there may be a mark of their end.
  constexpr uint8_t kEndOfGeneration = 52;
  if (type == kEndOfGeneration) return window_.skip(1);
  const bool is_experimental = type == kExperimental;
  if (type != kBatch && !is_experimental) return damaged("batch of an unknown kind");
  if (is_experimental) rest.remove_prefix(std::min<size_t>(rest.size(), 1));
  const auto generation = take_varint(rest), thread = take_varint(rest), time = take_varint(rest),
             size = take_varint(rest);
  if (!generation || !thread || !time || !size)
    return before < kMostHead ? false : damaged("batch of an unknown kind");
  if (*size > kMostBatch) return damaged("batch too long");
  const uint64_t offset = window_.offset() + before - rest.size();
  window_.skip(before - rest.size());
  const auto bytes = window_.peek(static_cast<size_t>(*size));
  if (!bytes) return false;
  Event base;
  base.time = Time{static_cast<int64_t>(*time & INT64_MAX)};
  base.offset = offset;
  base.runner = *thread;
  base.generation = static_cast<uint32_t>(*generation);
  type = bytes->empty() ? uint8_t{0} : static_cast<uint8_t>(bytes->front());
  const bool is_table = type == kStacks || type == kStrings || type == kSamples ||
                        type == kFrequency || type == kSync;
  if (is_table) {
    new_tables(*bytes, base.generation);
  } else if (give_ && !is_experimental) {
    new_events(*bytes, base);
  }
  return window_.skip(bytes->size());
}

void Decoder::new_tables(std::string_view bytes, uint32_t generation) {
  while (!bytes.empty()) {
    const auto type = take_little<uint8_t>(bytes);
    switch (*type) {
      case kStacks:
      case kStrings:
      case kSamples:
      case kSync:
        break;
      case kFrequency:
        knowledge_.ticks_per_second = take_varint(bytes).value_or(0);
        break;
      case kString: {
        const auto id = take_varint(bytes), size = take_varint(bytes);
        const auto text = take_bytes(bytes, size.value_or(0));
        if (!id || !size || !text) return;
        add_text(generation, *id, *text);
        break;
      }
      case kStack: {
        const std::string_view stack = bytes;
        const auto id = take_varint(bytes), frames = take_varint(bytes);
        if (!id || !frames) return;
        for (uint64_t i = 0; i < *frames * 4; ++i) {
          if (!take_varint(bytes)) return;
        }
        add_stack(stack.substr(0, stack.size() - bytes.size()), generation);
        break;
      }
      case kSample: {
        std::array<uint64_t, 5> numbers{};
        for (uint64_t& number : numbers) {
          const auto taken = take_varint(bytes);
          if (!taken) return;
          number = *taken;
        }
        if (!give_) break;
        Event event;
        event.time = Time{static_cast<int64_t>(numbers[0] & INT64_MAX)};
        event.generation = generation;
        event.action = Action::kSample;
        event.subject = numbers[3];
        event.stack = numbers[4];
        give_(event);
        break;
      }
      case kClockSnapshot:
        for (int i = 0; i < 4; ++i) take_varint(bytes);
        break;
      default:
        return;
    }
  }
}

void Decoder::new_events(std::string_view bytes, Event base) {
  const size_t size = bytes.size();
  const uint64_t begin = base.offset;
  auto time = static_cast<uint64_t>(base.time.ticks);
  while (!bytes.empty()) {
    Event event = base;
    event.offset = begin + size - bytes.size();
    const auto type = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    const Meaning meaning = meaning_of(type);
    if (meaning.numbers == 0) {
      sink_.loss("event of an unknown kind: the rest of its batch is lost", event.offset);
      return;
    }
    std::array<uint64_t, 8> numbers{};
    for (uint8_t i = 0; i < meaning.numbers; ++i) {
      const auto number = take_varint(bytes);
      if (!number) return sink_.loss("event that does not fit its batch", event.offset);
      numbers[i] = *number;
    }
    time += numbers[0];
    event.time = Time{static_cast<int64_t>(time & INT64_MAX)};
    event.action = meaning.action;
    if (meaning.subject > 0) event.subject = numbers[meaning.subject];
    if (meaning.other > 0) event.other = numbers[meaning.other];
    if (meaning.text > 0) event.text = numbers[meaning.text];
    if (meaning.second_text > 0) event.second_text = numbers[meaning.second_text];
    if (meaning.stack > 0) event.stack = numbers[meaning.stack];
    if (type == kGoStatus || type == kGoStatusStack) {
      event.action = of_status(numbers[3]);
      event.subject = numbers[1];
      event.runner = numbers[2];
    } else if (type == kProcStatus) {
      constexpr uint64_t kRunning = 1;
      event.action = numbers[2] == kRunning ? Action::kProcStart : Action::kNone;
      event.subject = numbers[1];
    }
    if (event.action != Action::kNone) give_(event);
  }
}

}  // namespace weft::formats::go
