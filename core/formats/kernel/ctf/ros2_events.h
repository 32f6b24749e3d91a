// Interprets the events of ROS 2: callbacks become states of their threads, messages links from the
// publishing thread to the thread whose callback handles them.
//
//   rclcpp_publish ─ rcl_publish ─ rmw_publish, dds_write        one thread, one address
//                                     │ a stamp
//                                     ▽
//   rmw_take, dispatch_subscription_callback ─ callback_start    one thread
//
//   rmw_send_request ─ client, number ─▷ rmw_take_request ─ callback_start; so are responses
//   rclcpp_intra_publish ─ ring_buffer_enqueue ─ slot ─▷ ring_buffer_dequeue ─ callback_start
//
// The stamp that the middleware gives a message is on both sides: in `rmw_publish` (since Iron), in
// CARET's dds_bind_addr_to_stamp, else in rmw_take only, and then the message is the one of its
// topic that was published nearest to it. A message that nobody handled is a link without a receive
// where its topic has a subscription in the trace; else its events stay events. Ends come in any
// order, since machines' clocks differ. Memory: kMostUnderWay messages wait for their other end.
//
// Source: ros2_tracing's design and tracepoints; CARET's documentation of its tracepoints.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/formats/kernel/ctf/ros2_graph.h"
#include "core/formats/kernel/ctf/ros_link.h"

namespace weft::formats::ctf {

class Ros2Events {
 public:
  using Params = std::function<std::string_view(const Event&)>;
  Ros2Events(trace::EventSink& sink, RosLinks::Fields fields, Params params)
      : links_(sink, std::move(fields)), params_(std::move(params)) {}

  // How to handle an event by its name; null members: no particular meaning.
  using Handler = bool (Ros2Events::*)(const RosEvent&);
  struct Meaning {
    const Ros2Graph::Definition* definition = nullptr;
    Handler handler = nullptr;
    bool is_something() const { return definition != nullptr || handler != nullptr; }
  };
  // `stream`: by which others there are, it is known whether handling a message is traced at all.
  Meaning meaning_of(std::string_view name, const bt_stream_class& stream);

  // Returns false if it stays an event of its own.
  bool add(const Meaning& meaning, const RosEvent& e);
  // Gives what still waits as links with one end.
  void finish();

 private:
  struct Publication {
    RosMessage message;
    RosEnd from;
    std::optional<int64_t> key;  // that both ends know: the stamp of a message
    Address publisher;
    std::vector<uint64_t> addresses;  // of the message, and of what it was turned into
    std::vector<Address> handled_by;  // subscriptions
    uint64_t topic = 0;
    bool is_expected = false;  // by a subscription: a link says all of it
    bool is_handled = false;
  };
  // A message that a thread has taken: it is handled when its callback begins.
  struct Handling {
    RosEnd to;
    RosMessage message;                   // as this end knows it
    std::optional<Address> subscription;  // its handle, or the server's, the client's
    std::optional<int64_t> key;
    uint64_t publication = 0;  // where it is known
    uint64_t address = 0;      // of the message
  };
  // Since Iron `rclcpp_publish` names no publisher: `rcl_publish` behind it does.
  struct Announced {
    uint64_t message;
    RosStep step;
  };
  struct Thread {
    LaneId lane = LaneId::none();
    uint64_t publication = 0;  // the last
    std::optional<Announced> announced;
    std::optional<Handling> taken;
  };
  // An element of a subscription's buffer within a process.
  using Slot = std::pair<Address, uint64_t>;
  struct Queued {
    uint64_t publication;
    RosStep step;
  };

  Thread& thread_of(const RosEvent& e);
  bool publish(const RosEvent& e);
  bool publish(const RosEvent& e, const Address& publisher, const Address& message);
  void give_back_announced(Thread& thread);
  bool pass(const RosEvent& e);
  bool bind_stamp(const RosEvent& e);
  bool bind_address(const RosEvent& e);
  bool take(const RosEvent& e);
  bool go_on_taking(const RosEvent& e);
  bool dispatch(const RosEvent& e);
  bool dispatch_within(const RosEvent& e);
  bool add_client(const RosEvent& e);
  bool send_request(const RosEvent& e);
  bool send_response(const RosEvent& e);
  bool take_request(const RosEvent& e);
  bool take_response(const RosEvent& e);
  bool enqueue(const RosEvent& e);
  bool dequeue(const RosEvent& e);
  bool begin_callback(const RosEvent& e);
  bool end_callback(const RosEvent& e);

  Publication* publication_of(uint64_t id);
  Publication* published_by(const RosEvent& e, const char* field);
  void set_stamp(uint64_t id, int64_t stamp);
  void set_key(uint64_t id, int64_t key);
  std::optional<int64_t> request_key(const RosEvent& e) const;
  bool send_part(const RosEvent& e, const char* sender, std::string_view part, bool is_expected);
  Handling handling_of(const RosEvent& e, const Ros2Graph::Entity* subscription) const;
  void settle(Thread& thread);
  void handle(Handling handling);
  uint64_t find(const Handling& handling);
  uint64_t find_by_time(const Handling& handling);
  void give(Publication& publication, const Handling& handling);
  void drop(const Queued& queued, const Ros2Graph::Entity* subscription);
  void forget_oldest_publication();
  void forget_oldest_handling();
  std::string name_of_callback(const Address& callback) const;

  RosLinks links_;
  Params params_;
  Ros2Graph graph_;
  bool is_handling_traced_ = false, are_requests_taken_ = false, are_responses_taken_ = false;
  std::map<Address, uint64_t> clients_;  // their numbers, by their handles in rmw
  std::set<uint64_t> client_numbers_;
  std::map<uint32_t, Thread> threads_;  // by lane
  std::map<std::string, uint64_t, std::less<>> topics_;
  uint64_t count_ = 0;  // of publications and handlings: their numbers
  std::map<uint64_t, Publication> publications_;
  std::map<uint64_t, Handling> handlings_;  // whose message has not been published yet
  std::set<std::pair<int64_t, uint64_t>> known_, awaited_;    // of the two, by key
  std::set<std::tuple<uint64_t, Time, uint64_t>> unstamped_;  // publications, by topic
  std::map<Address, uint64_t> within_;                        // publications, by their message
  std::map<Slot, Queued> buffers_;
};

}  // namespace weft::formats::ctf
