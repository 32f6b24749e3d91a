// covers FS-62, R7
// Spans of OpenTelemetry in protobuf, which mean what the same in JSON does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/proto_fields.h"

namespace weft::formats {
namespace {

using namespace std::literals;
using test::proto::bytes;
using test::proto::fixed64;
using test::proto::number;

constexpr std::string_view kTraceNumber =
    "\x5b\x8e\xff\xf7\x98\x03\x81\x03\xd2\x69\xb6\x33\x81\x3f\xc6\x0c";
constexpr std::string_view kServerNumber = "\xee\xe1\x9b\x7e\xc3\xc1\xb1\x74";
constexpr std::string_view kClientNumber = "\xee\xe1\x9b\x7e\xc3\xc1\xb1\x75";
constexpr uint64_t kBeginNs = 1'544'712'660'000'000'000;

std::string otlp_text(std::string_view text) { return bytes(1, text); }
std::string attribute(uint32_t field, std::string_view key, const std::string& value) {
  return bytes(field, bytes(1, key) + bytes(2, value));
}
std::string otlp_span(std::string_view id, std::string_view name, uint64_t begin_ms,
                      uint64_t length_ms, const std::string& more) {
  constexpr uint64_t kMs = 1'000'000;
  const uint64_t begin = kBeginNs + begin_ms * kMs;
  return bytes(2, bytes(1, kTraceNumber) + bytes(2, id) + bytes(5, name) + more +
                      fixed64(7, begin) + fixed64(8, begin + length_ms * kMs));
}

// All that otlp_everything.json says, in the same words.
std::string everything_in_otlp() {
  const std::string resource = bytes(1, attribute(1, "service.name", otlp_text("shop")) +
                                            attribute(1, "host.name", otlp_text("h1")) +
                                            attribute(1, "process.pid", number(3, 42)));
  const std::string scope =
      bytes(1, bytes(1, "lib") + bytes(2, "1.2") + attribute(3, "sc", number(2, 1)));
  const std::string list = bytes(5, bytes(1, otlp_text("x")) + bytes(1, fixed64(4, 1.5)));
  const std::string map = bytes(6, attribute(1, "k", bytes(7, "hi")));
  const std::string exception =
      bytes(11, fixed64(1, kBeginNs + 500'000'000) + bytes(2, "exception") +
                    attribute(3, "exception.type", otlp_text("E")) + number(4, 1));
  const std::string link = bytes(
      13, bytes(1, kTraceNumber) + bytes(2, kClientNumber) + attribute(4, "l", otlp_text("v")));
  const std::string server =
      otlp_span(kServerNumber, "GET /", 0, 1000,
                bytes(3, "a=b") + number(6, 2) + attribute(9, "http.status", number(3, 200)) +
                    attribute(9, "arr", list) + attribute(9, "kv", map) + number(10, 2) +
                    exception + number(12, 3) + link + bytes(15, bytes(2, "bad") + number(3, 2)));
  const std::string client =
      otlp_span(kClientNumber, "db", 100, 100, bytes(4, kServerNumber) + number(6, 3));
  return bytes(1, resource + bytes(2, scope + server + client));
}

// Lists of lists, deeper than anybody writes.
std::string deep_value(int depth) {
  return depth == 0 ? otlp_text("deep") : bytes(5, bytes(1, deep_value(depth - 1)));
}

std::string of_one_span(std::string_view name, const std::string& more = "") {
  return bytes(1, bytes(2, otlp_span(kClientNumber, name, 7, 3, more)));
}

std::string behind_length(const std::string& message) {
  return test::Bytes().big(static_cast<uint32_t>(message.size())).text(message).str();
}

std::string in_json(std::string_view name) {
  return R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"01","spanId":"02","name":")" +
         std::string(name) +
         R"(","startTimeUnixNano":"1544712660000000001","endTimeUnixNano":"1544712660000000002"}]}]}]})";
}

std::string framed() {
  const std::string values = attribute(9, "bytes", bytes(7, "\xFF\x01"sv)) +
                             attribute(9, "bytes of three", bytes(7, "abc")) +
                             attribute(9, "less than 0", number(3, static_cast<uint64_t>(-5))) +
                             attribute(9, "no", number(2, 0)) + attribute(9, "nothing", "");
  return behind_length(of_one_span("of values", values)) +
         behind_length(test::zstd_frame(of_one_span("packed"))) +
         behind_length(test::zstd_frame(in_json("packed, in JSON")));
}

std::string damaged_frames() {
  const std::string logs = bytes(1, bytes(2, bytes(2, fixed64(1, kBeginNs) + bytes(5, "said"))));
  return behind_length(of_one_span("first")) + behind_length(logs) +
         behind_length("\x28\xB5\x2F\xFD no frame of zstd") + behind_length("{no JSON") +
         behind_length(of_one_span("deep", attribute(9, "list", deep_value(100)))) +
         behind_length(of_one_span("whole") + "\x0A\x7F\x12") +
         test::Bytes().big(uint32_t{0x7FFFFFFF}).text("short").str();
}

TEST(Otlp, CasesAreWhatIsWritten) {
  const std::string whole = everything_in_otlp();
  test::expect_case("spans/succeed/otlp_message.pb", whole);
  test::expect_case("spans/succeed/otlp_frames.bin", framed());
  test::expect_case("spans/fail/otlp_cut.pb", whole + whole.substr(0, whole.size() - 20));
  test::expect_case("spans/fail/otlp_frames.bin", damaged_frames());
}

TEST(Otlp, SaysTheSameAsInJson) {
  const auto cases = std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats/spans/succeed";
  EXPECT_EQ(test::read(cases / "otlp_message.pb")->text(),
            test::read(cases / "otlp_everything.json")->text());
}

TEST(Otlp, ProfilesSayTheSameInJsonAndInProtobuf) {
  const auto cases =
      std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats/otlp_profile/succeed";
  const auto text_of = [&](const char* name) {
    return test::read(cases / name, {"otlp-profile"})->text();
  };
  EXPECT_THAT(text_of("one.json"), testing::HasSubstr("shop: cpu (nanoseconds)"));
  EXPECT_EQ(text_of("one.json"), text_of("message.pb"));
  EXPECT_THAT(text_of("times.json"), testing::HasSubstr("worker-1 (4712)"));
  EXPECT_EQ(text_of("times.json"), text_of("times_message.pb"));
}

}  // namespace
}  // namespace weft::formats
