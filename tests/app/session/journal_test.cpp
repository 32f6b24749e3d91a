#include "app/session/journal.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

class Journals : public ::testing::Test {
 protected:
  testing::ScratchFolder folder_;
  std::filesystem::path path_ = folder_.path() / "journal";
};

TEST_F(Journals, HaveALineForEachCommand) {
  Journal journal = Journal::open(path_).value();
  journal.add({"view.fit"});
  journal.add({"theme", {{"name", "light"}}});
  EXPECT_EQ(lines_of(path_),
            (std::vector<std::string>{R"({"command":"view.fit","args":{}})",
                                      R"({"command":"theme","args":{"name":"light"}})"}));
}

TEST_F(Journals, KeepTheLastOfAGesture) {
  Journal journal = Journal::open(path_).value();
  for (int i = 0; i < 5; ++i) journal.add({"scroll", {{"to", i}}, 9});
  EXPECT_TRUE(lines_of(path_).empty());
  journal.add({"view.fit"});
  EXPECT_EQ(lines_of(path_), (std::vector<std::string>{R"({"command":"scroll","args":{"to":4}})",
                                                       R"({"command":"view.fit","args":{}})"}));
}

TEST_F(Journals, KeepBothNamesOfAGesture) {
  Journal journal = Journal::open(path_).value();
  for (int i = 0; i < 3; ++i) {
    journal.add({"scroll", {{"to", i}}, 9});
    journal.add({"view.pan", {{"ticks", i}}, 9});
  }
  journal.flush();
  EXPECT_EQ(lines_of(path_).size(), 2u);
}

TEST_F(Journals, HaveNothingInALineThatNobodyReads) {
  EXPECT_TRUE(command_from_json(R"({"command":"snapshot","args":{"output":"x.png"}})"));
  const auto command = command_from_json(R"({"command":"snapshot","path":"x.png"})");
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().message,
            "'path' is neither 'command' nor 'args', where arguments belong");
}

TEST_F(Journals, AreAppendedTo) {
  {
    Journal::open(path_).value().add({"view.fit"});
  }
  {
    Journal::open(path_).value().add({"quit"});
  }
  EXPECT_EQ(lines_of(path_).size(), 2u);
}

TEST_F(Journals, OfAGestureUnderWayAreWrittenAtTheEnd) {
  {
    Journal::open(path_).value().add({"scroll", {{"to", 4}}, 9});
  }
  EXPECT_EQ(lines_of(path_).size(), 1u);
}

TEST_F(Journals, ThatCannotBeOpenedSayWhere) {
  const auto journal = Journal::open(folder_.path() / "no" / "journal");
  ASSERT_FALSE(journal);
  EXPECT_NE(journal.error().message.find("no/journal"), std::string::npos);
}

TEST_F(Journals, EndWhereTheyCannotBeWrittenAndSaySoOnce) {
  Journal journal = Journal::open("/dev/full").value();
  EXPECT_FALSE(journal.take_failure());
  const Command long_line = {"marker.add", {{"note", std::string(100'000, 'z')}}};
  journal.add(long_line);
  const auto failure = journal.take_failure();
  ASSERT_TRUE(failure);
  EXPECT_TRUE(failure->message.starts_with("/dev/full: the journal ends here: "))
      << failure->message;
  journal.add({"view.fit"});
  EXPECT_FALSE(journal.take_failure());
  // Nor does the end of the program fail with a gesture under way.
  Journal::open("/dev/full").value().add({"scroll", long_line.args, 9});
}

TEST_F(Journals, ThatCannotBeReadAreNotEmpty) {
  const auto lines = read_journal(folder_.path());
  ASSERT_FALSE(lines);
  EXPECT_TRUE(lines.error().message.contains("cannot be read")) << lines.error().message;
  EXPECT_FALSE(lines.error().message.contains("Success")) << lines.error().message;
}

TEST_F(Journals, BearPathsThatAreNoUtf8) {
  Journal journal = Journal::open(path_).value();
  journal.add({"open", {{"path", "a\xff\n\"b"}}});
  ASSERT_EQ(lines_of(path_).size(), 1u);
  EXPECT_TRUE(command_from_json(lines_of(path_)[0]));
}

}  // namespace
}  // namespace weft::app
