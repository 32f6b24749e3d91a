// covers R7
// Bags of messages: MCAP and ROS 1.
#include <bzlib.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/formats/base/lz_blocks.h"
#include "core/formats/messages/bags/mcap_reader.h"
#include "core/formats/messages/bags/rosbag_reader.h"
#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using namespace std::string_view_literals;
using test::Bytes;
using test::zstd_frame;

constexpr uint64_t kBagTime = 1'700'000'000'000'000'000;

std::string sized(std::string_view text) {
  return Bytes().little(static_cast<uint32_t>(text.size())).text(text).str();
}

// A frame of one block that is not compressed, as the program lz4 writes what cannot be: with the
// checksum of its head, which nobody looks at, and of what it holds.
std::string lz4_frame(std::string_view plain, bool has_checksum = true) {
  Bytes all;
  all.little(0x184D2204u).little(static_cast<uint8_t>(has_checksum ? 0x64 : 0x60));
  all.little(uint8_t{0x40}).little(uint8_t{0});
  all.little(static_cast<uint32_t>(plain.size()) | 1u << 31).text(plain).little(0u);
  if (has_checksum) all.little(0u);
  return all.str();
}

std::string bzip2(std::string plain) {
  std::string out(plain.size() + 1024, '\0');
  auto size = static_cast<unsigned>(out.size());
  BZ2_bzBuffToBuffCompress(out.data(), &size, plain.data(), static_cast<unsigned>(plain.size()), 1,
                           0, 0);
  out.resize(size);
  return out;
}

std::string mcap_record(uint8_t kind, const Bytes& content) {
  Bytes all;
  all.little(kind).little(static_cast<uint64_t>(content.size())).text(content.str());
  return all.str();
}
std::string mcap_message(uint16_t channel, uint32_t sequence, uint64_t time, uint64_t published,
                         std::string_view data) {
  Bytes all;
  all.little(channel).little(sequence).little(time).little(published).text(data);
  return mcap_record(5, all);
}
std::string mcap_chunk(std::string_view compression, std::string_view plain,
                       std::string_view packed) {
  Bytes all;
  all.little(uint64_t{0}).little(uint64_t{0}).little(static_cast<uint64_t>(plain.size()));
  all.little(0u).text(sized(compression));
  all.little(static_cast<uint64_t>(packed.size())).text(packed);
  return mcap_record(6, all);
}
std::string mcap_schema() {
  return mcap_record(3, Bytes()
                            .little(uint16_t{1})
                            .text(sized("std_msgs/msg/String"))
                            .text(sized("ros2msg"))
                            .text(sized("string data")));
}
std::string mcap_channel(uint16_t id, uint16_t schema, std::string_view topic,
                         std::string_view encoding) {
  Bytes all;
  all.little(id).little(schema).text(sized(topic)).text(sized(encoding)).text(sized(""));
  return mcap_record(4, all);
}
const std::string kMcapBegin("\x89MCAP0\r\n"sv);

