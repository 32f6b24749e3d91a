// 0 success, 1 failure, 2 usage, 3 damaged; and one line that says why.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/cli/cli.h"
#include "tests/app/cli/program.h"

namespace weft::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ExitCode : public ProgramTest {
 protected:
  void expect_one_line(const Outcome& done, int code) const {
    EXPECT_EQ(done.exit_code, code);
    EXPECT_THAT(done.err, StartsWith("weftscope: "));
    EXPECT_EQ(std::ranges::count(done.err, '\n'), 1) << done.err;
  }
};

TEST_F(ExitCode, IsZeroForHelpAndVersionOnStandardOutput) {
  EXPECT_THAT(run({"--help"}).out, HasSubstr("snapshot"));
  const std::string version = run({"--version"}).out;
  EXPECT_THAT(version, StartsWith("weftscope " WEFT_VERSION));
  EXPECT_THAT(version, HasSubstr("\nDear ImGui "));
  for (const Command& command : commands()) {
    const Outcome help = run({std::string(command.name), "--help"});
    EXPECT_EQ(help.exit_code, 0) << command.name;
    EXPECT_THAT(help.out, HasSubstr(command.summary));
    EXPECT_EQ(help.err, "");
  }
}

TEST_F(ExitCode, IsOneForFilesThatCannotBeRead) {
  const test::ScratchFolder no_traces;
  const std::vector<std::string> files = {folder_ / "missing",
                                          no_traces.path(),
                                          folder_.write("empty", ""),
                                          folder_.write("text", "Hello."),
                                          folder_.write("cut.weft", "WEFT"),
                                          "/dev/zero"};
  for (const std::string& file : files) {
    for (const char* command : {"info", "events", "stats", "verify"}) {
      SCOPED_TRACE(std::string(command) + " " + file);
      const Outcome done = run({command, file});
      expect_one_line(done, 1);
      EXPECT_THAT(done.err, StartsWith("weftscope: " + file + ": "));
      EXPECT_EQ(done.out, "");
    }
  }
  expect_one_line(run({"import", small_, "-o", folder_ / "no" / "such" / "folder.weft"}), 1);
  expect_one_line(run({"info", small_, "--format", "nexus-lite"}), 1);
  expect_one_line(run({"info", small_, "--format", "no-such-format"}), 1);
  expect_one_line(run({"snapshot", small_, "-o", folder_ / "no" / "such.png"}), 1);
  expect_one_line(run({"replay", folder_ / "missing"}), 1);
}

// Of stats it is the type of the input, of events that of the output.
TEST_F(ExitCode, IsOneWhereAFormatForOutputIsTakenForThatOfTheTrace) {
  const auto hint = HasSubstr("--format is the type of FILE here: use --json to print JSON");
  for (const char* command : {"stats", "info"}) {
    for (const char* format : {"csv", "json", "jsonl", "table"}) {
      const Outcome done = run({command, small_, "--format", format});
      expect_one_line(done, 1);
      EXPECT_THAT(done.err, hint);
    }
    EXPECT_THAT(run({command, small_, "--format", "no-such-format"}).err, testing::Not(hint));
  }
  EXPECT_EQ(run({"events", small_, "--format", "csv"}).exit_code, 0);
}

TEST_F(ExitCode, IsOneForAddressesOfWhichNothingIsRead) {
  for (const char* address : {"http://example.org/trace.json", "file:///tmp/trace.json"}) {
    const Outcome done = run({"info", address});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_EQ(done.err, std::string("weftscope: ") + address +
                            ": only paths of files and ssh:// addresses can be opened\n");
  }
}

TEST_F(ExitCode, IsOneWithoutADisplayAndSaysWhatToDo) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{}, {small_}}) {
    const Outcome done = run(arguments);
    expect_one_line(done, 1);
    EXPECT_THAT(done.err, HasSubstr("no display"));
    EXPECT_THAT(done.err, HasSubstr("snapshot"));
  }
}

