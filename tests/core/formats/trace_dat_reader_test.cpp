// covers FS-62, R7
#include "core/formats/kernel/trace_dat/trace_dat_reader.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"
#include "tests/core/formats/trace_dat_writer.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;
using test::TraceDat;

TraceDat kernel() {
  const auto number = [](auto value) { return TraceDat::number(value); };
  const auto name = [](std::string_view text) { return TraceDat::padded(text, 16); };
  TraceDat trace;
  trace.add_format({"sched",
                    "sched_switch",
                    1,
                    {{"char prev_comm[16]", 16},
                     {"pid_t prev_pid", 4},
                     {"long prev_state", 8},
                     {"char next_comm[16]", 16},
                     {"pid_t next_pid", 4}}});
  trace.add_format({"sched", "sched_wakeup", 2, {{"char comm[16]", 16}, {"pid_t pid", 4}}});
  trace.add_format(
      {"irq", "irq_handler_entry", 3, {{"int irq", 4}, {"__data_loc char[] name", 4}}});
  trace.add_format({"irq", "irq_handler_exit", 4, {{"int irq", 4}, {"int ret", 4}}});
  trace.add_format({"irq", "softirq_entry", 5, {{"unsigned int vec", 4, false}}});
  trace.add_format({"irq", "softirq_exit", 6, {{"unsigned int vec", 4, false}}});
  trace.add_format({"syscalls", "sys_enter_read", 7, {{"unsigned long fd", 8, false}}});
  trace.add_format({"syscalls", "sys_exit_read", 8, {{"long ret", 8}}});
  trace.add_format(
      {"power", "cpu_frequency", 9, {{"u32 state", 4, false}, {"u32 cpu_id", 4, false}}});
  trace.add_format({"test",
                    "arrays",
                    10,
                    {{"u16 numbers[3]", 6, false}, {"s16 last", 2}, {"__data_loc u8[] bytes", 4}}});
  trace.add_format({"sched",
                    "sched_cpu_util_cfs",
                    11,
                    {{"int cpu", 4}, {"int active", 4}, {"int util_avg", 4}}});
  const auto switched = [&](std::string_view from, int32_t previous, int64_t state,
                            std::string_view to, int32_t next) {
    return name(from) + number(previous) + number(state) + name(to) + number(next);
  };
  const auto place = [](uint32_t offset, uint32_t size) { return offset | size << 16; };
  trace.add(0, 1000, 1, 0, switched("swapper/0", 0, 0, "cat", 42));
  trace.add(0, 1010, 7, 42, number(uint64_t{3}));
  trace.add(0, 1020, 3, 42, number(int32_t{17}) + number(place(16, 5)) + "disk" + '\0');
  trace.add(0, 1025, 5, 42, number(uint32_t{1}));
  trace.add(0, 1028, 6, 42, number(uint32_t{1}));
  trace.add(0, 1030, 4, 42, number(int32_t{17}) + number(int32_t{1}));
  trace.add(0, 1050, 8, 42, number(int64_t{-11}));
  trace.add(0, 1060, 10, 42,
            number(uint16_t{1}) + number(uint16_t{2}) + number(uint16_t{65535}) +
                number(int16_t{-2}) + number(place(20, 2)) + "\x07\x08");
  trace.add(0, 1100, 1, 42, switched("cat", 42, 2, "swapper/0", 0));
  trace.add(1, 1005, 1, 0, switched("swapper/1", 0, 0, "make", 7));
  trace.add(1, 1040, 9, 7, number(uint32_t{2400000}) + number(uint32_t{1}));
  trace.add(1, 1045, 11, 7, number(int32_t{1}) + number(int32_t{1}) + number(int32_t{512}));
  trace.add(1, 1150, 2, 7, name("cat") + number(int32_t{42}));
  trace.add(1, 1160, 1, 7, switched("make", 7, 0, "cat", 42));
  trace.set_missed(1);
  return trace;
}

