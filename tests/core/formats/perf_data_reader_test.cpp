// covers FS-62, R7
#include "core/formats/kernel/perf/perf_data_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "core/formats/kernel/perf/perf_player.h"
#include "tests/core/formats/bytes.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/perf_data_writer.h"
#include "tests/core/formats/recording_sink.h"
#include "tests/core/io/compress.h"

namespace weft::formats {
namespace {

using namespace test::perf_data;
using test::Bytes;
using test::read;
using test::ScratchFolder;

constexpr uint64_t kClockId = 11, kSwitchId = 12;

Bytes attributes(uint32_t type, uint64_t config, uint64_t sample_type) {
  return Bytes()
      .little(type)
      .little(uint32_t{64})
      .little(config)
      .little(uint64_t{1000})
      .little(sample_type)
      .little(uint64_t{0})
      .little(uint64_t{1} << 18)
      .little(uint64_t{0})
      .little(uint64_t{0});
}

std::string record(uint32_t type, const Bytes& body) {
  return Bytes()
      .little(type)
      .little(uint16_t{2})
      .little(static_cast<uint16_t>(8 + body.size()))
      .text(body.str())
      .str();
}

// The trailer of records that are not samples: thread, time, CPU, identifier.
Bytes ended(Bytes body, uint64_t time) {
  return body.pad(8)
      .little(uint32_t{7})
      .little(uint32_t{7})
      .little(time)
      .little(uint64_t{0})
      .little(kClockId);
}

Bytes name16(std::string_view name) {
  std::string out(name);
  out.resize(16, '\0');
  return Bytes().text(out);
}

Bytes switched(uint64_t time, std::string_view from, uint32_t from_pid, uint64_t state,
               std::string_view to, uint32_t to_pid) {
  Bytes raw;
  raw.little(uint64_t{314}).text(name16(from).str()).little(from_pid).little(uint32_t{120});
  raw.little(state).text(name16(to).str()).little(to_pid).little(uint32_t{120});
  Bytes out = sample(kSwitchId, from_pid, from_pid, time, 1, {});
  out.little(static_cast<uint32_t>(raw.size() + 4)).text(raw.str()).little(uint32_t{0});
  return out;
}

std::string records() {
  constexpr uint64_t kKernel = ~uint64_t{0} - 127, kUser = ~uint64_t{0} - 511;
  std::string out;
  out += record(kMmap, ended(mapping(UINT32_MAX, 0xFFFF0000, 0x1000, "[kernel.kallsyms]_text"), 0));
  out += record(
      kComm,
      ended(Bytes().little(uint32_t{7}).little(uint32_t{7}).text("app").little(uint8_t{0}), 90));
  out += record(kMmap, ended(mapping(7, 0x1000, 0x1000, "/usr/bin/app"), 95));
  out += record(kMmap, ended(mapping(7, 0x7000, 0x1000, "/usr/lib/libc.so.6"), 95));
  out += record(kFork, ended(Bytes()
                                 .little(uint32_t{8})
                                 .little(uint32_t{7})
                                 .little(uint32_t{8})
                                 .little(uint32_t{7})
                                 .little(uint64_t{96}),
                             96));
  out += record(kSample, sample(kClockId, 7, 7, 200, 0, {kUser, 0x7010, 0x7020, 0x1010}));
  out += record(kSample, sample(kClockId, 7, 7, 100, 0, {kUser, 0x1010}));  // sorted
  out += record(kFinishedRound, {});
  out += record(kSample, sample(kClockId, 8, 8, 250, 0, {kKernel, 0xFFFF0010, kUser, 0x1010}));
  out += record(kSample, switched(300, "app", 7, 1, "other", 9));
  out += record(kSample, switched(400, "other", 9, 0, "app", 7));
  out += record(kLost, ended(Bytes().little(kClockId).little(uint64_t{23}), 410));
  out += record(kFinishedRound, {});
  return out;
}

// A file: header, attributes, where their numbers stand, records, and the events' names.
std::string file(const std::string& data, uint32_t more_features = 0) {
  constexpr uint64_t kHeader = 104, kEach = 64 + 16;
  const uint64_t ids = kHeader, events = ids + 16, begin = events + 2 * kEach;
  Bytes names;
  names.little(uint32_t{2}).little(uint32_t{64});
  const auto name = [&](const Bytes& event, std::string_view text, uint64_t id) {
    std::string padded(text);
    padded.resize(32, '\0');
    names.text(event.str()).little(uint32_t{1}).little(uint32_t{32}).text(padded).little(id);
  };
  const Bytes clock = attributes(1, 0, kSampled), sched = attributes(2, 314, kSampled | kRawSample);
  name(clock, "cpu-clock:u", kClockId);
  name(sched, "sched:sched_switch", kSwitchId);
  const uint64_t sections = more_features == 0 ? 2 : 3;
  const uint64_t features = begin + data.size(), first = features + sections * 16;
  Bytes host;
  host.little(uint32_t{8}).text("board").pad(4);
  host.text(std::string(4, '\0'));

  Bytes out;
  out.text("PERFILE2").little(kHeader).little(kEach).little(events).little(2 * kEach);
  out.little(begin).little(uint64_t{data.size()}).little(uint64_t{0}).little(uint64_t{0});
  out.little(uint64_t{1 << 3 | 1 << 12 | more_features}).text(std::string(24, '\0'));
  out.little(kClockId).little(kSwitchId);
  out.text(clock.str()).little(ids).little(uint64_t{8});
  out.text(sched.str()).little(ids + 8).little(uint64_t{8});
  out.text(data);
  out.little(first).little(uint64_t{host.size()});
  out.little(first + host.size()).little(uint64_t{names.size()});
  if (sections > 2) out.little(first + host.size() + names.size()).little(uint64_t{0});
  return out.text(host.str()).text(names.str()).str();
}

// As written by perf before Linux 3.6: the names of tracepoints precede the records.
std::string first_version() {
  constexpr uint64_t kHeader = 104, kEach = 64 + 16, kType = 8 + 64;
  const uint64_t types = kHeader, ids = types + kType, events = ids + 16,
                 begin = events + 2 * kEach;
  const std::string data = records();
  std::string name = "sched:sched_switch";
  name.resize(64, '\0');
  Bytes out;
  out.text("PERFFILE").little(kHeader).little(kEach).little(events).little(2 * kEach);
  out.little(begin).little(uint64_t{data.size()}).little(types).little(kType);
  out.text(std::string(32, '\0')).little(uint64_t{314}).text(name);
  out.little(kClockId).little(kSwitchId);
  out.text(attributes(1, 0, kSampled).str()).little(ids).little(uint64_t{8});
  out.text(attributes(2, 314, kSampled | kRawSample).str()).little(ids + 8).little(uint64_t{8});
  return out.text(data).str();
}

// Through a pipe: events and what describes them are records, too.
std::string pipe() {
  constexpr uint32_t kAttributes = 64, kFeature = 80;
  std::string out = Bytes().text("PERFILE2").little(uint64_t{16}).str();
  out += record(kAttributes, attributes(1, 0, kSampled).little(kClockId));
  out += record(kAttributes, attributes(2, 314, kSampled | kRawSample).little(kSwitchId));
  out += record(kFeature,
                Bytes().little(uint64_t{3}).little(uint32_t{6}).text("board").little(uint8_t{0}));
  return out + records();
}

std::string damaged_perf_data() {
  std::string data = record(kSample, sample(kClockId, 7, 7, 100, 0, {0x1010}));
  data += record(kSample, Bytes().little(kClockId).little(uint64_t{0}));  // cut
  data += record(kMmap, Bytes().little(uint32_t{1}));
  data += record(kComm, Bytes().little(uint32_t{1}));
  data += record(81, Bytes().text("compressed"));
  data += record(kSample, sample(kClockId, 7, 7, 50, 0, {~uint64_t{0}, 0x1, 0x2}));
  data += Bytes().little(uint32_t{9}).little(uint16_t{0}).little(uint16_t{3}).str();  // no length
  return file(data);
}

// As by `perf record -z`: pieces of one stream, which end within records.
std::string compressed() {
  constexpr uint32_t kCompressed = 81, kCompressed2 = 83;
  const std::string all = records();
  const size_t end = all.rfind(record(kFinishedRound, {}));
  const std::string stream = test::zstd(all.substr(0, end));
  const size_t first = stream.size() / 3, second = 2 * first;
  std::string out = record(kCompressed, Bytes().text(stream.substr(0, first)));
  for (const std::string& piece : {stream.substr(first, second - first), stream.substr(second)}) {
    Bytes body;
    body.little(uint64_t{piece.size()}).text(piece).pad(8);
    out += record(kCompressed2, body);
  }
  return out + record(kFinishedRound, {});
}

// As by `perf stat record -A -I 10`: what two processors have counted so far, interval by interval.
std::string counts() {
  constexpr uint32_t kConfiguration = 75, kCount = 76, kInterval = 77;
  const auto count = [](uint64_t id, uint32_t cpu, uint64_t value, uint64_t enabled,
                        uint64_t running) {
    return record(kCount, Bytes()
                              .little(id)
                              .little(cpu)
                              .little(uint32_t{0})
                              .little(value)
                              .little(enabled)
                              .little(running));
  };
  const auto interval = [](uint64_t end) {
    return record(kInterval, Bytes().little(uint64_t{0}).little(end));
  };
  std::string out =
      record(kConfiguration, Bytes().little(uint64_t{1}).little(uint64_t{0}).little(uint64_t{0}));
  out += count(kClockId, 0, 1000, 1000, 1000) + count(kClockId, 1, 300, 300, 300);
  out += count(kSwitchId, 0, 0, 1000, 0) + interval(10'000);
  out += count(kClockId, 0, 1500, 1600, 1600) + count(kClockId, 1, 400, 500, 400);
  out += count(77, 1, 5, 100, 100) + interval(20'000);
  out += record(kCount, Bytes().little(kClockId));  // cut
  return out + interval(15'000) + record(kInterval, Bytes());
}

TEST(PerfData, CasesAreWhatIsWritten) {
  test::expect_case("perf_data/succeed/file.data", file(records()));
  test::expect_case("perf_data/succeed/pipe.data", pipe());
  test::expect_case("perf_data/succeed/first_version.data", first_version());
  test::expect_case("perf_data/fail/damaged.data", damaged_perf_data());
  test::expect_case("perf_data/fail/counts.data", file(counts()));
  std::string unfinished = file(records());
  unfinished.replace(48, 8, std::string(8, '\0'));
  test::expect_case("perf_data/fail/unfinished.data", unfinished);
}

// The bytes differ between versions of zstd.
TEST(PerfData, WhatIsCompressedReadsAsItsCase) {
  const auto* const written =
      WEFT_SOURCE_DIR "/tests/core/formats/perf_data/succeed/compressed.data";
  const ScratchFolder folder;
  const auto now = read(folder.write("now.data", file(compressed())));
  EXPECT_EQ(now->text(), read(written)->text());
}

// As by `perf record --threads`: each thread's records are in a file beside it.
TEST(PerfData, FilesOfThreadsAreReadInTheOrderOfTime) {
  constexpr uint32_t kDirectory = 1 << 24;
  const std::string samples[] = {record(kSample, sample(kClockId, 7, 7, 100, 0, {0x1010})),
                                 record(kSample, sample(kClockId, 8, 8, 200, 1, {0x1010})),
                                 record(kSample, sample(kClockId, 7, 7, 300, 0, {0x1010}))};
  const std::string mapped = record(kMmap, ended(mapping(7, 0x1000, 0x1000, "/usr/bin/app"), 95));
  const ScratchFolder folder;
  const auto whole =
      read(folder.write("whole.data", file(mapped + samples[0] + samples[1] + samples[2])));
  const std::string main = folder.write("data", file(mapped, kDirectory));
  EXPECT_THAT(read(main)->text(), testing::HasSubstr("loss files of its threads"));
  (void)folder.write("data.0", samples[0] + samples[2]);
  (void)folder.write("data.1", samples[1]);
  EXPECT_EQ(read(main)->text(), whole->text());
  (void)folder.write("data.1", samples[1].substr(0, 20));
  EXPECT_THAT(read(main)->text(), testing::HasSubstr("input ends within a record"));
}

TEST(PerfData, MappingsStayWithinTheMemory) {
  std::string data = record(kSample, sample(kClockId, 7, 7, 100, 0, {0x1010}));
  for (uint32_t i = 0; i < 1000; ++i)
    data += record(kMmap, ended(mapping(i, 0x1000, 0x1000, "/usr/bin/app"), 95));
  const ScratchFolder folder;
  const auto reading = read(folder.write("t.data", file(data)), {"perf-data", 0, 64 << 10});
  EXPECT_GT(reading->sink.loss_count("mapping beyond the memory for them"), 900u);
}

TEST(PerfData, SamplesWithoutStacksHaveWhereTheyAre) {
  const ScratchFolder folder;
  const std::string data = record(kMmap, ended(mapping(7, 0x1000, 0x1000, "/usr/bin/app"), 90)) +
                           record(kSample, sample(kClockId, 7, 7, 100, 0, {})) +
                           record(kSample, sample(kClockId, 7, 7, 200, 0, {}));
  EXPECT_THAT(read(folder.write("t.data", file(data)))->text(),
              testing::HasSubstr("state 100 to 300 on process 7/thread 7: \"[app]\""));
}

TEST(PerfData, EachCpuHasAnIdleTask) {
  const ScratchFolder folder;
  std::string data;
  for (uint64_t time = 100; time <= 300; time += 100) {
    for (uint32_t cpu = 0; cpu < 2; ++cpu)
      data += record(kSample, sample(kClockId, 0, 0, time + cpu, cpu, {0x1010}));
  }
  const std::string text = read(folder.write("t.data", file(data)))->text();
  EXPECT_THAT(text, testing::HasSubstr("state 100 to 400 on swapper (0)/swapper/0: "));
  EXPECT_THAT(text, testing::HasSubstr("state 101 to 401 on swapper (0)/swapper/1: "));
}

// Behind the stack: branches with an index, registers and stack of the program, weight, source.
TEST(PerfData, SamplesSayWhatTheProcessorToldOfThem) {
  test::RecordingSink sink;
  perf::Player player(sink, 1 << 20);
  perf::Attributes attributes;
  attributes.sample_type = kSampled | 8 | 1 << 11 | 1 << 12 | 1 << 13 | 1 << 24 | 1 << 15;
  attributes.branch_type = 1 << 17;
  attributes.user_registers = 3;
  attributes.name = "loads";
  const auto play = [&](int64_t time, size_t bytes) {
    Bytes body;
    body.little(kClockId).little(uint64_t{0x1010}).little(uint32_t{7}).little(uint32_t{7});
    body.little(static_cast<uint64_t>(time)).little(uint64_t{0xBEEF}).little(uint64_t{2});
    body.little(uint64_t{1}).little(uint64_t{1}).little(uint64_t{0x1010});
    body.little(uint64_t{2}).little(uint64_t{5}).text(std::string(48, 'b'));
    body.little(uint64_t{2}).text(std::string(16, 'r'));
    body.little(uint64_t{8}).text("thestack").little(uint64_t{4});
    body.little(uint32_t{33}).little(uint16_t{4}).little(uint16_t{0}).little(uint64_t{0x142});
    player.play({.time = Time{time}, .type = kSample, .body = body.str().substr(0, bytes)},
                attributes);
  };
  play(10, std::string::npos);
  play(20, 100);  // cut within the branches
  player.finish();
  EXPECT_THAT(sink.dump(),
              testing::HasSubstr(R"("loads" {"cpu":2,"addr":"0xbeef","weight":33,"ins_lat":4,)"
                                 R"("data_src":"0x142","access":"load, L1 hit","branches":2})"));
  EXPECT_THAT(sink.dump(), testing::HasSubstr(R"("loads" {"cpu":2,"addr":"0xbeef"})"));
}

// A thread that was seen twice has the interval of those that were seen often, or as often as the
// event says.
TEST(PerfData, ThreadsWithFewSamplesHaveTheIntervalOfTheOthers) {
  const auto text_of = [](Duration interval) {
    test::RecordingSink sink;
    perf::Player player(sink, 1 << 20);
    perf::Attributes attributes;
    attributes.sample_type = kSampled;
    attributes.interval = interval;
    const auto play = [&](uint32_t tid, int64_t time) {
      const Bytes body = sample(kClockId, 7, tid, static_cast<uint64_t>(time), 1, {0x1010});
      player.play({.time = Time{time}, .type = kSample, .body = body.str()}, attributes);
    };
    play(8, 1000);
    for (int64_t i = 0; i < 20; ++i) play(7, 1000 + 10 * i);
    play(8, 9990);
    player.finish();
    return sink.dump();
  };
  EXPECT_THAT(text_of({}), testing::HasSubstr("state 1000 to 1010 on process 7/thread 8"));
  EXPECT_THAT(text_of({}), testing::HasSubstr("state 9990 to 10000 on process 7/thread 8"));
  EXPECT_THAT(text_of({5}), testing::HasSubstr("state 1000 to 1005 on process 7/thread 8"));
}

TEST(PerfData, AttributesSayHowOftenSamplesAreTaken) {
  const auto interval_of = [](uint64_t frequency, uint64_t flags) {
    Bytes bytes;
    bytes.little(uint32_t{0}).little(uint32_t{64}).little(uint64_t{0}).little(frequency);
    bytes.little(kSampled).little(uint64_t{0}).little(flags).little(uint64_t{0});
    bytes.little(uint64_t{0});
    return perf::attributes_of(bytes.str())->interval.ticks;
  };
  EXPECT_EQ(interval_of(1000, 1 << 10), 1'000'000);
  EXPECT_EQ(interval_of(1000, 0), 0);
  EXPECT_EQ(interval_of(0, 1 << 10), 0);
}

// Plays tracepoints by their names, each with the bytes behind what all begin with.
class Tracepoints {
 public:
  void add(std::string_view name, int64_t time, uint32_t tid, const Bytes& fields) {
    perf::Attributes attributes;
    attributes.sample_type = kSampled | kRawSample;
    attributes.name = name;
    Bytes raw = Bytes().little(uint64_t{1});
    raw.text(fields.str());
    Bytes body = sample(kClockId, tid, tid, static_cast<uint64_t>(time), 1, {});
    body.little(static_cast<uint32_t>(raw.size())).text(raw.str()).pad(8);
    player_.play({.time = Time{time}, .type = kSample, .body = body.str()}, attributes);
  }
  std::string text() {
    player_.finish();
    return sink_.dump();
  }
  void set_architecture(std::string_view name) { player_.set_architecture(name); }

 private:
  test::RecordingSink sink_;
  perf::Player player_{sink_, 1 << 20};
};

TEST(PerfData, TracepointsOfTheKernelAreStates) {
  Tracepoints trace;
  trace.set_architecture("x86_64");
  const auto number = [](auto value) { return Bytes().little(value); };
  trace.add("irq:irq_handler_entry", 10, 7,
            number(int32_t{46}).little(uint32_t{5 << 16 | 16}).text("eth0").little(uint8_t{0}));
  trace.add("irq:softirq_entry", 11, 7, number(uint32_t{3}));
  trace.add("irq:softirq_exit", 12, 7, number(uint32_t{3}));
  trace.add("irq:irq_handler_exit", 13, 7, number(int32_t{46}).little(int32_t{1}));
  trace.add("irq_vectors:local_timer_entry", 14, 7, number(int32_t{236}));
  trace.add("irq_vectors:local_timer_exit", 15, 7, number(int32_t{236}));
  trace.add("raw_syscalls:sys_enter", 16, 7, number(int64_t{1}).little(int64_t{2}));
  trace.add("raw_syscalls:sys_exit", 17, 7, number(int64_t{1}).little(int64_t{-2}));
  trace.add("syscalls:sys_enter_close", 18, 7, number(int64_t{3}).little(int64_t{5}));
  trace.add("syscalls:sys_exit_close", 19, 7, number(int64_t{3}).little(int64_t{0}));
  trace.add("workqueue:workqueue_execute_start", 20, 7, number(uint64_t{1}).little(uint64_t{2}));
  trace.add("workqueue:workqueue_execute_end", 21, 7, number(uint64_t{1}).little(uint64_t{2}));
  trace.add("sched:sched_process_fork", 22, 7, number(uint64_t{1}));
  trace.add("irq:irq_handler_entry", 23, 7, Bytes());
  const std::string text = trace.text();
  for (const char* part :
       {R"(state 10 to 13 on CPUs/CPU 1/interrupts: "eth0" {"irq":46,"ret":"handled"})",
        R"(state 11 to 12 on CPUs/CPU 1/interrupts: "NET_RX" nested 1)",
        R"(state 14 to 15 on CPUs/CPU 1/interrupts: "local_timer" {"vector":236})",
        R"(/system calls: "sys_write" {"args":[2],"ret":-2,"error":"ENOENT"})",
        R"(/system calls: "sys_close" {"args":[5],"ret":0})",
        R"(state 20 to 21 on process 7/thread 7/work: "workqueue_execute")",
        R"(punctual 22 on process 7/thread 7: "sched:sched_process_fork")",
        R"(punctual 23 on process 7/thread 7: "irq:irq_handler_entry")"})
    EXPECT_THAT(text, testing::HasSubstr(part));
}

TEST(PerfData, StatesLastAsLongAsThereAreSamples) {
  Tracepoints trace;
  const Bytes last = Bytes()
                         .text(name16("idle").str())
                         .little(uint64_t{0})
                         .little(uint64_t{0})
                         .text(name16("cook").str())
                         .little(uint64_t{7});
  trace.add("sched:sched_switch", 10, 7, last);
  trace.add("test:note", 50, 7, Bytes().little(uint64_t{1}));
  const std::string text = trace.text();
  EXPECT_THAT(text, testing::HasSubstr(R"(state 10 to 50 on CPUs/CPU 1: "cook")"));
  EXPECT_THAT(text, testing::HasSubstr(R"(/scheduler: "running" {"cpu":1})"));
}

// Other tracepoints have the fields that the recording says of them.
TEST(PerfData, FieldsOfTracepointsAreAsDescribed) {
  constexpr std::string_view kFormat =
      "name: note\nID: 300\nformat:\n"
      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
      "\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
      "\tfield:int level;\toffset:16;\tsize:4;\tsigned:1;\n\n"
      "print fmt: \"\"\n";
  const auto sized = [](std::string_view text) {
    return Bytes().little(uint64_t{text.size()}).text(text).str();
  };
  const std::string described = Bytes()
                                    .text(std::string_view("\x17\x08\x44tracing0.6\0\0\x08", 16))
                                    .little(uint32_t{4096})
                                    .text(std::string_view("header_page\0", 12))
                                    .text(sized("page"))
                                    .text(std::string_view("header_event\0", 13))
                                    .text(sized("event"))
                                    .little(uint32_t{0})
                                    .little(uint32_t{1})
                                    .text(std::string_view("test\0", 5))
                                    .little(uint32_t{1})
                                    .text(sized(kFormat))
                                    .str();
  test::RecordingSink sink;
  perf::Player player(sink, 1 << 20);
  for (size_t size = 0; size < described.size(); ++size)
    EXPECT_FALSE(player.add_formats(std::string_view(described).substr(0, size))) << size;
  ASSERT_TRUE(player.add_formats(described));
  perf::Attributes attributes;
  attributes.type = 2;
  attributes.config = 300;
  attributes.sample_type = kSampled | kRawSample;
  attributes.name = "test:note";
  const Bytes raw =
      Bytes().little(uint64_t{300}).text(std::string_view("worker\0\0", 8)).little(int32_t{-5});
  Bytes body = sample(kClockId, 7, 7, 10, 1, {});
  body.little(static_cast<uint32_t>(raw.size())).text(raw.str()).pad(8);
  player.play({.time = Time{10}, .type = kSample, .body = body.str()}, attributes);
  player.finish();
  EXPECT_THAT(
      sink.dump(),
      testing::HasSubstr(R"("test:note" {"cpu":1,"period":1000,"comm":"worker","level":-5})"));
}

// Some name both tasks and a CPU, some one task alone.
TEST(PerfData, SwitchesAreWhatTasksAndCpusDo) {
  constexpr uint32_t kSwitch = 14, kSwitchCpuWide = 15;
  constexpr uint16_t kOut = 1 << 13, kPreempted = 1 << 14;
  test::RecordingSink sink;
  perf::Player player(sink, 1 << 20);
  perf::Attributes attributes;
  attributes.has_ids_everywhere = true;
  const auto play = [&](uint32_t type, uint16_t misc, int64_t time, uint32_t tid, Bytes body) {
    body.little(tid).little(tid).little(static_cast<uint64_t>(time));
    const bool has_cpu = (attributes.sample_type & 128) != 0;
    if (has_cpu) body.little(uint64_t{1});
    player.play({.time = Time{time}, .type = type, .misc = misc, .body = body.str()}, attributes);
  };
  attributes.sample_type = 2 | 4;
  play(kSwitch, 0, 10, 7, {});
  play(kSwitch, kOut | kPreempted, 20, 7, {});
  attributes.sample_type |= 128;
  const auto other = [](uint32_t tid) { return Bytes().little(tid).little(tid); };
  play(kSwitchCpuWide, kOut, 30, 8, other(7));
  play(kSwitchCpuWide, 0, 31, 7, other(8));
  play(kSwitchCpuWide, kOut, 40, 7, other(0));
  play(kSwitch, 0, 50, 8, {});
  play(kSwitch, kOut, 60, 8, {});
  player.finish();
  const std::string text = sink.dump();
  for (const char* part : {"state 10 to 20 on Tasks/thread 7/scheduler: \"running\"\n",
                           "state 20 to 30 on Tasks/thread 7/scheduler: \"runnable\"\n",
                           R"(state 30 to 40 on CPUs/CPU 1: "thread 7" {"pid":7})",
                           R"(state 30 to 40 on Tasks/thread 7/scheduler: "running" {"cpu":1})",
                           R"(state 50 to 60 on CPUs/CPU 1: "thread 8" {"pid":8})"})
    EXPECT_THAT(text, testing::HasSubstr(part));
}

}  // namespace
}  // namespace weft::formats
