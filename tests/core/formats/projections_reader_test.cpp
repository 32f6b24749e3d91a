// covers FS-62, R7
#include "core/formats/hpc/projections/projections_reader.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/formats/hpc/projections/projections_run.h"
#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;
using test::read;
using test::ScratchFolder;

fs::path sample(const std::string& name) {
  return fs::path(WEFT_SOURCE_DIR) / "tests/core/formats/projections/succeed" / name;
}

void copy_run(const ScratchFolder& folder, const std::string& below = {}) {
  for (const char* name : {"ring.sts", "ring.0.log", "ring.1.log"})
    folder.write(below + name, test::content_of(sample(name)));
}

TEST(Projections, AnyFileOpensTheRun) {
  const ScratchFolder folder;
  copy_run(folder);
  const std::string whole = test::content_of(sample("ring.0.txt"));
  for (const char* name : {"ring.sts", "ring.0.log", "ring.1.log", ""})
    EXPECT_EQ(read(folder / name)->text(), whole) << name;
}

TEST(Projections, LogsMayBeCompressed) {
  if (std::system("command -v gzip >/dev/null") != 0) GTEST_SKIP() << "no gzip";
  const ScratchFolder folder;
  copy_run(folder);
  const std::string command = "gzip '" + (folder / "ring.1.log").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string whole = test::content_of(sample("ring.0.txt"));
  for (const char* name : {"ring.sts", "ring.0.log", "ring.1.log.gz", ""})
    EXPECT_EQ(read(folder / name)->text(), whole) << name;
}

TEST(Projections, AFolderOfTwoRunsIsNone) {
  const ScratchFolder folder;
  copy_run(folder);
  folder.write("other.sts", test::content_of(sample("smp.sts")));
  EXPECT_NE(read(folder.path())->error.find("several traces"), std::string::npos);
}

TEST(Projections, AFolderMayHoldManyLogs) {
  const ScratchFolder folder;
  for (int pe = 0; pe < 300; ++pe)
    folder.write("many." + std::to_string(pe) + ".log", "PROJECTIONS-RECORD 1\n7 10\n");
  const auto reading = read(folder.path());
  EXPECT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.dictionary().lanes.size(), 300u);
}

TEST(Projections, ALogThatIsNotThereIsSaid) {
  const ScratchFolder folder;
  copy_run(folder);
  fs::remove(folder / "ring.1.log");
  const std::string text = read(folder / "ring.sts")->text();
  EXPECT_NE(text.find("loss log of a PE that is not there x 1"), std::string::npos) << text;
}

TEST(Projections, WhatWaitsIsBounded) {
  const ScratchFolder folder;
  std::string log = "PROJECTIONS-RECORD 1\n";
  for (int i = 0; i < 100; ++i) log += "1 5 7 1 " + std::to_string(i) + " 0 64\n";
  const auto path = folder.write("t.0.log", log + "7 10\n");
  test::ReadingOptions options;
  options.memory_bytes = 4096;
  const auto reading = read(path, options);
  EXPECT_NE(reading->text().find("too many"), std::string::npos);
  EXPECT_EQ(reading->sink.link_events().size(), 100u);
}

TEST(Projections, RunsAreKnownByTheNamesOfFiles) {
  EXPECT_EQ(projections_run("a.b.sts"), "a.b");
  EXPECT_EQ(projections_run("a.b.12.log"), "a.b");
  EXPECT_EQ(projections_run("a.b.12.log.gz"), "a.b");
  for (const char* none : {"", ".sts", "a.log", ".0.log", "a.x.log", "a.0.txt", "sts"})
    EXPECT_EQ(projections_run(none), "") << none;
}

}  // namespace
}  // namespace weft::formats