void expect_reading(const std::string& name, const std::string& bytes) {
  test::expect_case("trace_dat/" + name, bytes);
  const auto path = std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats/trace_dat" / name;
  test::expect_as_written(path, read(path)->text());
}

TEST(TraceDat, ReadsAsWritten) { expect_reading("succeed/kernel.dat", kernel().bytes()); }

// Where the end of the second CPU's records is cut off, and where nothing is described.
TEST(HostileTraceDat, ReadsWhatIsThere) {
  const std::string whole = kernel().bytes();
  expect_reading("fail/cut.dat", whole.substr(0, whole.size() - 4000));
  expect_reading("fail/header_only.dat", whole.substr(0, 64));
}

TEST(TraceDat, ReadsWhatCannotBeSoughtIn) {
  const ScratchFolder folder;
  const auto plain = folder.write("plain", kernel().bytes());
  const auto zipped = folder / "plain.gz";
  ASSERT_EQ(std::system(fmt::format("gzip -k '{}'", plain.string()).c_str()), 0);
  EXPECT_EQ(read(zipped)->text(), read(plain)->text());
}

// A line for each event but interrupts, which only the kernel's own text calls by their names.
std::vector<std::string> lines_of(const test::RecordingSink& sink) {
  std::vector<std::string> lines;
  const auto name = [&](EventTypeId type) { return sink.dictionary().type(type).name; };
  const auto lane = [&](LaneId id) { return sink.dictionary().lane(id).name; };
  for (const trace::StateEvent& e : sink.state_events()) {
    if (lane(e.lane) != "interrupts")
      lines.push_back(fmt::format("state {}+{} {} {}", e.begin.ticks, e.duration.ticks,
                                  lane(e.lane), name(e.type)));
  }
  for (const trace::PunctualEvent& e : sink.punctual_events())
    lines.push_back(fmt::format("punctual {} {} {}", e.time.ticks, lane(e.lane), name(e.type)));
  for (const trace::LinkEvent& e : sink.link_events())
    lines.push_back(fmt::format("link {} {} {} {}", e.send.ticks, e.receive.ticks, lane(e.source),
                                name(e.type)));
  for (const trace::VariableSample& e : sink.samples())
    lines.push_back(
        fmt::format("variable {} {} {} {}", e.time.ticks, e.value, lane(e.lane), name(e.type)));
  std::ranges::sort(lines);
  return lines;
}

// `trace-cmd report` of it, read as text, is the same trace: the same events, times and names.
TEST(TraceDat, IsWhatTraceCmdReports) {
  if (std::system("command -v trace-cmd >/dev/null") != 0) GTEST_SKIP() << "no trace-cmd";
  const ScratchFolder folder;
  const auto path = folder.write("trace.dat", kernel().bytes());
  const auto text = folder / "report";
  const std::string command = fmt::format("trace-cmd report -t -R -i '{}' > '{}' 2>/dev/null",
                                          path.string(), text.string());
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto ours = lines_of(read(path, {"trace-dat"})->sink);
  EXPECT_GT(ours.size(), 10u);
  EXPECT_EQ(ours, lines_of(read(text, {"ftrace"})->sink));
}