TEST_F(ExitCode, IsTwoForAWordThatIsNeitherACommandNorAFile) {
  const Outcome done = run({"inof", small_});
  expect_one_line(done, 2);
  EXPECT_THAT(done.err, HasSubstr("inof: is not a command"));
}

TEST_F(ExitCode, IsOneWhenTheOutputIsFull) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full";
  for (const std::string& arguments : {"events " + small_, std::string("--help")}) {
    const std::string command =
        std::string(WEFT_PROGRAM) + " " + arguments + " >/dev/full 2>/dev/null";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1) << arguments;
  }
}

TEST_F(ExitCode, IsOneWhenTheOutputIsClosed) {
  for (const std::string& arguments : {"events " + small_, "export --to csv -o - " + small_}) {
    const std::string command = std::string(WEFT_PROGRAM) + " " + arguments + " >&- 2>/dev/null";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1) << arguments;
  }
}

// Neither option silently overrides the other.
TEST_F(ExitCode, IsTwoForOptionsThatContradictEachOther) {
  const std::string out = folder_ / "out";
  const std::vector<std::vector<std::string>> calls = {
      {"events", small_, "--json", "--format", "csv"},
      {"events", small_, "--format", "table", "--json"},
      {"find", small_, "tick", "--json", "--format", "csv"},
      {"find", small_, "tick", "--count", "--limit", "3"},
      {"sql", small_, "SELECT 1", "--json", "--format", "csv"},
      {"chain", small_, "--message", "1", "--cause", "--json", "--format", "table"},
      {"chain", small_, "--message", "main@40%", "--cause", "--at", "40%"},
      {"stats", small_, "--page", "events", "--lane", "main"},
      {"stats", small_, "--page", "events", "--percentiles"},
      {"export", small_, "--to", "csv", "--to", "paje", "-o", out},
      {"export", small_, "--to", "40%", "--to", "50%", "-o", out},
      {"info", small_, "--option", "a=1", "--option", "a=2"},
      {"generate", "nexus-lite", "--lanes", "3", "-o", out}};
  for (const std::vector<std::string>& arguments : calls) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const Outcome done = run(arguments);
    expect_one_line(done, 2);
    EXPECT_EQ(done.out, "");
  }
  EXPECT_EQ(run({"events", small_, "--json", "--format", "jsonl"}).exit_code, 0);
  EXPECT_EQ(run({"export", small_, "--to", "csv", "--to", "40%", "-o", out}).exit_code, 0);
}

TEST_F(ExitCode, IsThreeForDamageAndWhatIsReadableIsPrinted) {
  const std::string file = folder_.write("damaged.json", R"([
      {"ph":"X","name":"fine","pid":1,"tid":1,"ts":1,"dur":1},
      {"ph":"E","pid":1,"tid":1,"ts":9}])");
  const std::vector<std::vector<std::string>> calls = {
      {"info"},
      {"events", "--json"},
      {"columns", "--from", "0", "--to", "4", "--count", "2"},
      {"density", "--count", "2"},
      {"stats"},
      {"import", "-o", folder_ / "damaged.weft"}};
  for (std::vector<std::string> arguments : calls) {
    SCOPED_TRACE(arguments[0]);
    arguments.push_back(file);
    const Outcome done = run(arguments);
    expect_one_line(done, 3);
    EXPECT_NE(done.out, "");
  }
  // The .weft remembers what was lost, and is sound itself.
  expect_one_line(run({"info", folder_ / "damaged.weft"}), 3);
  EXPECT_EQ(run({"verify", folder_ / "damaged.weft"}).exit_code, 0);
}

