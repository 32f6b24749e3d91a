// CTF traces of ROS 1 and ROS 2 that tests read, and a way to write more of them: a line an event.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/formats/ctf_writer.h"

namespace weft::test {

inline constexpr char kRosEnvironment[] =
    R"(domain = "ust"; tracer_name = "lttng-ust"; hostname = "box";)";
inline constexpr char kRosContext[] = "int32_t vpid; int32_t vtid; string procname;";

// A thread, by its process.
struct RosThread {
  int32_t process, thread;
  std::string_view name;
};
inline constexpr RosThread kTalker{40, 41, "talker"}, kHearer{50, 51, "hearer"},
    kSpinner{50, 52, "spinner"};

// One stream of events, in the order of their times.
class RosStream {
 public:
  void add(uint64_t time, const RosThread& thread, uint16_t id, const CtfFields& fields) {
    const std::string context =
        CtfFields().number(thread.process).number(thread.thread).text(thread.name).bytes();
    events_.push_back({time, id, context + fields.bytes()});
  }
  void write(const std::filesystem::path& folder, const CtfMetadata& metadata) {
    std::ranges::stable_sort(events_, {}, &Event::time);
    CtfStream stream;
    for (const Event& each : events_)
      stream.event(each.id, each.time, CtfFields().text(each.fields, each.fields.size()));
    write_file(folder / "metadata", metadata.text());
    write_file(folder / "stream", stream.packet().bytes());
  }