TEST(TraceDat, StatesMeanWhatTheFormatOfTheirEventSays) {
  const ScratchFolder folder;
  const auto state_of = [&](std::string_view flags) {
    TraceDat trace;
    trace.add_format(
        {"sched",
         "sched_switch",
         1,
         {{"pid_t prev_pid", 4}, {"long prev_state", 8}, {"pid_t next_pid", 4}},
         fmt::format(R"("%s", REC->prev_state & 1023 ? __print_flags(REC->prev_state & 1023, "|", )"
                     R"({}) : "R")",
                     flags)});
    const auto number = [](auto value) { return TraceDat::number(value); };
    trace.add(0, 1000, 1, 0, number(int32_t{0}) + number(int64_t{0}) + number(int32_t{42}));
    trace.add(0, 1010, 1, 42, number(int32_t{42}) + number(int64_t{64}) + number(int32_t{7}));
    trace.add(0, 1020, 1, 7, number(int32_t{7}) + number(int64_t{0}) + number(int32_t{42}));
    return read(folder.write("trace.dat", trace.bytes()))->text();
  };
  EXPECT_THAT(state_of(R"({ 32, "X" }, { 64, "P" })"), testing::HasSubstr("\"parked\""));
  EXPECT_THAT(state_of(R"({ 32, "X" }, { 64, "x" }, { 512, "P" })"),
              testing::Not(testing::HasSubstr("\"parked\"")));
}

TEST(TraceDat, MessagesAreAsTheyWereWritten) {
  const ScratchFolder folder;
  TraceDat trace;
  trace.add_format(
      {"ftrace",
       "bprint",
       1,
       {{"unsigned long ip", 8, false}, {"const char * fmt", 8, false}, {"u32 buf[]", 0, false}},
       R"("%ps: %s", (void *)REC->ip, REC->fmt)"});
  trace.set_messages("0x10 : \"fig: cpu=%d\\n\"\n");
  trace.add(0, 1000, 1, 42,
            TraceDat::number(uint64_t{0x99}) + TraceDat::number(uint64_t{0x10}) +
                TraceDat::number(uint32_t{5}));
  EXPECT_THAT(read(folder.write("trace.dat", trace.bytes()))->text(),
              testing::HasSubstr("fig: cpu=5\"}"));
}

TEST(TraceDat, NumbersAreCalledAsTheyArePrinted) {
  const ScratchFolder folder;
  const auto number = [](auto value) { return TraceDat::number(value); };
  TraceDat trace;
  trace.add_format(
      {"ext4",
       "ext4_mballoc",
       1,
       {{"dev_t dev", 4, false},
        {"unsigned long ip", 8, false},
        {"unsigned long caller", 8, false},
        {"int kind", 4},
        {"u16 status", 2, false},
        {"u16 plain", 2, false}},
       R"("dev %d,%d %*d%% %-20pS by %ps, %s %s", (REC->dev >> 20), (REC->dev & 0xfffff), )"
       R"(5, REC->plain, (void *)REC->ip, (void *)REC->caller, )"
       R"(__print_symbolic(REC->kind, { 0, "file" }, { -1, "none" }), )"
       R"(__print_flags(REC->plain ? REC->status : 0, "|", { 0x1, "W" }, { 0x2, "U" }))"});
  trace.set_functions(
      "ffffffff81000000 T ext4_dirty_inode\nffffffff81000100 T ext4_truncate\n"
      "ffffffff81000200 T ext4_end\n");
  const auto add = [&](uint64_t time, uint64_t ip, int32_t kind, uint16_t status) {
    trace.add(0, time, 1, 42,
              number(uint32_t{8 << 20 | 1}) + number(ip) + number(uint64_t{0xffffffff81000110}) +
                  number(kind) + number(status) + number(uint16_t{9}));
  };
  add(1000, 0xffffffff81000037, 0, 0x13);
  add(1010, 0x10, -1, 0x10);
  const std::string text = read(folder.write("trace.dat", trace.bytes()))->text();
  EXPECT_THAT(text, testing::HasSubstr(R"("dev":"8,1","ip":"ext4_dirty_inode+0x37",)"
                                       R"("caller":"ext4_truncate","kind":"file",)"
                                       R"("status":"W|U|0x10","plain":9)"));
  EXPECT_THAT(text, testing::HasSubstr(R"("ip":16,"caller":"ext4_truncate","kind":"none",)"
                                       R"("status":16,"plain":9)"));
}

