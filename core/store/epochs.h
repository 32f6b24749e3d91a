// The epochs of a growing trace: consecutive stretches of it, in order of arrival. If only the
// newest part is kept, the oldest epoch is dropped as a whole; its events and parameters lie in
// files of its own, which are freed with the last snapshot that shows them.
//
//   │ epoch │ epoch │ epoch │ epoch │ now      each a quarter of what is to be kept
//     ▲ dropped once all of it ended before that
//
// Not thread-safe: only the feeding thread changes it, while nothing is being sealed.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/io/output_file.h"
#include "core/store/overlaps.h"
#include "core/store/params_chain.h"
#include "core/store/segment.h"
#include "core/store/slab_writer.h"
#include "core/trace/model.h"

namespace weft::store {

struct Epoch {
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::min();

  explicit Epoch(io::SpillFile file) : spill(std::move(file)) {}
  Epoch(const Epoch&) = delete;  // spill_end refers to it
  Epoch& operator=(const Epoch&) = delete;

  io::SpillFile spill;
  FileEnd spill_end{
      [this](uint64_t at, std::span<const std::byte> bytes) { return spill.write_at(at, bytes); },
      0};
  // Both guarded by the builder's mutex.
  std::vector<std::shared_ptr<const Segment>> segments;
  std::vector<StatesOfLane> refused;  // counted, but in no segment
  trace::Counts counts;
  uint64_t events = 0;
  uint64_t sealed_events = 0;
  int64_t begin = std::numeric_limits<int64_t>::max();  // of its events
  int64_t end = kNever;
  // The latest end of all events when its first event came, and when it was closed.
  int64_t since = kNever;
  int64_t until = kNever;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

class Epochs {
 public:
  // Puts the first parameter store into `output`, at its place in the finished file; everything
  // else goes into nameless files in `folder`.
  static Result<std::unique_ptr<Epochs>> create(std::filesystem::path folder, uint64_t memory_bytes,
                                                std::shared_ptr<io::NewFile> output);

  // The current epoch, which takes new events.
  Epoch& now() { return *now_; }
  const std::shared_ptr<const ParamsChain>& params() const { return params_; }
  ParamsStore& now_params() const { return params_->last(); }

  // Extent and totals of all epochs that are kept.
  TimeRange range() const;
  trace::Counts counts() const;
  uint64_t sealed_events() const;
  uint64_t spilled_bytes() const;
  // The caller holds the builder's mutex.
  std::vector<std::shared_ptr<const Segment>> segments() const;
  std::vector<StatesOfLane> refused() const;

  void note_times(int64_t begin, int64_t end) {
    now_->begin = std::min(now_->begin, begin);
    now_->end = std::max(now_->end, end);
    latest_end_ = std::max(latest_end_, end);
  }
  void note_event(trace::Category category) {
    if (now_->events++ == 0) now_->since = latest_end_;
    ++now_->counts[category];
  }

  // Returns an id, valid in the current epoch, for the same parameters. Readers may hold ids for
  // long: parameters of an older epoch are copied; for a dropped epoch this returns none() and
  // counts a loss.
  ParamsId params_of(ParamsId id, trace::ImportReport& report) {
    return id.is_none() || id.value() >= params_->last_begin() ? id : take_along(id, report);
  }

  // Sets the limits: `ticks` of time and `bytes` on disk; 0 means unlimited.
  void keep(int64_t ticks, uint64_t bytes) {
    keep_ticks_ = ticks;
    keep_bytes_ = bytes;
  }
  bool is_dropping() const { return keep_ticks_ > 0 || keep_bytes_ > 0; }
  // Whether the current epoch is full.
  bool is_due() const;
  // Seals, flushes and closes the current epoch and begins another.
  Status begin_next();
  // Drops epochs beyond the limits and counts their events as lost.
  void drop_old(trace::ImportReport& report);
  // Stops dropping; is_full() tells when the byte limit is exceeded.
  void hold() { is_held_ = true; }
  bool is_full() const { return is_held_ && keep_bytes_ > 0 && bytes() > keep_bytes_; }

 private:
  Epochs(std::filesystem::path folder, uint64_t memory_bytes, io::SpillFile file,
         std::shared_ptr<ParamsStore> params);
  ParamsId take_along(ParamsId id, trace::ImportReport& report);
  bool is_old(const Epoch& epoch) const;
  uint64_t bytes() const;  // on the disk

  std::filesystem::path folder_;
  uint64_t memory_bytes_;
  std::deque<std::unique_ptr<Epoch>> epochs_;
  Epoch* now_;                                 // the last of epochs_
  std::shared_ptr<const ParamsChain> params_;  // one store per epoch
  int64_t latest_end_ = Epoch::kNever;         // of all events ever
  int64_t keep_ticks_ = 0;
  uint64_t keep_bytes_ = 0;
  bool is_held_ = false;
  std::unordered_map<ParamsId, ParamsId> taken_along_;  // ids of older epochs → ids of their copies
};

}  // namespace weft::store
