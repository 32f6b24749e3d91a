// The tracks of a Perfetto trace, by their uuids, and the lanes that they become.
//
//   process (pid)                 its own slices
//     thread-tid                  its own slices
//       track of the thread, counter
//     counters, named tracks      those of one name share a lane: they are one thing that overlaps
//
// A lane is made when something happens on its track, and renamed when its descriptor comes later;
// where nothing happens on any track, each that is described has one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/flat_index.h"
#include "core/base/large_list.h"
#include "core/formats/general/perfetto/translations.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

enum class TrackKind : uint8_t { kUnknown, kNamed, kProcess, kThread, kCounter };

struct Track {
  LaneId lane = LaneId::none();
  uint32_t stack_slot = UINT32_MAX;  // of the Timeline
  // The stack of begins and ends: tracks that share a lane have separate ones.
  uint64_t stack = 0;

  TrackKind kind = TrackKind::kUnknown;
  uint32_t number = 0;  // of the tracks, in order of their first mention
  uint64_t uuid = 0;
  uint64_t parent = 0;  // 0: none
  std::string name;
  int32_t pid = -1, tid = -1;
  int32_t rank = 0;  // among siblings
  // The key shared by siblings that are one thing; empty: their name.
  std::string merge_key;

  // Counters only:
  std::string unit;
  double multiplier = 1;
  bool is_incremental = false;
  EventTypeId variable = EventTypeId::none();
};

class Tracks {
 public:
  Tracks(trace::EventSink& sink, ftrace::Lanes& lanes, const Translations& translations)
      : sink_(sink), lanes_(lanes), translations_(translations) {}

  // The reference stays valid.
  Track& track(uint64_t uuid);
  // A TrackDescriptor, ThreadDescriptor or ProcessDescriptor. False: damaged.
  bool describe(std::string_view descriptor);
  bool describe_process(std::string_view descriptor);
  bool describe_thread(std::string_view descriptor);

  // `event`: what happens there first, for tracks that have no name.
  LaneId lane(Track& track, std::string_view event = {});
  EventTypeId variable(Track& track);
  // Asynchronous work of one name, of a process or (pid -1) of none.
  LaneId async(int32_t pid, std::string_view name);
  LaneId global();
  // The process that a track belongs to; -1: none.
  int32_t process_of(const Track& track);

  // Puts in order what wants to be in order of names.
  void finish();

 private:
  struct Parsed;
  bool parse_process(std::string_view message, Parsed& parsed);
  bool parse_thread(std::string_view message, Parsed& parsed);
  bool parse_chrome_process(std::string_view message, Parsed& parsed);
  bool parse_counter(std::string_view message, Track& track);
  void apply(const Parsed& parsed);
  LaneId own_lane(const Parsed& parsed, trace::LaneKind kind, LaneId parent);
  void show_as_described(Track& track);
  LaneId make_lane(Track& track, std::string_view event, int depth);
  void remember_merged(const Track& track, LaneId parent);
  LaneId parent_lane(const Track& track, int depth);
  void show_unused();
  static std::string name_as_shown(const Track& track);
  trace::Lane lane_as_shown(const Track& track, LaneId parent) const;

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  const Translations& translations_;
  LargeList<Track> tracks_;
  FlatIndex<uint64_t, NumberHash> by_uuid_;
  LargePool memory_;
  // By parent and name.
  std::pmr::map<std::pair<uint32_t, std::string>, LaneId> named_{&memory_};
  // Of tracks whose numbers are made up.
  std::pmr::map<uint64_t, LaneId> own_lanes_{&memory_};
  // Tracks of processes and threads.
  std::pmr::map<std::pair<int32_t, int32_t>, uint64_t> owners_{&memory_};
  LaneId global_ = LaneId::none();
  std::vector<uint64_t> in_order_of_names_;  // whose children are
};

}  // namespace weft::formats::perfetto