TEST(TraceDat, WhatOnlyBeginsAndEndsIsAState) {
  const ScratchFolder folder;
  TraceDat trace;
  const auto number = [](auto value) { return TraceDat::number(value); };
  trace.add_format({"irq_vectors", "local_timer_entry", 1, {{"int vector", 4}}});
  trace.add_format({"irq_vectors", "local_timer_exit", 2, {{"int vector", 4}}});
  trace.add_format({"workqueue",
                    "workqueue_execute_start",
                    3,
                    {{"void * work", 8, false}, {"void * function", 8, false}}});
  trace.add_format({"workqueue", "workqueue_execute_end", 4, {{"void * work", 8, false}}});
  trace.add(0, 1000, 1, 42, number(int32_t{236}));
  trace.add(0, 1010, 2, 42, number(int32_t{236}));
  trace.add(0, 1020, 3, 42, number(uint64_t{7}) + number(uint64_t{0xffff0000}));
  trace.add(0, 1030, 4, 42, number(uint64_t{7}));
  const std::string text = read(folder.write("trace.dat", trace.bytes()))->text();
  EXPECT_THAT(text, testing::HasSubstr(
                        R"(1000 to 1010 on CPUs/CPU 0/interrupts: "local_timer" {"vector":236})"));
  EXPECT_THAT(text, testing::HasSubstr(
                        R"(1020 to 1030 on Tasks/cat-42/work: "workqueue_execute" {"work":7)"));
}

TEST(TraceDat, TransactionsOfBinderAreMessages) {
  const ScratchFolder folder;
  TraceDat trace;
  const auto number = [](auto value) { return TraceDat::number(value); };
  trace.add_format({"binder", "binder_transaction", 1, {{"int debug_id", 4}, {"int reply", 4}}});
  trace.add_format({"binder", "binder_transaction_received", 2, {{"int debug_id", 4}}});
  trace.add(0, 1000, 1, 42, number(int32_t{7}) + number(int32_t{1}));
  trace.add(0, 1010, 2, 43, number(int32_t{7}));
  trace.add(0, 1020, 2, 43, number(int32_t{6}));
  const std::string text = read(folder.write("trace.dat", trace.bytes()))->text();
  EXPECT_THAT(text, testing::HasSubstr("link from 1000 on Tasks/cat-42 to 1010 on Tasks/"));
  EXPECT_THAT(text, testing::HasSubstr(R"("binder reply" {"debug_id":7,"reply":1})"));
  EXPECT_THAT(text, testing::HasSubstr(R"("binder_transaction_received" {"cpu":0,"debug_id":6})"));
}

TEST(TraceDat, WhatOsnoiseSawTakesTimeBelowItsCpu) {
  const ScratchFolder folder;
  TraceDat trace;
  trace.add_format({"osnoise",
                    "softirq_noise",
                    1,
                    {{"u64 start", 8, false}, {"u64 duration", 8, false}, {"int vector", 4}}});
  trace.add_format({"osnoise",
                    "thread_noise",
                    2,
                    {{"char comm[16]", 16},
                     {"u64 start", 8, false},
                     {"u64 duration", 8, false},
                     {"pid_t pid", 4}}});
  const auto number = [](auto value) { return TraceDat::number(value); };
  std::string name = "worker";
  name.resize(16, '\0');
  trace.add(0, 2000, 1, 8, number(uint64_t{1500}) + number(uint64_t{400}) + number(int32_t{1}));
  trace.add(0, 2010, 2, 8,
            name + number(uint64_t{1400}) + number(uint64_t{600}) + number(int32_t{9}));
  const std::string text = read(folder.write("trace.dat", trace.bytes()))->text();
  EXPECT_THAT(text, testing::HasSubstr("state 1500 to 1900 on CPUs/CPU 0/noise: \"TIMER\""));
  EXPECT_THAT(text, testing::HasSubstr("state 1400 to 2000 on CPUs/CPU 0/noise: \"worker\""));
}

