// covers B-15, C-11: the traces of an archive or a folder are opened in its place
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/app/offscreen_test.h"
#include "tests/core/io/archives.h"

namespace weft::app {
namespace {

class TracesOfOneFile : public testing::OffscreenTest {
 protected:
  void SetUp() override { start(); }
  void start() { OffscreenTest::start(lasting(1000, 700)); }
  const OpenTrace& trace(size_t i) const { return *session().traces[i]; }
};

std::filesystem::path write_archive(const std::filesystem::path& folder) {
  const std::string begin = R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":)";
  const auto path = folder / "runs.zip";
  std::ofstream(path) << test::archive_of(test::Packing::kZip,
                                          {{"runs/a.json", begin + "0,\"dur\":10}]"},
                                           {"runs/below/b.json", begin + "30,\"dur\":10}]"},
                                           {"runs/readme", "words"}});
  return path;
}

TEST_F(TracesOfOneFile, OfAnArchiveAreOpenedInItsPlace) {
  const auto path = write_archive(folder_.path());
  ASSERT_TRUE(host_->open(testing::write_one_event(folder_.path())));
  ASSERT_TRUE(host_->open(path));
  ASSERT_TRUE(host_->settle());
  ASSERT_EQ(session().traces.size(), 3u);
  EXPECT_EQ(trace(1).path(), path / "a.json");
  EXPECT_EQ(trace(2).path(), path / "below/b.json");
  EXPECT_EQ(session().current, 2u);  // as where they were named one after another
  EXPECT_EQ(trace(1).trace()->counts().total(), 1u);
  EXPECT_EQ(session().messages.all.front().text,
            path.string() + ": is an archive of 2 traces and 1 other files");
  EXPECT_FALSE(session().messages.all.front().is_error);
  ASSERT_TRUE(run("trace.select", {{"index", 0}}));
  ASSERT_TRUE(host_->open(path));  // both are open already
  EXPECT_EQ(session().traces.size(), 3u);
  EXPECT_EQ(session().current, 2u);
  ASSERT_TRUE(run("trace.stack"));
  ASSERT_TRUE(run("view.fit"));
  EXPECT_EQ(trace(1).view().window, TimeWindow::all_of({{0}, {40'001}}));
  EXPECT_EQ(trace(2).beside(), path.string() + ".below.b.json");
  // Each is known by itself from now on.
  start();
  ASSERT_TRUE(host_->settle());
  ASSERT_EQ(session().traces.size(), 3u);
  EXPECT_EQ(trace(2).path(), path / "below/b.json");
}

TEST_F(TracesOfOneFile, LeaveWhatIsShownMeanwhile) {
  const auto path = write_archive(folder_.path());
  const auto shown = testing::write_one_event(folder_.path());
  ASSERT_TRUE(run("open", {{"path", path.string()}}));
  ASSERT_TRUE(run("open", {{"path", shown.string()}}));
  ASSERT_EQ(session().current, 1u);
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(host_->settle()) << "the parts, where the archive ended behind the last frame";
  ASSERT_EQ(session().traces.size(), 3u);
  EXPECT_EQ(session().trace()->path(), shown);
}

TEST_F(TracesOfOneFile, OfAFolderAreOpenedInItsPlace) {
  const auto folder = folder_.path() / "runs";
  std::filesystem::create_directory(folder);
  for (const char* const name : {"a.json", "b.json"})
    std::ofstream(folder / name) << R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":10}])";
  std::ofstream(folder / "readme") << "words";
  ASSERT_TRUE(host_->open(folder));
  ASSERT_TRUE(host_->settle());
  ASSERT_EQ(session().traces.size(), 2u);
  EXPECT_EQ(trace(0).path(), folder / "a.json");
  EXPECT_EQ(trace(1).path(), folder / "b.json");
  EXPECT_EQ(session().messages.all.front().text, folder.string() + ": is a folder of 2 traces");
  // For a folder of many traces, one must be named.
  for (int i = 0; i < 9; ++i)
    std::filesystem::copy_file(folder / "a.json", folder / (std::to_string(i) + ".json"));
  EXPECT_FALSE(host_->open(folder));
  host_->frame();
  EXPECT_NE(session().messages.last.text.find("is a folder of several traces, 0.json, 1.json"),
            std::string::npos)
      << session().messages.last.text;
}

TEST_F(TracesOfOneFile, OfAnArchiveThatIsNotThereAnyMoreAreSaidToBe) {
  const auto path = write_archive(folder_.path());
  EXPECT_FALSE(host_->open(path / "none.json"));
  host_->frame();
  EXPECT_EQ(session().messages.last.text,
            (path / "none.json").string() + ": is not in the archive");
  EXPECT_TRUE(session().traces.empty());
}

TEST_F(TracesOfOneFile, AreOpenedWhereTheyAreWeftsThatArePacked) {
  const auto sample = testing::write_sample(folder_.path());
  const std::string bytes = test::content_of(sample);
  const auto pack = [&](const char* name, test::Packing packing, const std::string& content) {
    const auto path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << test::archive_of(packing, {{"run.weft", content}});
    return path;
  };
  ASSERT_TRUE(host_->open(pack("run.zip", test::Packing::kZip, bytes)));
  ASSERT_TRUE(host_->open(pack("run.weft.xz", test::Packing::kXz, bytes)));
  ASSERT_TRUE(host_->settle());
  ASSERT_EQ(session().traces.size(), 2u);
  const auto whole = testing::opened(sample)->counts().total();
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(trace(i).trace()->counts().total(), whole) << i;
  const auto cut = pack("cut.zip", test::Packing::kZip, bytes.substr(0, bytes.size() / 2));
  EXPECT_FALSE(host_->open(cut));
  host_->frame();
  EXPECT_TRUE(session().messages.last.text.starts_with(cut.string() + ": "))
      << session().messages.last.text;
}

}  // namespace
}  // namespace weft::app
