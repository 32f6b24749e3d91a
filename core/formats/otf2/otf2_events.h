// What the events of an OTF2 archive mean: regions are states, messages links from the send to the
// receive, metrics variables. A collective operation links what it waits for: from its root, to its
// root, or from the last that came, to the ends of the others.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/formats/otf2/otf2_definitions.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::otf2 {

class Events {
 public:
  Events(const Definitions& definitions, trace::EventSink& sink)
      : definitions_(definitions), sink_(sink), open_(sink) {}

  // All lanes, in the order of their numbers.
  void add_lanes();

  // In order of time, as OTF2's global reader gives them.
  void enter(OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_RegionRef region);
  void leave(OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_RegionRef region);
  void enter_context(OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_CallingContextRef ref);
  void leave_context(OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_CallingContextRef ref);
  // `rank` is the other one's in the communicator.
  void send(OTF2_LocationRef location, OTF2_TimeStamp time, uint32_t rank, OTF2_CommRef comm,
            uint32_t tag, uint64_t bytes);
  void receive(OTF2_LocationRef location, OTF2_TimeStamp time, uint32_t rank, OTF2_CommRef comm,
               uint32_t tag, uint64_t bytes);
  void begin_collective(OTF2_LocationRef location, OTF2_TimeStamp time);
  void end_collective(OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_CollectiveOp operation,
                      OTF2_CommRef comm, uint32_t root);
  void add_metric(OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_MetricRef metric,
                  uint8_t count, const OTF2_Type* types, const OTF2_MetricValue* values);
  void add_state(OTF2_LocationRef location, OTF2_TimeStamp begin, OTF2_TimeStamp end,
                 std::string_view name);
  void add_punctual(OTF2_LocationRef location, OTF2_TimeStamp time, std::string_view name);
  void add_unknown() { sink_.loss("event of an unknown kind", count_); }
  void finish();

  bool keep_going() const { return sink_.keep_going(); }
  uint64_t count() const { return count_; }

 private:
  struct End {
    Time time;
    uint64_t bytes;
  };
  // Sender, receiver, communicator, tag: messages between the same keep their order.
  using Channel = std::tuple<OTF2_LocationRef, OTF2_LocationRef, OTF2_CommRef, uint32_t>;
  struct Pending {
    std::deque<End> sends, receives;  // never both
  };
  // One operation of all members of a communicator.
  struct Collective {
    struct Part {
      OTF2_LocationRef location;
      Time begin, end;
    };
    std::vector<Part> parts;
    OTF2_CollectiveOp operation = 0;
    uint32_t root = 0;
  };

  Time time_of(OTF2_TimeStamp ticks);
  LaneId lane_of(OTF2_LocationRef location);
  LaneId lane_of_node(OTF2_SystemTreeNodeRef node, int depth);
  EventTypeId type_of(OTF2_RegionRef region);
  void give_message(const Channel& channel, Time send, Time receive, uint64_t bytes);
  void give_half(const Channel& channel, Time time, uint64_t bytes, bool is_send);
  void give_collective(const Collective& collective, OTF2_CommRef comm);
  const std::vector<OTF2_LocationRef>& members(OTF2_CommRef comm, OTF2_LocationRef speaker);

  const Definitions& definitions_;
  trace::EventSink& sink_;
  stacks::OpenStates open_;
  std::map<OTF2_LocationRef, LaneId> lanes_;
  std::map<OTF2_LocationGroupRef, LaneId> group_lanes_;
  std::map<OTF2_SystemTreeNodeRef, LaneId> node_lanes_;
  std::map<OTF2_RegionRef, EventTypeId> types_;
  std::map<Channel, Pending> pending_;
  std::map<std::pair<OTF2_CommRef, OTF2_LocationRef>, std::vector<OTF2_LocationRef>> members_;
  std::map<OTF2_LocationRef, Time> collective_begin_;
  std::map<std::pair<OTF2_CommRef, OTF2_LocationRef>, uint64_t> collective_number_;
  std::map<std::pair<OTF2_CommRef, uint64_t>, Collective> collectives_;
  Time last_;
  uint64_t count_ = 0;
};

}  // namespace weft::formats::otf2
