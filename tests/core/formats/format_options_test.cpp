// The effects of formats' options; the golden cases are read without any.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/formats/reading.h"
#include "tests/core/io/scratch_folder.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

std::string read_case(const std::string& path, const std::string& option,
                      const std::string& value) {
  const auto file = std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats" / path;
  test::ReadingOptions options;
  options.of_format[option] = value;
  return test::read(file, options)->text();
}

TEST(FormatOptions, PprofDrawsTheValueThatIsAskedFor) {
  const std::string text = read_case("pprof/succeed/default_type.pb", "value", "cpu");
  EXPECT_THAT(text, HasSubstr("time base ns\n"));
  EXPECT_THAT(text, HasSubstr("lane cpu (nanoseconds) (thread)\n"));
  EXPECT_THAT(text, HasSubstr("metadata sum of samples = 4 count\n"));
}

TEST(FormatOptions, PprofSaysWhereTheValueIsNotThere) {
  const std::string text = read_case("pprof/succeed/default_type.pb", "value", "inuse_space");
  EXPECT_THAT(text, HasSubstr("lane samples (count) (thread)\n"));
  EXPECT_THAT(text, HasSubstr("profile without the value that was asked for"));
}

TEST(FormatOptions, CallgrindDrawsTheEventThatIsAskedFor) {
  EXPECT_THAT(read_case("callgrind/succeed/cachegrind.out", "event", "Dr"),
              HasSubstr("lane calls (Dr) (thread)\n"));
  EXPECT_THAT(read_case("callgrind/succeed/cachegrind.out", "event", "Bc"),
              HasSubstr("part without the event that was asked for"));
}

TEST(FormatOptions, PcapDrawsPortsWhereTheyAreAskedFor) {
  EXPECT_THAT(read_case("pcap/succeed/connection.pcap", "lanes", "hosts"), Not(HasSubstr("/:80")));
  EXPECT_THAT(read_case("pcap/succeed/connection.pcap", "lanes", "ports"), HasSubstr("/:80"));
}

TEST(FormatOptions, ShivizTakesLogsApartAsItIsTold) {
  const std::string path = "shiviz/succeed/one_line.log";
  const std::string text = read_case(
      path, "expression", R"(.*(?<host>node\d)\] (?<clock>{.*}) (?<event>\w+) (?<what>.*))");
  EXPECT_THAT(
      text, HasSubstr(R"(punctual 0 on node0: "Sending" {"what":"1 to node1","event":"Sending"})"));
  EXPECT_THAT(read_case(path, "expression", "(?<host>.*)"),
              HasSubstr("the expression of the log has no group (?<clock>…)"));
}

TEST(FormatOptions, ShivizLooksForAnExpressionAnywhereInTheLines) {
  const test::ScratchFolder folder;
  test::ReadingOptions options{.format = "shiviz"};
  options.of_format["expression"] = R"((?<event>.*)\n(?<host>\S*) (?<clock>{.*}))";
  const auto path = folder.write("a.log",
                                 "start\na {\"a\":1} \nsend\na {\"a\":2} <\n"
                                 "recv\nb {\"b\":1, \"a\":2}\n");
  const std::string text = test::read(path, options)->text();
  EXPECT_THAT(text, HasSubstr("on a: \"start\""));
  EXPECT_THAT(text, HasSubstr("on a: \"send\""));
  EXPECT_THAT(text, HasSubstr("on b: \"recv\""));
  EXPECT_THAT(text, Not(HasSubstr("loss")));
  options.of_format["expression"] = R"(^(?<host>\w) (?<event>\w+) (?<clock>{.*}))";
  EXPECT_THAT(
      test::read(folder.write("b.log", "a send {\"a\":1}.\n-a send {\"a\":2}\n"), options)->text(),
      HasSubstr("that the log's expression does not take"));
}

}  // namespace
}  // namespace weft
