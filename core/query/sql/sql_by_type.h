// The records of a scan, those of each type together: what GROUP BY of a type asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/query/sql/sql_scan.h"
#include "core/trace/model.h"

namespace weft::query {

// Where the records of each type come: in the order of their numbers, or of their names, so that
// types with one name lie together.
std::vector<uint32_t> type_places(const trace::Dictionary& dictionary, bool by_name);

// Sorts by counting (Knuth, "Sorting and Searching", 5.2, algorithm D): reads all records twice to
// begin with, then each where it lies. Takes four bytes a record.
class RecordsByType {
 public:
  // All of less than 2^32 records of the trace. `settle` moves a scan on to what is wanted of it.
  RecordsByType(std::vector<ScannedPart> parts, const ScanBounds& bounds,
                std::vector<uint32_t> places, const std::function<void(PartScan&)>& settle);

  bool is_at_end() const { return at_ == ids_.size(); }
  void next() {
    if (++at_ < ids_.size()) read();
  }
  // Not at the end:
  const store::Row& row() const { return *parts_[part_].row; }
  const store::Record& record() const { return record_; }
  uint64_t id() const { return ids_[at_]; }

 private:
  void read();

  std::vector<ScannedPart> parts_;  // by id
  std::vector<uint32_t> ids_;       // by type, then in their order
  size_t at_ = 0, part_ = 0;
  store::Record record_;
};

}  // namespace weft::query