TEST(TraceDat, WhatSomethingIsNowIsAVariable) {
  const ScratchFolder folder;
  TraceDat trace;
  trace.add_format({"power", "clock_set_rate", 1, {{"char name[8]", 8}, {"u64 state", 8, false}}});
  trace.add_format({"clk", "clk_disable", 2, {{"char name[8]", 8}}});
  trace.add_format({"power",
                    "cpu_frequency_limits",
                    3,
                    {{"u32 min_freq", 4, false}, {"u32 max_freq", 4, false}, {"int cpu_id", 4}}});
  const auto number = [](auto value) { return TraceDat::number(value); };
  const std::string name("pll\0\0\0\0\0", 8);
  const auto limits = [&](int32_t cpu) {
    return number(uint32_t{300}) + number(uint32_t{900}) + number(cpu);
  };
  trace.add(0, 2000, 1, 8, name + number(uint64_t{500}));
  trace.add(0, 2010, 2, 8, name);
  trace.add(0, 2020, 3, 8, limits(1));
  trace.add(0, 2030, 3, 8, limits(-1));
  trace.add(0, 2040, 2, 8, std::string(8, '\0'));
  const std::string text = read(folder.write("trace.dat", trace.bytes()))->text();
  for (const char* const sample :
       {"2000 on clock_set_rate: \"pll\" = 500", "2010 on clk_enable: \"pll\" = 0",
        "2020 on CPUs/CPU 1: \"min_freq\" = 300", "2020 on CPUs/CPU 1: \"max_freq\" = 900"})
    EXPECT_THAT(text, testing::HasSubstr(fmt::format("variable {}\n", sample)));
  EXPECT_THAT(text, testing::HasSubstr("punctual 2030"));
  EXPECT_THAT(text, testing::HasSubstr("punctual 2040"));
}

TEST(TraceDat, MeasuredLatenciesAreVariablesOfTheirCpu) {
  const ScratchFolder folder;
  TraceDat trace;
  trace.add_format(
      {"ftrace",
       "timerlat",
       1,
       {{"unsigned int seqnum", 4, false}, {"int context", 4}, {"u64 timer_latency", 8, false}}});
  trace.add_format({"ftrace", "osnoise", 2, {{"u64 noise", 8, false}}});
  trace.add_format(
      {"ftrace", "hwlat", 3, {{"u64 duration", 8, false}, {"u64 outer_duration", 8, false}}});
  const auto number = [](auto value) { return TraceDat::number(value); };
  const auto timerlat = [&](int32_t context, uint64_t latency) {
    return number(uint32_t{7}) + number(context) + number(latency);
  };
  trace.add(0, 2000, 1, 8, timerlat(0, 932));
  trace.add(0, 2010, 1, 8, timerlat(1, 11700));
  trace.add(0, 2020, 1, 8, timerlat(9, 1));  // a context that nobody knows
  trace.add(0, 2030, 2, 8, number(uint64_t{190}));
  trace.add(0, 2040, 3, 8, number(uint64_t{11}) + number(uint64_t{12}));
  const std::string text = read(folder.write("trace.dat", trace.bytes()))->text();
  for (const char* const sample : {"2000 on CPUs/CPU 0: \"irq timer latency (ns)\" = 932",
                                   "2010 on CPUs/CPU 0: \"thread timer latency (ns)\" = 11700",
                                   "2030 on CPUs/CPU 0: \"noise (us)\" = 190",
                                   "2040 on CPUs/CPU 0: \"hardware latency (us)\" = 12"})
    EXPECT_THAT(text, testing::HasSubstr(fmt::format("variable {}\n", sample)));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("variable 2020")));
  EXPECT_THAT(text, testing::HasSubstr("punctual 2020"));
}

