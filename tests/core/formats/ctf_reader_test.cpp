// covers FS-62, XC-02, R7
#include "core/formats/kernel/ctf/ctf_reader.h"

#include <babeltrace2/babeltrace.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <cstdio>

#include "core/formats/kernel/ctf/graph.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/ctf_2_samples.h"
#include "tests/core/formats/ctf_samples.h"
#include "tests/core/formats/cuts.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;
using test::CtfFields;
using test::CtfMetadata;
using test::CtfSample;
using test::read;
using test::ScratchFolder;
using testing::HasSubstr;

// Babeltrace 2.1 no longer says that a tracer lost events where it cannot say how many.
bool says_unknown_losses() { return bt_version_get_minor() == 0; }

std::string without_unknown_losses(std::string text) {
  constexpr std::string_view kUnsaid = "loss events lost by the tracer, how many is not known";
  const size_t at = text.find(kUnsaid);
  if (at == text.npos) return text;
  return text.erase(at, text.find('\n', at) + 1 - at);
}

class CtfCase : public testing::TestWithParam<CtfSample> {};

TEST_P(CtfCase, ReadsAsWritten) {
  const ScratchFolder folder;
  GetParam().write(folder / "trace");
  const fs::path expected = fs::path(WEFT_SOURCE_DIR) / "tests/core/formats/ctf" /
                            (GetParam().name + std::string(".txt"));
  const std::string text = read(folder / "trace", {"ctf"})->text();
  if (says_unknown_losses()) return test::expect_as_written(expected, text);
  EXPECT_EQ(text, without_unknown_losses(test::content_of(expected))) << expected;
}

