// What the events of an OTF2 trace mean, whoever decodes them: regions are states, messages links
// from the send to the receive, metrics variables. A collective operation links what it waits for:
// from its root, to its root, or from the last that came, to the ends of the others. Memory: of
// messages kMostUnderWay wait for their other end, the oldest are given without.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
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
  void enter(LocationRef location, Time time, Ref region);
  void leave(LocationRef location, Time time, Ref region);
  void enter_context(LocationRef location, Time time, Ref ref);
  void leave_context(LocationRef location, Time time, Ref ref);
  struct Message {
    uint32_t rank = 0;  // the other one's in the communicator
    Ref comm = 0;
    uint32_t tag = 0;
    uint64_t bytes = 0;
    std::optional<uint64_t> request{};  // of an operation that does not wait
  };
  void send(LocationRef location, Time time, const Message& message);
  void receive(LocationRef location, Time time, const Message& message);
  void begin_collective(LocationRef location, Time time);
  void end_collective(LocationRef location, Time time, CollectiveOp operation, Ref comm,
                      uint32_t root);
  // `place`: of its members.
  void add_metric(LocationRef location, Time time, Ref metric, size_t place, double value);
  void add_state(LocationRef location, Time begin, Time end, std::string_view name);
  void add_punctual(LocationRef location, Time time, std::string_view name);
  void add_unknown() { sink_.loss("event of an unknown kind", count_); }
  void finish();

  LaneId lane_of(LocationRef location);

 private:
  struct End {
    uint64_t number = 0;  // of all that wait
    Time time;
    uint64_t bytes = 0;
    std::optional<uint64_t> request{};
  };
  // Sender, receiver, communicator, tag: messages between the same keep their order.
  using Channel = std::tuple<LocationRef, LocationRef, Ref, uint32_t>;
  struct Pending {
    std::deque<End> sends, receives;  // never both
  };
  // One operation of all members of a communicator.
  struct Collective {
    struct Part {
      LocationRef location;
      Time begin, end;
    };
    std::vector<Part> parts;
    CollectiveOp operation = CollectiveOp::kBarrier;
    uint32_t root = 0;
  };

  void saw(Time time);
  LaneId lane_of_node(Ref node, int depth);
  struct Shown {
    EventTypeId type = EventTypeId::none();
    ParamsId params = ParamsId::none();
  };
  const Shown& shown(Ref region);
  LocationRef other_of(LocationRef location, const Message& message);
  // An end that found no other.
  using Ends = std::deque<End> Pending::*;
  void wait(const Channel& channel, Ends ends, End end);
  // The first that waits for its other end; none where nothing does.
  std::optional<End> take(const Channel& channel, Ends ends);
  void give_message(const Channel& channel, const std::optional<End>& send,
                    const std::optional<End>& receive);
  void forget_oldest();
  void give_collective(const Collective& collective, Ref comm);
  const std::vector<LocationRef>& members(Ref comm, LocationRef speaker);

  const Definitions& definitions_;
  trace::EventSink& sink_;
  stacks::OpenStates open_;
  std::map<LocationRef, LaneId> lanes_;
  std::map<Ref, LaneId> group_lanes_;
  std::map<Ref, LaneId> node_lanes_;
  std::map<Ref, Shown> regions_;
  std::map<Channel, Pending> pending_;
  std::map<uint64_t, Channel> waiting_;  // by number: whose end it is
  std::map<std::pair<Ref, LocationRef>, std::vector<LocationRef>> members_;
  std::map<LocationRef, Time> collective_begin_;
  std::map<std::pair<Ref, LocationRef>, uint64_t> collective_number_;
  std::map<std::pair<Ref, uint64_t>, Collective> collectives_;
  Time last_;
  uint64_t count_ = 0;          // of events
  uint64_t waiting_count_ = 0;  // of ends that waited
};

}  // namespace weft::formats::otf2
