// covers FS-62, TM-04, TM-49, R7
// Messages of ROS out of CTF where clocks run backwards, numbers come twice, ends are missing, or
// fields are: each is a link with the ends that are known, and what waits is bounded. Well-formed
// ones: ctf/succeed/ros*.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/core/formats/reading.h"
#include "tests/core/formats/ros_samples.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

using test::kHearer;
using test::kTalker;
using test::numbers;
using test::read;
using test::Ros1Stream;
using test::Ros2Stream;
using test::ScratchFolder;

// The clock of the streams begins at 1000 ns; -1 where an end is missing.
struct Link {
  int64_t send, receive;
  auto operator<=>(const Link&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Link& link) {
  return out << link.send << " to " << link.receive;
}

std::vector<Link> links_of(const test::RecordingSink& sink) {
  std::vector<Link> links;
  for (const trace::LinkEvent& each : sink.link_events()) {
    links.push_back({each.source.is_none() ? -1 : each.send.ticks - 1000,
                     each.target.is_none() ? -1 : each.receive.ticks - 1000});
  }
  std::ranges::sort(links);
  return links;
}

using Links = std::vector<Link>;

// A publisher of /scan, 0x100, and a subscription to it, 0x400.
Ros2Stream talker_and_hearer() {
  Ros2Stream stream;
  stream.node(1, kTalker, 0x10, "talker");
  stream.publisher(2, kTalker, 0x10, 0x100, "/scan");
  stream.node(3, kHearer, 0x10, "map");
  stream.subscription(4, kHearer, 0x10, 0x400, "/scan");
  return stream;
}

Links read_ros2(Ros2Stream& stream) {
  const ScratchFolder folder;
  stream.write(folder / "trace", test::ros2_metadata());
  const auto reading = read(folder / "trace", {"ctf"});
  EXPECT_EQ(reading->error, "");
  return links_of(reading->sink);
}

Links read_ros1(Ros1Stream& stream) {
  const ScratchFolder folder;
  stream.write(folder / "trace", test::ros1_metadata());
  const auto reading = read(folder / "trace", {"ctf"});
  EXPECT_EQ(reading->error, "");
  return links_of(reading->sink);
}

TEST(HostileRos2, AMessageMayBeHandledBeforeItIsPublished) {
  Ros2Stream stream = talker_and_hearer();
  stream.take(100, kHearer, 0x400, 0xC0, 900);
  stream.callback(101, 110, kHearer, 0x404);
  stream.publish_stamped(200, kTalker, 0x100, 0xA0, 900);
  EXPECT_EQ(read_ros2(stream), (Links{{200, 101}}));
}

TEST(HostileRos2, MessagesOfOneStampAreHandledOnceEach) {
  Ros2Stream stream = talker_and_hearer();
  for (const uint64_t time : {100, 110, 120}) {
    stream.publish_stamped(time, kTalker, 0x100, 0xA0, 900);
  }
  for (const uint64_t time : {200, 210}) {
    stream.take(time, kHearer, 0x400, 0xC0, 900);
    stream.callback(time + 1, time + 5, kHearer, 0x404);
  }
  EXPECT_EQ(read_ros2(stream), (Links{{100, 201}, {110, 211}, {120, -1}}));
}

TEST(HostileRos2, AStampOfAnotherTopicIsAnotherMessage) {
  Ros2Stream stream = talker_and_hearer();
  stream.publisher(50, kTalker, 0x10, 0x200, "/other");
  stream.publish_stamped(100, kTalker, 0x200, 0xA0, 900);
  stream.take(200, kHearer, 0x400, 0xC0, 900);
  stream.callback(201, 210, kHearer, 0x404);
  EXPECT_EQ(read_ros2(stream), (Links{{-1, 201}}));
}

TEST(HostileRos2, ACallbackMayPublishWhatItHandles) {
  Ros2Stream stream = talker_and_hearer();
  stream.publisher(50, kHearer, 0x10, 0x700, "/scan");
  for (uint64_t round = 0; round < 3; ++round) {
    const uint64_t time = 100 + round * 100;
    stream.publish_stamped(time, kHearer, 0x700, 0xA0, 900 + round);
    stream.take(time + 50, kHearer, 0x400, 0xC0, 900 + round);
    stream.callback(time + 51, time + 149, kHearer, 0x404);
  }
  EXPECT_EQ(read_ros2(stream), (Links{{100, 151}, {200, 251}, {300, 351}}));
}

TEST(HostileRos2, WhatBelongsToItselfBelongsToNothing) {
  Ros2Stream stream = talker_and_hearer();
  stream.add(50, kHearer, test::kBuffer, numbers({0x900, 0x901}));
  stream.add(51, kHearer, test::kIntraProcess, numbers({0x901, 0x900}));
  stream.add(60, kHearer, test::kDequeue, numbers({0x900, 0, 0}));
  stream.callback(61, 70, kHearer, 0x900);
  EXPECT_EQ(read_ros2(stream), (Links{{-1, 61}}));
}

// The oldest are given with the ends that they have.
TEST(HostileRos2, AHundredThousandUnhandledMessagesAreLinksWithoutAReceive) {
  constexpr uint64_t kMessages = 100'000;
  Ros2Stream stream = talker_and_hearer();
  for (uint64_t i = 0; i < kMessages; ++i) {
    stream.publish_stamped(1000 + i * 10, kTalker, 0x100, 0xA0, 900 + i);
  }
  const uint64_t end = 2000 + kMessages * 10;
  stream.take(end, kHearer, 0x400, 0xC0, 900);  // long forgotten
  stream.callback(end + 1, end + 2, kHearer, 0x404);
  stream.take(end + 3, kHearer, 0x400, 0xC0, 900 + kMessages - 1);
  stream.callback(end + 4, end + 5, kHearer, 0x404);
  const Links links = read_ros2(stream);
  ASSERT_EQ(links.size(), kMessages + 1);
  EXPECT_EQ(links.front(), (Link{-1, static_cast<int64_t>(end) + 1}));
  EXPECT_EQ(links.back(), (Link{static_cast<int64_t>(1000 + (kMessages - 1) * 10),
                                static_cast<int64_t>(end) + 4}));
}

TEST(HostileRos2, AHundredThousandOfNobodysMessagesAreLinksWithoutASend) {
  constexpr uint64_t kMessages = 100'000;
  Ros2Stream stream = talker_and_hearer();
  for (uint64_t i = 0; i < kMessages; ++i) {
    stream.take(1000 + i * 10, kHearer, 0x400, 0xC0, 900 + i);
    stream.callback(1001 + i * 10, 1005 + i * 10, kHearer, 0x404);
  }
  const Links links = read_ros2(stream);
  EXPECT_EQ(links.size(), kMessages);
  EXPECT_TRUE(std::ranges::all_of(links, [](const Link& link) { return link.send == -1; }));
}

TEST(HostileRos2, EventsWithoutTheirFieldsStayEvents) {
  const ScratchFolder folder;
  test::CtfMetadata metadata(test::kRosEnvironment, test::kRosContext);
  test::RosStream stream;
  uint16_t id = 0;
  for (const char* fields : {"", "string callback; string message; string publisher_handle;"}) {
    for (const char* name : {"ros2:rcl_node_init",
                             "ros2:rcl_publisher_init",
                             "ros2:rcl_subscription_init",
                             "ros2:rclcpp_subscription_callback_added",
                             "ros2:rcl_timer_init",
                             "ros2:rclcpp_timer_link_node",
                             "ros2:rclcpp_callback_register",
                             "ros2:rclcpp_publish",
                             "ros2:rmw_publish",
                             "ros2_caret:dds_bind_addr_to_stamp",
                             "ros2_caret:dds_bind_addr_to_addr",
                             "ros2:message_construct",
                             "ros2:rcl_take",
                             "ros2:dispatch_subscription_callback",
                             "ros2:rclcpp_ring_buffer_enqueue",
                             "ros2:rclcpp_ring_buffer_dequeue",
                             "ros2:callback_start",
                             "ros2:callback_end",
                             "roscpp:init_node",
                             "roscpp:new_connection",
                             "roscpp:subscriber_callback_added",
                             "roscpp:ptr_name_info",
                             "roscpp:publisher_message_queued",
                             "roscpp:subscriber_link_message_write",
                             "roscpp:subscriber_link_message_dropped",
                             "roscpp:publisher_link_handle_message",
                             "roscpp:subscription_message_queued",
                             "roscpp:subscription_message_dropped"}) {
      metadata.event(id, name, fields);
      const bool has_fields = *fields != 0;
      stream.add(id, kTalker, id,
                 has_fields ? test::CtfFields().text("a").text("b").text("c") : test::CtfFields());
      ++id;
    }
  }
  stream.write(folder / "trace", metadata);
  const auto reading = read(folder / "trace", {"ctf"});
  EXPECT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.punctual_events().size(), id);
  EXPECT_EQ(reading->sink.total(), id);
}

