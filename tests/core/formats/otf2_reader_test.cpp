// covers FS-62, R7
#include "core/formats/hpc/otf2/otf2_reader.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/otf2_more_samples.h"
#include "tests/core/formats/otf2_samples.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;
using test::read;
using test::ScratchFolder;

TEST(Otf2, ReadsAsWritten) {
  const ScratchFolder folder;
  test::write_otf2(folder / "trace");
  const auto expected = fs::path(WEFT_SOURCE_DIR) / "tests/core/formats/otf2/succeed/small.txt";
  test::expect_as_written(expected, read(folder / "trace")->text());
  EXPECT_EQ(read(folder / "trace/small.otf2")->text(), read(folder / "trace")->text());
}

TEST(Otf2, ReadsTheTraceOfAFolderThatIsNamed) {
  const ScratchFolder folder;
  test::write_otf2(folder / "trace");
  const std::string alone = read(folder / "trace")->text();
  fs::copy_file(folder / "trace/small.otf2", folder / "trace/another.otf2");
  fs::copy_file(folder / "trace/small.def", folder / "trace/another.def");
  EXPECT_EQ(read(folder / "trace/small.otf2")->text(), alone);
  EXPECT_EQ(read(folder / "trace/another.otf2")->error,
            "is an OTF2 trace without the files of its events (NUMBER.evt)");
  EXPECT_EQ(read(folder / "trace")->error,
            "is one folder of several OTF2 traces (another.otf2, small.otf2): open one of them by "
            "its name");
}

TEST(Otf2, ReadsEventsOfAllKinds) {
  const ScratchFolder folder;
  test::write_otf2_more(folder / "trace");
  const auto expected = fs::path(WEFT_SOURCE_DIR) / "tests/core/formats/otf2/succeed/more.txt";
  test::expect_as_written(expected, read(folder / "trace")->text());
}

// The first location has ten events, of which nobody knows any more.
TEST(Otf2, ReadsTheLocationsWhoseFilesAreThere) {
  const ScratchFolder folder;
  test::write_otf2(folder / "trace");
  fs::remove(folder / "trace/small/0.evt");
  const auto expected =
      fs::path(WEFT_SOURCE_DIR) / "tests/core/formats/otf2/fail/missing_events.txt";
  test::expect_as_written(expected, read(folder / "trace")->text());
  folder.write("trace/small/0.evt", "");
  test::expect_as_written(expected, read(folder / "trace")->text());
  fs::remove(folder / "trace/small/7.evt");
  EXPECT_EQ(read(folder / "trace")->error,
            "is an OTF2 trace without the files of its events (NUMBER.evt)");
}

// As APEX writes: the region that is left is named otherwise than the one that was entered.
TEST(Otf2, ALeaveOfAnotherRegionEndsTheInnermost) {
  const auto write_first = [](OTF2_EvtWriter* writer) {
    OTF2_EvtWriter_Enter(writer, nullptr, 1000, 0);
    OTF2_EvtWriter_Enter(writer, nullptr, 1010, 0);
    OTF2_EvtWriter_Leave(writer, nullptr, 1030, 1);
    OTF2_EvtWriter_Leave(writer, nullptr, 1050, 0);
    OTF2_EvtWriter_Leave(writer, nullptr, 1060, 0);
  };
  const ScratchFolder folder;
  test::write_otf2_archive(folder / "trace", "small", {write_first, test::write_otf2_second},
                           test::write_otf2_definitions);
  const auto reading = read(folder / "trace");
  EXPECT_THAT(reading->text(), testing::HasSubstr("state 0 to 100 on box/rank 0/thread: \"main\""));
  EXPECT_THAT(reading->text(),
              testing::HasSubstr("state 20 to 60 on box/rank 0/thread: \"main\" nested 1"));
  EXPECT_EQ(reading->sink.loss_count("leave of another region"), 1u);
}

