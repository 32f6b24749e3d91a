// The reader of Erlang's trace messages: printed as terms, one behind the other, which a tracer
// process gets of erlang:trace/3 and writes with io:format("~p.~n", [Message]), say:
//
//   {trace_ts,<0.85.0>,send,{work,1,<0.9.0>},<0.82.0>,{1795,224132,809169}}.
//
// or as dbg:trace_port(file, …) and fprof:trace/1 write them: each is a byte 0, its length in four
// bytes, highest first, and the term in the external format; a byte 1 and a number are messages
// that were dropped.
//
// Processes and ports are lanes. `in` and `out` are the state "running", collections of garbage
// states, calls whose return is traced states on the lane "calls" below, within each other; the
// sizes of heaps are variables, in words. A send and the first receive of the same message by that
// process are a link; what finds no partner is a link with one end. Spawns are links, too. The rest
// is punctual. Without timestamps times count messages.
//
// What the system tracer of seq_trace gets is read, too; there numbers say which send and receive
// are of one message:
//
//   {seq_trace,0,{send,{1,2},<0.85.0>,<0.82.0>,{work,1}},{1795,224132,809169}}.
//
// Source: the manuals of the modules erlang (trace/3) and seq_trace of OTP 27, and
// lib/runtime_tools/src/dbg.erl.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_erlang(std::span<const std::byte> head);
Status read_erlang(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