 private:
  struct Event {
    uint64_t time;
    uint16_t id;
    std::string fields;
  };
  std::vector<Event> events_;
};

// ---- ROS 2

enum Ros2Id : uint16_t {
  kNodeInit,
  kPublisherInit,
  kSubscriptionInit,
  kSubscription,
  kSubscriptionCallback,
  kTimerInit,
  kTimerCallback,
  kTimerNode,
  kSymbol,
  kRclcppPublish,
  kRclPublish,
  kRmwPublish,
  kDdsWrite,
  kBindStamp,
  kTake,
  kRclTake,
  kDispatch,
  kCallbackStart,
  kCallbackEnd,
  kIntraPublish,
  kEnqueue,
  kDequeue,
  kBuffer,
  kIntraProcess,
  kServiceInit,
  kServiceCallback,
  kRclcppPublishIron,
  kClientInit,
  kRmwClientInit,
  kSendRequest,
  kTakeRequest,
  kSendResponse,
  kTakeResponse,
  kBindAddress,
  kConstruct,
  kDispatchWithin,
};

inline CtfMetadata ros2_metadata() {
  return CtfMetadata(kRosEnvironment, kRosContext)
      .event(kNodeInit, "ros2:rcl_node_init",
             "uint64_t node_handle; uint64_t rmw_handle; string node_name; string namespace;")
      .event(kPublisherInit, "ros2:rcl_publisher_init",
             "uint64_t publisher_handle; uint64_t node_handle; uint64_t rmw_publisher_handle; "
             "string topic_name;")
      .event(kSubscriptionInit, "ros2:rcl_subscription_init",
             "uint64_t subscription_handle; uint64_t node_handle; uint64_t "
             "rmw_subscription_handle; string topic_name;")
      .event(kSubscription, "ros2:rclcpp_subscription_init",
             "uint64_t subscription_handle; uint64_t subscription;")
      .event(kSubscriptionCallback, "ros2:rclcpp_subscription_callback_added",
             "uint64_t subscription; uint64_t callback;")
      .event(kTimerInit, "ros2:rcl_timer_init", "uint64_t timer_handle; int64_t period;")
      .event(kTimerCallback, "ros2:rclcpp_timer_callback_added",
             "uint64_t timer_handle; uint64_t callback;")
      .event(kTimerNode, "ros2:rclcpp_timer_link_node",
             "uint64_t timer_handle; uint64_t node_handle;")
      .event(kSymbol, "ros2:rclcpp_callback_register", "uint64_t callback; string symbol;")
      .event(kRclcppPublish, "ros2:rclcpp_publish", "uint64_t publisher_handle; uint64_t message;")
      .event(kRclPublish, "ros2:rcl_publish", "uint64_t publisher_handle; uint64_t message;")
      .event(kRclcppPublishIron, "ros2:rclcpp_publish", "uint64_t message;")
      .event(kRmwPublish, "ros2:rmw_publish",
             "uint64_t rmw_publisher_handle; uint64_t message; int64_t timestamp;")
      .event(kDdsWrite, "ros2_caret:dds_write", "uint64_t message;")
      .event(kBindStamp, "ros2_caret:dds_bind_addr_to_stamp",
             "uint64_t addr; uint64_t source_stamp;")
      .event(kTake, "ros2:rmw_take",
             "uint64_t rmw_subscription_handle; uint64_t message; int64_t source_timestamp; "
             "int32_t taken;")
      .event(kRclTake, "ros2:rcl_take", "uint64_t message;")
      .event(kDispatch, "ros2:dispatch_subscription_callback",
             "uint64_t message; uint64_t callback; uint64_t source_stamp; uint64_t "
             "message_timestamp;")
      .event(kCallbackStart, "ros2:callback_start", "uint64_t callback; int32_t is_intra_process;")
      .event(kCallbackEnd, "ros2:callback_end", "uint64_t callback;")
      .event(kIntraPublish, "ros2:rclcpp_intra_publish",
             "uint64_t publisher_handle; uint64_t message;")
      .event(kEnqueue, "ros2:rclcpp_ring_buffer_enqueue",
             "uint64_t buffer; uint64_t index; uint64_t size; int32_t overwritten;")
      .event(kDequeue, "ros2:rclcpp_ring_buffer_dequeue",
             "uint64_t buffer; uint64_t index; uint64_t size;")
      .event(kBuffer, "ros2:rclcpp_buffer_to_ipb", "uint64_t buffer; uint64_t ipb;")
      .event(kIntraProcess, "ros2:rclcpp_ipb_to_subscription",
             "uint64_t ipb; uint64_t subscription;")
      .event(kServiceInit, "ros2:rcl_service_init",
             "uint64_t service_handle; uint64_t node_handle; uint64_t rmw_service_handle; "
             "string service_name;")
      .event(kServiceCallback, "ros2:rclcpp_service_callback_added",
             "uint64_t service_handle; uint64_t callback;")
      .event(kClientInit, "ros2:rcl_client_init",
             "uint64_t client_handle; uint64_t node_handle; uint64_t rmw_client_handle; string "
             "service_name;")
      .event(kBindAddress, "ros2_caret:dds_bind_addr_to_addr",
             "uint64_t addr_from; uint64_t addr_to;")
      .event(kConstruct, "ros2:message_construct",
             "uint64_t original_message; uint64_t constructed_message;")
      .event(kDispatchWithin, "ros2:dispatch_intra_process_subscription_callback",
             "uint64_t message; uint64_t callback; uint64_t message_timestamp;")
      .event(kRmwClientInit, "ros2:rmw_client_init", "uint64_t rmw_client_handle; uint8_t gid[4];")
      .event(kSendRequest, "ros2:rmw_send_request",
             "uint64_t rmw_client_handle; uint64_t request; int64_t sequence_number;")
      .event(kTakeRequest, "ros2:rmw_take_request",
             "uint64_t rmw_service_handle; uint64_t request; uint8_t client_gid[8]; int64_t "
             "sequence_number; int32_t taken;")
      .event(kSendResponse, "ros2:rmw_send_response",
             "uint64_t rmw_service_handle; uint64_t response; uint8_t client_gid[8]; int64_t "
             "sequence_number; int64_t timestamp;")
      .event(kTakeResponse, "ros2:rmw_take_response",
             "uint64_t rmw_client_handle; uint64_t response; int64_t sequence_number; int64_t "
             "source_timestamp; int32_t taken;");
}

inline CtfFields numbers(std::initializer_list<uint64_t> values) {
  CtfFields fields;
  for (const uint64_t value : values) fields.number(value);
  return fields;
}

// Objects whose addresses say what they are: of number 1 the handle is 0x100, the callback 0x104.
class Ros2Stream : public RosStream {
 public:
  void node(uint64_t time, const RosThread& thread, uint64_t address, std::string_view name) {
    add(time, thread, kNodeInit, numbers({address, 0}).text(name).text("/"));
  }
  // With its handle in rmw at +1.
  void publisher(uint64_t time, const RosThread& thread, uint64_t node, uint64_t address,
                 std::string_view topic) {
    add(time, thread, kPublisherInit, numbers({address, node, address + 1}).text(topic));
  }
  // With its handle in rmw at +1, its object at +2, its callback at +4.
  void subscription(uint64_t time, const RosThread& thread, uint64_t node, uint64_t address,
                    std::string_view topic) {
    add(time, thread, kSubscriptionInit, numbers({address, node, address + 1}).text(topic));
    add(time, thread, kSubscription, numbers({address, address + 2}));
    add(time, thread, kSubscriptionCallback, numbers({address + 2, address + 4}));
  }
  void publish(uint64_t time, const RosThread& thread, uint64_t publisher, uint64_t message) {
    add(time, thread, kRclcppPublish, numbers({publisher, message}));
    add(time + 1, thread, kRclPublish, numbers({publisher, message}));
  }
  // Since Iron, what is published tells its stamp.
  void publish_stamped(uint64_t time, const RosThread& thread, uint64_t publisher, uint64_t message,
                       uint64_t stamp) {
    add(time, thread, kRclcppPublishIron, numbers({message}));
    add(time + 1, thread, kRclPublish, numbers({publisher, message}));
    add(time + 2, thread, kRmwPublish, numbers({publisher + 1, message, stamp}));
  }
  void take(uint64_t time, const RosThread& thread, uint64_t subscription, uint64_t message,
            uint64_t stamp, int32_t taken = 1) {
    add(time, thread, kTake, numbers({subscription + 1, message, stamp}).number(taken));
  }
  void callback(uint64_t begin, uint64_t end, const RosThread& thread, uint64_t callback) {
    add(begin, thread, kCallbackStart, numbers({callback}).number(int32_t{0}));
    add(end, thread, kCallbackEnd, numbers({callback}));
  }
};

// A trace as CARET records it: two subscriptions, a timer, the middleware's own messages, a topic
// that nobody listens to; a message that nobody handled, one that is converted on its way, one that
// stays within its process.
inline void write_ros2_caret(const std::filesystem::path& folder) {
  Ros2Stream s;
  s.node(100, kTalker, 0x10, "talker");
  s.publisher(101, kTalker, 0x10, 0x100, "/scan");
  s.publisher(102, kTalker, 0x10, 0x200, "/alone");
  s.add(103, kTalker, kTimerInit, numbers({0x300, 2'500'000}));
  s.add(104, kTalker, kTimerCallback, numbers({0x300, 0x304}));
  s.add(105, kTalker, kTimerNode, numbers({0x300, 0x10}));
  s.add(106, kTalker, kSymbol, numbers({0x304}).text("Talker::tick()"));
  s.node(110, kHearer, 0x10, "map");
  s.subscription(111, kHearer, 0x10, 0x400, "/scan");
  s.subscription(112, kHearer, 0x10, 0x500, "/scan");
  s.add(113, kHearer, kServiceInit, numbers({0x600, 0x10, 0x601}).text("/map/get"));
  s.add(114, kHearer, kServiceCallback, numbers({0x600, 0x604}));
  s.add(200, kTalker, kCallbackStart, numbers({0x304}).number(int32_t{0}));
  s.publish(210, kTalker, 0x100, 0xA0);
  s.add(212, kTalker, kDdsWrite, numbers({0xA0}));
  s.add(213, kTalker, kDdsWrite, numbers({0xBAD}));
  s.add(214, kTalker, kBindStamp, numbers({0xBAD, 900}));
  s.add(215, kTalker, kBindStamp, numbers({0xA0, 901}));
  s.publish(220, kTalker, 0x200, 0xA1);
  s.add(230, kTalker, kCallbackEnd, numbers({0x304}));
  s.add(240, kHearer, kDispatch, numbers({0xC0, 0x404, 901, 0}));
  s.callback(241, 280, kHearer, 0x404);
  s.add(250, kSpinner, kDispatch, numbers({0xC1, 0x504, 901, 0}));
  s.callback(251, 290, kSpinner, 0x504);
  s.callback(300, 310, kSpinner, 0x604);
  s.publish(320, kTalker, 0x100, 0xA0);
  s.add(322, kTalker, kBindStamp, numbers({0xA0, 902}));
  // Converted before it is sent.
  s.publish(330, kTalker, 0x100, 0xA5);
  s.add(332, kTalker, kBindAddress, numbers({0xA5, 0xA6}));
  s.add(333, kTalker, kBindStamp, numbers({0xA6, 903}));
  s.add(340, kHearer, kDispatch, numbers({0xC2, 0x404, 903, 0}));
  s.callback(341, 345, kHearer, 0x404);
  // Within a process, copied for the second subscription.
  s.publisher(400, kHearer, 0x10, 0x700, "/scan");
  s.add(410, kHearer, kIntraPublish, numbers({0x700, 0xD0}));
  s.add(411, kHearer, kConstruct, numbers({0xD0, 0xD1}));
  s.add(420, kHearer, kDispatchWithin, numbers({0xD0, 0x404, 0}));
  s.callback(421, 430, kHearer, 0x404);
  s.add(422, kSpinner, kDispatchWithin, numbers({0xD1, 0x504, 0}));
  s.callback(423, 430, kSpinner, 0x504);
  s.write(folder, ros2_metadata());
}

// A trace as ros2_tracing records it since Iron: stamps of rmw; a message taken outside of a
// callback, one from an untraced publisher, one on a topic without subscription, one of the
// middleware alone, one that comes no further than its first event; and messages within a process,
// of which one is overwritten.
inline void write_ros2_tracing(const std::filesystem::path& folder) {
  Ros2Stream s;
  s.node(100, kTalker, 0x10, "talker");
  s.publisher(101, kTalker, 0x10, 0x100, "/scan");
  s.node(110, kHearer, 0x10, "map");
  s.subscription(111, kHearer, 0x10, 0x400, "/scan");
  s.publisher(112, kHearer, 0x10, 0x700, "/inside");
  s.subscription(113, kHearer, 0x10, 0x800, "/inside");
  s.publisher(102, kTalker, 0x10, 0x200, "/alone");
  s.publish_stamped(220, kTalker, 0x200, 0xA1, 952);
  s.add(280, kTalker, kRmwPublish, numbers({0x101, 0xA2, 953}));
  s.take(285, kHearer, 0x400, 0xC0, 953);
  s.callback(286, 290, kHearer, 0x404);
  s.add(295, kTalker, kRclcppPublishIron, numbers({0xA3}));
  s.add(114, kHearer, kBuffer, numbers({0x806, 0x805}));
  s.add(115, kHearer, kIntraProcess, numbers({0x805, 0x802}));
  s.publish_stamped(200, kTalker, 0x100, 0xA0, 950);
  s.take(210, kHearer, 0x400, 0xC0, 950);
  s.add(211, kHearer, kRclTake, numbers({0xC0}));
  s.callback(212, 230, kHearer, 0x404);
  s.take(232, kHearer, 0x400, 0xC0, 0, 0);
  s.publish_stamped(240, kTalker, 0x100, 0xA0, 951);
  s.take(250, kHearer, 0x400, 0xC0, 951);
  s.take(260, kHearer, 0x400, 0xC0, 777);
  s.callback(261, 270, kHearer, 0x404);
  const auto within = [&](uint64_t time, uint64_t message, uint64_t index, int32_t overwritten) {
    s.add(time, kHearer, kIntraPublish, numbers({0x700, message}));
    s.add(time + 1, kHearer, kEnqueue, numbers({0x806, index, 1}).number(overwritten));
  };
  within(300, 0xD0, 0, 0);
  within(310, 0xD1, 1, 0);
  within(320, 0xD2, 0, 1);
  s.add(330, kSpinner, kDequeue, numbers({0x806, 1, 1}));
  s.callback(331, 340, kSpinner, 0x804);
  s.add(350, kSpinner, kDequeue, numbers({0x806, 0, 0}));
  s.callback(351, 360, kSpinner, 0x804);
  within(370, 0xD3, 1, 0);
  s.write(folder, ros2_metadata());
}

// Requests and responses, since Jazzy: two of each, one of which the client has not taken; and one
// to a server that is not traced. A client's number has as many bytes as its version gives it.
inline void write_ros2_services(const std::filesystem::path& folder) {
  Ros2Stream s;
  s.node(100, kTalker, 0x10, "talker");
  s.add(101, kTalker, kRmwClientInit, numbers({0x901}).number(uint32_t{0x0A0B}));
  s.add(102, kTalker, kClientInit, numbers({0x900, 0x10, 0x901}).text("/map/get"));
  s.add(103, kTalker, kRmwClientInit, numbers({0xA01}).number(uint32_t{0x0C0D}));
  s.add(104, kTalker, kClientInit, numbers({0xA00, 0x10, 0xA01}).text("/elsewhere"));
  s.node(110, kHearer, 0x10, "map");
  s.add(113, kHearer, kServiceInit, numbers({0x600, 0x10, 0x601}).text("/map/get"));
  s.add(114, kHearer, kServiceCallback, numbers({0x600, 0x604}));
  const auto serve = [&](uint64_t time, uint64_t number) {
    s.add(time, kTalker, kSendRequest, numbers({0x901, 0xA0, number}));
    s.add(time + 10, kHearer, kTakeRequest,
          numbers({0x601, 0xC0}).number(uint64_t{0x0A0B}).number(number).number(int32_t{1}));
    s.add(time + 11, kHearer, kCallbackStart, numbers({0x604}).number(int32_t{0}));
    s.add(time + 20, kHearer, kSendResponse,
          numbers({0x601, 0xC1}).number(uint64_t{0x0A0B}).number(number).number(uint64_t{77}));
    s.add(time + 21, kHearer, kCallbackEnd, numbers({0x604}));
  };
  serve(200, 1);
  s.add(230, kTalker, kTakeResponse, numbers({0x901, 0xA2, 1, 77}).number(int32_t{1}));
  s.add(240, kTalker, kTakeResponse, numbers({0x901, 0xA2, 1, 77}).number(int32_t{0}));
  serve(300, 2);
  s.add(350, kTalker, kSendRequest, numbers({0xA01, 0xA0, 1}));
  s.write(folder, ros2_metadata());
}

// A trace as ros2_tracing recorded it until Humble: only the taking side has the stamp. The clock
// begins at 1000 ns, so a message sent at 2'000'000 has a stamp of little more than 2'001'000.
inline void write_ros2_by_time(const std::filesystem::path& folder) {
  Ros2Stream s;
  s.node(100, kTalker, 0x10, "talker");
  s.publisher(101, kTalker, 0x10, 0x100, "/scan");
  s.publisher(102, kTalker, 0x10, 0x200, "/other");
  s.node(110, kHearer, 0x10, "map");
  s.subscription(111, kHearer, 0x10, 0x400, "/scan");
  s.publish(2'000'000, kTalker, 0x100, 0xA0);
  s.publish(2'003'000, kTalker, 0x200, 0xA1);
  s.publish(4'000'000, kTalker, 0x100, 0xA2);
  s.take(4'100'000, kHearer, 0x400, 0xC0, 2'004'000);
  s.callback(4'100'100, 4'200'000, kHearer, 0x404);
  s.take(4'300'000, kHearer, 0x400, 0xC0, 4'000'500);
  s.callback(4'300'100, 4'400'000, kHearer, 0x404);
  s.take(9'000'000, kHearer, 0x400, 0xC0, 7'000'000);
  s.callback(9'000'100, 9'400'000, kHearer, 0x404);
  s.write(folder, ros2_metadata());
}

// ---- ROS 1

enum Ros1Id : uint16_t {
  kInitNode,
  kConnection,
  kCallbackAdded,
  kName,
  kQueuedAtPublisher,
  kWrite,
  kDroppedAtPublisher,
  kHandle,
  kQueued,
  kDropped,
  kStart,
  kEnd,
};

inline CtfMetadata ros1_metadata() {
  constexpr char kAtQueue[] =
      "string topic; uint64_t buffer_ref; uint64_t queue_ref; uint64_t callback_ref; uint64_t "
      "message_ref; int32_t receipt_time_sec; int32_t receipt_time_nsec;";
  return CtfMetadata(kRosEnvironment, kRosContext)
      .event(kInitNode, "roscpp:init_node", "string node_name;")
      .event(kConnection, "roscpp:new_connection",
             "string local_hostport; string remote_hostport; uint64_t channel_ref; string "
             "channel_type;")
      .event(kCallbackAdded, "roscpp:subscriber_callback_added",
             "uint64_t queue_ref; uint64_t callback_ref; string source_name;")
      .event(kName, "roscpp:ptr_name_info", "string function_name; uint64_t callback_ref;")
      .event(kQueuedAtPublisher, "roscpp:publisher_message_queued",
             "string topic; uint64_t buffer_ref;")
      .event(kWrite, "roscpp:subscriber_link_message_write",
             "uint64_t message_ref; uint64_t channel_ref;")
      .event(kDroppedAtPublisher, "roscpp:subscriber_link_message_dropped", "uint64_t message_ref;")
      .event(kHandle, "roscpp:publisher_link_handle_message",
             "uint64_t channel_ref; uint64_t buffer_ref;")
      .event(kQueued, "roscpp:subscription_message_queued", kAtQueue)
      .event(kDropped, "roscpp:subscription_message_dropped", kAtQueue)
      .event(kStart, "roscpp:subscriber_callback_start", kAtQueue)
      .event(kEnd, "roscpp:subscriber_callback_end", kAtQueue);
}

class Ros1Stream : public RosStream {
 public:
  void connect(uint64_t time, const RosThread& thread, std::string_view here,
               std::string_view there, uint64_t channel) {
    add(time, thread, kConnection,
        CtfFields().text(here).text(there).number(channel).text("Transport"));
  }
  void publish(uint64_t time, const RosThread& thread, std::string_view topic, uint64_t buffer) {
    add(time, thread, kQueuedAtPublisher, CtfFields().text(topic).number(buffer));
  }
  void at_queue(uint64_t time, const RosThread& thread, Ros1Id id, std::string_view topic,
                uint64_t buffer, uint64_t queue, uint64_t message, int32_t receipt) {
    add(time, thread, id,
        CtfFields()
            .text(topic)
            .number(buffer)
            .number(queue)
            .number(queue + 4)
            .number(message)
            .number(int32_t{1})
            .number(receipt));
  }
};

// A publisher with two subscribers of one process; what is dropped before it is written and behind
// that; a topic of nobody's; a message that is under way at the end.
inline void write_ros1(const std::filesystem::path& folder) {
  Ros1Stream s;
  s.add(100, kTalker, kInitNode, CtfFields().text("/talker"));
  s.add(101, kHearer, kInitNode, CtfFields().text("/map"));
  s.add(102, kHearer, kName, CtfFields().text("on_scan").number(uint64_t{0x804}));
  s.add(103, kHearer, kCallbackAdded,
        CtfFields().number(uint64_t{0x800}).number(uint64_t{0x804}).text("/scan"));
  s.connect(110, kHearer, "127.0.0.1:5000", "127.0.1.1:7000", 0x300);
  s.connect(111, kTalker, "127.0.1.1:7000", "127.0.0.1:5000", 0x300);
  s.connect(112, kHearer, "127.0.0.1:5001", "127.0.1.1:7000", 0x301);
  s.connect(113, kTalker, "127.0.1.1:7000", "127.0.0.1:5001", 0x302);
  s.publish(200, kTalker, "/scan", 0xA0);
  s.publish(201, kTalker, "/scan", 0xA1);
  s.publish(202, kTalker, "/alone", 0xA2);
  s.add(203, kTalker, kDroppedAtPublisher, numbers({0xA0}));
  s.add(210, kTalker, kWrite, numbers({0xA1, 0x300}));
  s.add(211, kTalker, kWrite, numbers({0xA1, 0x302}));
  s.add(220, kHearer, kHandle, numbers({0x301, 0xB1}));
  s.at_queue(221, kHearer, kQueued, "/scan", 0xB1, 0x800, 0xC1, 221);
  s.add(222, kHearer, kHandle, numbers({0x300, 0xB2}));
  s.at_queue(223, kHearer, kQueued, "/scan", 0xB2, 0x800, 0xC2, 223);
  s.at_queue(224, kHearer, kQueued, "/scan", 0xB2, 0x900, 0xC2, 223);
  s.at_queue(225, kHearer, kDropped, "/scan", 0, 0x800, 0xC1, 221);
  s.at_queue(230, kSpinner, kStart, "/scan", 0, 0x800, 0xC2, 223);
  s.at_queue(240, kSpinner, kEnd, "/scan", 0, 0x800, 0xC2, 223);
  s.at_queue(250, kHearer, kStart, "/scan", 0, 0x900, 0xC2, 223);
  s.at_queue(260, kHearer, kEnd, "/scan", 0, 0x900, 0xC2, 223);
  s.at_queue(270, kHearer, kStart, "/scan", 0, 0x900, 0xCC, 1);
  s.at_queue(280, kHearer, kEnd, "/scan", 0, 0x900, 0xCC, 1);
  s.publish(290, kTalker, "/scan", 0xA3);
  s.add(291, kTalker, kWrite, numbers({0xA3, 0x300}));
  s.publish(292, kTalker, "/scan", 0xA4);
  s.write(folder, ros1_metadata());
}

}  // namespace weft::test