// ---- ROS 1

// A channel of /scan from 0x300 of the talker to 0x400 of the hearer.
Ros1Stream connected() {
  Ros1Stream stream;
  stream.add(1, kHearer, test::kCallbackAdded,
             test::CtfFields().number(uint64_t{0x800}).number(uint64_t{0x804}).text("/scan"));
  stream.connect(2, kTalker, "10.0.0.1:1", "10.0.0.2:2", 0x300);
  stream.connect(3, kHearer, "10.0.0.2:2", "10.0.0.1:1", 0x400);
  return stream;
}

void send(Ros1Stream& stream, uint64_t time) {
  stream.publish(time, kTalker, "/scan", 0xA0);
  stream.add(time + 1, kTalker, test::kWrite, numbers({0xA0, 0x300}));
}

void handle(Ros1Stream& stream, uint64_t time, int32_t receipt) {
  stream.add(time, kHearer, test::kHandle, numbers({0x400, 0xB0}));
  stream.at_queue(time + 1, kHearer, test::kQueued, "/scan", 0xB0, 0x800, 0xC0, receipt);
  stream.at_queue(time + 2, kHearer, test::kStart, "/scan", 0, 0x800, 0xC0, receipt);
  stream.at_queue(time + 3, kHearer, test::kEnd, "/scan", 0, 0x800, 0xC0, receipt);
}

