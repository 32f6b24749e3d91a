// Which ids of messages lie where in the rows of links, so that one is found by its id without
// reading them all: the least and the most of every kIdZoneRecords records.
//
// Programs count their messages up, so a lane's ids grow with its time, nearly, and one id lies in
// a zone or two of each lane. Where ids are random every zone may hold each of them: finding one is
// slower then, never wrong.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/io/output_file.h"
#include "core/store/catalogue_io.h"
#include "core/store/params_chain.h"
#include "core/store/segment.h"

namespace weft::store {

// Those of all rows of links, one row behind the other; none where no message has an id. `rows`:
// merged, in the first `end` bytes of the file. O(links), a look at the parameters of each.
Result<std::vector<IdZone>> id_zones(const io::OutputFile& file, uint64_t end,
                                     std::span<const SegmentRow> rows,
                                     std::span<const ParamsChain::Piece> params, ThreadPool& pool);

// Tells the rows of a file where their zones lie, if it has them.
void place_id_zones(const OpenedFile& file, std::span<SegmentRow> rows);

// Whether a record of this kind of row is where its message is counted.
inline bool counts_message(RowKind kind, const Record& record) {
  return kind == RowKind::kLinkOut || (kind == RowKind::kLinkIn && record.peer.is_none());
}

}  // namespace weft::store
