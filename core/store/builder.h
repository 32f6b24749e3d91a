// Writes a stream of events into a store: the one way a trace comes to be, whatever its origin.
//
// The builder is an EventSink. Events gather in a tail in memory; when the tail has its share of
// the memory it is sealed: sorted, nested into rows, encoded, and appended to a spill file as a
// segment. Sealed segments are visible at once through snapshot(). finish() merges all segments
// into one, lane by lane, writes the .weft under a temporary name, syncs it and renames it into
// place: a failure or a kill at any point leaves the old file or none.
//
// Memory: about `memory_bytes` in all, whatever the size of the trace. Events come from one thread;
// sealing and merging use the pool; snapshot(), bytes_done() and cancel() may be called from any.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/base/thread_pool.h"
#include "core/store/trace.h"
#include "core/trace/event_sink.h"

namespace weft::store {

struct BuilderOptions {
  std::filesystem::path path;  // the .weft to make; its folder holds the spill file meanwhile
  std::string format;          // id of the format, kept in the file
  uint64_t memory_bytes = 400ull << 20;
  // Seal and publish early (the first time after 100 ms, then as the trace grows), so that a viewer
  // sees it; off for imports that nobody watches.
  bool is_watched = false;
  std::function<void()> on_published = {};  // from any thread: snapshot() is another one
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
  void progress(uint64_t bytes_done, uint64_t bytes_total) override;
  bool keep_going() const override;

  // Of the thread that feeds it, which has nothing more at the moment: watched, what is in the tail
  // is shown, too. May be called often.
  void show_tail();
  // What has been sealed or shown so far; never null. Thread-safe.
  std::shared_ptr<const Trace> snapshot() const;
  uint64_t bytes_done() const;
  uint64_t bytes_total() const;
  // The reader stops soon (keep_going() turns false); finish() then keeps what was loaded.
  void cancel();
  bool is_cancelled() const;

  // Merges, writes, renames; returns the finished trace, mapped. Call once, after the reader.
  Result<std::shared_ptr<const Trace>> finish();

 private:
  struct Impl;
  explicit StoreBuilder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::store