TEST_F(ExitCode, IsThreeForAWeftWhoseContentWasChanged) {
  const std::string file = folder_ / "t.weft";
  const std::string trace = folder_ / "t.json";
  ASSERT_EQ(run({"generate", "chrome-json", "--events", "20000", "-o", trace}).exit_code, 0);
  ASSERT_EQ(run({"import", trace, "-o", file}).exit_code, 0);
  std::string content = test::content_of(file);
  for (size_t i = content.size() / 4; i < content.size() / 2; i += 64) content[i] ^= 0x55;
  folder_.write("t.weft", content);
  expect_one_line(run({"verify", file}), 3);
  const Outcome events = run({"events", file, "--json"});
  expect_one_line(events, 3);
  EXPECT_NO_THROW(events.json_lines());
  const std::string part = folder_ / "part.weft";
  expect_one_line(run({"export", file, "-o", part}), 3);
  EXPECT_EQ(run({"verify", part}).exit_code, 0);
  expect_one_line(run({"info", part}), 3);
  // What is drawn is no better.
  const std::string picture = folder_ / "picture.png";
  const Outcome drawn = run({"snapshot", file, "-o", picture, "--size", "320x200"});
  expect_one_line(drawn, 3);
  EXPECT_THAT(drawn.err, HasSubstr("t.weft: checksum does not match at byte "));
  EXPECT_THAT(test::content_of(picture), StartsWith("\x89PNG"));
  const Outcome tour = run({"tour", file, "--size", "320x200", "--frames", "9"});
  expect_one_line(tour, 3);
  EXPECT_THAT(tour.out, HasSubstr("Frames"));
  const std::string journal = folder_.write("journal", "{\"command\":\"view.fit\"}\n");
  expect_one_line(run({"replay", journal, file}), 3);
}

// A journal may open what is damaged, and close it again.
TEST_F(ExitCode, IsThreeForAJournalWithATraceThatIsNotWhole) {
  const std::string file = folder_.write("damaged.json", R"([
      {"ph":"X","name":"fine","pid":1,"tid":1,"ts":1,"dur":1},
      {"ph":"E","pid":1,"tid":1,"ts":9}])");
  const std::string journal = folder_.write(
      "journal", nlohmann::json{{"command", "open"}, {"args", {{"path", file}}}}.dump() +
                     "\n{\"command\":\"close\"}\n");
  const Outcome done = run({"replay", journal});
  expect_one_line(done, 3);
  EXPECT_THAT(done.err, HasSubstr("damaged.json: 1 lost or damaged"));
}

TEST_F(ExitCode, IsTwoForWrongUsage) {
  const std::vector<std::vector<std::string>> wrong = {
      {"--no-such-option"},
      {"info"},
      {"info", small_, small_},
      {"info", small_, "--no-such-option"},
      {"import", small_},
      {"import", small_, "-o", "x.weft", "--memory", "lots"},
      {"import", small_, "-o", "x.weft", "--memory", "1"},
      {"import", small_, "-o", "x.weft", "--option", "no-equals-sign"},
      {"events", small_, "--limit", "-1"},
      {"events", small_, "--limit", "many"},
      {"events", small_, "--format", "xml"},
      {"events", small_, "--category", "states"},
      {"events", small_, "--lane", "a(b"},
      {"events", small_, "--type", "[z"},
      {"events", small_, "--from", "noon"},
      {"events", small_, "--to", "5parsecs"},
      {"events", small_, "--from", ""},
      {"events", small_, "--from", "50%", "--to", "40%"},
      {"columns", small_, "--count", "10"},
      {"columns", small_, "--from", "0", "--to", "100", "--count", "7"},
      {"columns", small_, "--from", "0", "--to", "100", "--count", "0"},
      {"columns", small_, "--from", "0", "--to", "0", "--count", "1"},
      {"density", small_},
      {"density", small_, "--count", "0"},
      {"density", small_, "--count", "99999999999"},
      {"stats", small_, "--metric", "beauty"},
      {"stats", small_, "--by", "colour"},
      {"snapshot", small_},
      {"snapshot", small_, "-o", "x.png", "--size", "100"},
      {"snapshot", small_, "-o", "x.png", "--size", "0x100"},
      {"snapshot", small_, "-o", "x.png", "--size", "100x100000"},
      {"snapshot", small_, "-o", "x.png", "--theme", "pink"},
      {"snapshot", small_, "-o", "x.png", "--panel", "nonsense"},
      {"snapshot", small_, "-o", "x.png", "--from", "noon"},
      {"snapshot", small_, "-o", "x.png", "--from", "50%", "--to", "40%"},
      {"snapshot", small_, "-o", "x.png", "--from", "20us", "--to", "20us"},
      {"snapshot", small_, "-o", "x.jpg"},
      {"snapshot", small_, "-o", ""},
      {"import", small_, "-o", ""},
      {"export", small_, "-o", ""},
      {"events", small_, "--limit", "-1"},
      {"stats", small_, "--by", "pair", "--metric", "duration"},
      {"stats", small_, "--by", "pair", "--metric", "value"},
      {"stats", small_, "--metric", "value", "--percentiles"},
      {"export", small_, "-o", "x.json", "--to", "chromejson"},
      {"tour", small_, "--frames", "0"},
      {"replay"},
      {"generate", "gif", "-o", "x"},
      {"generate", "nexus-lite"},
      {"generate", "nexus-lite", "-o", "x", "--events", "0"},
      {"generate", "chrome-json", "-o", "x", "--lanes", "0"},
      {"generate", "chrome-json", "-o", "x", "--seed", "x"},
      {small_, "info", small_},
  };
  for (const auto& arguments : wrong) {
    std::string shown;
    for (const std::string& argument : arguments) shown += argument + " ";
    SCOPED_TRACE(shown);
    const Outcome done = run(arguments);
    expect_one_line(done, 2);
    EXPECT_EQ(done.out, "");
  }
}

