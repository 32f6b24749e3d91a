// The reader of the Best Trace Format (.btf) of AUTOSAR's tools and simulators, and of loggers for
// FreeRTOS: tasks, interrupts, runnables, cores, stimuli, semaphores, signals.
//
// Times keep the trace's own scale. Memory: what is open, and the names.
//
// Source: "BTF Specification", version 2.2, Eclipse Auto IWG.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_btf(std::span<const std::byte> head);
Status read_btf(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