// Their numbers mean what they do on the machine that recorded.
TEST(TraceDat, SystemCallsAreNamedForTheMachine) {
  const ScratchFolder folder;
  TraceDat trace;
  trace.add_format({"raw_syscalls", "sys_enter", 1, {{"long id", 8}}});
  trace.add_format({"raw_syscalls", "sys_exit", 2, {{"long id", 8}}});
  trace.add(0, 1000, 1, 42, TraceDat::number(int64_t{61}));
  trace.add(0, 1010, 2, 42, TraceDat::number(int64_t{61}));
  const auto name_of_call = [&] {
    const auto reading = read(folder.write("trace.dat", trace.bytes()));
    const auto& states = reading->sink.state_events();
    return states.size() != 1 ? std::string()
                              : std::string(reading->sink.dictionary().type(states[0].type).name);
  };
  EXPECT_EQ(name_of_call(), "system call 61");
  trace.set_system("Linux vm 6.1.0-18-amd64 x86_64");
  EXPECT_EQ(name_of_call(), "sys_wait4");
  trace.set_system("Linux board 6.1.0 aarch64");
  EXPECT_EQ(name_of_call(), "sys_getdents64");
}

// Several pages of each of two CPUs: switches to a task and away from it.
TraceDat pages_of_switches() {
  const auto number = [](auto value) { return TraceDat::number(value); };
  TraceDat trace;
  trace.add_format({"sched",
                    "sched_switch",
                    1,
                    {{"pid_t prev_pid", 4}, {"long prev_state", 8}, {"pid_t next_pid", 4}}});
  constexpr uint64_t kSwitches = 400;
  for (uint64_t i = 0; i < kSwitches; ++i) {
    for (const int32_t cpu : {0, 1}) {
      const int32_t task = 42 + cpu;
      const bool comes = i % 2 == 0;
      trace.add(
          static_cast<size_t>(cpu), 1000 + 10 * i + static_cast<uint64_t>(cpu), 1, task,
          number(comes ? 0 : task) + number(int64_t{comes ? 0 : 1}) + number(comes ? task : 0));
    }
  }
  return trace;
}

// Records of compressed data have places beyond the file.
TEST(TraceDat, VersionsSayTheSame) {
  const ScratchFolder folder;
  const TraceDat trace = pages_of_switches();
  const auto old = lines_of(read(folder.write("6", trace.bytes()))->sink);
  EXPECT_GT(old.size(), 400u);
  EXPECT_EQ(lines_of(read(folder.write("7", trace.bytes_7(false)))->sink), old);
  const std::string compressed = trace.bytes_7(true);
  EXPECT_LT(compressed.size(), trace.bytes().size() / 2);
  EXPECT_EQ(lines_of(read(folder.write("7z", compressed))->sink), old);
}

// As gpuvis' trace-cmd wrote what tasks belong to: today the number is how many CPUs there are.
TEST(TraceDat, AnOptionOfAnOlderWriterIsPassedOver) {
  const ScratchFolder folder;
  const auto plain = read(folder.write("plain", kernel().bytes()));
  TraceDat older = kernel();
  constexpr uint16_t kOption = 8;
  older.add_option(kOption, "42 42\n7 7\n");
  const auto reading = read(folder.write("older", older.bytes()));
  EXPECT_EQ(lines_of(reading->sink), lines_of(plain->sink));
  EXPECT_THAT(reading->text(), testing::HasSubstr("option of an older trace-cmd"));
  TraceDat newer = kernel();
  newer.add_option(kOption, TraceDat::number(uint32_t{2}));
  EXPECT_EQ(read(folder.write("newer", newer.bytes()))->text(), plain->text());
}

TEST(HostileTraceDat, ItMayEndAnywhere) {
  const ScratchFolder folder;
  for (const std::string& whole :
       {kernel().bytes(), kernel().bytes_7(false), kernel().bytes_7(true)}) {
    for (const size_t size : test::cuts_of(whole.size())) {
      const auto reading = read(folder.write("cut", whole.substr(0, size)), {"trace-dat"});
      EXPECT_EQ(reading->error.find('\n'), std::string::npos) << size;
    }
  }
}

