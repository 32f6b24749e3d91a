#include <fstream>

#include "app/opening/import_cache.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "tests/app/cli/program.h"
#include "tests/core/io/archives.h"
#include "tests/core/io/compress.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

class ImportCache : public cli::ProgramTest {
 protected:
  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "cache", error)) {
      if (entry.is_regular_file()) found.push_back(entry.path());
    }
    return found;
  }
  void open() const { ASSERT_EQ(run({"info", small_}).exit_code, 0); }
};

TEST_F(ImportCache, ASecondOpeningFindsTheFirst) {
  open();
  const auto first = entries();
  ASSERT_EQ(first.size(), 1u);
  const auto written = fs::last_write_time(first[0]);
  open();
  EXPECT_EQ(entries(), first);
  EXPECT_EQ(fs::last_write_time(first[0]), written);
}

TEST_F(ImportCache, AChangedFileIsImportedAgain) {
  open();
  fs::last_write_time(small_, fs::last_write_time(small_) + std::chrono::nanoseconds(1'000'000));
  open();
  EXPECT_EQ(entries().size(), 2u);
  folder_.write("small.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}])");
  EXPECT_EQ(run({"info", small_, "--json"}).json()["counts"]["state"], 1);
}

TEST_F(ImportCache, AnEntryThatCannotBeOpenedIsReplaced) {
  open();
  std::ofstream(entries()[0], std::ios::trunc) << "not a store";
  open();
  EXPECT_GT(fs::file_size(entries()[0]), 100u);
}

// Only reading its data shows that it is damaged.
TEST_F(ImportCache, ADamagedEntryIsRemovedAndNotTakenForADamagedFile) {
  const std::string file = folder_ / "t.json";
  ASSERT_EQ(run({"generate", "chrome-json", "--events", "20000", "-o", file}).exit_code, 0);
  const std::string sound = run({"stats", file}).out;
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"stats", file},
        {"snapshot", file, "--size", "320x200", "-o", folder_ / "picture.png"}}) {
    ASSERT_EQ(entries().size(), 1u);
    const fs::path entry = entries()[0];
    std::string content = test::content_of(entry);
    std::fill(content.begin() + 30'000, content.begin() + 70'000, 'x');
    std::ofstream(entry) << content;
    const cli::Outcome damaged = run(call);
    EXPECT_EQ(damaged.exit_code, 3);
    EXPECT_NE(damaged.err.find("the cached import was damaged (checksum does not match at byte"),
              std::string::npos)
        << damaged.err;
    EXPECT_FALSE(fs::exists(entry));
    EXPECT_EQ(run({"stats", file}).out, sound);
  }
}

TEST_F(ImportCache, IsLeftAloneWhenAsked) {
  EXPECT_EQ(run({"info", small_, "--no-cache"}).exit_code, 0);
  EXPECT_EQ(run({"info", "-"}, small_).exit_code, 0);
  EXPECT_TRUE(entries().empty());
}

TEST_F(ImportCache, IsDoneWithoutWhereItCannotBeAndLeavesNothing) {
  folder_.write("cache", "a file where the folder should be");
  EXPECT_EQ(run({"info", small_}).exit_code, 0);
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("weftscope-")) << entry.path();
  }
}

TEST_F(ImportCache, TheEntriesUsedLongestAgoLeaveFirst) {
  const auto make = [&](const std::string& name, int64_t used_at) {
    const fs::path path = folder_.write(name, std::string(1000, 'x'));
    const timespec times[2] = {{used_at, 0}, {used_at, 0}};
    ::utimensat(AT_FDCWD, path.c_str(), times, 0);
    return path;
  };
  const fs::path oldest = make("a.weft", 1000);
  const fs::path newer = make("b.weft", 3000);
  const fs::path old = make("c.weft", 2000);
  const fs::path made_now = make("d.weft", 500);
  const fs::path other = make("e.txt", 1);
  trim_cache(made_now, 2500);
  EXPECT_FALSE(fs::exists(oldest));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(newer));
  EXPECT_TRUE(fs::exists(made_now));
  EXPECT_TRUE(fs::exists(other));
  mark_used(newer);
  trim_cache(made_now, 100);
  EXPECT_FALSE(fs::exists(newer));
  EXPECT_TRUE(fs::exists(made_now));
}

TEST_F(ImportCache, RemovesNothingWhereThereIsRoomOrNeverWillBe) {
  const fs::path entry = folder_.write("a.weft", std::string(1000, 'x'));
  const fs::path other = folder_.write("b.weft", std::string(1000, 'x'));
  EXPECT_TRUE(make_room(entry, 1));
  EXPECT_FALSE(make_room(entry, uint64_t{1} << 62));
  EXPECT_TRUE(fs::exists(other));
}