TEST(Otf2, HasTheEventsTimesAndNamesOfOtf2Print) {
  if (std::system("command -v otf2-print >/dev/null") != 0) GTEST_SKIP() << "no otf2-print";
  const ScratchFolder folder;
  test::write_otf2(folder / "trace");
  const std::string command =
      fmt::format("otf2-print '{}' 2>/dev/null", (folder / "trace/small.otf2").string());
  std::map<std::string, size_t> theirs;
  std::vector<std::string> entered;  // "0 main", by time
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    const std::string_view text = line.data();
    ++theirs[std::string(text.substr(0, text.find(' ')))];
    unsigned long long location = 0, ticks = 0;
    char region[32] = {};
    constexpr unsigned long long kFirstTick = 1000, kNanosecondsPerTick = 2;
    if (std::sscanf(line.data(), "ENTER %llu %llu Region: \"%31[^\"]\"", &location, &ticks,
                    region) == 3)
      entered.push_back(fmt::format("{} {}", (ticks - kFirstTick) * kNanosecondsPerTick, region));
  }
  ::pclose(pipe);
  const auto reading = read(folder / "trace");
  const auto& dictionary = reading->sink.dictionary();
  const auto count_links = [&](std::string_view name, auto is_counted) {
    return std::ranges::count_if(reading->sink.link_events(), [&](const trace::LinkEvent& link) {
      return dictionary.type(link.type).name == name && is_counted(link);
    });
  };
  const size_t sends =
      count_links("message", [](const auto& link) { return !link.source.is_none(); });
  const size_t receives =
      count_links("message", [](const auto& link) { return !link.target.is_none(); });
  std::vector<std::string> ours;
  for (const trace::StateEvent& state : reading->sink.state_events()) {
    const auto& type = dictionary.type(state.type);
    if (type.group != "measurement")
      ours.push_back(fmt::format("{} {}", state.begin.ticks, type.name));
  }
  std::ranges::sort(ours);
  std::ranges::sort(entered);
  EXPECT_EQ(ours, entered);
  EXPECT_EQ(reading->sink.state_events().size(), theirs["ENTER"] + theirs["BUFFER_FLUSH"]);
  EXPECT_EQ(sends, theirs["MPI_SEND"]);
  EXPECT_EQ(receives, theirs["MPI_RECV"] + theirs["MPI_IRECV"]);
  EXPECT_EQ(reading->sink.samples().size(), theirs["METRIC"]);
}

// Without them its numbers are taken for those of the whole archive.
TEST(HostileOtf2, DefinitionsOfALocationThatAreCutAreALossOnItsLane) {
  const ScratchFolder folder;
  test::write_otf2(folder / "trace");
  constexpr size_t kCutBytes = 12;
  folder.write("trace/small/0.def",
               test::content_of(folder / "trace/small.def").substr(0, kCutBytes));
  EXPECT_THAT(read(folder / "trace")->text(),
              testing::HasSubstr("loss cut or damaged definitions of a location: its events may be "
                                 "misunderstood x 1 at nowhere (box/rank 0/thread)\n"));
}

TEST(HostileOtf2, EventsThatEndEarlySayWhere) {
  const ScratchFolder folder;
  test::write_otf2(folder / "trace");
  for (const auto& [file, lane] :
       {std::pair("0", "box/rank 0/thread"), {"7", "box/rank 1/thread"}}) {
    const std::string name = fmt::format("trace/small/{}.evt", file);
    const std::string whole = test::content_of(folder / name);
    folder.write(name, std::string_view(whole).substr(0, whole.size() / 2));
    EXPECT_THAT(read(folder / "trace")->text(),
                testing::ContainsRegex(fmt::format(
                    "loss the events end early: .* at event [0-9]+ \\({} at [0-9]+\\)", lane)));
    folder.write(name, whole);
  }
}

// The library ends without an error, or goes on with what its memory held before: here the other
// location's events.
TEST(HostileOtf2, EventsCutOffAtTheEndOfALocationAreALossThere) {
  const ScratchFolder folder;
  test::write_otf2(folder / "trace");
  const std::string whole = test::content_of(folder / "trace/small/0.evt");
  constexpr size_t kBehindEvents = 4, kMostBytes = 60;
  for (size_t cut = 1; cut < kMostBytes; ++cut) {
    folder.write("trace/small/0.evt", std::string_view(whole).substr(0, whole.size() - cut));
    const std::string text = read(folder / "trace")->text();
    const bool says_loss = text.find("\nloss ") != std::string::npos;
    // Where the marks of the end are cut, it depends on that memory whether it gives the last one.
    EXPECT_TRUE(says_loss || cut < kBehindEvents) << cut;
    for (const char* const other : {" to 30 on box/rank 0/thread", " to 80 on box/rank 0/thread"})
      EXPECT_EQ(text.find(other), std::string::npos) << cut;
  }
}

TEST(HostileOtf2, EveryFileMayEndAnywhere) {
  const ScratchFolder folder;
  test::write_otf2(folder / "trace");
  for (const std::string name : {"small.otf2", "small.def", "small/0.evt", "small/7.evt"}) {
    const std::string whole = test::content_of(folder / "trace" / name);
    const size_t step = 1 + whole.size() / 60;
    for (size_t size = 0; size < whole.size(); size += step) {
      folder.write("trace/" + name, std::string_view(whole).substr(0, size));
      const auto reading = read(folder / "trace", {"otf2"});
      EXPECT_EQ(reading->error.find('\n'), std::string::npos) << name << ' ' << size;
    }
    folder.write("trace/" + name, whole);
  }
}

}  // namespace
}  // namespace weft::formats