std::string name_of(const testing::TestParamInfo<test::CtfSample>& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '/', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(, CtfCase, testing::ValuesIn(test::kCtfSamples), name_of);
INSTANTIATE_TEST_SUITE_P(Fatal, CtfCase, testing::ValuesIn(test::kFatalCtfSamples), name_of);
INSTANTIATE_TEST_SUITE_P(Version2, CtfCase, testing::ValuesIn(test::kCtf2Samples), name_of);

TEST(Ctf, WhatVersion2SaysInJsonIsReadAsItsTwin) {
  const ScratchFolder folder;
  test::write_ctf_fields(folder / "one");
  test::write_ctf_2(folder / "two");
  EXPECT_EQ(read(folder / "two")->text(), read(folder / "one")->text());
}

TEST(Ctf, AFolderIsRecognisedAndSoIsItsMetadata) {
  const ScratchFolder folder;
  test::write_ctf_session(folder / "trace");
  EXPECT_EQ(read(folder / "trace")->error, "");
  const auto one = read(folder / "trace/kernel/metadata");
  EXPECT_EQ(one->text(), read(folder / "trace/kernel")->text());
  EXPECT_THAT(read(folder / "trace/kernel/channel_0")->error, HasSubstr("a stream of a CTF trace"));
}

TEST(Ctf, MetadataInPacketsIsRecognised) {
  for (const std::string_view magic : {"\x57\x1D\xD1\x75", "\x75\xD1\x1D\x57"})
    EXPECT_EQ(sniff_ctf(std::as_bytes(std::span(magic))), 100);
  const std::string_view other = "key: value\n";
  EXPECT_EQ(sniff_ctf(std::as_bytes(std::span(other))), 0);
}

// LTTng writes packets with the header of version 1.8; by CTF2-PMETA-1.0 it is longer and says so.
TEST(Ctf, MetadataOfVersion2InPacketsIsReadAsItsText) {
  const ScratchFolder folder;
  test::write_ctf_2(folder / "text");
  const std::string metadata = test::content_of(folder / "text/metadata");
  const std::string schemes("\0\0\0\2\0", 5), rest("\0\0\0\x60\1\0\0", 7);
  for (const std::string& behind_version : {std::string(), rest}) {
    test::write_ctf_2(folder / "packets");
    std::string packets;
    constexpr size_t kContentBytes = 1000;
    for (size_t at = 0; at < metadata.size(); at += kContentBytes) {
      const std::string content = schemes + behind_version + metadata.substr(at, kContentBytes);
      constexpr uint32_t kBeforeSchemes = 32, kPadding = 3;
      const auto bytes = static_cast<uint32_t>(kBeforeSchemes + content.size());
      packets += CtfFields()
                     .number(uint32_t{0x75D11D57})
                     .text("", 16)
                     .number(uint32_t{0})
                     .number(bytes * 8)
                     .number((bytes + kPadding) * 8)
                     .bytes() +
                 content + std::string(kPadding, 'x');
    }
    test::write_file(folder / "packets/metadata", packets);
    EXPECT_EQ(read(folder / "packets")->text(), read(folder / "text")->text());
  }
}

// So many and so large events that they are handed from thread to thread in batches, some alone in
// one.
TEST(Ctf, EventsOfAnySizeAreWhole) {
  constexpr uint32_t kEvents = 5000;
  const auto text_of = [](uint32_t i) {
    return std::string(i % 1000 == 7 ? 4 << 20 : i % 50, static_cast<char>('a' + i % 26));
  };
  const ScratchFolder folder;
  test::write_file(
      folder / "trace/metadata",
      CtfMetadata(test::kKernelEnvironment).event(0, "tick", "uint32_t i; string s;").text());
  test::CtfStream stream(0, 3);
  for (uint32_t i = 0; i < kEvents; ++i) {
    stream.event(0, 100 + i, CtfFields().number(i).text(text_of(i)));
    if (i % 100 == 99) stream.packet();
  }
  test::write_file(folder / "trace/stream", stream.bytes());
  const auto reading = read(folder / "trace");
  EXPECT_EQ(reading->error, "");
  const auto& events = reading->sink.punctual_events();
  ASSERT_EQ(events.size(), kEvents);
  for (uint32_t i = 0; i < kEvents; ++i) {
    EXPECT_EQ(events[i].time, events[0].time + Duration{i});
    EXPECT_EQ(events[i].lane, events[0].lane) << "the packet's CPU is not known";
    EXPECT_EQ(reading->sink.params_of(events[i].params),
              fmt::format(R"({{"i":{},"s":"{}"}})", i, text_of(i)));
  }
}

// ---- The oracle

struct NamedTime {
  int64_t ns;
  std::string name;
  bool operator==(const NamedTime&) const = default;
};
std::ostream& operator<<(std::ostream& out, const NamedTime& event) {
  return out << event.ns << ' ' << event.name;
}

// All events, in order.
class AllEvents final : public ctf::Visitor {
 public:
  void begin(size_t, const bt_stream&, bool) override {}
  void packet(size_t, const bt_packet&) override {}
  void event(size_t, const bt_event& event, Time time) override {
    events.push_back({time.ticks, bt_event_class_get_name(bt_event_borrow_class_const(&event))});
  }
  void discarded(size_t, const ctf::Discarded&) override {}
  void failed(size_t, const std::string& why) override { errors.push_back(why); }
  void time_out_of_range(size_t) override {}
  bool keep_going() const override { return true; }

  std::vector<NamedTime> events;
  std::vector<std::string> errors;
};

// Events as `babeltrace2` prints them, one per line: "[0.000001100] box sched_switch: { cpu_id = 0
// }, …".
std::vector<NamedTime> events_by_babeltrace(const fs::path& trace) {
  const std::string command =
      fmt::format("babeltrace2 --clock-seconds --no-delta '{}' 2>/dev/null", trace.string());
  std::vector<NamedTime> events;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::array<char, 1 << 16> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    long long seconds = 0, nanoseconds = 0;
    if (std::sscanf(line.data(), "[%lld.%9lld]", &seconds, &nanoseconds) != 2) continue;
    std::string_view text = line.data();
    text = text.substr(0, text.find(": "));
    text.remove_prefix(text.find("] ") + 2);
    constexpr std::string_view kHost = "box ";
    if (text.starts_with(kHost)) text.remove_prefix(kHost.size());
    events.push_back({seconds * 1'000'000'000 + nanoseconds, std::string(text)});
  }
  ::pclose(pipe);
  return events;
}

TEST(Ctf, HasTheEventsTimesAndNamesOfBabeltrace) {
  if (std::system("command -v babeltrace2 >/dev/null") != 0) GTEST_SKIP() << "no babeltrace2";
  const ScratchFolder folder;
  for (const CtfSample& sample : test::kCtfSamples) {
    const std::string name = sample.name;
    const bool has_times = name.starts_with("succeed") && !name.ends_with("without_clock") &&
                           !name.contains("zephyr") && !name.ends_with("session") &&
                           !name.ends_with("gst_shark");
    if (!has_times) continue;
    const fs::path trace = folder / name;
    sample.write(trace);
    ctf::Graph graph;
    ASSERT_TRUE(graph.add({trace})) << name;
    AllEvents ours;
    ASSERT_TRUE(graph.run(ours)) << name;
    EXPECT_GT(ours.events.size(), 0u) << name;
    EXPECT_EQ(ours.events, events_by_babeltrace(trace)) << name;
  }
}

// The sample with one stream, which has a number and whose trace has one.
void write_of_recording(const fs::path& folder) {
  test::write_ctf_user(folder);
  std::string metadata = test::content_of(folder / "metadata");
  for (const auto& [what, by] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"trace {", "trace { uuid = \"2a6422d0-6cee-11e0-8c08-cb07d7b3a564\";"},
           {"uint32_t stream_id;", "uint32_t stream_instance_id;"},
           {"stream { id = 0;", "stream {"},
           {"stream_id = 0;", ""}}) {
    for (size_t at = 0; (at = metadata.find(what, at)) != metadata.npos; at += by.size())
      metadata.replace(at, what.size(), by);
  }
  std::ofstream(folder / "metadata", std::ios::binary) << metadata;
}

