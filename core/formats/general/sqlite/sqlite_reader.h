// The reader of traces that are SQLite databases: what Nsight Systems, rocprof and Perfetto's trace
// processor export, FrameSoC's own, and any other with a table that has a time and a name.
//
// What a table means is said by a query each (sqlite/schemas.h). Databases are opened to be read
// and nothing else, without their triggers and views; one that is compressed or comes through a
// pipe must fit half the memory. One that was cut is read as far as it goes. Times of programs that
// say so are nanoseconds; those of tables by the unit in a column's name, else seconds where
// some of the first have fractions, dates (ISO 8601), else ticks. What is rounded is counted.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_sqlite(std::span<const std::byte> head);
Status read_sqlite(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
