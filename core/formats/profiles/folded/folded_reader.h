// The reader of folded stacks, as flame graph scripts write and read them: frames from the
// outermost to the innermost, and how often they were seen. There is no time: stacks lie side by
// side in the order of the file, as wide as their counts.
//
//   main;parse;read 12
//
// Of a comparison of two profiles (difffolded.pl), "main;parse;read 10 12", the counts before lie
// on a lane of their own. Of Austin, which says what it counted, counts are microseconds, and each
// thread has its lane.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_folded(std::span<const std::byte> head);
Status read_folded(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
