// A trace as everything above the store sees it: an immutable snapshot of lanes, types and rows.
//
// Snapshots are shared (TracePtr) and never change; a growing trace publishes new
// ones. All reading is thread-safe. Reading may fault pages of a mapped file in, so it is work for
// workers, never for the frame thread; what the frame thread may touch is marked (frame-safe).
//
// Rows. The states of a lane at one depth form a row of non-overlapping intervals in order of
// begin. Punctual events, links by send, links by receive and the samples of one variable each form
// a row of the same making, in order of begin. A snapshot of a growing trace has rows of several
// parts (one per segment), whose depths are provisional; in a finished trace each row has one part.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/result.h"
#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/io/mapped_file.h"
#include "core/trace/model.h"

namespace weft::store {

class ParamsSource;
class RowPart;
class Segment;
class Trace;
struct Totals;

using TracePtr = std::shared_ptr<const Trace>;

// The order is part of the .weft format, and the order of a lane's rows.
enum class RowKind : uint8_t { kState, kPunctual, kVariable, kLinkOut, kLinkIn };
inline constexpr int kRowKindCount = 5;
constexpr bool has_values(RowKind kind) { return kind == RowKind::kVariable; }
constexpr trace::Category category_of(RowKind kind) {
  switch (kind) {
    case RowKind::kState:
      return trace::Category::kState;
    case RowKind::kVariable:
      return trace::Category::kVariable;
    case RowKind::kLinkOut:
    case RowKind::kLinkIn:
      return trace::Category::kLink;
    case RowKind::kPunctual:
      break;
  }
  return trace::Category::kPunctual;
}

// One event as it is stored. What `duration`, `peer` and `value` mean depends on the row's kind.
struct Record {
  Time begin;         // links out: send; links in: receive
  Duration duration;  // states: length; links: receive - send; else 0
  ParamsId params = ParamsId::none();
  EventTypeId type;
  LaneId peer = LaneId::none();  // links out: target; links in: source; none: that end is missing
  double value = 0;              // variables
  Time end() const { return begin + duration; }
};

struct Row {
  LaneId lane;
  RowKind kind = RowKind::kState;
  uint32_t depth = 0;    // states: 0 = outermost
  EventTypeId variable;  // variables: which one
  uint64_t count = 0;
  Time first_begin;
  Time last_end;
  int64_t busy = 0;      // sum of durations (links: of latencies)
  double min_value = 0;  // variables: the range of all samples
  double max_value = 0;
  std::span<const RowPart> parts;  // in order of their first begin; the row's owner has them
};

// The rows [begin, end) of a trace.
struct RowSpan {
  uint32_t begin = 0, end = 0;
};
// Where those of each of `lanes` lanes lie: together.
std::vector<RowSpan> rows_by_lane(std::span<const Row> rows, size_t lanes);

struct Params {
  std::string_view json;  // the text of one JSON object; empty: none
  std::span<const std::byte> payload;
};

// Decodes payloads, if the traced program's sources are known (core/symbols). Thread-safe.
class PayloadReader {
 public:
  virtual ~PayloadReader() = default;
  // Returns the fields as the text of one JSON object; empty if the type's payload is unknown.
  virtual std::string fields(EventTypeId type, std::span<const std::byte> payload) const = 0;
};

class Trace {
 public:
  // Maps a .weft file. O(lanes + types + rows); no event is read. Errors name the file.
  static Result<TracePtr> open(const std::filesystem::path& path);
  // Opens the bytes of a .weft that need not be in a named file; errors name none.
  static Result<TracePtr> over(io::MappedFile map, std::filesystem::path path = {});
  // Returns the same events under other names: `dictionary` must have the lanes and types of the
  // trace's own, in the same order. O(lanes + types + rows); segments are shared. `payloads` may be
  // null.
  static TracePtr with_names(const Trace& trace,
                             std::shared_ptr<const trace::Dictionary> dictionary,
                             std::shared_ptr<const PayloadReader> payloads);
  ~Trace();

  // (frame-safe) These lie in memory; of very many names in large arrays (large_vector.h).
  const trace::Dictionary& dictionary() const { return *dictionary_; }
  // In display order: lanes as in Dictionary::lanes_in_order(), then kind, then depth.
  std::span<const Row> rows() const { return rows_; }
  const Row& row(RowId id) const { return rows_[id.value()]; }
  TimeRange range() const { return range_; }  // from the first begin to the last end
  trace::Counts counts() const { return counts_; }
  bool is_instant() const { return is_instant_; }  // all events lie at one instant
  // Whether link latencies were measured. They were not if both ends of every link have the same
  // time, as in a capture at a single point or in a log that records only an order.
  bool knows_latencies() const { return knows_latencies_; }
  bool is_complete() const { return is_complete_; }            // false while it grows
  const Totals& totals() const { return *totals_; }            // empty: growing or small trace
  uint64_t size_bytes() const { return size_bytes_; }          // of the underlying files
  const std::filesystem::path& path() const { return path_; }  // of the .weft; empty: not opened
  // Grows with every snapshot of the same trace; equal for equal content.
  uint64_t generation() const { return generation_; }
  // Fails once reading has met damage (a bad checksum, a file truncated while mapped); says where.
  Status health() const;

  // Returns the parameters of an event. The views live as long as the trace.
  Params params(ParamsId id) const;
  // Returns the fields of an event's payload as JSON; empty if it has none or they are unknown.
  std::string payload_fields(EventTypeId type, ParamsId id) const;
  // Iterates over all distinct parameters: returns the first after none(), and none() at the end.
  ParamsId next_params(ParamsId id) const;

  // Calls `body`, until it returns false, for every record of the row that overlaps `range`
  // (instants: lies in it), in order of begin within each part of the row. Rows of links: if the
  // end by which they are ordered lies in `range`.
  void for_each(const Row& row, TimeRange range,
                const std::function<bool(const Record&)>& body) const;

  // As for_each(), for bulk reading: passes blocks of at most 128 records. Every record that
  // overlaps `range` is in some block, along with neighbours that do not; the caller clips. What
  // cannot be read is left out.
  void for_each_block(const Row& row, TimeRange range,
                      const std::function<bool(std::span<const Record>)>& body) const;

  // Returns the record at `index` (< row.count), in the same order.
  Record record(const Row& row, uint64_t index) const;

  // Checks every checksum and every invariant of docs/weft-format.md.
  Status verify() const;

 private:
  friend class SnapshotMaker;
  Trace() = default;
  Trace(const Trace&) = default;

  std::shared_ptr<const trace::Dictionary> dictionary_;
  std::vector<std::shared_ptr<const Segment>> segments_;
  std::shared_ptr<const ParamsSource> params_;
  std::shared_ptr<const PayloadReader> payloads_;  // null: unknown
  LargeVector<Row> rows_;
  std::shared_ptr<const LargeVector<RowPart>> parts_;  // of all rows
  TimeRange range_;
  trace::Counts counts_;
  std::shared_ptr<const Totals> totals_;
  bool is_instant_ = false;
  bool knows_latencies_ = false;
  bool is_complete_ = true;
  uint64_t size_bytes_ = 0;
  std::filesystem::path path_;
  uint64_t generation_ = 0;
};

}  // namespace weft::store