// As in snapshots of one recording.
TEST(Ctf, APacketThatLiesInSeveralTracesOfARecordingComesOnce) {
  const ScratchFolder folder;
  const auto events_of = [](const fs::path& path) { return read(path, {"ctf"})->sink.total(); };
  write_of_recording(folder / "one");
  const uint64_t events = events_of(folder / "one");
  EXPECT_GT(events, 3u);
  for (const char* part : {"1", "2", "3"}) write_of_recording(folder / "all" / part);
  EXPECT_EQ(events_of(folder / "all"), events);
  // If they cannot be read together, each readable one is read by itself.
  std::ofstream(folder / "all/2/metadata", std::ios::app) << "event {";
  EXPECT_EQ(events_of(folder / "all"), 2 * events);
}

// ---- Hostile

TEST(HostileCtf, ACounterOfLossesMayRunBackwards) {
  const ScratchFolder folder;
  test::write_file(
      folder / "trace/metadata",
      test::CtfMetadata(test::kKernelEnvironment).event(0, "tick", "uint32_t n;").text());
  test::CtfStream stream;
  for (const uint64_t lost : {5, 3})
    stream.event(0, 100, test::CtfFields().number(7u)).packet(lost);
  test::write_file(folder / "trace/stream", stream.bytes());
  const auto reading = read(folder / "trace");
  EXPECT_EQ(reading->error, "");
  // Before the first packet, too: nothing is known of the time before it.
  EXPECT_EQ(reading->sink.loss_count("events lost by the tracer, how many is not known"),
            says_unknown_losses() ? 2u : 0u);
  EXPECT_EQ(reading->sink.loss_count("events lost by the tracer"), 0u);
}

TEST(HostileCtf, NothingIsReadThroughALinkThatLeadsOut) {
  const ScratchFolder folder;
  test::write_ctf_fields(folder / "trace");
  fs::create_symlink("/etc/passwd", folder / "trace/stream2");
  EXPECT_EQ(read(folder / "trace")->error,
            "is a folder with a symbolic link that leads out of it: stream2");
}

TEST(HostileCtf, AStreamMayEndAnywhere) {
  const ScratchFolder folder;
  test::write_ctf_fields(folder / "trace");
  const std::string whole = test::content_of(folder / "trace/stream");
  for (const size_t size : test::cuts_of(whole.size())) {
    test::write_file(folder / "trace/stream", whole.substr(0, size));
    const auto reading = read(folder / "trace", {"ctf"});
    EXPECT_LE(reading->sink.total(), 2u) << size;
    EXPECT_EQ(reading->error, "") << size;
    EXPECT_TRUE(reading->sink.dictionary().report.has_damage()) << size;
  }
}

TEST(HostileCtf, ACutStreamIsALossOnItsCpu) {
  const ScratchFolder folder;
  test::write_ctf_kernel(folder / "trace");
  const std::string whole = test::content_of(folder / "trace/channel_1");
  test::write_file(folder / "trace/channel_1", whole.substr(0, whole.size() - 1));
  EXPECT_THAT(
      read(folder / "trace")->text(),
      testing::ContainsRegex("loss packets left out at the end of a stream that was cut x 1 "
                             "at nowhere \\(.*CPU 1 at [0-9]+\\)"));
}

