// The records of a scan grouped by type, as GROUP BY type requires.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/query/sql/sql_scan.h"
#include "core/trace/model.h"

namespace weft::query {

// Returns the rank of each type in the output: by number, or by name, so that types with the same
// name lie together.
std::vector<uint32_t> type_places(const trace::Dictionary& dictionary, bool by_name);

// Scans once to count, then once for as many types as fit into memory, whose records it sorts by
// counting (Knuth, "Sorting and Searching", 5.2, algorithm D); those of a type that does not fit
// are given as they lie, a part at a time. Records are only read in sequence: reading each where it
// lies took as long as SQLite's sorting.
class RecordsByType {
 public:
  static constexpr size_t kMost = 1'000'000;  // records in memory: 72 MB

  // `settle` advances a scan to the next wanted record. `bounds` and `places` must outlive this
  // object.
  RecordsByType(std::vector<ScannedPart> parts, const ScanBounds& bounds,
                std::span<const uint32_t> places, std::function<void(PartScan&)> settle,
                size_t most = kMost);

  bool is_at_end() const { return at_ == kept_.size(); }
  void next() {
    if (++at_ == kept_.size()) gather();
  }
  // Valid unless at the end:
  const store::Row& row() const { return *kept_[at_].row; }
  const store::Record& record() const { return kept_[at_].record; }
  uint64_t id() const { return kept_[at_].id; }

 private:
  struct Kept {
    store::Record record;
    const store::Row* row = nullptr;
    uint64_t id = 0;
  };

  // Continues the scan until `visit` returns false: then returns true, or false at the end.
  template <class Visit>
  bool scan_on(const Visit& visit);
  void gather();
  void gather_next_types();

  std::vector<ScannedPart> parts_;
  const ScanBounds* bounds_;
  std::span<const uint32_t> places_;  // by type
  std::function<void(PartScan&)> settle_;
  size_t most_;
  std::vector<uint64_t> counts_;       // by place
  size_t first_ = 0, behind_ = 0;      // the places being gathered
  bool is_within_ = false;             // the type being gathered has more records
  size_t part_ = 0;                    // being scanned
  std::optional<PartScan> scan_ = {};  // of the part, once begun
  std::vector<Kept> kept_;
  size_t at_ = 0;
};

}  // namespace weft::query