TEST(HostileRos1, AMessageMayBeHandledBeforeItIsWritten) {
  Ros1Stream stream = connected();
  handle(stream, 100, 1);
  handle(stream, 110, 2);
  send(stream, 200);
  send(stream, 210);
  EXPECT_EQ(read_ros1(stream), (Links{{200, 102}, {210, 112}}));
}

TEST(HostileRos1, WhatIsReceivedOfNobodyHasNoSend) {
  Ros1Stream stream = connected();
  handle(stream, 100, 1);
  stream.add(200, kHearer, test::kHandle, numbers({0x999, 0xB0}));
  EXPECT_EQ(read_ros1(stream), (Links{{-1, 102}, {-1, 200}}));
}

TEST(HostileRos1, AMessageIsDroppedOnce) {
  Ros1Stream stream = connected();
  send(stream, 100);
  stream.add(110, kHearer, test::kHandle, numbers({0x400, 0xB0}));
  stream.at_queue(111, kHearer, test::kQueued, "/scan", 0xB0, 0x800, 0xC0, 1);
  for (const uint64_t time : {112, 113})
    stream.at_queue(time, kHearer, test::kDropped, "/scan", 0, 0x800, 0xC0, 1);
  EXPECT_EQ(read_ros1(stream), (Links{{100, -1}}));
}

TEST(HostileRos1, WhatWaitsIsBounded) {
  constexpr uint64_t kMessages = 50'000;
  Ros1Stream stream = connected();
  for (uint64_t i = 0; i < kMessages; ++i) send(stream, 1000 + i * 10);
  handle(stream, 2000 + kMessages * 10, 1);
  const Links links = read_ros1(stream);
  ASSERT_EQ(links.size(), kMessages);
  // The first that had not been forgotten.
  const auto handled =
      std::ranges::find_if(links, [](const Link& link) { return link.receive != -1; });
  ASSERT_NE(handled, links.end());
  EXPECT_GT(handled->send, 1000);
}

}  // namespace
}  // namespace weft::formats
