// The records of a scan, those of each type together: what GROUP BY of a type asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/query/sql/sql_scan.h"
#include "core/trace/model.h"

namespace weft::query {

// Where the records of each type come: in the order of their numbers, or of their names, so that
// types with one name lie together.
std::vector<uint32_t> type_places(const trace::Dictionary& dictionary, bool by_name);

// Scans once to count, then once for as many types as fit into its memory, whose records it sorts
// by counting (Knuth, "Sorting and Searching", 5.2, algorithm D); those of a type that does not fit
// are taken as they lie, a part at a time. Records are read in their order alone: to read each
// where it lies took as long as SQLite's sorting.
class RecordsByType {
 public:
  static constexpr size_t kMost = 1'000'000;  // records in memory: 72 MB

  // `settle` moves a scan on to what is wanted of it. `bounds` and `places` must stay.
  RecordsByType(std::vector<ScannedPart> parts, const ScanBounds& bounds,
                std::span<const uint32_t> places, std::function<void(PartScan&)> settle,
                size_t most = kMost);

  bool is_at_end() const { return at_ == kept_.size(); }
  void next() {
    if (++at_ == kept_.size()) gather();
  }
  // Not at the end:
  const store::Row& row() const { return *kept_[at_].row; }
  const store::Record& record() const { return kept_[at_].record; }
  uint64_t id() const { return kept_[at_].id; }

 private:
  struct Kept {
    store::Record record;
    const store::Row* row = nullptr;
    uint64_t id = 0;
  };

  // Goes on with the scan until `visit` gives false; then true, or false at its end.
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
  size_t first_ = 0, behind_ = 0;      // the places that are being gathered
  bool is_within_ = false;             // there is more of the type that is
  size_t part_ = 0;                    // that is scanned
  std::optional<PartScan> scan_ = {};  // of it, where it has begun
  std::vector<Kept> kept_;
  size_t at_ = 0;
};

}  // namespace weft::query
