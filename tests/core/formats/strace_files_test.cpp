// covers R6
#include <gtest/gtest.h>

#include <string>

#include "core/formats/kernel/strace/strace_reader.h"
#include "tests/core/formats/reading.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

// Files as from strace -ff -tt -o out: a process that makes another one just before midnight.
void write_files(const ScratchFolder& folder) {
  folder.write("out.20",
               "23:59:59.900000 execve(\"./sh\", [\"./sh\"], 0x7ffe /* 43 vars */) = 0\n"
               "23:59:59.950000 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD) = 3\n"
               "00:00:00.200000 wait4(3,  <unfinished ...>\n");
  folder.write("out.3",
               "00:00:00.100000 execve(\"/bin/cat\", [\"cat\"], 0x7ffe /* 43 vars */) = 0\n"
               "00:00:00.150000 getpid()          = 3\n"
               "00:00:00.160000 +++ exited with 0 +++\n");
  folder.write("other.4", "00:00:00.100000 getpid() = 4\n00:00:00.150000 getpid() = 4\n");
}

TEST(StraceFiles, EachFileOpensAll) {
  const ScratchFolder folder;
  write_files(folder);
  const std::string text = read(folder / "out.3", {"strace"})->text();
  EXPECT_EQ(read(folder / "out.20", {"strace"})->text(), text);
  EXPECT_NE(text.find("lane sh 20 (process)\nlane cat 3 (process)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("link from 86399950000000 on sh 20 to 86400100000000 on cat 3: \"clone\""),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("note call without an end x 1"), std::string::npos) << text;
  EXPECT_EQ(text.find(" 4 (process)"), std::string::npos) << text;
}

TEST(StraceFiles, FilesThatSayWhoseTheirLinesAreStandByThemselves) {
  const ScratchFolder folder;
  write_files(folder);
  folder.write("out.5", "7 00:00:00.100000 getpid() = 7\n7 00:00:00.150000 getpid() = 7\n");
  const std::string text = read(folder / "out.5", {"strace"})->text();
  EXPECT_EQ(text.find("sh 20"), std::string::npos) << text;
  EXPECT_NE(read(folder / "out.3", {"strace"})->text().find("note file beside it"),
            std::string::npos);
}

// Whatever the next file begins with.
TEST(StraceFiles, ACallThatItsFileDoesNotEndHasNoEnd) {
  const ScratchFolder folder;
  folder.write("t.100",
               "10:00:00.000001 close(3) = 0\n10:00:00.000002 read(3,  <unfinished ...>\n");
  folder.write("t.200",
               "\"\", 4096) = 0\n10:00:00.500002 close(3) = 0\n10:00:00.500003 close(4) = 0\n");
  const auto trace = read(folder / "t.100", {"strace"});
  EXPECT_EQ(trace->error, "");
  EXPECT_EQ(trace->sink.state_events().size(), 1u) << trace->text();
  EXPECT_EQ(trace->sink.punctual_events().size(), 3u) << trace->text();
}

TEST(StraceFiles, NamesTellTheirRun) {
  EXPECT_EQ(strace_run("out.123"), "out");
  EXPECT_EQ(strace_run("out.123.gz"), "out");
  EXPECT_EQ(strace_run("out.log"), "");
  EXPECT_EQ(strace_run(".123"), "");
}

}  // namespace
}  // namespace weft::formats
