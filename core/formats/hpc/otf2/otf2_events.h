// Interprets the events of an OTF2 trace, however they were decoded: regions become states,
// messages links from send to receive, metrics variables. A collective operation links what it
// waits for: from its root, to its root, or from the last arrival to the ends of the others. At
// most kMostUnderWay messages wait for their other end; then the oldest are given without. `more`
// holds further parameters of an event as a JSON object, or is empty.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/formats/hpc/otf2/otf2_definitions.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::otf2 {

// "MPI", "OpenMP"; empty where the number has no name.
std::string_view paradigm_name(size_t paradigm);

class Events {
 public:
  Events(const Definitions& definitions, trace::EventSink& sink)
      : definitions_(definitions), sink_(sink), open_(sink) {}

  // Adds all lanes, in the order of their numbers.
  void add_lanes();

  // Call in order of time, as OTF2's global reader delivers events.
  void enter(LocationRef location, Time time, Ref region, std::string_view more = {});
  void leave(LocationRef location, Time time, Ref region, std::string_view more = {});
  void enter_context(LocationRef location, Time time, Ref ref, std::string_view more = {});
  void leave_context(LocationRef location, Time time, Ref ref, std::string_view more = {});
  // Adds a sample of what ran.
  void add_sample(LocationRef location, Time time, Ref context, std::string_view more);
  struct Message {
    uint32_t rank = 0;  // the other one's in the communicator
    Ref comm = 0;
    uint32_t tag = 0;
    uint64_t bytes = 0;
    std::optional<uint64_t> request{};  // of an operation that does not wait
    std::string more{};
  };
  void send(LocationRef location, Time time, Message message);
  void receive(LocationRef location, Time time, Message message);
  // One's part in an operation of all; `request` where it does not wait.
  struct CollectivePart {
    CollectiveOp operation = CollectiveOp::kBarrier;
    Ref comm = 0;
    uint32_t root = 0;  // a rank
    uint64_t sent = 0, received = 0;
    std::optional<uint64_t> request{};
  };
  void begin_collective(LocationRef location, Time time, std::optional<uint64_t> request = {});
  // Returns false if there is nobody to link to.
  bool end_collective(LocationRef location, Time time, const CollectivePart& part);
  // Access to another one's memory.
  struct Transfer {
    std::string_view name;     // "put", "get"
    bool is_to_other = false;  // get: from the other
    Ref window = 0;
    uint32_t rank = 0;  // the other one's
    uint64_t matching = 0;
    std::string more{};
  };
  void begin_transfer(LocationRef location, Time time, Transfer transfer);
  void end_transfer(LocationRef location, Time time, Ref window, uint64_t matching);
  // A file operation. A non-blocking one lies on a lane of its own, since others run meanwhile.
  struct Operation {
    std::string_view name;  // "read"
    bool waits = true;
    std::string more{};
  };
  void begin_operation(LocationRef location, Time time, Ref handle, uint64_t matching,
                       Operation operation);
  // Returns false if none has begun.
  bool end_operation(LocationRef location, Time time, Ref handle, uint64_t matching,
                     std::string_view more);
  // `place`: of its members.
  void add_metric(LocationRef location, Time time, Ref metric, size_t place, double value);
  void add_state(LocationRef location, Time begin, Time end, std::string_view name);
  void add_punctual(LocationRef location, Time time, std::string_view name,
                    std::string_view group = {}, std::string_view more = {});
  // The scope of a marker; it becomes an instant, or a state if it has a duration.
  enum class MarkerPlace : uint8_t { kTrace, kLocation, kLocationGroup, kNode };
  struct Marker {
    std::string name, group, more;
  };
  void add_marker(const TimeRange& range, MarkerPlace place, uint64_t number, const Marker& marker);
  void add_unknown() { sink_.loss("event of an unknown kind", count_); }
  void lose(std::string_view kind) { sink_.note(kind, count_); }
  void finish();

  LaneId lane_of(LocationRef location);

 private:
  struct End {
    uint64_t number = 0;  // of all that wait
    Time time;
    uint64_t bytes = 0;
    std::optional<uint64_t> request{};
    std::string more{};
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
      uint64_t sent, received;  // bytes
    };
    std::vector<Part> parts;
    CollectiveOp operation = CollectiveOp::kBarrier;
    uint32_t root = 0;
  };

  void saw(Time time);
  LaneId lane_of_node(Ref node, int depth);
  LaneId lane_of_marker(MarkerPlace place, uint64_t number);
  struct Shown {
    EventTypeId type = EventTypeId::none();
    ParamsId params = ParamsId::none();
    std::string_view json{};  // the same
  };
  struct OpenTransfer {
    Time begin;
    Transfer transfer;
  };
  struct OpenOperation {
    Time begin;
    Operation operation;
  };
  const Shown& shown(Ref region);
  static End end_of(Time time, Message message);
  LocationRef other_of(LocationRef location, Ref comm, uint32_t rank);
  void give_transfer(LocationRef location, const OpenTransfer& open, std::optional<Time> end);
  void give_operation(LocationRef location, const OpenOperation& open, Time end,
                      std::string_view more);
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
  // By request, if non-blocking.
  std::map<std::pair<LocationRef, std::optional<uint64_t>>, Time> collective_begin_;
  std::map<std::pair<Ref, LocationRef>, uint64_t> collective_number_;
  std::map<std::pair<Ref, uint64_t>, Collective> collectives_;
  using Matching = std::tuple<LocationRef, Ref, uint64_t>;  // the second: a window, or a handle
  std::map<Matching, OpenTransfer> transfers_;
  std::map<Matching, OpenOperation> operations_;
  std::map<LocationRef, LaneId> operation_lanes_;  // of those that do not wait
  std::map<LaneId, LaneId> marker_lanes_;          // by what they mark; none: the whole trace
  Time last_;
  uint64_t count_ = 0;          // of events
  uint64_t waiting_count_ = 0;  // of ends that waited
};

}  // namespace weft::formats::otf2
