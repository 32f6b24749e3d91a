// The reader of what PajeNG's pj_dump writes of a Pajé trace: one entity a line, finished.
//
//   Container, 0, PROCESS, 0.000000, 12.186200, 12.186200, rank-0
//   State, rank-0, MPI_STATE, 0.000501, 1.079390, 1.078889, 1.000000, MPI_Send
//   Link, 0, MPI_LINK, 0.000501, 1.079390, 1.078889, PTP, rank-0, rank-1, 1_2_12345_1
//   Variable, HOST, power, 0.000000, 1.000000, 1.000000, 98095000.000000
//   Event, rank-0, MARK, 0.500000, checkpoint
//
// pj_dump_csv writes the same with the names of the fields before them, and texts in quotes. Lines
// come in any order; a container may be named before its own line. Of several containers of one
// name, what is said is of the one whose line came last.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_pj_dump(std::span<const std::byte> head);
Status read_pj_dump(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
