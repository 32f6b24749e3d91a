#include "core/formats/general/perfetto/tracks.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "core/base/text.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/own_numbers.h"

namespace weft::formats::perfetto {
namespace {

constexpr int kMostParents = 64;  // of parents: a cycle ends there
using ftrace::kBehindThreads;
constexpr int32_t kMostRank = 1 << 20;

// Chrome's types of processes, by number.
constexpr std::string_view kChromeProcesses[] = {"",        "Browser",      "Renderer",
                                                 "Utility", "Zygote",       "Sandbox helper",
                                                 "GPU",     "PPAPI plugin", "PPAPI broker"};

std::string_view chrome_process(uint64_t type) {
  return type < std::size(kChromeProcesses) ? kChromeProcesses[type] : std::string_view();
}

bool is_called_by_name(int64_t number, std::string_view name, std::string_view track) {
  return number >= kFirstOwnNumber && number <= INT32_MAX && !name.empty() && name == track;
}

}  // namespace

struct Tracks::Parsed {
  uint64_t uuid = 0;
  uint64_t parent = 0;
  std::string_view name;
  TrackKind kind = TrackKind::kNamed;
  int32_t pid = -1, tid = -1;
  std::string process_name, thread_name;
  std::string_view chrome_process, counter;
  int32_t rank = 0;
  uint64_t child_ordering = 0, merge_behavior = 0;
  std::string merge_key;
};

Track& Tracks::track(uint64_t uuid) {
  const size_t index = by_uuid_.insert(uuid, tracks_.size());
  if (index == tracks_.size()) {
    Track& track = tracks_.emplace_back();
    track.uuid = uuid;
    track.number = static_cast<uint32_t>(tracks_.size());
  }
  return tracks_[index];
}

bool Tracks::parse_process(std::string_view message, Parsed& parsed) {
  std::string name, command;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) parsed.pid = field.int32();
    if (field.number == 2 && command.empty()) command = field.bytes;
    if (field.number == 4) parsed.chrome_process = chrome_process(field.value);
    if (field.number == 6) name = field.bytes;
  });
  parsed.process_name = name.empty() ? command : name;
  if (parsed.kind == TrackKind::kNamed) parsed.kind = TrackKind::kProcess;
  return is_good;
}

bool Tracks::parse_thread(std::string_view message, Parsed& parsed) {
  parsed.kind = TrackKind::kThread;
  return for_each_field(message, [&](const Field& field) {
    if (field.number == 1) parsed.pid = field.int32();
    if (field.number == 2) parsed.tid = lanes_.id_of(field.integer());
    if (field.number == 5) parsed.thread_name = field.bytes;
  });
}

bool Tracks::parse_chrome_process(std::string_view message, Parsed& parsed) {
  return for_each_field(message, [&](const Field& field) {
    if (field.number == 1) parsed.chrome_process = chrome_process(field.value);
  });
}

bool Tracks::parse_counter(std::string_view message, Track& track) {
  constexpr std::string_view kUnits[] = {"", "ns", "", "bytes"};
  constexpr std::string_view kBuiltin[] = {"", "thread_time", "thread_instruction_count"};
  return for_each_field(message, [&](const Field& field) {
    const bool is_small = field.value < std::size(kUnits);
    if (field.number == 1 && field.value < std::size(kBuiltin) && track.name.empty())
      track.name = kBuiltin[field.value];
    if (field.number == 1 && field.value == 1) track.unit = "ns";
    if (field.number == 3 && is_small && track.unit.empty()) track.unit = kUnits[field.value];
    if (field.number == 4) track.multiplier = static_cast<double>(field.integer());
    if (field.number == 5) track.is_incremental = field.flag();
    if (field.number == 6) track.unit = field.bytes;
  });
}

