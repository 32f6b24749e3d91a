// Lanes → tracks: who is a process or a thread, which tracks a lane needs where its states overlap,
// and when the states on them end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/general/perfetto/packet_writer.h"
#include "core/trace/model.h"

namespace weft::formats::perfetto {

class TrackWriter {
 public:
  explicit TrackWriter(PacketWriter& packets) : packets_(packets) {}

  LaneId add_lane(const trace::Lane& lane);
  // Tells what the lane is from now on, where it was told already.
  void update_lane(LaneId id, const trace::Lane& lane);

  // The lane's first track.
  uint64_t of_lane(LaneId lane);
  // A track of the lane on which a state of this range nests; states before it are ended.
  uint64_t begin_state(LaneId lane, int64_t begin, int64_t end);
  // The track of a variable: the lane's own where it is nothing else.
  uint64_t counter(LaneId lane, std::string_view name);
  // Ends everything; returns the number of lanes not written, since nothing lies on them.
  uint64_t end_all();

 private:
  struct Track {
    uint64_t uuid;
    std::vector<int64_t> open;  // ends of its states, the outermost first
  };
  struct Lane {
    trace::Lane lane;
    int32_t pid = -1, tid = -1;
    std::string own_name;  // without the number
    std::vector<Track> tracks;
    bool is_counter = false;  // and nothing else
  };
  void identify(Lane& lane, uint32_t number);
  void describe(uint32_t lane, uint64_t uuid, size_t which);
  void end_until(Track& track, int64_t time);

  PacketWriter& packets_;
  std::vector<Lane> lanes_;
  std::map<std::pair<uint32_t, std::string>, uint64_t> counters_;
  uint64_t last_uuid_ = 0;
};

}  // namespace weft::formats::perfetto
