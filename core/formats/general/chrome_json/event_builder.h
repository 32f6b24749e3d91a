// Turns an event's fields into events of the model, numbered within the chunk.
//
// Complete states, instants and samples are completed here; begins and ends are paired within the
// chunk. What needs other chunks is listed for the committer.
#pragma once

#include <array>
#include <string_view>

#include "core/formats/general/chrome_json/chunk.h"
#include "core/formats/general/chrome_json/event_params.h"

namespace weft::formats::chrome_json {

class EventBuilder {
 public:
  EventBuilder(ChunkResults& results, char default_phase)
      : results_(results),
        params_(results),
        default_phase_(default_phase),
        lists_pairs_(results.is_unordered) {}

  // `offset` is the event's in the input, for losses.
  void add(const RawEvent& event, uint64_t offset);

 private:
  using Home = EventParams::Home;

  void add_complete(LaneRole role);
  void add_thread_state();
  void add_begin();
  void add_end();
  bool is_of_no_process() const;
  void add_instant();
  void add_memory_dump();
  void add_counter();
  void add_flow();
  void add_async(bool is_end);
  void add_metadata();
  bool add_keyed(uint32_t lane, uint32_t type, unsigned home);
  bool add_bound_flow(Time begin, uint32_t lane);

  bool time(Time& out);
  void lose_time();
  uint32_t lane(LaneRole role, std::string_view counter = {});
  uint32_t thread_lane();
  uint32_t type(trace::Category category, const json::RawString& name,
                const json::RawString& group);
  uint32_t type(trace::Category category);
  uint32_t params(unsigned home) { return params_.of(*event_, offset_, home); }
  void pair(ChunkLane& lane, Time end, uint32_t end_params);
  uint32_t note_begin(uint32_t lane, Time begin);
  bool wait_for_stack(trace::Category category, Time time, Duration duration, uint32_t order,
                      uint32_t lane, unsigned home);
  void lose(LossKind kind) { results_.losses.add(kind, {offset_}); }
  void lose(LossKind kind, uint32_t lane, Time at) {
    results_.losses.add(kind, {offset_, lane, at});
  }
  std::string_view decoded(const json::RawString& raw, bool& is_repaired);
  std::string_view stable(std::string_view text) { return results_.arena.add(text); }
  json::RawString raw(std::string_view text);

  ChunkResults& results_;
  EventParams params_;
  const char default_phase_;
  const bool lists_pairs_;  // pairs nothing
  const RawEvent* event_ = nullptr;
  uint64_t offset_ = 0;
  char phase_ = 0;  // of the event

  // Recently used threads, by the low bits of their ids.
  struct RecentThread {
    int64_t pid = 0;
    int64_t tid = 0;
    uint32_t lane = kNoIndex;
  };
  static constexpr size_t kRecentThreads = 64;
  std::array<RecentThread, kRecentThreads> recent_threads_;
};

}  // namespace weft::formats::chrome_json
