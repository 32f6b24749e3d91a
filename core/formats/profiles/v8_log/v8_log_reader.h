// The reader of V8's log with samples, `node --prof` (isolate-0x…-v8.log), and of what
// `node --prof-process --preprocess` makes of it, JSON:
//
//   shared-library,/usr/bin/node,0x400000,0xb71000,0
//   code-creation,JS,10,34534,0x3370588aeee,5,fib /srv/fib.js:1:13,0x3370588ad68,~
//   tick,0x7f18a6bb4b4a,41933,0,0x0,3,0x151a6a0,0x33705894886
//
//   {"code":[{"name":"fib /srv/fib.js:1:13","type":"JS","kind":"Opt"}], "functions":[],
//    "ticks":[{"tm":41933,"vm":3,"s":[0,16]}]}
//
// Each tick is a sample of the stack; what V8 was doing is a state on a lane of its own, as are its
// timers where it was told to log them (--log-timer-events). Logs until 2014 name no version, and
// those before 2013 (node 0.8 and 0.10) no times. The log has no names for what lies in libraries:
// their files' names stand for them.
//
// Source: tools/tickprocessor.mjs and tools/profile.mjs of V8 11.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_v8_log(std::span<const std::byte> head);
Status read_v8_log(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
