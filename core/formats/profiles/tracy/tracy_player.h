// Plays a Tracy trace: its sections one after the other, in the order in which every version of
// Tracy saves them. What a version lacks, or has more, is asked for where it lies.
//
// Source: the readers and writers of Tracy 0.7 to 0.14 (server/TracyWorker.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/formats/profiles/tracy/tracy_blocks.h"
#include "core/formats/profiles/tracy/tracy_lanes.h"
#include "core/formats/profiles/tracy/tracy_stacks.h"
#include "core/formats/profiles/tracy/tracy_tables.h"

namespace weft::formats::tracy {

class Player {
 public:
  Player(io::Source& source, trace::EventSink& sink);

  Status play();

 private:
  static constexpr size_t kMostDepth = size_t{1} << 16;  // deeper zones are no program's

  struct FrameSet {
    uint64_t name = 0;                                // an address; 0: the program's own frames
    LargeVector<std::pair<int64_t, int64_t>> frames;  // begins and ends
  };
  struct Section {
    int64_t begin = 0, end = 0;
    uint32_t text = 0;
    uint16_t category = 0;
  };
  struct Crash {
    uint64_t thread = 0;
    int64_t time = 0;
    uint64_t message = 0;
    uint32_t callstack = 0;
  };
  struct Message {
    int64_t time = 0;
    TextRef text;
    uint32_t color = 0, callstack = 0;
    uint8_t source = 0, severity = 0;
    bool is_given = false;
  };
  // The type of zones at a source location.
  struct ZoneKind {
    EventTypeId type;
    std::string params;
    ParamsId params_id = ParamsId::none();
    bool is_known = false;
  };
  struct OpenZone {
    int64_t begin = 0;
    uint64_t children = 0;  // that are still to come
    uint32_t extra = 0;
    int16_t place = 0;
  };
  struct OpenGpuZone {
    int64_t cpu_begin = 0, gpu_begin = 0;
    uint64_t children = 0;
    uint32_t callstack = 0;
    int16_t place = 0;
    uint16_t thread = 0;
  };
  struct GpuContext {
    LaneId lane;
    std::string name;
    uint64_t thread = 0;
    std::unordered_map<int64_t, uint32_t> note_names;
    // The last zone of each query, to which notes belong.
    std::unordered_map<uint16_t, std::pair<LaneId, int64_t>> queries;
  };
  struct Pool;
  struct LockUse;
  struct Lock;

  // Of 0.MINOR.PATCH.
  bool is_at_least(uint32_t minor, uint32_t patch) const {
    return version_ >= version_of(0, minor, patch);
  }
  uint64_t count() { return in_.take<uint64_t>(); }
  // Adds a difference of the file to a time.
  int64_t next(int64_t& time);
  // Returns false, and counts a loss, if the time is absurd.
  bool is_time(int64_t time, LaneId lane);
  // Returns false, and counts a loss, if one of them is not a time, or the end precedes the begin.
  bool is_span(int64_t begin, int64_t end, LaneId lane);
  // The end of something that had none when the trace was saved.
  int64_t end_of(int64_t begin, int64_t end, LaneId lane, std::string_view what);
  void punctual(LaneId lane, int64_t time, EventTypeId type, std::string_view params,
                uint32_t callstack);
  // Returns false if it is not a span.
  bool state(LaneId lane, int64_t begin, int64_t end, EventTypeId type, std::string_view params,
             uint32_t callstack, uint32_t nesting = 0);
  void not_shown(std::string_view what, uint64_t how_many);

  void read_texts();
  void read_stacks();
  // Zones, of which so many are not within others: each stands before those in it, and those before
  // its end. Calls take_begin(zone), take_end(zone, depth) to read the end and give the zone, which
  // is false where the input ends, and give_cut(zone, depth) for zones whose ends are not known
  // because of that.
  template <class Zone, class TakeBegin, class TakeEnd, class GiveCut>
  void read_nested(std::vector<Zone>& open, uint64_t at_top, const TakeBegin& take_begin,
                   const TakeEnd& take_end, const GiveCut& give_cut);

