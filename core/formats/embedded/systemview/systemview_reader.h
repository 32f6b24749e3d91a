// The reader of SEGGER SystemView recordings (.SVDat): tasks, interrupts, timers, calls of the
// operating system, marks and prints of the program.
//
// Times become nanoseconds by the frequency that the target says; cycles where it says none. A
// recording that begins within a packet is read from the next synchronisation. Memory: the names,
// and what is open.
//
// What events of an operating system are called stands in a file of SEGGER's, which may lie beside
// the recording: "SYSVIEW_FreeRTOS.txt".
//
// Source: SEGGER's SystemView target sources and user guide (UM08027).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_systemview(std::span<const std::byte> head);
// "SYSVIEW_FreeRTOS.txt".
bool is_systemview_description(std::string_view file_name);
Status read_systemview(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
