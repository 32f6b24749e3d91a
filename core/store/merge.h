// Merges the segments of a trace into one, lane by lane. Depths, which a segment can only estimate
// from its own events, become final.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "core/base/thread_pool.h"
#include "core/store/lane_writer.h"
#include "core/store/params_chain.h"
#include "core/store/segment.h"

namespace weft::store {

// Merges lanes in parallel, each in slices, with at most about `records_at_once` records in memory
// in total. Slices are small, except where a lane is deep: large ones cost less there. `moves` maps
// parameter ids. `merged` counts the records meanwhile. Ends early once a write to the file failed.
void merge_segments(std::span<const std::shared_ptr<const Segment>> segments,
                    std::span<const ParamsChain::Move> moves, uint64_t records_at_once,
                    ThreadPool& pool, FileEnd& file, SegmentDraft& draft,
                    std::atomic<uint64_t>& merged);

}  // namespace weft::store
