// The reader of method traces of Android's VMs, Dalvik and ART (Debug.startMethodTracing, `am
// profile`, Android Studio's CPU profiler): who called what, by thread, traced or sampled.
//
//   in a file   text (*version … *threads … *methods … *end), then "SLOW" and records of one size
//   streaming   "SLOW", records; names of threads and methods among them, the text at the end
//   second      "SLOW" with version 4 or 5 (6: long calls only), packets of names and of records in
//               LEB128, the text at the end
//
// Calls are states of their thread. With two clocks a call says the time of its thread's own clock;
// one that an exception ended says so. A method whose exit comes first had been entered before the
// trace: it lasts from the trace's begin. Times are microseconds, of the second form nanoseconds,
// of the clock that the trace says. Memory: names, what is open, states whose names come late.
//
// Source: AOSP's runtime/trace.h, trace.cc and trace_profile.cc, dalvik's Profile.cpp.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_art_trace(std::span<const std::byte> head);
Status read_art_trace(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
