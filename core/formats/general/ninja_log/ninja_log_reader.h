// The reader of ninja's build logs (.ninja_log): what was built when. Lines of one command that
// made several files are one state. Builds follow each other in the log, each on its own clock:
// they are shown one after the other, the first lanes busiest, as many as ran at once.
//
//   # ninja log v5
//   0<tab>1370<tab>1694174211<tab>obj/a.o<tab>f7a8c0b0
//
// Memory: the commands of a build, which are noted when they end; where they take more than a
// share, the half that began first goes.
//
// Times are milliseconds. Source: src/build_log.cc of ninja; versions 4 to 7.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_ninja_log(std::span<const std::byte> head);
Status read_ninja_log(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
