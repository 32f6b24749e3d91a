// covers FS-62, R7
#include "core/formats/kernel/ftrace/ftrace_reader.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/formats/formats.h"
#include "core/formats/kernel/ftrace/ftrace_line.h"
#include "core/formats/kernel/ftrace/scheduler.h"
#include "core/formats/kernel/ftrace/system_calls.h"
#include "core/formats/stacks/joined_params.h"
#include "core/io/source.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

class FtraceCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(FtraceCase, ReadsAsWritten) {
  test::expect_as_written(GetParam(), read(GetParam(), {"ftrace"})->text());
}

INSTANTIATE_TEST_SUITE_P(, FtraceCase, testing::ValuesIn(test::cases_of("ftrace")),
                         test::case_name);

std::string kernel() {
  return test::content_of(std::filesystem::path(WEFT_SOURCE_DIR) /
                          "tests/core/formats/ftrace/succeed/kernel.ftrace");
}

TEST(Ftrace, NamesMayHoldWhatSeparates) {
  ftrace::Line line;
  ASSERT_TRUE(ftrace::parse_line(
      " my [1] - (x)-7   (   12) [003] d..1  1.5: ev: a=1 b=two words, c=", line));
  EXPECT_EQ(line.task, "my [1] - (x)");
  EXPECT_EQ(line.pid, 7);
  EXPECT_EQ(line.tgid, 12);
  EXPECT_EQ(line.cpu, 3u);
  EXPECT_EQ(line.time.ticks, 1'500'000'000);
  EXPECT_EQ(line.event, "ev");
  EXPECT_EQ(ftrace::field(line.args, "b"), "two words");
  EXPECT_EQ(ftrace::field(line.args, "c"), "");
}

// A viewer of megabytes stands before the trace, and what the phone's `ps` printed behind it.
TEST(Ftrace, InAPageOnlyTheTraceIsRead) {
  const ScratchFolder folder;
  const std::string viewer = "<script>" + std::string(4 << 20, 'x') + "</script>\n";
  const std::string script = "<script class=\"trace-data\" type=\"application/text\">\n";
  const auto reading = read(folder.write("t.html", "<!DOCTYPE html>\n<html>\n" + viewer + script +
                                                       kernel() + "</script>\n" + script +
                                                       "USER PID\nroot 1\n</script>\n</html>\n"));
  EXPECT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.loss_count("line that is not an event"), 0u);
  EXPECT_EQ(reading->sink.link_events().size(), 2u);
}

// systrace puts a trace of itself behind what it recorded.
TEST(Ftrace, OfAPageTheLargestTraceIsRead) {
  const ScratchFolder folder;
  const std::string script = "<script class=\"trace-data\" type=\"application/text\">\n";
  const auto page = folder.write(
      "t.html",
      "<!DOCTYPE html>\n<html>\n" + script +
          "PROCESS DUMP\nUSER PID TID CMD\nu 1 2 x\n</script>\n" + script + kernel() +
          "</script>\n" + script +
          R"({"traceEvents":[{"name":"clock_sync","ph":"c","ts":1,"pid":1,"tid":1}]}</script>)");
  const auto reading = read(page);
  EXPECT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.link_events().size(), 2u);
  EXPECT_EQ(reading->sink.loss_count("line that is not an event"), 0u);
  const auto all = formats::recognise_all(*io::Source::open(page), {});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->inputs.size(), 1u);
  EXPECT_EQ(all->others, 1u);
}

TEST(Ftrace, ErrorsOfSystemCallsHaveNames) {
  EXPECT_EQ(ftrace::name_of_error(-2), "ENOENT");
  EXPECT_EQ(ftrace::name_of_error(-11), "EAGAIN");
  EXPECT_EQ(ftrace::name_of_error(-42), "ENOMSG");
  EXPECT_EQ(ftrace::name_of_error(-133), "");
  EXPECT_EQ(ftrace::name_of_error(-512), "ERESTARTSYS");
  EXPECT_EQ(ftrace::name_of_error(2), "");
  EXPECT_EQ(ftrace::name_of_error(std::numeric_limits<int64_t>::min()), "");
}

