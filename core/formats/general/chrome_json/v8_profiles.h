// CPU profiles that V8 writes into a trace, in pieces: calls of JavaScript by samples, as states on
// a lane below the thread's.
//
//   {"name":"Profile","ph":"P","id":"0x1","args":{"data":{"startTime":1000}}, …}
//   {"name":"ProfileChunk","ph":"P","id":"0x1","args":{"data":{"cpuProfile":{"nodes":[…],
//    "samples":[2,2]},"timeDeltas":[10,20]}}, …}
//
// The first names the thread; the others come from the one that samples. A sample lasts until the
// next, the last one as long as the one before it, and no longer than until the last piece.
//
// DevTools of Chrome up to 66 put the whole profile of a thread into one of its events:
//
//   {"name":"CpuProfile","ph":"I","args":{"data":{"cpuProfile":{"nodes":[…],"samples":[2,2],
//    "timeDeltas":[10,20],"startTime":1000,"endTime":1050}}}, …}
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/v8_nodes.h"
#include "core/trace/event_sink.h"

namespace weft::formats::chrome_json {

enum class V8Part : uint8_t { kBegin, kPiece, kWhole };

struct V8Piece {
  V8Part part = V8Part::kPiece;
  LaneId process, thread;
  Time time;
  std::string params;
};

// Which part of a profile an event of this name and category is.
std::optional<V8Part> v8_part_of(std::string_view name, std::string_view category);

class V8Profiles {
 public:
  explicit V8Profiles(trace::EventSink& sink) : sink_(sink), timeline_(sink) {}

  // Call in the order of the trace.
  void add(const V8Piece& piece);
  void finish();

 private:
  struct Profile {
    Profile(trace::EventSink& sink, LaneId of_thread, Time begin)
        : nodes(sink), thread(of_thread), clock(begin), now(begin) {}

    stacks::V8Nodes nodes;
    LaneId thread;
    LaneId lane = LaneId::none();  // there is one when there is a sample
    Time clock;                    // V8 notes some samples late: it may go back
    Time now;                      // of the last sample
    Duration gap;                  // between it and the one before
    int64_t node = 0;              // of it
    Time end;                      // of what was told so far
  };

  void add_whole(const V8Piece& piece, json::Element data);
  void add_samples(Profile& profile, json::Element data);
  void give(Profile& profile, Time until);

  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  std::map<std::pair<uint32_t, std::string>, Profile> profiles_;  // by process and id
};

}  // namespace weft::formats::chrome_json