std::string every_mcap_record() {
  std::string all = kMcapBegin + mcap_record(1, Bytes().text(sized("ros2")).text(sized("lib 1")));
  all += mcap_schema() + mcap_channel(1, 1, "/chatter", "cdr");
  all += mcap_message(1, 1, kBagTime, kBagTime - 500, "hello");
  const std::string plain = mcap_channel(2, 0, "/state", "json") +
                            mcap_channel(1, 1, "/other", "") +
                            mcap_message(2, 7, kBagTime + 1'000, kBagTime + 1'000, R"({"x":1})") +
                            mcap_message(2, 8, kBagTime + 2'000, kBagTime + 1'000, "no JSON");
  all += mcap_chunk("", plain, plain);
  const auto next = [](uint32_t i) {
    return mcap_message(1, i, kBagTime + 1'000 * uint64_t{i}, 0, "packed");
  };
  all += mcap_chunk("lz4", next(3), lz4_frame(next(3)));
  all += mcap_chunk("zstd", next(4), zstd_frame(next(4)));
  all += mcap_record(7, Bytes().little(uint16_t{1}).little(0u));  // an index
  all += mcap_record(9, Bytes()
                            .little(kBagTime + 9'000)
                            .little(uint64_t{0})
                            .text(sized("calib.txt"))
                            .text(sized("text/plain"))
                            .little(uint64_t{5})
                            .text("abcde")
                            .little(0u));
  all += mcap_record(12, Bytes().text(sized("robot")).text(sized(sized("serial") + sized("42"))));
  all += mcap_record(15, Bytes().little(0u));
  all += mcap_record(2, Bytes().little(uint64_t{0}).little(uint64_t{0}).little(0u));
  return all + kMcapBegin;
}

std::string damaged_mcap() {
  std::string all = kMcapBegin + mcap_schema() + mcap_channel(1, 1, "/chatter", "cdr");
  all += mcap_message(3, 1, kBagTime, kBagTime, "of nobody's topic");
  all += mcap_record(5, Bytes().little(uint16_t{1}));
  all += mcap_record(4, Bytes().little(uint16_t{5}).little(uint16_t{1}).little(1'000u));
  const std::string good = mcap_message(1, 2, UINT64_MAX, kBagTime, "late");
  all += mcap_chunk("zstd", good, zstd_frame(good).substr(0, 20));
  all += mcap_chunk("lz4", good, "no frame");
  all += mcap_chunk("brotli", good, good);
  all += mcap_chunk("", good + "\5", good + "\5");
  all += mcap_chunk("zstd", "", zstd_frame(good));  // says that it is empty
  all += mcap_record(12, Bytes().text(sized("robot")).text(sized(sized("serial") + "\7")));
  Bytes huge;
  return all + huge.little(uint8_t{5}).little(uint64_t{1} << 20).text("cut").str();
}

using BagFields = std::initializer_list<std::pair<std::string_view, std::string>>;
std::string bag_fields(BagFields fields) {
  std::string all;
  for (const auto& [name, value] : fields) all += sized(std::string(name) + "=" + value);
  return all;
}
std::string bag_record(BagFields head, std::string_view data) {
  return sized(bag_fields(head)) + sized(data);
}
std::string u32(uint32_t value) { return Bytes().little(value).str(); }

std::string bag_connection(uint32_t id, std::string_view topic, std::string_view type) {
  return bag_record(
      {{"op", "\7"}, {"conn", u32(id)}, {"topic", std::string(topic)}},
      bag_fields(
          {{"topic", std::string(topic)}, {"type", std::string(type)}, {"callerid", "/talker"}}));
}
std::string bag_message(uint32_t id, uint32_t seconds, uint32_t ns, std::string_view data) {
  return bag_record({{"op", "\2"}, {"conn", u32(id)}, {"time", u32(seconds) + u32(ns)}}, data);
}
std::string bag_chunk(std::string_view compression, std::string_view plain,
                      std::string_view packed) {
  return bag_record({{"op", "\5"},
                     {"compression", std::string(compression)},
                     {"size", u32(static_cast<uint32_t>(plain.size()))}},
                    packed);
}
const std::string kBagBegin = "#ROSBAG V2.0\n";

std::string every_bag_record() {
  std::string all = kBagBegin + bag_record({{"op", "\3"}, {"conn_count", u32(2)}}, "    ");
  const std::string first =
      bag_connection(0, "/chatter", "std_msgs/String") + bag_message(0, 1'700'000'000, 5, "hello");
  const std::string second = bag_connection(1, "/scan", "sensor_msgs/LaserScan") +
                             bag_message(1, 1'700'000'001, 6, std::string(2'000, 'x'));
  const std::string third = bag_message(0, 1'700'000'002, 7, "bye");
  all += bag_chunk("none", first, first);
  all += bag_record({{"op", "\4"}, {"conn", u32(0)}}, "index");
  all += bag_chunk("bz2", second, bzip2(second)) + bag_chunk("lz4", third, lz4_frame(third));
  return all + bag_connection(0, "/chatter", "std_msgs/String");
}

std::string damaged_bag() {
  const std::string good = bag_message(0, 1, 1, "one");
  std::string all = kBagBegin + bag_connection(0, "/chatter", "std_msgs/String");
  all += sized(sized("no field")) + sized("");
  all += bag_record({{"conn", u32(0)}}, "without a kind");
  all += bag_message(9, 1, 2, "of nobody's topic") + bag_record({{"op", "\2"}}, "without a time");
  all += bag_record({{"op", "\7"}, {"conn", u32(2)}}, "no fields");
  all += bag_chunk("bz2", good, bzip2(good).substr(0, 30)) + bag_chunk("lz4", good, "no frame");
  all += bag_chunk("snappy", good, good) + bag_chunk("none", good, good + "rest");
  return all + bag_message(0, 2, 0, "cut").substr(0, 20);
}

TEST(Bags, AreReadWhatTheirRecordsAre) {
  test::expect_case("mcap/succeed/everything.mcap", every_mcap_record());
  test::expect_case("mcap/fail/damaged.mcap", damaged_mcap());
  test::expect_case("rosbag/succeed/everything.bag", every_bag_record());
  test::expect_case("rosbag/fail/damaged.bag", damaged_bag());
}

TEST(Bags, AreKnownByTheirBegin) {
  const auto bytes = [](std::string_view text) { return std::as_bytes(std::span(text)); };
  EXPECT_EQ(sniff_mcap(bytes(kMcapBegin)), 100);
  EXPECT_EQ(sniff_mcap(bytes("\x89MCAP1\r\n")), 0);
  EXPECT_EQ(sniff_rosbag(bytes(kBagBegin)), 100);
  EXPECT_EQ(sniff_rosbag(bytes("#ROSBAG V1.2\n")), 0);
}

TEST(Bags, FramesOfLz4AreUnpackedWhateverTheyAreMadeOf) {
  const auto unpacked = [](const std::string& in, uint64_t most = 1000) {
    std::string out;
    return unpack_lz4_frame(in, most, out) ? out : "damaged";
  };
  EXPECT_EQ(unpacked(lz4_frame("plain")), "plain");
  EXPECT_EQ(unpacked(lz4_frame("one ") + lz4_frame("two", false)), "one two");
  EXPECT_EQ(unpacked(lz4_frame("longer than it may be"), 5), "damaged");
  EXPECT_EQ(unpacked(""), "");
  // A block that repeats what the one before holds: "abc", then six bytes from three behind.
  Bytes linked;
  linked.little(0x184D2204u).little(uint8_t{0x40}).little(uint8_t{0x40}).little(uint8_t{0});
  linked.little(3u | 1u << 31).text("abc");
  linked.little(4u).text(std::string_view("\x02\x03\x00\x00", 4)).little(0u);
  EXPECT_EQ(unpacked(linked.str()), "abcabcabc");
  const std::string whole = linked.str();
  for (size_t size = 1; size < whole.size(); ++size)
    EXPECT_EQ(unpacked(whole.substr(0, size)), "damaged") << size;
}

}  // namespace
}  // namespace weft::formats
