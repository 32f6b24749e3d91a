// The reader of heaps over time as text: what Valgrind's massif writes (massif.out.123) and GHC's
// programs with +RTS -h (prog.hp).
//
//   time=137804                          BEGIN_SAMPLE 0.002446
//   mem_heap_B=272                       base:GHC.Event.Control.W	144
//   heap_tree=detailed                   THUNK	40
//   n1: 200 (heap allocation functions)  END_SAMPLE 0.002446
//    n1: 200 0x1091A5: w (st.c:18)
//
// Each sum is a variable, and so are the places that allocated (massif, where a snapshot tells of
// them) or what the heap consisted of (GHC). What a later sample does not name any more is 0 there.
// Massif counts instructions, milliseconds or bytes; its innermost functions are variables of one
// lane, and whoever called one, of a lane below that is called like it, and so on to the outermost.
// The trees of its peak and of its last snapshot that has one are stacks, too, as wide as their
// bytes (nanoseconds beside times).
//
// Source: massif/ms_main.c of Valgrind 3.19, rts/ProfHeap.c of GHC 9.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_heap_text(std::span<const std::byte> head);
Status read_heap_text(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
