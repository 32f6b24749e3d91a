// Builds a store from a stream of events; every trace, whatever its format, is made here.
//
// The builder is an EventSink. Events gather in a tail in memory; when the tail has its share of
// the memory it is sealed: sorted, nested into rows, encoded, and appended to a spill file as a
// segment. Sealed segments are visible at once through snapshot(). finish() merges all segments
// into one, lane by lane, writes the .weft under a temporary name, syncs it and renames it into
// place: a failure or a kill at any point leaves the old file or none.
//
// On request only the newest part of an endless trace is kept: events lie in epochs in order of
// arrival, each a quarter of what is to be kept, and the oldest epoch is dropped, file and all,
// when a new one begins. Lanes, types and their ids stay; dropped events are counted as a loss.
//
// Memory: about `memory_bytes` in all, whatever the size of the trace. Events come from one thread,
// the feeding thread; sealing and merging use the pool; snapshot(), bytes_done(), merged_share(),
// keep(), look_with(), cancel() and give_up() may be called from any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/thread_pool.h"
#include "core/store/trace.h"
#include "core/trace/event_sink.h"

namespace weft::store {

inline constexpr uint64_t kUsualMemoryBytes = 400ull << 20;  // of an import

struct BuilderOptions {
  std::filesystem::path path;  // the .weft to make; its folder holds the spill file meanwhile
  std::string format;          // id of the format, kept in the file
  uint64_t memory_bytes = kUsualMemoryBytes;
  // Seal and publish early (the first time after 100 ms, then as the trace grows), so that a viewer
  // sees it; off for imports that nobody watches.
  bool is_watched = false;
  std::function<void()> on_published = {};  // called from any thread when snapshot() changes
};

// How much of an endless trace to keep.
struct Keep {
  // A duration, as parse_duration() reads it: keeps every event that overlaps this span before the
  // latest end so far, plus at most a quarter of it, or 1,024 events each quarter. Empty: no time
  // limit.
  std::string last = {};
  // Approximate bytes on disk. 0: kMostBytes if `last` is set, otherwise unlimited.
  uint64_t bytes = 0;
  static constexpr uint64_t kMostBytes = uint64_t{4} << 30;
  bool operator==(const Keep&) const = default;
};

class StoreBuilder final : public trace::EventSink {
 public:
  static Result<std::unique_ptr<StoreBuilder>> create(BuilderOptions options, ThreadPool& pool);
  ~StoreBuilder() override;

  void set_time_base(TimeBase base) override;
  void set_metadata(std::string_view key, std::string_view value) override;
  LaneId add_lane(const trace::Lane& lane) override;
  void update_lane(LaneId id, const trace::Lane& lane) override;
  EventTypeId type(trace::Category category, std::string_view name,
                   std::string_view group) override;
  void set_type_color(EventTypeId id, uint32_t rgb) override;
  ParamsId keep_params(std::string_view json, std::span<const std::byte> payload) override;
  void states(std::span<const trace::StateEvent> events) override;
  void punctuals(std::span<const trace::PunctualEvent> events) override;
  void links(std::span<const trace::LinkEvent> events) override;
  void variables(std::span<const trace::VariableSample> events) override;
  void loss(std::string_view kind, const trace::LossPlace& place, uint64_t count,
            bool is_damage) override;
  void set_end(Time end) override;
  void progress(uint64_t bytes_done, uint64_t bytes_total) override;
  bool keep_going() const override;
  void add_held(trace::HeldEvents& held) override;
  void drop_held(trace::HeldEvents& held) override;

  // Call from the feeding thread when the input pauses: takes what the reader holds back.
  void give_held();
  // Sets what to keep from now on. If times run backwards, only the size limit applies.
  void keep(Keep keep);
  // Calls `look` from now on with the events since the last call, as a trace of its own with the
  // same ids: from the feeding thread, every 4,096 events and in show_tail().
  using Look = std::function<void(const TracePtr& news)>;
  void look_with(Look look);
  // Call from the feeding thread: nothing more is dropped from now on. Once something would have to
  // be, reading ends instead.
  void hold();

  // Call from the feeding thread when it has nothing to read: if the trace is watched, publishes
  // the tail, too. May be called often.
  void show_tail();
  // Returns the events sealed or shown so far; never null. Thread-safe.
  TracePtr snapshot() const;
  uint64_t bytes_done() const;
  uint64_t bytes_total() const;
  // Asks the reader to stop: keep_going() turns false. finish() then keeps what was read.
  void cancel();
  bool is_cancelled() const;
  // Nobody wants the trace: the reader is asked to stop, and finish() fails as soon as it can.
  void give_up();

  // The part of the events that finish() has merged so far, 0 … 1; nullopt before it is called.
  std::optional<double> merged_share() const;
  // Merges, writes, renames; returns the finished trace, mapped. Call once, after the reader.
  Result<TracePtr> finish();

 private:
  struct Impl;
  explicit StoreBuilder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::store
