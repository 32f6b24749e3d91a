// Traces of Go 1.5 to 1.21.

#include "core/formats/base/binary.h"
#include "core/formats/profiles/go/go_decoder.h"

namespace weft::formats::go {
namespace {

enum Type : uint8_t {
  kBatch = 1,
  kFrequency = 2,
  kStack = 3,
  kSystemCallExit = 29,
  kTimerGoroutine = 35,
  kString = 37,
  kSystemCallExitLocal = 40,
  kUserRegion = 47,
  kUserLog = 48,
  kCpuSample = 49,
  kTypes = 50,
};

// Which of the numbers behind the time is what: 0 none, 1 the first, …
struct Meaning {
  Action action = Action::kNone;
  uint8_t subject = 0, other = 0, text = 0;
  uint64_t fixed = 0;  // text
  uint8_t stack = 0;
};
constexpr Meaning kMeanings[kTypes] = {
    {},
    {},
    {},
    {},
    {Action::kProcessors, 1},
    {Action::kProcStart},
    {Action::kProcStop},
    {Action::kCollect},
    {Action::kCollected},
    {Action::kStopWorld, 0, 0, 0, kForCollection},
    {Action::kStartWorld},
    {Action::kSweep},
    {Action::kSwept},
    {Action::kCreate, 1, 0, 0, 0, 2},
    {Action::kStart, 1},
    {Action::kEnd},
    {Action::kBlock, 0, 0, 0, kStopped, 1},
    {Action::kYield, 0, 0, 0, kYields, 1},
    {Action::kYield, 0, 0, 0, kPreempted, 1},
    {Action::kBlock, 0, 0, 0, kSleeping, 1},
    {Action::kBlock, 0, 0, 0, kBlocked, 1},
    {Action::kUnblock, 1},
    {Action::kBlock, 0, 0, 0, kOnSend, 1},
    {Action::kBlock, 0, 0, 0, kOnReceive, 1},
    {Action::kBlock, 0, 0, 0, kOnSelect, 1},
    {Action::kBlock, 0, 0, 0, kOnSync, 1},
    {Action::kBlock, 0, 0, 0, kOnCondition, 1},
    {Action::kBlock, 0, 0, 0, kOnNetwork, 1},
    {Action::kCall, 0, 0, 0, 0, 1},
    {Action::kCallEnds, 1},
    {Action::kCallBlocks},
    {Action::kIsWaiting, 1},
    {Action::kIsInCall, 1},
    {Action::kHeap, 1},
    {Action::kHeapGoal, 1},
    {},
    {},
    {},
    {Action::kStart, 1},
    {Action::kUnblock, 1},
    {Action::kCallEnds, 1},
    {Action::kStart, 1},
    {Action::kBlock, 0, 0, 0, kOnCollection, 1},
    {Action::kAssist},
    {Action::kAssisted},
    {Action::kTask, 1, 2, 3},
    {Action::kTaskEnd, 1},
    {Action::kRegion, 1, 2, 3},
    {Action::kLog, 1, 0, 2},
    {Action::kSample, 3, 0, 0, 0, 4},
};

// The first whose stacks have names and whose events have no place in the order of all.
constexpr int kFirstWithNames = 7;

}  // namespace

void Decoder::run_old() {
  while (window_.is_wanted() && old_event()) {
  }
}

// Returns false at the end.
bool Decoder::old_event() {
  constexpr size_t kMostEvent = 1 << 20;
  const bool is_placed = version_ < kFirstWithNames;
  const uint8_t many = is_placed ? 5 : 4;
  const std::string_view bytes = window_.peek_most(kMostEvent);
  if (bytes.empty()) return false;
  const auto first = static_cast<uint8_t>(bytes[0]);
  const uint8_t type = first & 0x3F,
                count = static_cast<uint8_t>((first >> 6) + (is_placed ? 2 : 1));
  if (type == 0 || type >= kTypes) return damaged("event of an unknown kind");
  std::string_view rest = bytes.substr(1);
  if (type == kString) return old_text();
  std::string_view arguments = rest;
  if (count < many) {
    for (uint8_t i = 0; i < count; ++i) {
      if (!take_varint(rest)) return false;
    }
    arguments = arguments.substr(0, arguments.size() - rest.size());
  } else {
    const auto size = take_varint(rest);
    if (!size) return false;
    const auto taken = take_bytes(rest, *size);
    if (!taken) return *size >= kMostEvent ? damaged("event too long") : false;
    arguments = *taken;
  }
  std::string_view text;
  if (type == kUserLog) {
    const auto size = take_varint(rest);
    const auto taken = take_bytes(rest, size.value_or(0));
    if (!size || !taken) return false;
    text = *taken;
  }
  old_known(type, arguments, text, window_.offset());
  return window_.skip(bytes.size() - rest.size());
}

bool Decoder::old_text() {
  constexpr uint64_t kMostText = 1'000'000;
  std::string_view rest = window_.peek_most(kMostText + 32).substr(1);
  const size_t before = rest.size();
  const auto id = take_varint(rest), size = take_varint(rest);
  if (!id || !size) return false;
  if (*size > kMostText) return damaged("text too long");
  const auto text = take_bytes(rest, *size);
  if (!text) return false;
  add_text(0, *id, *text);
  return window_.skip(1 + before - rest.size());
}

void Decoder::old_known(uint8_t type, std::string_view arguments, std::string_view text,
                        uint64_t offset) {
  const bool is_placed = version_ < kFirstWithNames;
  if (type == kStack) return is_placed ? void() : add_stack(arguments, 0);
  if (type == kTimerGoroutine) return;
  std::array<uint64_t, 8> numbers{};
  size_t count = 0;
  for (; count < numbers.size(); ++count) {
    const auto number = take_varint(arguments);
    if (!number) break;
    numbers[count] = *number;
  }
  if (type == kFrequency) {
    knowledge_.ticks_per_second = numbers[0];
    return;
  }
  if (type == kBatch) {
    runner_ = numbers[0];
    time_ = numbers[is_placed ? 2 : 1];
    return;
  }
  if (is_placed) std::shift_left(numbers.begin(), numbers.end(), 1);
  time_ += numbers[0];
  const Meaning& meaning = kMeanings[type];
  if (!give_ || meaning.action == Action::kNone) return;
  Event event{.time = Time{static_cast<int64_t>(time_ & INT64_MAX)},
              .offset = offset,
              .runner = runner_,
              .action = meaning.action,
              .subject = meaning.subject > 0 ? numbers[meaning.subject] : 0,
              .other = meaning.other > 0 ? numbers[meaning.other] : 0,
              .text = meaning.text > 0 ? numbers[meaning.text] : meaning.fixed,
              .stack = meaning.stack > 0 ? numbers[meaning.stack] : 0};
  if (type == kUserRegion && event.other != 0) event.action = Action::kRegionEnd;
  if (type == kCpuSample) event.time = Time{static_cast<int64_t>(numbers[1] & INT64_MAX)};
  // The event of the goroutine's resumption tells when its call ended.
  const uint64_t ended = type == kSystemCallExit        ? numbers[3]
                         : type == kSystemCallExitLocal ? numbers[2]
                                                        : 0;
  if (ended != 0) event.time = Time{static_cast<int64_t>(ended & INT64_MAX)};
  if (type == kUserLog) event.second_text = inline_text(0, text);
  give_(event);
}

}  // namespace weft::formats::go
