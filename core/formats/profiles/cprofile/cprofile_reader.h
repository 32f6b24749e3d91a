// The reader of profiles of Python's cProfile and profile (`python -m cProfile -o x.prof`), which
// pstats reads: of each function how often it was called, what it took by itself and with what it
// called, and by whom. Marshal's dictionary (cprofile/marshal.h) of
//
//   (file, line, name): (calls but recursive ones, calls, own seconds, seconds with what it called,
//                        {caller: the same four of the calls from there})
//
// Drawn as callgrind's graph of calls is (callgrind/call_tree.h), in nanoseconds. Read as a whole.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_cprofile(std::span<const std::byte> head);
Status read_cprofile(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
