#include "core/formats/profiles/ghc/ghc_fields.h"

#include <algorithm>
#include <iterator>

#include "core/formats/base/binary.h"
#include "core/formats/profiles/ghc/ghc_event.h"

namespace weft::formats::ghc {
namespace {

enum class Kind : uint8_t {
  kNone,
  kByte,
  kShort,
  kNumber,  // 32 bits
  kLong,
  kPointer,
  kText,   // ends with a zero
  kStack,  // its depth in a byte, then as many numbers
};

struct Field {
  std::string_view name;
  Kind kind = Kind::kNone;
};

struct Layout {
  uint16_t type;
  Field fields[10];
};

using enum Kind;

// By number. Types that say nothing but that they happened have no row.
// Source: EventLogFormat.h of GHC and of ghc-events; GHC's guide, "Eventlog encodings".
constexpr Layout kLayouts[] = {
    {kRunSpark, {{"thread", kNumber}}},
    {kStealSpark, {{"thread", kNumber}, {"from capability", kShort}}},
    {kCreateSparkThread, {{"thread", kNumber}}},
    {kStartup, {{"capabilities", kShort}}},
    {kVersion, {{"version", kText}}},
    {kInvocation, {{"command", kText}}},
    {kCapsetCreate, {{"capability set", kNumber}, {"type", kShort}}},
    {kCapsetDelete, {{"capability set", kNumber}}},
    {kCapsetAssign, {{"capability set", kNumber}, {"capability", kShort}}},
    {kCapsetRemove, {{"capability set", kNumber}, {"capability", kShort}}},
    {kSparkCounters,
     {{"created", kLong},
      {"dud", kLong},
      {"overflowed", kLong},
      {"converted", kLong},
      {"collected", kLong},
      {"fizzled", kLong},
      {"remaining", kLong}}},
    {kSparkSteal, {{"from capability", kShort}}},
    {kWallClock, {{"capability set", kNumber}, {"seconds", kLong}, {"nanoseconds", kNumber}}},
    {kCapabilityCreate, {{"capability", kShort}}},
    {kCapabilityDelete, {{"capability", kShort}}},
    {kCapabilityDisable, {{"capability", kShort}}},
    {kCapabilityEnable, {{"capability", kShort}}},
    {kHeapInfo,
     {{"capability set", kNumber},
      {"generations", kShort},
      {"most bytes", kLong},
      {"bytes of the allocation area", kLong},
      {"bytes of a megablock", kLong},
      {"bytes of a block", kLong}}},
    {kGcStats,
     {{"capability set", kNumber},
      {"generation", kShort},
      {"copied", kLong},
      {"slop", kLong},
      {"fragmentation", kLong},
      {"threads", kNumber},
      {"most copied by a thread", kLong},
      {"copied by threads", kLong},
      {"copied in balance", kLong}}},
    {kTaskCreate, {{"task", kPointer}, {"capability", kShort}, {"kernel thread", kLong}}},
    {kTaskMigrate, {{"task", kPointer}, {"from capability", kShort}, {"to capability", kShort}}},
    {kTaskDelete, {{"task", kPointer}}},
    {kProcessCreate, {{"process", kNumber}}},
    {kProcessKill, {{"process", kNumber}}},
    {kProcessThread, {{"thread", kNumber}, {"process", kNumber}}},
    {kMachineCreate, {{"machine", kShort}, {"started", kLong}}},
    {kMachineKill, {{"machine", kShort}}},
    {kSend,
     {{"tag", kByte},
      {"sender process", kNumber},
      {"sender thread", kNumber},
      {"receiver machine", kShort},
      {"receiver process", kNumber},
      {"receiver port", kNumber}}},
    {kReceive,
     {{"tag", kByte},
      {"receiver process", kNumber},
      {"receiver port", kNumber},
      {"sender machine", kShort},
      {"sender process", kNumber},
      {"sender thread", kNumber},
      {"bytes", kNumber}}},
    {kSendLocal,
     {{"tag", kByte},
      {"sender process", kNumber},
      {"sender thread", kNumber},
      {"receiver process", kNumber},
      {"receiver port", kNumber}}},
    {kMemoryReturn,
     {{"capability set", kNumber},
      {"megablocks", kNumber},
      {"megablocks needed", kNumber},
      {"megablocks returned", kNumber}}},
    {100, {{"conjunction", kPointer}, {"place", kNumber}}},  // 100 to 113: of Mercury
    {101, {{"conjunction", kPointer}}},
    {102, {{"conjunction", kPointer}}},
    {103, {{"conjunction", kPointer}, {"spark", kNumber}}},
    {104, {{"future", kPointer}, {"name", kNumber}}},
    {105, {{"future", kPointer}}},
    {106, {{"future", kPointer}}},
    {107, {{"future", kPointer}}},
    {110, {{"context", kNumber}}},
    {140, {{"event", kNumber}, {"name", kText}}},  // 140 to 142: of perf
    {141, {{"event", kNumber}, {"kernel thread", kLong}, {"period", kLong}}},
    {142, {{"event", kNumber}, {"kernel thread", kLong}}},
    {kHeapProfileBegin,
     {{"profile", kByte},
      {"period", kLong},
      {"breakdown", kNumber},
      {"modules", kText},
      {"closures", kText},
      {"types", kText},
      {"cost centres", kText},
      {"cost centre stacks", kText},
      {"retainers", kText},
      {"biographies", kText}}},
    {kCostCentre,
     {{"cost centre", kNumber},
      {"label", kText},
      {"module", kText},
      {"src_loc", kText},
      {"flags", kByte}}},
    {kHeapSampleBegin, {{"sample", kLong}}},
    {kHeapSampleOfStack, {{"profile", kByte}, {"bytes", kLong}, {"cost centres", kStack}}},
    {kHeapSample, {{"profile", kByte}, {"bytes", kLong}, {"label", kText}}},
    {kHeapSampleEnd, {{"sample", kLong}}},
    {kBiographySampleBegin, {{"sample", kLong}, {"time", kLong}}},
    {kTimeSample, {{"capability", kNumber}, {"tick", kLong}, {"cost centres", kStack}}},
    {kTimeProfileBegin, {{"interval", kLong}}},
    {kInfoTable,
     {{"address", kPointer},
      {"table", kText},
      {"closure", kText},
      {"type", kText},
      {"label", kText},
      {"module", kText},
      {"src_loc", kText}}},
    {kMarkEnd, {{"marked objects", kNumber}}},
    {kRememberedSetFlush, {{"capability", kShort}}},
    {kPrunedSegments, {{"pruned segments", kNumber}, {"free segments", kNumber}}},
    {kTickyCounter,
     {{"counter", kPointer},
      {"arity", kShort},
      {"arguments", kText},
      {"name", kText},
      {"info table", kPointer},
      {"description", kText}}},
    {kTickySample,
     {{"counter", kPointer}, {"entries", kLong}, {"allocations", kLong}, {"allocated", kLong}}},
};
static_assert(std::ranges::is_sorted(kLayouts, {}, &Layout::type));

template <class Number>
bool add_number(std::string_view name, std::string_view& payload, ArgsText& params) {
  const auto number = take_big<Number>(payload);
  if (number) params.add(name, *number);
  return number.has_value();
}

bool add_stack(std::string_view name, std::string_view& payload, ArgsText& params) {
  std::string_view rest = payload;
  const auto depth = take_big<uint8_t>(rest);
  const auto numbers = depth ? take_bytes(rest, *depth * sizeof(uint32_t)) : std::nullopt;
  if (!numbers) return false;
  payload = rest;
  params.name(name);
  params.begin('[');
  for (BinaryFields each(*numbers); !each.rest().empty();) params.number(each.big<uint32_t>());
  params.end(']');
  return true;
}

bool add_text(std::string_view name, std::string_view& payload, ArgsText& params) {
  if (payload.empty()) return false;
  const std::string_view text = until_zero(payload);
  payload.remove_prefix(std::min(text.size() + 1, payload.size()));
  if (!text.empty()) params.add(name, text);
  return true;
}

// Returns false if the payload ends before.
bool add_field(const Field& field, std::string_view& payload, ArgsText& params) {
  switch (field.kind) {
    case kByte:
      return add_number<uint8_t>(field.name, payload, params);
    case kShort:
      return add_number<uint16_t>(field.name, payload, params);
    case kNumber:
      return add_number<uint32_t>(field.name, payload, params);
    case kLong:
      return add_number<uint64_t>(field.name, payload, params);
    case kPointer: {
      const auto pointer = take_big<uint64_t>(payload);
      if (pointer) params.add_pointer(field.name, *pointer);
      return pointer.has_value();
    }
    case kText:
      return add_text(field.name, payload, params);
    case kStack:
      return add_stack(field.name, payload, params);
    case kNone:
      break;
  }
  return false;
}

}  // namespace

std::string_view add_fields(uint16_t type, std::string_view payload, ArgsText& params) {
  const auto layout = std::ranges::lower_bound(kLayouts, type, {}, &Layout::type);
  if (layout == std::end(kLayouts) || layout->type != type) return payload;
  for (const Field& field : layout->fields) {
    if (!add_field(field, payload, params)) break;
  }
  return payload;
}

}  // namespace weft::formats::ghc
