// A trace as everything above the store sees it: an immutable snapshot of lanes, types and rows.
//
// Snapshots are shared (shared_ptr<const Trace>) and never change; a growing trace publishes new
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

#include "core/base/result.h"
#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/io/mapped_file.h"
#include "core/trace/model.h"

namespace weft::store {

class ParamsSource;
class RowPart;
class Segment;
struct Totals;

// The order is part of the .weft format, and the order of a lane's rows.
enum class RowKind : uint8_t { kState, kPunctual, kVariable, kLinkOut, kLinkIn };
inline constexpr int kRowKindCount = 5;
constexpr bool has_values(RowKind kind) { return kind == RowKind::kVariable; }

// One event as it is stored. What `duration`, `peer` and `value` mean depends on the row's kind.
struct Record {
  Time begin;  // links out: send; links in: receive
  Duration
      duration;  // states: length. Links out: receive - send; links in: receive - send. Else 0.
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
  EventTypeId variable;  // variables: which
  uint64_t count = 0;
  Time first_begin;
  Time last_end;
  int64_t busy = 0;      // sum of durations (states: busy time; links: of latencies)
  double min_value = 0;  // variables: the range of all samples
  double max_value = 0;
  std::vector<RowPart> parts;  // in order of their first begin
};

struct Params {
  std::string_view json;  // the text of one JSON object; empty: none
  std::span<const std::byte> payload;
};

// What the bytes of payloads say, where the traced program's sources are known (core/symbols).
// Thread-safe.
class PayloadReader {
 public:
  virtual ~PayloadReader() = default;
  // The fields as the text of one JSON object; empty: nothing is known of what that type carries.
  virtual std::string fields(EventTypeId type, std::span<const std::byte> payload) const = 0;
};

class Trace {
 public:
  // Maps a .weft file. O(lanes + types + rows); no event is read. Errors name the file.
  static Result<std::shared_ptr<const Trace>> open(const std::filesystem::path& path);
  // Of a .weft's bytes, which may be in no file that has a name; errors name none.
  static Result<std::shared_ptr<const Trace>> over(io::MappedFile map);
  // The same events under other names: `dictionary` has the lanes and types of the trace's own, in
  // the same order. O(lanes + types + rows); segments are shared. Null: as they are.
  static std::shared_ptr<const Trace> with_names(
      const Trace& trace, std::shared_ptr<const trace::Dictionary> dictionary,
      std::shared_ptr<const PayloadReader> payloads);
  ~Trace();

  // (frame-safe) These lie in ordinary memory.
  const trace::Dictionary& dictionary() const { return *dictionary_; }
  // In display order: lanes as in Dictionary::lanes_in_order(), then kind, then depth.
  std::span<const Row> rows() const { return rows_; }
  const Row& row(RowId id) const { return rows_[id.value()]; }
  TimeRange range() const { return range_; }  // from the first begin to the last end
  trace::Counts counts() const { return counts_; }
  bool is_instant() const { return is_instant_; }  // all of it is at one point of time
  // Whether the time from a send to its receive was measured. Where both ends of every link are of
  // one instant it was not: who captures at one place, or knows of an order only, has one time for
  // both.
  bool knows_latencies() const { return knows_latencies_; }
  bool is_complete() const { return is_complete_; }    // false while it grows
  const Totals& totals() const { return *totals_; }    // of a finished trace that is not small
  uint64_t size_bytes() const { return size_bytes_; }  // of the file(s) behind it
  // Grows with every snapshot of the same trace; equal for equal content.
  uint64_t generation() const { return generation_; }
  // Set once reading met damage (a bad checksum, a file cut while mapped); says where.
  Status health() const;

  // The parameters of an event. The views live as long as the trace.
  Params params(ParamsId id) const;
  // The fields of an event's payload as JSON; empty where it has none, or they are not known.
  std::string payload_fields(EventTypeId type, ParamsId id) const;
  // All distinct parameters, one after the other: the first behind none(), none() at the end.
  ParamsId next_params(ParamsId id) const;

  // Calls `body` for every record of the row that overlaps `range` (instants: lies in it), in order
  // of begin, until it returns false. Rows of links: those whose own end lies in `range`.
  void for_each(const Row& row, TimeRange range,
                const std::function<bool(const Record&)>& body) const;

  // The same a block of at most 128 records at a time, for bulk reading: every record that overlaps
  // `range` is in some block, and so are neighbours that do not; the caller clips.
  void for_each_block(const Row& row, TimeRange range,
                      const std::function<bool(std::span<const Record>)>& body) const;

  // The record at `index` in order of begin; index < row.count.
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
  std::shared_ptr<const PayloadReader> payloads_;  // null: nothing is known of them
  std::vector<Row> rows_;
  TimeRange range_;
  trace::Counts counts_;
  std::shared_ptr<const Totals> totals_;
  bool is_instant_ = false;
  bool knows_latencies_ = false;
  bool is_complete_ = true;
  uint64_t size_bytes_ = 0;
  uint64_t generation_ = 0;
};

}  // namespace weft::store
