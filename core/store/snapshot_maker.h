// Builds a Trace from segments; every snapshot, growing or finished, is made here.
#pragma once

#include <memory>
#include <vector>

#include "core/store/params_store.h"
#include "core/store/segment.h"
#include "core/store/totals.h"
#include "core/store/trace.h"

namespace weft::store {

class SnapshotMaker {
 public:
  std::shared_ptr<const trace::Dictionary> dictionary;
  std::vector<std::shared_ptr<const Segment>> segments;
  std::shared_ptr<const ParamsSource> params;
  TimeRange range;
  trace::Counts counts;
  Totals totals;
  bool is_complete = true;
  uint64_t size_bytes = 0;
  std::filesystem::path path;
  uint64_t generation = 0;

  // Sorts the rows of all segments: O(rows log rows).
  TracePtr make() const;
};

}  // namespace weft::store
