// covers FS-62, R7
#include "core/formats/xplane_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::Bytes;

std::string number(uint32_t field, uint64_t value) {
  return Bytes().varint(field << 3).varint(value).str();
}
std::string real(uint32_t field, double value) {
  return Bytes().varint(field << 3 | 1).little(value).str();
}
std::string bytes(uint32_t field, std::string_view value) {
  return Bytes().varint(field << 3 | 2).varint(value.size()).text(value).str();
}

std::string entry(uint32_t field, uint64_t key, const std::string& value) {
  return bytes(field, number(1, key) + bytes(2, value));
}
std::string stat_name(uint64_t id, std::string_view name) {
  return entry(5, id, number(1, id) + bytes(2, name));
}
// `value`: the field of the stat.
std::string stat(uint32_t field, uint64_t name, const std::string& value) {
  return bytes(field, number(1, name) + value);
}
// Times in picoseconds.
std::string event(uint64_t name, uint64_t begin, uint64_t duration, const std::string& stats = "") {
  return bytes(4, number(1, name) + number(2, begin) + number(3, duration) + stats);
}

std::string host() {
  std::string plane = bytes(2, "/host:CPU");
  plane += bytes(
      3, number(1, 7) + bytes(2, "python3") + number(3, 1'000'000) +
             event(1, 0, 5'000'500, stat(4, 1, number(4, 3)) + stat(4, 2, number(7, 9))) +
             event(2, 1'000'999, 2'000'001, stat(4, 3, number(3, 5)) + stat(4, 4, number(3, 77))));
  // A part of the same line; an instant; one that is only counted; a name that is not there.
  plane += bytes(3, number(1, 7) + bytes(2, "python3") + number(3, 2'000'000) +
                        event(1, 1000, 0, stat(4, 8, real(2, 0.5))) +
                        bytes(4, number(1, 2) + number(5, 12)) + event(99, 2000, 3000));
  plane += bytes(3, number(1, 8) + bytes(2, "idle"));
  plane += entry(4, 1, number(1, 1) + bytes(2, "train") + stat(5, 6, bytes(6, "\1\2\3")));
  plane += entry(4, 2, number(1, 2) + bytes(2, "launch"));
  plane += stat_name(1, "step_num") + stat_name(2, "kind") + stat_name(3, "correlation_id") +
           stat_name(4, "producer_id") + stat_name(6, "program") + stat_name(8, "share") +
           stat_name(9, "of a reference");
  return bytes(1, plane);
}

std::string device() {
  std::string plane = number(1, 2) + bytes(2, "/device:GPU:0");
  plane += bytes(3, number(1, 1) + bytes(2, "13") + bytes(11, "Stream #13") + number(3, 1'000'000) +
                        event(1, 4'000'000, 1'000'000,
                              stat(4, 1, number(3, 5)) + stat(4, 2, number(3, 77)) +
                                  stat(4, 3, bytes(5, "matmul"))));
  plane += entry(4, 1, number(1, 1) + bytes(2, "%fusion.1 = f32[2]") + bytes(4, "fusion.1"));
  plane += stat_name(1, "correlation_id") + stat_name(2, "consumer_id") + stat_name(3, "op") +
           stat_name(4, "memory");
  plane += stat(6, 4, number(4, 80)) + stat(6, 3, bytes(5, "A100"));
  return bytes(1, plane);
}

TEST(Xplane, ReadsAsWritten) {
  const std::string all = host() + device() + bytes(2, "an error") + bytes(4, "node-1");
  test::expect_case("xplane/succeed/everything.pb", all);
  std::string damaged = host() + device();
  damaged[damaged.find("launch") - 1] = '\x7F';  // a text that is longer than there is
  test::expect_case("xplane/fail/damaged.pb", damaged);
  test::expect_case("xplane/fail/cut.pb", host() + device().substr(0, 60));
}

}  // namespace
}  // namespace weft::formats
