#include "core/formats/profiles/ghc/ghc_heap.h"

#include <fmt/core.h>

#include <iterator>
#include <string>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/ghc/ghc_fields.h"

namespace weft::formats::ghc {

using trace::Category;

bool Heap::play(const Event& event) {
  if (event.type >= kMarkBegin && event.type <= kSweepEnd) return play_phase(event);
  switch (event.type) {
    case kHeapAllocated:
    case kHeapSize:
    case kHeapLive:
    case kBlocksSize:
      return play_size(event);
    case kGcStats:
      return play_collection(event);
    case kMemoryReturn:
      return play_memory_return(event);
    case kHeapInfo:
      return play_parameters(event.payload);
    case kHeapCensus:
      return play_census(event);
    default:
      return false;
  }
}

bool Heap::play_size(const Event& event) {
  std::string_view payload = event.payload;
  const auto capset = take_big<uint32_t>(payload);
  const auto bytes = take_big<uint64_t>(payload);
  if (!capset || !bytes) return false;
  const std::string_view name = event.type == kHeapAllocated ? "allocated"
                                : event.type == kHeapSize    ? "size"
                                : event.type == kHeapLive    ? "live"
                                                             : "blocks";
  variables_.add(group(heap_, "Heap"), name, "heap", event.time, *bytes);
  return true;
}

bool Heap::play_collection(const Event& event) {
  BinaryFields fields(event.payload);
  fields.big<uint32_t>();  // the capability set
  ArgsText params;
  params.add("generation", fields.big<uint16_t>());
  const auto copied = fields.big<uint64_t>(), slop = fields.big<uint64_t>(),
             fragmentation = fields.big<uint64_t>();
  const auto threads = fields.big<uint32_t>();
  const auto most_of_thread = fields.big<uint64_t>(), by_threads = fields.big<uint64_t>();
  if (fields.has_failed()) return false;
  const ParamsId generation = sink_.params(params.whole());
  const auto add = [&](std::string_view name, uint64_t value) {
    variables_.add(group(heap_, "Heap"), name, "collections", event.time, value, generation);
  };
  add("copied", copied);
  add("slop", slop);
  add("fragmentation", fragmentation);
  add("threads", threads);
  add("most copied by a thread", most_of_thread);
  add("copied by threads", by_threads);
  // Since GHC 8.6.
  if (const auto balanced = fields.big<uint64_t>(); !fields.has_failed())
    add("copied in balance", balanced);
  return true;
}

bool Heap::play_memory_return(const Event& event) {
  BinaryFields fields(event.payload);
  fields.big<uint32_t>();  // the capability set
  const auto held = fields.big<uint32_t>(), needed = fields.big<uint32_t>(),
             returned = fields.big<uint32_t>();
  if (fields.has_failed()) return false;
  const LaneId lane = group(heap_, "Heap");
  variables_.add(lane, "megablocks", "heap", event.time, held);
  variables_.add(lane, "megablocks needed", "heap", event.time, needed);
  variables_.add(lane, "megablocks returned", "heap", event.time, returned);
  return true;
}

bool Heap::play_parameters(std::string_view payload) {
  BinaryFields fields(payload);
  fields.big<uint32_t>();  // the capability set
  const uint64_t values[] = {fields.big<uint16_t>(), fields.big<uint64_t>(), fields.big<uint64_t>(),
                             fields.big<uint64_t>(), fields.big<uint64_t>()};
  if (fields.has_failed()) return false;
  constexpr std::string_view kKeys[] = {"heap: generations", "heap: most bytes",
                                        "heap: bytes of the allocation area",
                                        "heap: bytes of a megablock", "heap: bytes of a block"};
  static_assert(std::size(kKeys) == std::size(values));
  for (size_t i = 0; i < std::size(kKeys); ++i)
    sink_.set_metadata(kKeys[i], fmt::format("{}", values[i]));
  return true;
}

// Begins are even, ends odd. The program is stopped to synchronise, within which marking may go on.
bool Heap::play_phase(const Event& event) {
  constexpr std::string_view kNames[] = {"mark", "synchronisation", "sweep"};
  const EventTypeId type =
      sink_.type(Category::kState, kNames[(event.type - kMarkBegin) / 2], "concurrent collector");
  const LaneId lane = group(collector_, "Concurrent collector");
  if (event.type % 2 == 0) {
    open_.begin(lane, type, event.time, ParamsId::none(), event.offset);
  } else {
    ArgsText params;
    add_fields(event.type, event.payload, params);
    open_.end_of(lane, type, event.time, event.offset, params.whole());
  }
  return true;
}

bool Heap::play_census(const Event& event) {
  BinaryFields fields(event.payload);
  // Until GHC 9.6 a logarithm of the size, in one byte.
  constexpr size_t kOldBytes = 13, kMostLogarithm = 31;
  uint32_t size = 0;
  if (event.payload.size() == kOldBytes) {
    const auto logarithm = fields.big<uint8_t>();
    if (logarithm > kMostLogarithm) return false;
    size = uint32_t{1} << logarithm;
  } else {
    size = fields.big<uint16_t>();
  }
  const auto active = fields.big<uint32_t>(), filled = fields.big<uint32_t>(),
             live = fields.big<uint32_t>();
  if (fields.has_failed()) return false;
  LaneId& lane = by_block_size_.try_emplace(size, LaneId::none()).first->second;
  if (lane.is_none())
    lane = sink_.add_lane({.name = fmt::format("blocks of {} bytes", size),
                           .parent = group(nonmoving_, "Nonmoving heap"),
                           .sort_index = static_cast<int32_t>(size & 0x7FFFFFFF)});
  variables_.add(lane, "active segments", "nonmoving heap", event.time, active);
  variables_.add(lane, "filled segments", "nonmoving heap", event.time, filled);
  variables_.add(lane, "live blocks", "nonmoving heap", event.time, live);
  return true;
}

LaneId Heap::group(LaneId& lane, std::string_view name) {
  if (lane.is_none()) lane = sink_.add_lane({.name = std::string(name)});
  return lane;
}

}  // namespace weft::formats::ghc