bool Tracks::describe(std::string_view descriptor) {
  Parsed parsed;
  bool is_good = true;
  is_good &= for_each_field(descriptor, [&](const Field& field) {
    switch (field.number) {
      case 1:
        parsed.uuid = field.value;
        break;
      case 2:
      case 10:
      case 13:
        parsed.name = field.bytes;
        break;
      case 3:
        is_good &= parse_process(field.bytes, parsed);
        break;
      case 4:
        is_good &= parse_thread(field.bytes, parsed);
        break;
      case 5:
        parsed.parent = field.value;
        break;
      case 6:
        is_good &= parse_chrome_process(field.bytes, parsed);
        break;
      case 8:
        parsed.kind = TrackKind::kCounter;
        parsed.counter = field.bytes;
        break;
      case 11:
        parsed.child_ordering = field.value;
        break;
      case 12:
        parsed.rank = std::clamp(field.int32(), -kMostRank, kMostRank);
        break;
      case 15:
        parsed.merge_behavior = field.value;
        break;
      case 16:
      case 17:
        parsed.merge_key = field.is_bytes ? std::string(field.bytes) : std::to_string(field.value);
        break;
      default:
        break;
    }
  });
  apply(parsed);
  Track& described = track(parsed.uuid);
  if (parsed.kind == TrackKind::kCounter) is_good &= parse_counter(parsed.counter, described);
  if (!described.lane.is_none() && described.stack >> 32 != 0) show_as_described(described);
  return is_good;
}

// It was shown before it was described: what happened there, and the tracks below it, stay with it.
void Tracks::show_as_described(Track& track) {
  LaneId parent = LaneId::none();
  if (track.kind == TrackKind::kProcess && track.pid >= 0) {
    if (lanes_.show_process_on(track.pid, track.lane)) return;
    parent = lanes_.process(track.pid);
  } else if (track.kind == TrackKind::kThread && track.tid >= 0) {
    if (lanes_.show_task_on(track.tid, track.pid, track.lane)) return;
    parent = lanes_.task(track.tid, {}, track.pid);
  } else {
    parent = parent_lane(track, 0);
  }
  sink_.update_lane(track.lane, lane_as_shown(track, parent));
}

bool Tracks::describe_process(std::string_view descriptor) {
  Parsed parsed;
  const bool is_good = parse_process(descriptor, parsed);
  const std::string_view name =
      parsed.process_name.empty() ? parsed.chrome_process : std::string_view(parsed.process_name);
  if (parsed.pid >= 0) lanes_.describe_process(parsed.pid, name);
  return is_good;
}

bool Tracks::describe_thread(std::string_view descriptor) {
  Parsed parsed;
  const bool is_good = parse_thread(descriptor, parsed);
  if (parsed.tid >= 0) lanes_.describe_task(parsed.tid, parsed.thread_name, parsed.pid);
  return is_good;
}

