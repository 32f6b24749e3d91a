// What the runtime's own events are called and hold: files say only their numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/formats/nettrace/nettrace_kinds.h"

namespace weft::formats::nettrace {

constexpr std::string_view kRuntimeProvider = "Microsoft-Windows-DotNETRuntime";
constexpr std::string_view kRundownProvider = "Microsoft-Windows-DotNETRuntimeRundown";
constexpr std::string_view kSampleProvider = "Microsoft-DotNETCore-SampleProfiler";
constexpr std::string_view kPipeProvider = "Microsoft-DotNETCore-EventPipe";

struct RuntimeEvent {
  uint32_t id;
  std::string_view name;
  std::string_view fields;  // "Count/d Type/s"
};

// By id.
std::span<const RuntimeEvent> runtime_events();
std::span<const RuntimeEvent> rundown_events();
std::span<const RuntimeEvent> private_events();
std::span<const RuntimeEvent> stress_events();

// Adds the name and the fields where the file gives none; where nobody knows, a name of the id.
void describe(Kind& kind);

// What a number stands for; empty where it is not known.
std::string_view collection_reason(uint64_t reason);
std::string_view collection_type(uint64_t type);
std::string_view suspension_reason(uint64_t reason);

}  // namespace weft::formats::nettrace
