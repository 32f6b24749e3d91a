// Names and fields of the runtime's own events, which files give by number only.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/formats/profiles/nettrace/nettrace_kinds.h"

namespace weft::formats::nettrace {

constexpr std::string_view kRuntimeProvider = "Microsoft-Windows-DotNETRuntime";
constexpr std::string_view kRundownProvider = "Microsoft-Windows-DotNETRuntimeRundown";
constexpr std::string_view kSampleProvider = "Microsoft-DotNETCore-SampleProfiler";
constexpr std::string_view kPipeProvider = "Microsoft-DotNETCore-EventPipe";

// By the runtime's manifest (ClrEtwAll.man); where fields were added from version to version, those
// of the newest. What follows in lists is not described.
struct RuntimeEvent {
  uint32_t id;
  std::string_view name;
  // "Count/d Type/s". b, w, d, q: unsigned integers of 1 to 8 bytes, i: a signed one of 4, p: as
  // wide as a pointer, n, f: reals of 8 and 4 bytes, o: a flag of 4, s: UTF-16, a: bytes, both up
  // to a zero, g: a GUID.
  std::string_view fields;
};

// The events, in order of id.
std::span<const RuntimeEvent> runtime_events();
std::span<const RuntimeEvent> rundown_events();
std::span<const RuntimeEvent> private_events();
std::span<const RuntimeEvent> stress_events();

// Adds the name and the fields where the file gives none; where nobody knows, a name of the id.
void describe(Kind& kind);

// Names of numbers; empty if unknown.
std::string_view collection_reason(uint64_t reason);
std::string_view collection_type(uint64_t type);
std::string_view suspension_reason(uint64_t reason);

}  // namespace weft::formats::nettrace
