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
// and of MsGenny, which says the same with fewer signs, and by nothing that it is a chart:
//
//   a: Client, b: Server;
//   a => b: data, a note a: again;
//   a loop b: 3 times { a -> b; };
//
// What it means is in chart.h. What stands in one row, with commas between, is at the same time;
// "arcskip" moves the end of a message down. A message to "*" goes to all others, one with two
// heads is two links.
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
int sniff_msgenny(std::span<const std::byte> head);
Status read_msgenny(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