// The pages of CPUs stand one behind the other: what is there is read.
TEST(HostileTraceDat, WhatStandsBeforeACutIsRead) {
  constexpr size_t kPageBytes = 4096;
  const ScratchFolder folder;
  const std::string whole = kernel().bytes();
  const auto without_last_page =
      read(folder.write("cut", whole.substr(0, whole.size() - kPageBytes)), {"trace-dat"});
  const std::string text = without_last_page->text();
  EXPECT_THAT(text, testing::HasSubstr("state 1000 to 1100 on Tasks/cat-42: \"running\""));
  EXPECT_THAT(
      text, testing::HasSubstr(fmt::format("loss input ends before the data of all CPUs x 1 at {}",
                                           whole.size() - kPageBytes)));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("make")));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("unknown event")));
  // Within the first page.
  const size_t within = whole.size() - 2 * kPageBytes + 100;
  const std::string part =
      read(folder.write("cut", whole.substr(0, within)), {"trace-dat"})->text();
  EXPECT_THAT(part, testing::HasSubstr("1000"));
  EXPECT_THAT(part, testing::Not(testing::HasSubstr("unknown event")));
}

// Of version 7, where its data are compressed; else they cannot be told apart.
TEST(HostileTraceDat, WhatStandsBeforeACutOfVersion7IsRead) {
  const ScratchFolder folder;
  const std::string whole = pages_of_switches().bytes_7(true);
  const auto all = read(folder.write("whole", whole));
  size_t before = 0;
  for (const size_t missing : {size_t{700}, size_t{300}, size_t{200}}) {
    const auto part = read(folder.write("cut", whole.substr(0, whole.size() - missing)));
    ASSERT_EQ(part->error, "") << missing;
    const size_t events = part->sink.state_events().size();
    EXPECT_GT(events, 100u) << missing;
    EXPECT_GE(events, before) << missing;
    EXPECT_LE(events, all->sink.state_events().size()) << missing;
    EXPECT_THAT(part->text(), testing::HasSubstr("loss input ends before the data of all CPUs x 1"))
        << missing;
    before = events;
  }
  const size_t options = whole.rfind("local") - 20;  // the last, which say where the data lie
  const auto without_options = read(folder.write("cut", whole.substr(0, options)));
  EXPECT_EQ(lines_of(without_options->sink), lines_of(all->sink));
  EXPECT_THAT(without_options->text(), testing::Not(testing::HasSubstr("which CPU is which")));
  const auto within_formats = read(folder.write("cut", whole.substr(0, 400)), {"trace-dat"});
  EXPECT_THAT(within_formats->error, testing::HasSubstr("before its events are described"));
  const std::string plain = pages_of_switches().bytes_7(false);
  const auto apart = read(folder.write("cut", plain.substr(0, plain.size() - 5000)), {"trace-dat"});
  EXPECT_THAT(apart->error, testing::HasSubstr("cannot be told apart"));
}

TEST(HostileTraceDat, PlacesAndSizesOutsideTheRecordAreNotRead) {
  const ScratchFolder folder;
  TraceDat trace;
  trace.add_format({"test", "far", 1, {{"__data_loc char[] name", 4}, {"long last", 8}}});
  for (const uint32_t place : {0xFFFFFFFFU, 0x7FFF0008U, 0x00000000U, 0x0001FFFFU})
    trace.add(0, 1000, 1, 5, TraceDat::number(place));
  const auto reading = read(folder.write("far", trace.bytes()), {"trace-dat"});
  EXPECT_EQ(reading->error, "");
  ASSERT_EQ(reading->sink.punctual_events().size(), 4u);
  for (const auto& event : reading->sink.punctual_events())
    EXPECT_THAT(reading->sink.params_of(event.params), testing::HasSubstr("\"last\":null"));
}

}  // namespace
}  // namespace weft::formats
