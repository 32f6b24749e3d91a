// The reader of Pajé traces: a header that says which fields events have, then one event a line,
// played back in order: containers, stacks of states, variables that are added to, links by key.
//
//   %EventDef PajePushState 12
//   %  Time date
//   %  Type string
//   %  Container string
//   %  Value string
//   %EndEventDef
//   12 0.000501 STATE rank-0 "MPI_Send"
//
// Source: "The Paje trace file format", B. Stein, J. Chassin de Kergommeaux, G. Mounié (2002);
// where it is silent, what PajeNG does. Times are seconds.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_paje(std::span<const std::byte> head);
Status read_paje(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