TEST_F(ImportCache, KnowsFilesByWhatTheyAreAndHowTheyAreRead) {
  ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  const formats::Format& chrome = *formats::format_from_id("chrome-json");
  const formats::Format& nexus = *formats::format_from_id("nexus-lite");
  const auto path = cached_import_path(small_, chrome, {});
  ASSERT_TRUE(path) << path.error().message;
  EXPECT_EQ(*cached_import_path(folder_ / "." / "small.json", chrome, {}), *path);
  EXPECT_NE(*cached_import_path(small_, nexus, {}), *path);
  EXPECT_NE(*cached_import_path(small_, chrome, {{"clock", "mono"}}), *path);
  EXPECT_FALSE(cached_import_path(folder_ / "missing", chrome, {}));
  // And a type of the user's by the file that defines it, as it is now.
  formats::Format mine = chrome;
  mine.origin = folder_.write("definition", "1");
  const auto before = *cached_import_path(small_, mine, {});
  EXPECT_NE(before, *path);
  folder_.write("definition", "12");
  EXPECT_NE(*cached_import_path(small_, mine, {}), before);
}

TEST_F(ImportCache, KnowsAnArchiveByItself) {
  const std::string json = R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}])";
  const auto archive = folder_.write(
      "a.tar", test::archive_of(test::Packing::kTar, {{"a.json", json}, {"readme", "words"}}));
  ASSERT_EQ(run({"info", archive}).exit_code, 0);
  ASSERT_EQ(run({"info", archive}).exit_code, 0);
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(ImportCache, KnowsATraceOfAnArchiveByItsName) {
  const std::string json = R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}])";
  const fs::path archive = folder_.write(
      "a.tar", test::archive_of(test::Packing::kTar, {{"a.json", json}, {"b.json", json}}));
  for (int i = 0; i < 2; ++i) {
    for (const char* name : {"a.json", "b.json"})
      ASSERT_EQ(run({"info", archive / name}).exit_code, 0);
  }
  EXPECT_EQ(entries().size(), 2u);
}

// Such as the names of a trace's lanes, or the logs of its other processors; and by no other.
TEST_F(ImportCache, KnowsFilesByThoseThatTheirReadersOpenBesideThem) {
  ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  struct Case {
    const char *format, *trace;
    std::vector<std::string> opened, others;
  };
  for (const auto& [id, trace, opened, others] : {
           Case{"chrome-json", "run.json", {}, {"run.json.png", "run.row", "run.stats.txt"}},
           Case{"paraver", "a.b.prv.gz", {"a.b.pcf", "a.b.row"}, {"a.row", "b.pcf", "a.b.png"}},
           Case{"fst", "a.fst", {"a.fst.hier"}, {"b.fst.hier"}},
           Case{"sqlite", "a.db", {"a.db-wal"}, {"a.db-shm", "a.csv"}},
           Case{"measureme", "a-7.events", {"a-7.string_data", "a-7.string_index"}, {"a-7.log"}},
           Case{"tlv", "a.log", {"a.res", "itron.resh"}, {"b.res", "a.log.png"}},
           Case{"perf-data", "data", {"data.0", "data.12"}, {"data.old", "data2", "data.png"}},
           Case{"projections", "a.sts", {"a.0.log", "a.1.log.gz"}, {"a.png", "b.0.log"}},
           Case{"strace", "out.1", {"out.2"}, {"out.log", "other.3"}},
           Case{"blktrace", "sda.blktrace.0", {"sda.blktrace.1"}, {"sdb.blktrace.1", "sda.txt"}},
           Case{"paje", "a.trace", {"part"}, {"a.trace.markers.json", "a.weft"}},
       }) {
    const formats::FormatPtr format = formats::format_from_id(id);
    ASSERT_TRUE(format) << id;
    fs::create_directory(folder_ / id);
    const fs::path file = folder_.write(fmt::format("{}/{}", id, trace), "1");
    const auto key = [&] { return cached_import_path(file, *format, {}).value(); };
    fs::path before = key();
    const auto has_changed = [&] { return std::exchange(before, key()) != before; };
    for (const std::string& name : opened) {
      folder_.write(fmt::format("{}/{}", id, name), "1");
      EXPECT_TRUE(has_changed()) << id << ": " << name;
      folder_.write(fmt::format("{}/{}", id, name), "12");
      EXPECT_TRUE(has_changed()) << id << ": " << name;
      fs::remove(folder_ / id / name);
      EXPECT_TRUE(has_changed()) << id << ": " << name;
    }
    for (const std::string& name : others) {
      folder_.write(fmt::format("{}/{}", id, name), "1");
      EXPECT_FALSE(has_changed()) << id << ": " << name;
    }
  }
}

// Of which it is not known what their readers open.
TEST_F(ImportCache, KnowsTracesOfPluginsByTheirNamesakes) {
  ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  formats::Format format;
  format.opens_beside = formats::opens_namesakes();
  const auto key = [&] { return cached_import_path(small_, format, {}).value(); };
  const fs::path alone = key();
  for (const char* name :
       {"other.row", "small.weft", "small.json.markers.json", "small.json.classes.json"}) {
    folder_.write(name, "1");
    EXPECT_EQ(key(), alone) << name;
  }
  folder_.write("small.row", "1");
  EXPECT_NE(key(), alone);
}