TEST(HostileCtf, MetadataInPacketsMayBeCut) {
  const ScratchFolder folder;
  test::write_ctf_fields(folder / "trace");
  const std::string text = test::content_of(folder / "trace/metadata");
  constexpr uint32_t kHeaderBytes = 37;
  std::string whole("\x57\x1D\xD1\x75", 4);
  whole.resize(24);  // behind a UUID and a checksum that nobody checks
  const auto bits = static_cast<uint32_t>((kHeaderBytes + text.size()) * 8);
  for (int i = 0; i < 2; ++i) whole.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  whole += std::string("\0\0\0\1\x08", 5) + text;
  const auto with = [&](std::string_view metadata) {
    test::write_file(folder / "trace/metadata", std::string(metadata));
    return read(folder / "trace")->error;
  };
  EXPECT_EQ(with(whole), "");
  for (const size_t size : {whole.size() - 1, size_t{100}, size_t{20}}) {
    EXPECT_EQ(with(std::string_view(whole).substr(0, size)),
              fmt::format("metadata was cut at byte {}", size));
  }
  EXPECT_EQ(with(whole + std::string(100, '\0')),
            fmt::format("metadata is damaged at byte {}", whole.size()));
}

TEST(HostileCtf, OfACutStreamTheOthersAreWhole) {
  const ScratchFolder folder;
  test::write_ctf_fields(folder / "trace");
  const std::string whole = test::content_of(folder / "trace/stream");
  const uint64_t events = read(folder / "trace", {"ctf"})->sink.total();
  for (const size_t size : {size_t{1}, size_t{40}, whole.size() - 1}) {
    test::write_file(folder / "trace/other", whole.substr(0, size));
    const auto reading = read(folder / "trace", {"ctf"});
    EXPECT_EQ(reading->error, "") << size;
    EXPECT_GE(reading->sink.total(), events) << size;
    EXPECT_TRUE(reading->sink.dictionary().report.has_damage()) << size;
  }
}

TEST(HostileCtf, EventsWithoutBytesEnd) {
  const ScratchFolder folder;
  test::write_ctf_endless(folder / "trace");
  const auto reading = read(folder / "trace", {"ctf"});
  EXPECT_LT(reading->sink.total(), 10'000u);
  // Babeltrace 2.1 takes none of them.
  EXPECT_EQ(reading->sink.loss_count(
                "a stream ends early: events without bytes, of which there is no end") +
                reading->sink.loss_count("a stream ends early: an event without bytes"),
            1u);
}

TEST(HostileCtf, EventsWithoutBytesLeaveOtherTraces) {
  const ScratchFolder folder;
  test::write_ctf_kernel(folder / "all/kernel");
  const uint64_t events = read(folder / "all")->sink.total();
  test::write_ctf_endless(folder / "all/endless");
  const auto reading = read(folder / "all");
  EXPECT_EQ(reading->error, "");
  EXPECT_GE(reading->sink.total(), events);
  EXPECT_LT(reading->sink.total(), events + 10'000u);
  EXPECT_TRUE(reading->sink.dictionary().report.has_damage());
}

TEST(HostileCtf, APacketThatSaysItIsLargerThanItsFile) {
  const ScratchFolder folder;
  test::write_ctf_fields(folder / "trace");
  std::string bytes = test::content_of(folder / "trace/stream");
  constexpr size_t kPacketSizeAt = 32;
  for (const uint64_t bits : {uint64_t{0}, uint64_t{7}, uint64_t{1} << 40}) {
    std::memcpy(bytes.data() + kPacketSizeAt, &bits, sizeof bits);
    test::write_file(folder / "trace/stream", bytes);
    const auto reading = read(folder / "trace", {"ctf"});
    EXPECT_NE(reading->error.empty(), !reading->sink.dictionary().report.has_damage()) << bits;
  }
}

TEST(HostileCtf, AClockBeyondTheRangeOfNanosecondsCountsFromItsOrigin) {
  const ScratchFolder folder;
  test::write_ctf_fields(folder / "trace");
  std::string metadata = test::content_of(folder / "trace/metadata");
  metadata.replace(metadata.find("offset = 1000;"), 14, "offset_s = 1351530929945824323;");
  test::write_file(folder / "trace/metadata", metadata);
  const auto reading = read(folder / "trace");
  ASSERT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.punctual_events().at(0).time.ticks, 1);
  EXPECT_EQ(reading->sink.dictionary().metadata.at("clock offset left out"),
            "1351530929945824323 s");
}

}  // namespace
}  // namespace weft::formats