void Tracks::apply(const Parsed& parsed) {
  Track& track = this->track(parsed.uuid);
  constexpr uint64_t kNever = 2, kByKey = 3;
  std::string merge_key = parsed.merge_behavior == kNever   ? fmt::format("\nuuid {}", parsed.uuid)
                          : parsed.merge_behavior == kByKey ? "\nkey " + parsed.merge_key
                                                            : std::string();
  // One that was described before anything happened there keeps the name it had then, which others
  // may share.
  const bool is_alone = parsed.merge_behavior == kNever && merge_key == track.merge_key;
  const bool keeps_name = track.kind == TrackKind::kNamed && !track.lane.is_none() && !is_alone;
  track.kind = parsed.kind;
  track.parent = parsed.parent;
  if (!parsed.name.empty() && !keeps_name)
    track.name = valid_utf8(translations_.of_track(parsed.name));
  track.rank = parsed.rank;
  track.merge_key = std::move(merge_key);
  track.pid = parsed.pid;
  track.tid = parsed.tid;
  constexpr uint64_t kLexicographic = 1;
  if (parsed.child_ordering == kLexicographic) in_order_of_names_.push_back(parsed.uuid);
  const std::string_view process_name =
      parsed.process_name.empty() ? parsed.chrome_process : std::string_view(parsed.process_name);
  // Another track for the same number: it belongs to another from now on, who came later.
  const auto claim = [&](std::pair<int32_t, int32_t> number) {
    const auto [it, is_new] = owners_.try_emplace(number, parsed.uuid);
    const uint64_t before = std::exchange(it->second, parsed.uuid);
    if (before == parsed.uuid) return false;
    lane(this->track(before));
    return true;
  };
  if (parsed.kind == TrackKind::kProcess && parsed.pid >= 0) {
    if (claim({parsed.pid, -1})) lanes_.forget_process(parsed.pid);
    if (is_called_by_name(parsed.pid, process_name, parsed.name)) {
      lanes_.adopt_process(parsed.pid, own_lane(parsed, trace::LaneKind::kProcess, lanes_.root()));
    } else {
      lanes_.describe_process(parsed.pid, process_name);
    }
  }
  if (parsed.kind == TrackKind::kThread && parsed.tid >= 0) {
    if (claim({parsed.pid, parsed.tid})) lanes_.forget_task(parsed.tid, parsed.pid);
    if (is_called_by_name(lanes_.number_of(parsed.tid), parsed.thread_name, parsed.name)) {
      const LaneId process = lanes_.process(parsed.pid);
      lanes_.adopt_task(parsed.tid, parsed.pid,
                        own_lane(parsed, trace::LaneKind::kThread, process));
    } else {
      lanes_.describe_task(parsed.tid, parsed.thread_name, parsed.pid);
    }
  }
}

// The lane of a process or thread with a made-up number.
LaneId Tracks::own_lane(const Parsed& parsed, trace::LaneKind kind, LaneId parent) {
  const bool is_thread = kind == trace::LaneKind::kThread;
  const trace::Lane lane = {valid_utf8(parsed.name), parent, kind,
                            is_thread ? parsed.tid : parsed.pid};
  const auto [it, is_new] = own_lanes_.try_emplace(parsed.uuid, LaneId::none());
  if (is_new) {
    it->second = sink_.add_lane(lane);
  } else {
    sink_.update_lane(it->second, lane);
  }
  return it->second;
}

LaneId Tracks::lane(Track& track, std::string_view event) {
  return track.lane.is_none() ? make_lane(track, event, 0) : track.lane;
}

LaneId Tracks::make_lane(Track& track, std::string_view event, int depth) {
  track.stack = uint64_t{1} << 32 | track.number;
  if (track.kind == TrackKind::kProcess && track.pid >= 0) {
    track.lane = lanes_.process(track.pid);
    track.stack = track.lane.value();
    remember_merged(track, lanes_.root());
    return track.lane;
  }
  if (track.kind == TrackKind::kThread && track.tid >= 0) {
    track.lane = lanes_.task(track.tid, {}, track.pid);
    track.stack = track.lane.value();
    remember_merged(track, track.pid < 0 ? lanes_.root() : lanes_.process(track.pid));
    return track.lane;
  }
  if (track.name.empty()) {
    track.name = track.uuid == 0                     ? "Default Track"
                 : !event.empty()                    ? valid_utf8(event)
                 : track.kind == TrackKind::kCounter ? "Unnamed counter"
                                                     : "Unnamed track";
  }
  const LaneId parent = parent_lane(track, depth);
  if (!track.lane.is_none()) return track.lane;  // its parents go in a circle
  if (track.kind == TrackKind::kCounter) {
    track.lane = sink_.add_lane(lane_as_shown(track, parent));
    return track.lane;
  }
  const auto [it, is_new] = named_.try_emplace(
      {parent.value(), track.merge_key.empty() ? track.name : track.merge_key}, LaneId::none());
  if (is_new) it->second = sink_.add_lane(lane_as_shown(track, parent));
  track.lane = it->second;
  return track.lane;
}