TEST_F(ImportCache, AFileBesideATraceThatChangesChangesTheTrace) {
  const auto part = [&](int64_t pid, int calls) {
    std::string lines;
    for (int i = 0; i < calls; ++i)
      lines += fmt::format("17000000{:02}.000001 getpid() = {}\n", i, pid);
    return folder_.write(fmt::format("out.{}", pid), lines);
  };
  const std::string first = part(100, 3);
  part(101, 2);
  const auto states = [&] { return run({"info", first, "--json"}).json()["counts"]; };
  const auto before = states();
  EXPECT_EQ(states(), before);
  part(101, 5);
  EXPECT_NE(states(), before);
}

TEST_F(ImportCache, IsForItsOwnerAlone) {
  open();
  const auto others = fs::perms::group_all | fs::perms::others_all;
  const fs::path entry = entries().at(0);
  for (const fs::path& each : {entry, entry.parent_path(), entry.parent_path().parent_path()})
    EXPECT_EQ(fs::status(each).permissions() & others, fs::perms::none) << each;
}

TEST_F(ImportCache, WhatKilledImportsLeftIsRemoved) {
  const auto make = [&](const std::string& name, std::chrono::hours age) {
    const fs::path path = folder_.write(name, std::string(1000, 'x'));
    fs::last_write_time(path, fs::file_time_type::clock::now() - age);
    return path;
  };
  constexpr std::chrono::hours kLongAgo{2};
  const fs::path left = make(".a.weft.999999999-0.tmp", kLongAgo);
  const fs::path of_another_machine = make(".b.weft.999999999-0.tmp", {});
  const fs::path alive = make(fmt::format(".c.weft.{}-0.tmp", ::getpid()), kLongAgo);
  const fs::path no_import = make(".d.tmp", kLongAgo);
  const fs::path entry = make("e.weft", {});
  const fs::path kept = make("f.weft", {});
  trim_cache(kept, 5000);
  EXPECT_FALSE(fs::exists(left));
  for (const fs::path& each : {of_another_machine, alive, no_import, entry})
    EXPECT_TRUE(fs::exists(each)) << each;
  trim_cache(kept, 4500);  // what is being made counts, too
  EXPECT_FALSE(fs::exists(entry));
  for (const fs::path& each : {of_another_machine, alive, no_import, kept})
    EXPECT_TRUE(fs::exists(each)) << each;
}

TEST_F(ImportCache, WhereItsDiskIsFullTheImportGoesElsewhere) {
  const std::string file = folder_ / "t.json";
  ASSERT_EQ(run({"generate", "chrome-json", "--events", "20000", "-o", file}).exit_code, 0);
  const std::string packed = folder_.write("t.json.gz", test::gzip(test::content_of(file)));
  fs::create_directory(folder_ / "cache");
  constexpr int kSkipped = 77;
  const pid_t child = ::fork();
  if (child == 0) {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", (folder_ / "cache").c_str(), "tmpfs", 0, "size=256k") != 0)
      ::_exit(kSkipped);
    const cli::Outcome info = run({"info", packed, "--json"});
    const bool is_whole = info.exit_code == 0 && info.json()["losses"].empty();
    std::fputs(info.err.c_str(), stderr);
    ::_exit(is_whole && entries().empty() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == kSkipped) GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_EQ(status, 0);
}

TEST_F(ImportCache, KnowsFoldersByTheirFiles) {
  ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  const formats::Format& format = *formats::format_from_id("chrome-json");
  fs::create_directories(folder_ / "trace");
  const auto file = folder_.write("trace/stream", "12");
  const auto before = cached_import_path(folder_ / "trace", format, {});
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_EQ(*cached_import_path(folder_ / "trace", format, {}), *before);
  folder_.write("trace/stream", "123");
  EXPECT_NE(*cached_import_path(folder_ / "trace", format, {}), *before);
}

TEST_F(ImportCache, KnowsOneOfAFoldersTracesByItsNameAndTheFoldersFiles) {
  ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  formats::Format format = *formats::format_from_id("chrome-json");
  format.reads_named_file = true;
  fs::create_directories(folder_ / "both/parts");
  folder_.write("both/parts/stream", "12");
  const auto one = folder_.write("both/one", "1"), other = folder_.write("both/other", "1");
  const auto before = cached_import_path(one, format, {});
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_NE(*cached_import_path(other, format, {}), *before);
  EXPECT_NE(*cached_import_path(folder_ / "both", format, {}), *before);
  folder_.write("both/parts/stream", "123");
  EXPECT_NE(*cached_import_path(one, format, {}), *before);
}

}  // namespace
}  // namespace weft::app
