// The reader of recordings of Percepio's Trace Recorder (.psf), streamed from a target: tasks,
// interrupts, queues and other objects of FreeRTOS, Zephyr, ThreadX or no kernel, memory, counters,
// and what the program printed. Format versions 10 to 14, in either order of bytes, words of 32 and
// 64 bits.
//
//   session (psf/session.h), then events:
//   2 bytes   number, and in the four highest bits how many words of parameters
//   2 bytes   counter, of the core in the four highest bits where there are several
//   4 bytes   timestamp
//   words     parameters
//
// Times become nanoseconds by the timer's frequency; cycles where it says none. Gaps in the counter
// are events that the target lost. Where bytes are not events the next ones are looked for: two
// that follow each other. A second session goes on in the same trace. Events that a program writes
// by itself, with a number of no meaning and without parameters, are read where they look like the
// printf that is usual: channel, number of values, length of the format.
//
// What is not a stream is a snapshot, or holds one (psf/snapshot.h).
//
// Source: the recorder's sources (TraceRecorderSource 4.6 to 4.11).
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_psf(std::span<const std::byte> head);
Status read_psf(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