TEST_F(ExitCode, OfTwoComesWithWordsThatHelp) {
  const Outcome limit = run({"events", small_, "--limit", "-1"});
  EXPECT_THAT(limit.err, HasSubstr("--limit: '-1' is not a number of 0 or more"));
  EXPECT_LT(limit.err.size(), 200u);
  const Outcome format = run({"export", small_, "-o", "x.json", "--to", "chromejson"});
  EXPECT_THAT(format.err, HasSubstr("'chromejson' is not a format that is written"));
  EXPECT_THAT(format.err, HasSubstr("chrome-json"));
  const Outcome ending = run({"export", small_, "-o", "x.gif"});
  EXPECT_THAT(ending.err, HasSubstr("--to names a format"));
  EXPECT_THAT(run({"snapshot", small_, "-o", "x.jpg"}).err, HasSubstr(".png or .svg"));
  EXPECT_THAT(run({"snapshot", small_, "-o", "x.png", "--to", "nan"}).err,
              HasSubstr("to: 'nan' is not a time"));
  EXPECT_THAT(run({"import", small_, "-o", ""}).err,
              HasSubstr("--output: the name of a file is missing"));
}

TEST_F(ExitCode, OfOneComesWithTheReasonAndWhatToDo) {
  EXPECT_THAT(run({"replay", folder_ / "missing"}).err,
              HasSubstr("missing: cannot be read: No such file or directory"));
  const std::string tiny = folder_.write("tiny", "[]");
  for (const std::string& file : {small_, tiny})
    EXPECT_THAT(run({"verify", file}).err, HasSubstr("weftscope import makes one of it"));
  const std::string kept = folder_ / "small.weft";
  ASSERT_EQ(run({"import", small_, "-o", kept}).exit_code, 0);
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--format", "nexus-lite"}, {"--option", "bogus=1"}}) {
    std::vector<std::string> call = {"info", kept};
    call.insert(call.end(), how.begin(), how.end());
    const Outcome done = run(call);
    expect_one_line(done, 1);
    EXPECT_THAT(done.err, HasSubstr("small.weft: is a .weft already"));
  }
}

// Every option that takes a value, given without it.
TEST_F(ExitCode, IsTwoForAnyOptionWithoutItsValue) {
  const Parser parser = make_parser();
  size_t checked = 0;
  for (const CLI::App* command : parser.app->get_subcommands({})) {
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_positional() || option->get_items_expected_min() == 0) continue;
      const std::string name = option->get_name();
      SCOPED_TRACE(command->get_name() + " " + name);
      EXPECT_EQ(run({command->get_name(), small_, name}).exit_code, 2);
      ++checked;
    }
  }
  EXPECT_GT(checked, 30u);
}

}  // namespace
}  // namespace weft::cli
