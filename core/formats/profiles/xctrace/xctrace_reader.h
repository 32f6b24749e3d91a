// The reader of tables of samples that Instruments exported as XML (`xctrace export`: time-profile,
// time-sample, cpu-profile and the like): the stack of each sample is states of its thread, which
// lies below its process.
//
//   <row><sample-time id="1">57246708</sample-time>
//        <thread id="2" fmt="main  0x8480c1 (app, pid: 7)">…</thread>
//        <weight id="9" fmt="1.00 ms">1000000</weight>
//        <backtrace id="10"><frame id="11" name="read"/><frame id="12"
//        name="main"/></backtrace></row>
//
// Every element may be one that an earlier row has, `ref` and its id. Times are nanoseconds since
// the begin of the recording. Memory: what has an id, in large arrays where it is much.
//
// Source: exports of Instruments 12 to 16; the help of xctrace.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_xctrace(std::span<const std::byte> head);
Status read_xctrace(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
