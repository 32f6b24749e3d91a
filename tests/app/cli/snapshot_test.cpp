// weftscope snapshot: the range that it draws, and the file that it writes.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/app/cli/program.h"

namespace weft::cli {
namespace {

using testing::HasSubstr;

class SnapshotCommand : public ProgramTest {};

TEST_F(SnapshotCommand, DrawsAPng) {
  const std::string output = folder_ / "picture.png";
  const Outcome done = run({"snapshot", small_, "--panel", "gantt", "--size", "320x200", "--theme",
                            "light", "-o", output});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(test::content_of(output).starts_with("\x89PNG"));
}

// As density reads them; the trace begins at 10 µs.
TEST_F(SnapshotCommand, ReadsTimesAsTheOtherCommandsDo) {
  const auto drawn = [&](const std::string& from, const std::string& to) {
    const std::string output = folder_ / "picture.svg";
    const Outcome done = run({"snapshot", small_, "--from", from, "--to", to, "-o", output});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return test::content_of(output) + done.err;
  };
  EXPECT_EQ(drawn("19us", "60us"), drawn("19000", "60000"));
  EXPECT_EQ(drawn("+9us", "+50us"), drawn("19000", "60000"));
  EXPECT_NE(drawn("19us", "60us"), drawn("+19us", "+60us"));
}

TEST_F(SnapshotCommand, DoesNotReplaceATraceThatItDraws) {
  const std::string first = folder_.write("first", kSmallTrace);
  const std::string second = folder_.write("second", kSmallTrace), link = folder_ / "link";
  std::filesystem::create_symlink(second, link);
  for (const std::string& output : {first, second, link}) {
    const Outcome done = run({"snapshot", first, second, "-o", output});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.err, HasSubstr(": is also the output"));
  }
  EXPECT_EQ(test::content_of(first), kSmallTrace);
  EXPECT_EQ(test::content_of(second), kSmallTrace);
}

TEST_F(SnapshotCommand, DoesNotReplaceATraceInAFolderThatItDraws) {
  std::filesystem::create_directory(folder_ / "traces");
  const std::string trace = folder_.write("traces/a", kSmallTrace);
  const std::string picture = folder_.write("traces/b.png", "an earlier picture");
  EXPECT_EQ(run({"snapshot", folder_ / "traces", "-o", trace}).exit_code, 1);
  EXPECT_EQ(test::content_of(trace), kSmallTrace);
  const Outcome done = run({"snapshot", folder_ / "traces", "-o", picture});
  EXPECT_EQ(done.exit_code, 0) << done.err;
}

TEST_F(SnapshotCommand, SaysWhereItDrawsAnotherRange) {
  const auto said = [&](const std::string& from, const std::string& to) {
    return run({"snapshot", small_, "--from", from, "--to", to, "-o", folder_ / "picture.png"}).err;
  };
  EXPECT_EQ(said("0", "200000"), "");
  EXPECT_THAT(said("0", "9000000"), HasSubstr("small.json: drawn from 0 to 200002 (in ticks)"));
  EXPECT_THAT(said("10s", "20s"), HasSubstr("small.json: drawn from "));
  EXPECT_THAT(said("20000", "20001"), HasSubstr("small.json: drawn from 19998 to 20002"));
}

TEST_F(SnapshotCommand, ReplacesNothingButFiles) {
  const std::string mine = folder_.write("picture.png.part", "mine");
  const std::string file = folder_ / "picture.png", link = folder_ / "link.png";
  ASSERT_EQ(run({"snapshot", small_, "-o", file}).exit_code, 0);
  EXPECT_EQ(test::content_of(mine), "mine");
  std::filesystem::create_symlink(file, link);
  folder_.write("picture.png", "old");
  ASSERT_EQ(run({"snapshot", small_, "-o", link}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(test::content_of(file).starts_with("\x89PNG"));
  const std::string pipe = folder_ / "pipe.png";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Outcome refused = run({"snapshot", small_, "-o", pipe});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("pipe.png: is not a regular file"));
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

}  // namespace
}  // namespace weft::cli
