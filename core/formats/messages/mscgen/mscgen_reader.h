// The reader of sequence charts as mscgen draws them (.msc, .mscin, .mscgen), also with the
// sections of xù (.xu: loop, alt, …):
//
//   msc {
//     hscale = "2";
//     a [label="Client"], b [label="Server"];
//     a => b [label="data"], a note a [label="again"];
//     b -x a [label="ack"];
//     --- [label="later"];
//     a loop b [label="3 times"] { a -> b; };
//   }
//
// Time counts rows: what stands in one row, with commas between, is at the same time; "arcskip"
// moves the end of a message down. Entities are lanes. Messages are links, named by their label,
// with the arrow's kind as group; one to "*" goes to all others, one with two heads is two links, a
// lost one has no target. Boxes and sections are states of all lanes that they cover, notes events;
// what crosses the whole chart ("---", "...") is on the lane "Chart".
//
// Source: mscgen's documentation (0.20) and that of mscgen_js. The whole chart is mapped.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_mscgen(std::span<const std::byte> head);
Status read_mscgen(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
