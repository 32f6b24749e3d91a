// The reader of what Valgrind's DHAT and Rust's dhat write (dhat.out.123, dhat-heap.json): where a
// program allocated (or copied, or whatever it said of itself), how much, for how long, and how it
// used that.
//
//   {"dhatFileVersion":2,"mode":"heap","verb":"Allocated","tu":"instrs",…,"te":314117,"tg":306876
//   ,"pps":[{"tb":64000,"tbk":1000,"tl":143773500,"mb":64000,"mbk":1000,"gb":64000,"gbk":1000
//           ,"eb":64000,"ebk":1000,"rb":0,"wb":8000,"acc":[-8,1000,-56,0],"fs":[1,2,3]}]
//   ,"ftbl":["[root]","0x48417B4: malloc (in …)","0x1091AE: make (a.c:5)","0x1092AC: main
//   (a.c:9)"]}
//
// A lane for each of the numbers that add up: the stacks of all program points side by side, as
// wide as what they had. Each program point is an event, too, where it begins, with all its
// numbers.
//
// Source: dhat/dh_main.c and dh_view.js of Valgrind 3.24.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_dhat(std::span<const std::byte> head);
Status read_dhat(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
