// The reader of what the Papyrus engine of games (Skyrim, Fallout 4) logs when scripts or stacks
// are profiled: begins and ends of functions by stack, and what waits in a queue; milliseconds.
//
//   Script_quest log opened (PC)
//   500:PUSH:3053:1:quest (24021278):quest..start
//   1500:POP:3053:1:quest (24021278):quest..start
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_papyrus(std::span<const std::byte> head);
Status read_papyrus(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
