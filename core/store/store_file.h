// Writes a finished .weft: parameters, the merged rows, then the other sections, checksums,
// directory and header.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "core/base/thread_pool.h"
#include "core/io/output_file.h"
#include "core/store/overlaps.h"
#include "core/store/params_chain.h"
#include "core/store/segment.h"
#include "core/trace/model.h"

namespace weft::store {

struct StoreContent {
  trace::Dictionary& dictionary;  // the merge adds to its report
  std::span<const std::shared_ptr<const Segment>> segments;
  std::span<const StatesOfLane> refused;  // states that are counted, but in no segment
  const ParamsChain& params;
  TimeRange range;
  trace::Counts counts;
  std::atomic<uint64_t>& merged;         // counts the records that are merged
  const std::atomic<bool>& is_given_up;  // nobody wants the file: writing ends with an error
};

// Merges and writes the content; the caller commits the file. `records_at_once` bounds the memory
// of all threads together (about 120 bytes a record). A parameter store that lies in `file` is
// already in place.
Status write_store(io::OutputFile& file, const StoreContent& content, uint64_t records_at_once,
                   ThreadPool& pool);

}  // namespace weft::store
