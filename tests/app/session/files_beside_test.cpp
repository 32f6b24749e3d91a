// What is written beside a file that the user has named replaces nothing of anybody else.
#include "app/session/files_beside.h"

#include <gmock/gmock.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "tests/app/session/commands_fixture.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

class FilesBeside : public Commands {
 protected:
  fs::path in_folder(const char* name) const { return folder_.path() / name; }
  void write(const char* name, const char* text) const { std::ofstream(in_folder(name)) << text; }
  fs::path context() {
    EXPECT_TRUE(run("snapshot", {{"output", in_folder("p.png").string()}, {"context", true}}));
    return session_.orders.snapshots.back().context.filename();
  }
  std::vector<fs::path> items(size_t count) const {
    std::vector<fs::path> names = items_beside(session_, in_folder("r.md"), count).value();
    for (fs::path& name : names) name = name.filename();
    return names;
  }
};

TEST_F(FilesBeside, APictureLeaveOtherTextsAsTheyAre) {
  EXPECT_EQ(context(), "p.png.txt");
  write("p.png.txt", "panel: gantt\n");
  EXPECT_EQ(context(), "p.png.txt") << "it is of the picture that is taken anew";
  write("p.png.txt", "what I know of it");
  EXPECT_EQ(context(), "p.png-2.txt");
  fs::create_symlink(session_.trace()->path(), in_folder("p.png-2.txt"));
  EXPECT_EQ(context(), "p.png-3.txt");
  ASSERT_TRUE(run("snapshot", {{"output", in_folder("p.png").string()}}));
  EXPECT_TRUE(session_.orders.snapshots.back().context.empty());
}

TEST_F(FilesBeside, AReportLeaveOtherFilesAsTheyAre) {
  using ::testing::ElementsAre;
  EXPECT_THAT(items(2), ElementsAre("r-1", "r-2"));
  write("r-1.csv", "mine");
  EXPECT_THAT(items(2), ElementsAre("r-2", "r-3"));
  write("r.md", "# What was found\n[`its table`](<r-1.csv>)\n");
  EXPECT_THAT(items(2), ElementsAre("r-1", "r-2")) << "the report had written it";
  write("r.md", "# My own report\n[`its table`](<r-1.csv>)\n");
  EXPECT_THAT(items(1), ElementsAre("r-2"));
  // Nor is an open trace replaced, whoever wrote it.
  write("r.md", "# What was found\n[`its table`](<r-1.csv>)\n");
  fs::remove(in_folder("r-1.csv"));
  fs::create_symlink(session_.trace()->path(), in_folder("r-1.csv"));
  EXPECT_THAT(items(1), ElementsAre("r-2"));
}

// A job that ends while the others are looked at is said the next time.
TEST_F(FilesBeside, EveryJobThatEndsIsSaid) {
  constexpr size_t kJobs = 64;
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> may_end = false;
    session_.messages = {};
    for (size_t i = 0; i < kJobs; ++i) {
      session_.jobs.push_back(std::make_unique<Job>(
          "job",
          [&may_end](Job::Progress&) -> Result<Job::Outcome> {
            while (!may_end) std::this_thread::yield();
            return Job::Outcome{"done", std::nullopt};
          },
          nullptr));
    }
    may_end = true;
    while (!session_.jobs.empty()) session_.refresh();
    ASSERT_EQ(session_.messages.all.size(), kJobs);
  }
}

}  // namespace
}  // namespace weft::app
