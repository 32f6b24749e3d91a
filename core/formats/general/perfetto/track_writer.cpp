#include "core/formats/general/perfetto/track_writer.h"

#include <algorithm>
#include <optional>

#include "core/formats/base/text.h"
#include "core/formats/general/perfetto/own_numbers.h"

namespace weft::formats::perfetto {
namespace {

using trace::LaneKind;

struct Numbered {
  std::string_view name;
  std::optional<int32_t> number;
};

// nullopt: there is none that would be printed so.
std::optional<int32_t> number_from(std::string_view digits) {
  const auto number = parse_number<int32_t>(digits);
  const bool is_printed_so = number && *number >= 0 && std::to_string(*number) == digits;
  return is_printed_so ? number : std::nullopt;
}

// "app (7)", "process 7"; "worker-8", "thread 8": as readers call them.
Numbered parse_name(std::string_view text, bool is_process) {
  const std::string_view plain = is_process ? "process " : "thread ";
  if (text.starts_with(plain)) {
    if (const auto number = number_from(text.substr(plain.size()))) return {{}, number};
  }
  const std::string_view open = is_process ? " (" : "-";
  const size_t at = text.rfind(open);
  const bool is_closed = !is_process || text.ends_with(')');
  if (at == 0 || at == std::string_view::npos || !is_closed) return {text, std::nullopt};
  std::string_view digits = text.substr(at + open.size());
  if (is_process) digits.remove_suffix(1);
  const auto number = number_from(digits);
  return {number ? text.substr(0, at) : text, number};
}

}  // namespace

LaneId TrackWriter::add_lane(const trace::Lane& lane) {
  const auto number = static_cast<uint32_t>(lanes_.size());
  lanes_.push_back({.lane = lane, .own_name = {}, .tracks = {}});
  identify(lanes_.back(), number);
  return LaneId(number);
}

void TrackWriter::update_lane(LaneId id, const trace::Lane& lane) {
  Lane& known = lanes_[id.value()];
  known.lane = lane;
  identify(known, id.value());
  for (size_t i = 0; i < known.tracks.size(); ++i) describe(id.value(), known.tracks[i].uuid, i);
}

// A process is a root, a thread lies directly below one; others are named tracks.
void TrackWriter::identify(Lane& lane, uint32_t number) {
  const bool is_process = lane.lane.kind == LaneKind::kProcess && lane.lane.parent.is_none();
  const bool is_thread = lane.lane.kind == LaneKind::kThread && !lane.lane.parent.is_none() &&
                         lanes_[lane.lane.parent.value()].pid >= 0 &&
                         lanes_[lane.lane.parent.value()].tid < 0;
  lane.pid = lane.tid = -1;
  lane.own_name = lane.lane.name;
  if (!is_process && !is_thread) return;
  const Numbered named = parse_name(lane.lane.name, is_process);
  const int32_t id = named.number.value_or(kFirstOwnNumber + static_cast<int32_t>(number));
  lane.own_name = named.name;
  lane.pid = is_process ? id : lanes_[lane.lane.parent.value()].pid;
  if (is_thread) lane.tid = id;
}

// The lane's tracks are alike; only the first is the process or thread itself.
void TrackWriter::describe(uint32_t number, uint64_t uuid, size_t which) {
  constexpr int32_t kMostRank = 1 << 20;
  const Lane& lane = lanes_[number];
  TrackPacket packet{.uuid = uuid, .merge_key = number + 1};
  packet.rank = std::clamp(lane.lane.sort_index, -kMostRank, kMostRank);
  if (which == 0 && lane.pid >= 0) {
    packet.pid = lane.pid;
    packet.tid = lane.tid;
    packet.name = lane.own_name;
  } else {
    packet.name = lane.lane.name;
  }
  if (!lane.lane.parent.is_none()) packet.parent = of_lane(lane.lane.parent);
  packets_.add_track(packet);
}

uint64_t TrackWriter::of_lane(LaneId id) {
  Lane& lane = lanes_[id.value()];
  if (lane.tracks.empty()) {
    lane.tracks.push_back({++last_uuid_, {}});
    describe(id.value(), lane.tracks.front().uuid, 0);
  }
  return lanes_[id.value()].tracks.front().uuid;
}

uint64_t TrackWriter::begin_state(LaneId id, int64_t begin, int64_t end) {
  of_lane(id);
  std::vector<Track>& tracks = lanes_[id.value()].tracks;
  for (Track& track : tracks) {
    end_until(track, begin);
    if (!track.open.empty() && track.open.back() < end) continue;
    track.open.push_back(end);
    return track.uuid;
  }
  const uint64_t uuid = ++last_uuid_;
  tracks.push_back({uuid, {end}});
  describe(id.value(), uuid, tracks.size() - 1);
  return uuid;
}

void TrackWriter::end_until(Track& track, int64_t time) {
  for (; !track.open.empty() && track.open.back() <= time; track.open.pop_back()) {
    packets_.add_event({.time = track.open.back(), .track = track.uuid, .kind = kSliceEnd});
  }
}

uint64_t TrackWriter::counter(LaneId id, std::string_view name) {
  const auto [it, is_new] = counters_.try_emplace({id.value(), std::string(name)}, 0);
  if (!is_new) return it->second;
  it->second = ++last_uuid_;
  Lane& lane = lanes_[id.value()];
  constexpr int32_t kMostRank = 1 << 20;
  TrackPacket packet{.uuid = it->second, .name = name, .is_counter = true};
  packet.rank = std::clamp(lane.lane.sort_index, -kMostRank, kMostRank);
  const bool is_own = lane.lane.kind == LaneKind::kCounter && lane.lane.name == name;
  lane.is_counter |= is_own;
  const LaneId parent = is_own ? lane.lane.parent : id;
  if (!parent.is_none()) packet.parent = of_lane(parent);
  packets_.add_track(packet);
  return it->second;
}

uint64_t TrackWriter::end_all() {
  // In a trace without events, tracks are all there is, or that it is one.
  if (last_uuid_ == 0) {
    for (uint32_t i = 0; i < lanes_.size(); ++i) of_lane(LaneId(i));
    if (lanes_.empty()) packets_.add_nothing();
  }
  uint64_t untold = 0;
  for (Lane& lane : lanes_) {
    if (lane.tracks.empty() && !lane.is_counter) ++untold;
    for (Track& track : lane.tracks) end_until(track, INT64_MAX);
  }
  return untold;
}

}  // namespace weft::formats::perfetto
