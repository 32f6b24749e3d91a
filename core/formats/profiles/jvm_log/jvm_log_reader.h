// The reader of logs of Java's VM: -Xlog:gc*,safepoint with any decorations that say a time (Java 9
// and later), and what -XX:+PrintGC, -XX:+PrintGCDetails and their likes wrote before.
//
// What the collector did and how long it took is a state on the lane of its kind ("Pauses",
// "Concurrent", "Phases", "Collections"), safepoints are states of a lane of theirs: such lines are
// written at the end, and say a length. Until Java 8 parts of a collection are states within it.
// Sizes before and after ("24M->4M(256M)") are variables of the lane "Memory", in bytes or regions.
// All else is a punctual event with its text.
//
// Sources: JEP 158 and 271; the manual of `java`; HotSpot's gcTraceTime.cpp, g1HeapTransition.cpp
// and safepoint.cpp (OpenJDK 8 to 21).
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_jvm_log(std::span<const std::byte> head);
Status read_jvm_log(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
