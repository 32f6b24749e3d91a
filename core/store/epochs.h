// What a growing trace consists of: epochs, stretches of it in the order in which it came. Where
// only the newest is kept, the oldest epoch is dropped as a whole; its events and their parameters
// lie in files of its own, which go with the last snapshot that shows them.
//
//   │ epoch │ epoch │ epoch │ epoch │ now      each a quarter of what is to be kept
//     ▲ dropped once all of it ended before that
//
// Not thread-safe: the thread that feeds the builder changes it while nothing is being sealed.
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
#include "core/store/params_chain.h"
#include "core/store/segment.h"
#include "core/store/slab_writer.h"
#include "core/trace/model.h"

namespace weft::store {

struct Epoch {
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::min();

  explicit Epoch(io::SpillFile file) : spill(std::move(file)) {}
  Epoch(const Epoch&) = delete;  // the end of its file writes to it
  Epoch& operator=(const Epoch&) = delete;

  io::SpillFile spill;
  FileEnd spill_end{
      [this](uint64_t at, std::span<const std::byte> bytes) { return spill.write_at(at, bytes); },
      0};
  std::vector<std::shared_ptr<const Segment>> segments;  // guarded by the builder's mutex
  trace::Counts counts;
  uint64_t events = 0;
  uint64_t sealed_events = 0;
  int64_t begin = std::numeric_limits<int64_t>::max();  // of its events
  int64_t end = kNever;
  // The latest end of all that had come with its first event, and when it was closed.
  int64_t since = kNever;
  int64_t until = kNever;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

class Epochs {
 public:
  // The first parameters are written into `output`, where a finished file has them; all else into
  // nameless files in `folder`.
  static Result<std::unique_ptr<Epochs>> create(std::filesystem::path folder, uint64_t memory_bytes,
                                                std::shared_ptr<io::NewFile> output);

  // What comes is of this one.
  Epoch& now() { return *now_; }
  const std::shared_ptr<const ParamsChain>& params() const { return params_; }
  ParamsStore& now_params() const { return params_->last(); }

  // Of all that is kept.
  TimeRange range() const;
  trace::Counts counts() const;
  uint64_t sealed_events() const;
  uint64_t spilled_bytes() const;
  std::vector<std::shared_ptr<const Segment>> segments() const;  // holding the builder's mutex

  void note_times(int64_t begin, int64_t end) {
    now_->begin = std::min(now_->begin, begin);
    now_->end = std::max(now_->end, end);
    latest_end_ = std::max(latest_end_, end);
  }
  void note_event(trace::Category category) {
    if (now_->events++ == 0) now_->since = latest_end_;
    ++now_->counts[category];
  }

  // The same parameters as those of an event that comes now. Readers may hold an id for long: what
  // an older epoch has is taken along; of one that was dropped, none, and a loss.
  ParamsId params_of(ParamsId id, trace::ImportReport& report) {
    return id.is_none() || id.value() >= params_->last_begin() ? id : take_along(id, report);
  }

  // In ticks, or 0: of any time; and on the disk, or 0: all.
  void keep(int64_t ticks, uint64_t bytes) {
    keep_ticks_ = ticks;
    keep_bytes_ = bytes;
  }
  bool is_dropping() const { return keep_ticks_ > 0 || keep_bytes_ > 0; }
  // Whether what has come is enough for an epoch.
  bool is_due() const;
  // Closes the present one, sealed and flushed.
  Status begin_next();
  // What is older than what is kept, counted.
  void drop_old(trace::ImportReport& report);
  // From now on nothing is dropped, until what is kept is full.
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
  Epoch* now_;                                 // the last of them
  std::shared_ptr<const ParamsChain> params_;  // a store for each
  int64_t latest_end_ = Epoch::kNever;         // of all that ever came
  int64_t keep_ticks_ = 0;
  uint64_t keep_bytes_ = 0;
  bool is_held_ = false;
  std::unordered_map<ParamsId, ParamsId> taken_along_;  // from older epochs to where they are
};

}  // namespace weft::store
