// The reader of function traces that Xdebug writes of PHP programs, for people (its default; what
// the lines are stands in the source), for computers (xdebug.trace_format = 1) and for browsers
// (2): calls with times and the memory in use, arguments, what was returned.
//
//   Version: 3.1.0
//   File format: 4
//   TRACE START [2007-05-06 18:29:01]
//   1→0→0→0.010870→114112→{main}→1→→../trace.php→0→0      (→: a tabulator)
//   2→1→0→0.032009→114272→str_split→0→→../trace.php→8→1→'ab'
//   2→1→1→0.032073→116632
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_xdebug(std::span<const std::byte> head);
Status read_xdebug(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
