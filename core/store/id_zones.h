// Zone maps of message ids: the least and greatest id among every kIdZoneRecords records of a row
// of links, so that a message is found by its id without reading all links.
//
// Programs number their messages in sequence, so ids grow with time on each lane, roughly, and any
// id lies in one or two zones of a lane. With random ids every zone may hold any id: a search is
// then slower, never wrong.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/large_vector.h"
#include "core/base/thread_pool.h"
#include "core/io/output_file.h"
#include "core/store/catalogue_io.h"
#include "core/store/params_chain.h"
#include "core/store/segment.h"

namespace weft::store {

// Computes the zones of all rows of links, row after row; empty if no message has an id. `rows` are
// merged and lie in the first `end` bytes of the file. O(links), each with a look at its
// parameters.
Result<LargeVector<IdZone>> id_zones(const io::OutputFile& file, uint64_t end,
                                     std::span<const SegmentRow> rows,
                                     std::span<const ParamsChain::Piece> params, ThreadPool& pool);

// Sets where each row's zones lie, if the file has zones.
void place_id_zones(const OpenedFile& file, std::span<SegmentRow> rows);

// Whether a message is counted at this record: its send or, if that is missing, its receive.
inline bool counts_message(RowKind kind, const Record& record) {
  return kind == RowKind::kLinkOut || (kind == RowKind::kLinkIn && record.peer.is_none());
}

}  // namespace weft::store
