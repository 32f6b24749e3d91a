// Interprets the events of ROS 1 (roscpp, instrumented for LTTng): subscriber callbacks become
// states of their threads, messages links from the publishing thread to the callback that handles
// them.
//
//   publisher_message_queued ─▷ subscriber_link_message_write, …_dropped
//                                  ║ a channel, in the order of writing
//                               publisher_link_handle_message
//                                  │ one thread, one buffer
//                               subscription_message_queued ─▷ subscriber_callback_start, …_dropped
//
// A channel has an address at each end; the pair of hosts and ports in `new_connection` connects
// the two. A message to several subscribers becomes a link to each; one written to nobody, or
// dropped, has no receive. Ends come in any order, since machines' clocks differ. At most
// kMostUnderWay messages and deliveries wait.
//
// Source: tracetools for ROS 1 (tracetools.h), Trace Compass's analyses of ROS.
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

#include "core/formats/kernel/ctf/ros_link.h"

namespace weft::formats::ctf {

class Ros1Events {
 public:
  using Params = std::function<std::string_view(const Event&)>;
  Ros1Events(trace::EventSink& sink, RosLinks::Fields fields, Params params)
      : links_(sink, std::move(fields)), params_(std::move(params)) {}

  using Handler = bool (Ros1Events::*)(const RosEvent&);
  // Returns null if the name means nothing in particular.
  static Handler handler_of(std::string_view name);
  // Returns false if it stays an event of its own.
  bool add(Handler handler, const RosEvent& e) { return (this->*handler)(e); }
  // Gives what still waits as links with one end.
  void finish();

 private:
  struct Publication {
    RosMessage message;
    RosEnd from;
    Address buffer;
    bool is_expected = false;  // by a subscriber: a link says all of it
    bool is_delivered = false;
  };
  struct QueueKey {
    Address queue;
    uint64_t message;
    int64_t seconds, nanoseconds;  // of its receipt
    auto operator<=>(const QueueKey&) const = default;
  };
  // A message on its way to one subscriber.
  struct Delivery {
    RosMessage message;
    RosEnd from, to;
    uint64_t channel = 0;
    std::optional<QueueKey> queued;
    bool is_handled = false;
  };
  // The ends of a connection as its writer names them; where it has said none, its address.
  using ChannelKey = std::tuple<std::string, std::string, Address>;
  // The message a thread received last, offered to every queue that wants it.
  struct Received {
    uint64_t buffer, delivery;
    RosMessage message;
    RosEnd from;
  };
  // Deliveries by channel, in the order of their events.
  using Waiting = std::set<std::pair<uint64_t, uint64_t>>;

  bool add_node(const RosEvent& e);
  bool add_connection(const RosEvent& e);
  bool add_callback(const RosEvent& e);
  bool add_symbol(const RosEvent& e);
  bool publish(const RosEvent& e);
  bool write(const RosEvent& e);
  bool drop_before(const RosEvent& e);
  bool receive(const RosEvent& e);
  bool queue(const RosEvent& e);
  bool drop_behind(const RosEvent& e);
  bool begin_callback(const RosEvent& e);
  bool end_callback(const RosEvent& e);

  RosEnd end_of(const RosEvent& e) const;
  std::string node_of(uint64_t process) const;
  uint64_t channel_of(const Address& address, bool is_writer);
  static std::optional<QueueKey> queue_key_of(const RosEvent& e);
  uint64_t add_delivery(Delivery delivery);
  Delivery* delivery_of(uint64_t id);
  static uint64_t take_first(Waiting& waiting, uint64_t channel);
  uint64_t queued_as(const RosEvent& e) const;
  void settle(uint64_t id);
  void give(uint64_t id);
  void forget_oldest_publication();

  RosLinks links_;
  Params params_;
  std::map<uint64_t, std::string> nodes_;                         // by process
  std::map<Address, std::pair<std::string, std::string>> ports_;  // here and there, by channel
  std::map<Address, std::string> symbols_;                        // of callbacks
  std::set<std::string, std::less<>> topics_;                     // that have subscribers
  uint64_t count_ = 0;                                            // of both: their numbers
  std::map<uint64_t, Publication> publications_;
  std::map<Address, uint64_t> buffers_;  // the publication that a buffer held last
  std::map<uint64_t, Delivery> deliveries_;
  std::map<ChannelKey, uint64_t> channels_;  // their numbers
  Waiting written_, waiting_;                // to be received; for who wrote it
  std::map<uint32_t, Received> received_;    // by lane
  std::map<QueueKey, uint64_t> queued_;
};

}  // namespace weft::formats::ctf
