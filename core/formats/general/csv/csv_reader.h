// The reader of traces as tables: comma-separated values (or semicolons, tabulators, bars; then
// numbers may have decimal commas) whose header says what the columns are: time, lane, type, and
// more where they are there (csv/csv_columns.h). What `weftscope export --to csv` and
// `events --format csv` write is read back as it was.
//
//   time_us,lane,type,duration,bytes
//   10.5,net/eth0,send,2.25,1500
//
// A row is what its column `category` says (or `Nature`, as in what R makes of pj_dump's lines:
// State, Link, Variable, Event), else a link where it has a target, a state where it has a duration
// or an end, a variable where it has a number as its value, or a punctual event. A value that is no
// number is the name of what is so, and the type its group: Pajé's states. Lanes are paths,
// joined by '/'. Times are in the unit that the header gives, else in seconds where some of the
// first have fractions, else in ticks; or times of day, with the date or without (ISO 8601), and
// durations in seconds. What is rounded, and what runs backwards, is counted. Columns without a
// meaning are parameters; where there are no lanes and types, but numbers only, each is a variable.
// A state whose duration is -1 lasts until the end of the trace.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_csv(std::span<const std::byte> head);
Status read_csv(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