// Siblings may say that they are one with a thread or process.
void Tracks::remember_merged(const Track& track, LaneId parent) {
  if (!track.merge_key.empty()) named_.try_emplace({parent.value(), track.merge_key}, track.lane);
}

LaneId Tracks::parent_lane(const Track& track, int depth) {
  if (track.parent == 0 || depth >= kMostParents) return lanes_.root();
  Track& parent = this->track(track.parent);
  if (parent.lane.is_none()) make_lane(parent, {}, depth + 1);
  return parent.lane;
}

// "MyCounter [bytes]"
std::string Tracks::name_as_shown(const Track& track) {
  std::string name = track.name;
  if (!track.unit.empty()) name += fmt::format(" [{}]", valid_utf8(track.unit));
  return name;
}

trace::Lane Tracks::lane_as_shown(const Track& track, LaneId parent) const {
  const bool is_counter = track.kind == TrackKind::kCounter;
  const bool is_root = parent == lanes_.root();
  const int32_t first = is_root ? 0 : kBehindThreads;
  return {.name = name_as_shown(track),
          .parent = parent,
          .kind = is_counter ? trace::LaneKind::kCounter : trace::LaneKind::kAsync,
          .sort_index = first + track.rank + (is_counter || is_root ? 0 : 1)};
}

EventTypeId Tracks::variable(Track& track) {
  if (track.variable.is_none())
    track.variable = sink_.type(trace::Category::kVariable, name_as_shown(track));
  return track.variable;
}

LaneId Tracks::async(int32_t pid, std::string_view name) {
  const LaneId parent = pid < 0 ? lanes_.root() : lanes_.process(pid);
  std::string text = valid_utf8(name);
  const auto [it, is_new] = named_.try_emplace({parent.value(), text}, LaneId::none());
  if (is_new) {
    it->second = sink_.add_lane({.name = std::move(text),
                                 .parent = parent,
                                 .kind = trace::LaneKind::kAsync,
                                 .sort_index = pid < 0 ? 0 : kBehindThreads + 1});
  }
  return it->second;
}

LaneId Tracks::global() {
  if (global_.is_none()) global_ = sink_.add_lane({.name = "Global", .parent = lanes_.root()});
  return global_;
}

int32_t Tracks::process_of(const Track& track) {
  const Track* at = &track;
  for (int depth = 0; depth < kMostParents; ++depth) {
    if (at->pid >= 0) return at->pid;
    const size_t* const parent = at->parent == 0 ? nullptr : by_uuid_.find(at->parent);
    if (parent == nullptr) return -1;
    at = &tracks_[*parent];
  }
  return -1;
}

// Tracks on none of which anything happened are shown as they were described.
void Tracks::show_unused() {
  const auto is_used = [](const Track& track) { return !track.lane.is_none(); };
  if (std::ranges::any_of(tracks_, is_used)) return;
  const size_t count = tracks_.size();  // parents that are not described come behind
  for (size_t i = 0; i < count; ++i) {
    if (tracks_[i].kind != TrackKind::kUnknown) lane(tracks_[i]);
  }
}

void Tracks::finish() {
  show_unused();
  for (const uint64_t uuid : in_order_of_names_) {
    std::vector<Track*> children;
    for (Track& track : tracks_) {
      const bool is_own = track.parent == uuid && !track.lane.is_none() && track.stack >> 32 != 0;
      if (is_own) children.push_back(&track);
    }
    std::ranges::sort(children, [](const Track* a, const Track* b) {
      return a->name != b->name ? a->name < b->name : a->uuid < b->uuid;
    });
    int32_t rank = 0;
    for (Track* child : children) {
      child->rank = std::min(rank++, kMostRank);
      sink_.update_lane(child->lane, lane_as_shown(*child, parent_lane(*child, 0)));
    }
  }
}

}  // namespace weft::formats::perfetto
