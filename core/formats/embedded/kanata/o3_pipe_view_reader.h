// The reader of what gem5 writes of the pipeline of an out-of-order processor (debug flag
// O3PipeView): for each instruction when it came to each stage, in ticks, written when it is over.
// It is shown as the reader of Kanata logs shows pipelines: an instruction has a row for itself
// from its fetch to its end, where it is a state ("retired", "flushed") with its stages inside; a
// store that is written later lies below. A stage that was not reached has the tick 0. Processors
// and threads are not told apart by the format. Other lines of gem5 are left out.
//
//   O3PipeView:fetch:1000:0x00400120:0:17:  add x1, x2, x3
//   O3PipeView:decode:1500
//   O3PipeView:rename:2000
//   O3PipeView:dispatch:2500
//   O3PipeView:issue:3000
//   O3PipeView:complete:3500
//   O3PipeView:retire:4000:store:0
//
// Source: gem5's src/cpu/o3 and util/o3-pipeview.py.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_o3_pipe_view(std::span<const std::byte> head);
Status read_o3_pipe_view(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