  // tracy_head.cpp
  Status read_header();
  void read_program();
  void read_topology();
  void read_frames();
  void read_sections();
  void read_section_items(uint16_t category, uint64_t left);
  void give_frames();
  void give_sections();
  void give_crash();

  // tracy_zones.cpp
  void read_zone_counts();
  void read_messages();
  void read_threads();
  void read_zones(LaneId lane, uint32_t count);
  void give_zone(LaneId lane, const OpenZone& zone, int64_t end, uint32_t depth);
  ZoneKind& kind_of(int16_t place);
  void read_messages_of(LaneId lane);
  void read_samples(uint64_t tid, bool is_at_switch);
  void give_message(Message& message, LaneId lane);
  void give_messages_left();

  // tracy_locks.cpp
  void read_locks();
  void read_lock();
  void add_lock_event(Lock& lock, int64_t time, int16_t place, uint8_t thread, uint8_t type);
  void obtain(Lock& lock, LockUse& user, int64_t time, int16_t place, bool is_shared);
  void give_lock_state(LockUse& user, bool is_wait, bool is_shared, int64_t begin, int64_t end,
                       int16_t place);

  // tracy_gpu.cpp
  void read_gpu();
  void read_gpu_context(uint64_t number);
  void read_gpu_zones(GpuContext& context, uint64_t tid, uint64_t count);
  void give_gpu_zone(GpuContext& context, LaneId lane, const OpenGpuZone& zone, int64_t cpu_end,
                     int64_t gpu_end, uint32_t depth);
  void read_gpu_notes(GpuContext& context);

  // tracy_plots.cpp
  void read_plots();
  void read_plot();
  void read_pools();
  void read_pool(bool has_name);
  void read_allocation(Pool& pool);
  void give_usage(Pool& pool, int64_t time, uint64_t address, uint64_t size, uint16_t thread,
                  uint32_t callstack, bool is_free);
  void give_frees(Pool& pool, int64_t until);

  // tracy_switches.cpp
  void read_thread_switches();
  void read_switches_of(uint64_t tid, uint64_t left);
  void read_processors();

  // tracy_rest.cpp
  void read_app_info();
  void read_images();
  void read_symbols();
  void read_hardware_samples();
  void read_sources();

  trace::EventSink& sink_;
  Blocks in_;
  uint32_t version_ = 0;
  Texts texts_;
  Places places_;
  ThreadNumbers local_threads_, all_threads_;
  ZoneExtras extras_;
  Lanes lanes_;
  Stacks stacks_;
  int64_t last_time_ = 0;
  uint64_t frame_offset_ = 0;
  LargeVector<FrameSet> frame_sets_;
  LargeVector<Section> sections_;
  std::unordered_map<uint16_t, uint32_t> section_names_;
  Crash crash_;
  std::vector<ZoneKind> kinds_;
  LargeVector<Message> messages_;
  FlatIndex<uint64_t, NumberHash> message_at_;      // in it, by address
  std::unordered_map<uint64_t, ZoneKind> running_;  // threads, as processors run them
  std::vector<OpenZone> open_;
  std::vector<OpenGpuZone> open_gpu_;
};

template <class Zone, class TakeBegin, class TakeEnd, class GiveCut>
void Player::read_nested(std::vector<Zone>& open, uint64_t at_top, const TakeBegin& take_begin,
                         const TakeEnd& take_end, const GiveCut& give_cut) {
  open.clear();
  const auto depth = [&open] { return static_cast<uint32_t>(open.size() - 1); };
  while (in_.go_on()) {
    uint64_t& left = open.empty() ? at_top : open.back().children;
    if (left == 0) {
      if (open.empty()) return;
      if (!take_end(open.back(), depth())) break;
      open.pop_back();
      continue;
    }
    --left;
    Zone zone;
    take_begin(zone);
    if (!in_.is_ok()) break;
    if (open.size() == kMostDepth) {
      sink_.loss("zones nested too deep: what follows cannot be read", in_.offset());
      in_.skip(UINT64_MAX);
      break;
    }
    open.push_back(zone);
  }
  for (; !open.empty() && !in_.is_stopped(); open.pop_back()) give_cut(open.back(), depth());
}

}  // namespace weft::formats::tracy
