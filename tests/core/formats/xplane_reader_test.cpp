// covers FS-62, R7
#include "core/formats/profiles/xplane/xplane_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/proto_fields.h"

namespace weft::formats {
namespace {

using test::proto::bytes;
using test::proto::fixed64;
using test::proto::number;

std::string named_stat(uint64_t id, std::string_view name) {
  return bytes(5, number(1, id) + bytes(2, number(1, id) + bytes(2, name)));
}
std::string named_event(uint64_t id, std::string_view name, const std::string& more = "") {
  return bytes(4, number(1, id) + bytes(2, number(1, id) + bytes(2, name) + more));
}
std::string stat(uint64_t id, const std::string& value) { return number(1, id) + value; }
std::string event(uint64_t name, uint64_t offset, uint64_t duration,
                  const std::string& stats = "") {
  return bytes(
      4, number(1, name) + number(2, offset) + (duration == 0 ? "" : number(3, duration)) + stats);
}
std::string line(std::string_view name, uint64_t time_ns, const std::string& events) {
  return bytes(3, number(1, 7) + bytes(2, name) + number(3, time_ns) + events);
}
std::string plane(std::string_view name, const std::string& fields) {
  return bytes(1, bytes(2, name) + fields);
}

std::string correlation(uint64_t id) { return bytes(4, stat(1, number(3, id))); }

std::string everything() {
  const std::string programs =
      plane("/host:metadata", named_event(1, "jit_f", bytes(5, stat(1, bytes(6, "hlo")))) +
                                  named_stat(1, "Hlo Proto"));
  const std::string all_kinds =
      bytes(4, stat(2, fixed64(2, 0.5))) + bytes(4, stat(3, number(4, static_cast<uint64_t>(-4)))) +
      bytes(4, stat(4, bytes(5, "said"))) + bytes(4, stat(5, bytes(6, "\1\2"))) +
      bytes(4, stat(6, number(7, 7))) + bytes(4, stat(99, number(4, 1)));
  const std::string device = plane(
      "/device:GPU:0",
      number(1, 3) +
          line("Stream #7", 2000,
               event(1, 5000, 4001, correlation(21) + all_kinds) +
                   event(1, 7000, 9000, correlation(22)) + event(9, 20'000, 1)) +
          bytes(3, bytes(2, "2") + bytes(11, "Steps") + number(3, 2000) + event(2, 1, 50'000) +
                       bytes(4, number(1, 2) + number(5, 12) + number(3, 100))) +
          named_event(1, "%fusion.1 = f32[] fusion()",
                      bytes(4, "fusion.1") + bytes(5, stat(8, bytes(5, "loop fusion")))) +
          named_event(2, "step") + named_stat(1, "correlation_id") + named_stat(2, "occupancy") +
          named_stat(3, "delta") + named_stat(4, "details") + named_stat(5, "proto") +
          named_stat(6, "tf_op") + named_stat(7, "jit(f)/add") + named_stat(8, "hlo_category") +
          bytes(6, stat(2, number(3, 304))) + bytes(6, stat(4, bytes(5, "AMD"))));
  const auto handed = [](std::string_view type, uint64_t id) {
    const uint64_t first = type == "give" ? 2 : 4;
    return bytes(4, stat(first, number(4, 15))) + bytes(4, stat(first + 1, number(4, id)));
  };
  const std::string host = plane(
      "/host:CPU",
      line("python", 1000,
           event(1, 0, 900'000, handed("give", 40)) + event(2, 1000, 2000, correlation(21)) +
               event(2, 4000, 2000, correlation(22)) +
               event(3, 5000, 0, bytes(4, stat(6, number(3, 5 << 2 | 2))))) +
          line("pool/1", 1000,
               event(4, 500'000, 1000, handed("take", 40)) +
                   event(4, 502'000, 1000, handed("take", 41)) +
                   event(4, 504'000, 1000, bytes(4, stat(6, number(3, 5 << 2 | 1))))) +
          named_event(1, "f") + named_event(2, "launch") + named_event(3, "allocate") +
          named_event(4, "run") + named_stat(1, "correlation_id") + named_stat(2, "_pt") +
          named_stat(3, "_p") + named_stat(4, "_ct") + named_stat(5, "_c") + named_stat(6, "flow"));
  return programs + device + host + bytes(3, "slow") + bytes(3, "old") + bytes(4, "host-1");
}

// As until 2023: times since 1970, without picoseconds.
std::string since_1970() {
  return plane("/host:CPU", line("main", 1'700'000'000'000'000'000,
                                 event(1, 1999, 2002) + event(1, 2000, 2000)) +
                                named_event(1, "step"));
}

std::string damaged() {
  const std::string events = event(1, 0, 1000) + bytes(4, "\xFF\xFF") +
                             event(1, 5, static_cast<uint64_t>(-5)) + event(1, INT64_MAX, 2) +
                             event(1, 2000, 1000);
  return plane("/host:CPU", line("main", 5, events) + line("cut", 5, event(1, 0, 10) + "\x22\x7F") +
                                named_event(1, "step") + bytes(4, "\xFF")) +
         bytes(2, "no device") +
         plane("/device:TPU:0", line("XLA Ops", 5, event(1, 0, 10) + event(1, 20, 10)))
             .substr(0, 45);
}

TEST(XPlane, CasesAreWhatIsWritten) {
  test::expect_case("xplane/succeed/everything.pb", everything());
  test::expect_case("xplane/succeed/since_1970.pb", since_1970());
  test::expect_case("xplane/fail/damaged.pb", damaged());
}

}  // namespace
}  // namespace weft::formats