TEST(Ftrace, StatesSayWhatTheirBeginsAndEndsSay) {
  using stacks::joined_params;
  EXPECT_EQ(joined_params("", ""), "");
  EXPECT_EQ(joined_params(R"({"a":1})", ""), R"({"a":1})");
  EXPECT_EQ(joined_params("", R"({"b":2})"), R"({"b":2})");
  EXPECT_EQ(joined_params(R"({"a":1,"b":[2],"c":{"d":3}})", R"({"b":[2],"a":4,"e":5})"),
            R"({"a":1,"b":[2],"c":{"d":3},"end.a":4,"e":5})");
  // Both may end alike: within a member, with one, with all.
  EXPECT_EQ(joined_params(R"({"n":10,"t":"x,"})", R"({"n":20,"t":"x,"})"),
            R"({"n":10,"t":"x,","end.n":20})");
  EXPECT_EQ(joined_params(R"({"a":1,"t":[{"n":7}]})", R"({"n":7,"t":[{"n":7}]})"),
            R"({"a":1,"t":[{"n":7}],"n":7})");
  EXPECT_EQ(joined_params(R"({"a":1,"t":2})", R"({"t":2})"), R"({"a":1,"t":2})");
  EXPECT_EQ(joined_params(R"({"t":2})", R"({"a":1,"t":2})"), R"({"t":2,"a":1})");
  EXPECT_EQ(joined_params(R"({"t":2})", R"({"t":2})"), R"({"t":2})");
}

TEST(Ftrace, NumbersOfSystemCallsAreTheMachines) {
  EXPECT_EQ(ftrace::name_of_system_call("x86_64", 0), "sys_read");
  EXPECT_EQ(ftrace::name_of_system_call("x86_64", 435), "sys_clone3");
  EXPECT_EQ(ftrace::name_of_system_call("aarch64", 63), "sys_read");
  EXPECT_EQ(ftrace::name_of_system_call("riscv64", 222), "sys_mmap");
  EXPECT_EQ(ftrace::name_of_system_call("x86_64", 400), "system call 400");
  EXPECT_EQ(ftrace::name_of_system_call("", 0), "system call 0");
}

TEST(Ftrace, BitsOfTaskStatesMeanWhatTheirKernelMeant) {
  const auto name = [](int64_t bits, std::string_view release) {
    return ftrace::name_of_task_state(bits, ftrace::state_bits_of(release));
  };
  for (const char* release : {"3.2.0-18-generic", "4.4.3-1-ARCH", "4.14.0", "6.1", "", "x"}) {
    EXPECT_EQ(name(0, release), "runnable") << release;
    EXPECT_EQ(name(1, release), "sleeping") << release;
    EXPECT_EQ(name(2, release), "uninterruptible sleep") << release;
  }
  EXPECT_EQ(name(64, "3.2.0-18-generic"), "dead");
  EXPECT_EQ(name(64, "4.13.9"), "dead");
  EXPECT_EQ(name(64, "4.14.0-1-amd64"), "parked");
  EXPECT_EQ(name(16, "6.1.0"), "dead");
  EXPECT_EQ(name(512, "3.2.0"), "runnable");  // preempted
  EXPECT_EQ(name(512, "3.10.31-ltsi"), "parked");
  EXPECT_EQ(name(1024, "3.10.31-ltsi"), "runnable");  // preempted
  EXPECT_EQ(name(0x402, "4.4.3"), "idle");
  EXPECT_EQ(name(128, "5.15"), "idle");
}

TEST(Ftrace, EveryCutIsAnAnswer) {
  const ScratchFolder folder;
  const std::string text = kernel();
  for (const size_t size : test::cuts_of(text.size()))
    EXPECT_EQ(read(folder.write("cut", text.substr(0, size)), {"ftrace"})->error, "") << size;
}

}  // namespace
}  // namespace weft::formats
