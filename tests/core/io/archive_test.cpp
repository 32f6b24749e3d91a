// covers C-24 R7
#include "core/io/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <utility>

#include "core/io/shortfall.h"
#include "core/io/source.h"
#include "core/io/watch.h"
#include "tests/core/io/archives.h"
#include "tests/core/io/compress.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::io {
namespace {

namespace fs = std::filesystem;
using test::archive_of;
using test::ArchiveFiles;
using test::Packing;
using test::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;

// Temporary folders are made in a folder of the test's.
class Archive : public testing::Test {
 protected:
  void SetUp() override {
    const char* const before = std::getenv("TMPDIR");
    before_ = before == nullptr ? "" : before;
    fs::create_directories(temporary_);
    ::setenv("TMPDIR", temporary_.c_str(), 1);
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(temporary_)) << "a temporary folder is left";
    if (before_.empty()) ::unsetenv("TMPDIR");
    if (!before_.empty()) ::setenv("TMPDIR", before_.c_str(), 1);
  }

  // The content of the archive's only file, or the error.
  static std::string text_of(const fs::path& path, SourceLimits limits = {}) {
    const auto [text, error] = text_and_error_of(path, limits);
    return error.empty() ? text : error;
  }
  // What of it came before the error, if there is one.
  static std::string text_up_to_damage(const fs::path& path) {
    return text_and_error_of(path).first;
  }
  static std::pair<std::string, std::string> text_and_error_of(const fs::path& path,
                                                               SourceLimits limits = {},
                                                               size_t piece_bytes = 1 << 20) {
    const auto source = Source::open(path, limits);
    if (!source) return {"", "error: " + source.error().message};
    std::string text, block(piece_bytes, '\0');
    for (;;) {
      const auto n = (*source)->read(std::as_writable_bytes(std::span(block)));
      if (!n) return {text, "error: " + n.error().message};
      if (*n == 0) return {text, ""};
      text.append(block, 0, *n);
    }
  }

  // The names of what it holds, or the error.
  static std::string files_of(const fs::path& path) {
    const auto source = Source::open(path);
    if (!source) return "error: " + source.error().message;
    std::string names;
    for (const FolderFile& file : (*source)->files()) names += file.name + ' ';
    return names;
  }

  ScratchFolder folder_;
  fs::path temporary_ = folder_ / "temporary";
  std::string before_;
};

constexpr Packing kAll[] = {Packing::kZip, Packing::kTar, Packing::kTarGzip, Packing::kTarZstd,
                            Packing::kTarXz};

TEST_F(Archive, ALoneFileIsTheSource) {
  for (const Packing packing : kAll) {
    const auto path = folder_.write("a", archive_of(packing, {{"below/trace.txt", "the trace"}}));
    EXPECT_EQ(text_of(path), "the trace");
    const auto source = Source::open(path);
    EXPECT_TRUE((*source)->is_unpacked());
    EXPECT_FALSE((*source)->is_folder());
    EXPECT_EQ((*source)->path().filename(), "trace.txt");
  }
}

TEST_F(Archive, SeveralFilesAreAFolder) {
  for (const Packing packing : kAll) {
    const auto path = folder_.write(
        "a", archive_of(packing, {{"x/y/metadata", "m"}, {"x/y/channel/0", "c"}, {"x/y/b", "bb"}}));
    EXPECT_EQ(files_of(path), "b channel/0 metadata ");
    const auto source = Source::open(path);
    const auto file = (*source)->open_file("b");
    std::byte bytes[8];
    EXPECT_EQ((*file)->read(bytes).value_or(0), 2u);
  }
}

TEST_F(Archive, AFileOfItOutlivesTheFolder) {
  const auto path = folder_.write("a", archive_of(Packing::kZip, {{"a", "1"}, {"b", "2"}}));
  auto source = Source::open(path);
  const auto file = (*source)->open_file("b");
  source->reset();
  EXPECT_TRUE(fs::exists((*file)->path()));
}

TEST_F(Archive, AFileInItIsNamedBehindIt) {
  for (const Packing packing : kAll) {
    const auto path = folder_.write(
        "a", archive_of(packing, {{"x/y/a.txt", "1"}, {"x/y/z/b.txt", "2"}, {"x/y/z/c.txt", "3"}}));
    EXPECT_EQ(text_of(path / "x/y/a.txt"), "1");
    EXPECT_EQ(text_of(path / "a.txt"), "1");  // the folders of all of it may be left out
    EXPECT_EQ(text_of(path / "z/b.txt"), "2");
    EXPECT_EQ(files_of(path / "z"), "b.txt c.txt ");
    EXPECT_TRUE((*Source::open(path / "z"))->is_unpacked());
    EXPECT_THAT(text_of(path / "d.txt"), HasSubstr("is not in the archive"));
    EXPECT_THAT(text_of(path / "../a"), HasSubstr("is not in the archive"));
    EXPECT_THAT(text_of(path / "z/../../../outside"), HasSubstr("is not in the archive"));
  }
  EXPECT_THAT(text_of(folder_.write("b", "text") / "a.txt"), HasSubstr("is in no archive"));
}

TEST_F(Archive, AFileInAnArchiveInItIsNamedBehindBoth) {
  const std::string inner = archive_of(Packing::kTar, {{"a", "1"}, {"b", "2"}});
  const std::string middle = archive_of(Packing::kZip, {{"in.tar", inner}, {"c", "3"}});
  const auto path = folder_.write("out.zip", middle);
  EXPECT_EQ(text_of(path / "in.tar/b"), "2");
  const auto deeper = folder_.write("deep.zip", archive_of(Packing::kZip, {{"m.zip", middle}}));
  EXPECT_THAT(text_of(deeper / "m.zip/in.tar/b"), HasSubstr("archive within archives"));
  const auto outer = Source::open(path);
  EXPECT_EQ((*(*outer)->open_file("in.tar"))->files().size(), 2u);
  // Nor is a file of the folder that it is unpacked to opened any deeper.
  const auto deepest = folder_.write(
      "deepest.zip", archive_of(Packing::kZip, {{"m.zip", middle}, {"more.zip", middle}}));
  const auto folder = Source::open(deepest);
  const auto second = (*folder)->open_file("m.zip");
  const auto third = (*second)->open_file("in.tar");
  ASSERT_FALSE(third);
  EXPECT_THAT(third.error().message, HasSubstr("archive within archives"));
}

TEST_F(Archive, ItIsUnpackedOnceForThoseWhoAreInIt) {
  const auto path = folder_.write("a", archive_of(Packing::kZip, {{"a", "1"}, {"b", "2"}}));
  const auto one = Source::open(path / "a"), other = Source::open(path / "b");
  EXPECT_EQ((*one)->path().parent_path(), (*other)->path().parent_path());
}

TEST_F(Archive, WhoWaitsSeesHowFarItIsAndCanStopIt) {
  std::string noise(3 << 20, '\0');
  uint32_t state = 1;
  for (char& c : noise) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  const auto path = folder_.write("a", archive_of(Packing::kZip, {{"a", noise}, {"b", noise}}));
  for (const fs::path& named : {path, path / "b"}) {
    uint64_t last = 0;
    int asked = 0;
    const auto on_block = [&](uint64_t done, uint64_t total) {
      EXPECT_GE(done, last);
      EXPECT_EQ(total, fs::file_size(path));
      last = done;
      return ++asked < 10;
    };
    const auto source = open_watched(named, {.on_block = on_block});
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().message, "reading was stopped");
    EXPECT_LT(last, fs::file_size(path));
    EXPECT_GT(last, 0u);
    EXPECT_TRUE(fs::is_empty(temporary_));
  }
}

TEST_F(Archive, ReadsXz) {
  EXPECT_EQ(text_of(folder_.write("a.xz", archive_of(Packing::kXz, {{"data", "plain"}}))), "plain");
  const std::string once = archive_of(Packing::kXz, {{"data", "one "}});
  EXPECT_EQ(text_of(folder_.write("b.xz", once + once)), "one one ");
  EXPECT_THAT(text_of(folder_.write("c.xz", once.substr(0, 40))), HasSubstr("xz data"));
}

// A piece is full where a block of the file ends, too.
TEST_F(Archive, IsReadInPiecesOfAnySize) {
  std::mt19937 random(1);
  std::string noise(600 << 10, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  noise[0] = 'n';  // begins nothing that is known
  std::string letters = "\xFF\xFEx", told = "x";
  letters += '\0';
  for (int i = 0; i < 70'000; ++i) {
    letters += "\x3D\xD8\x1A\xDE";
    told += "\xF0\x9F\x98\x9A";
  }
  for (const Packing packing : {Packing::kXz, Packing::kBzip, Packing::kLz4}) {
    const auto path = folder_.write("noise", archive_of(packing, {{"data", noise}}));
    EXPECT_TRUE(text_and_error_of(path, {}, 1) == std::pair(noise, std::string()));
  }
  EXPECT_TRUE(text_and_error_of(folder_.write("letters", letters), {}, 1) ==
              std::pair(told, std::string()));
}

TEST_F(Archive, ReadsBzip2) {
  const auto packed = [](const char* text) { return archive_of(Packing::kBzip, {{"data", text}}); };
  const std::string once = packed("one ");
  EXPECT_EQ(text_of(folder_.write("a.bz2", once)), "one ");
  EXPECT_EQ(text_of(folder_.write("b.bz2", once + packed("") + once)), "one one ");
  EXPECT_EQ(text_of(folder_.write("padded.bz2", once + std::string(100, '\0'))), "one ");
  EXPECT_THAT(text_of(folder_.write("c.bz2", once.substr(0, 30))), HasSubstr("bzip2 data"));
  std::string damaged = once;
  damaged[10] ^= 1;  // of the checksum
  EXPECT_THAT(text_of(folder_.write("d.bz2", damaged)), HasSubstr("damaged"));
  EXPECT_EQ(text_of(folder_.write("e", "BZh 1 is no such stream")), "BZh 1 is no such stream");
}

TEST_F(Archive, ReadsLz4) {
  const auto packed = [](const std::string& text) {
    return archive_of(Packing::kLz4, {{"data", text}});
  };
  const std::string once = packed("one ");
  EXPECT_EQ(text_of(folder_.write("a.lz4", once)), "one ");
  EXPECT_EQ(text_of(folder_.write("b.lz4", once + packed("two ") + once)), "one two one ");
  // Frames for others, before and between.
  const std::string note("\x5A\x2A\x4D\x18\x03\0\0\0abc", 11);
  EXPECT_EQ(text_of(folder_.write("c.lz4", note + once + note + note + once)), "one one ");
  EXPECT_EQ(text_of(folder_.write("d.zst", note + test::zstd("two"))), "two");
  // As written by `lz4 -l`: independent blocks, here one of literals alone.
  const std::string old("\x02\x21\x4C\x18\x05\0\0\0\x40old ", 13);
  EXPECT_EQ(text_of(folder_.write("e.lz4", old)), "old ");
  // Over several blocks, with something compressed in another way in it.
  std::string large;
  for (uint64_t i = 0; i < 1'000'000; ++i) large += std::to_string(i * 7919 % 100'003) + '\n';
  EXPECT_EQ(text_of(folder_.write("f.lz4", packed(large))), large);
  EXPECT_EQ(text_of(folder_.write("g.lz4", packed(test::gzip("in it")))), "in it");
  EXPECT_EQ(text_of(folder_.write("h.lz4", packed(packed("in it")))), "in it");
  EXPECT_EQ(files_of(folder_.write("i.tar.lz4",
                                   packed(archive_of(Packing::kTar, {{"a", "1"}, {"b", "2"}})))),
            "a b ");
}

TEST_F(Archive, OfDamagedLz4WhatIsWholeIsRead) {
  std::string large;
  for (uint64_t i = 0; i < 2'000'000; ++i) large += std::to_string(i * 7919 % 100'003) + '\n';
  const std::string packed = archive_of(Packing::kLz4, {{"data", large}});
  const auto path = folder_.write("cut.lz4", packed.substr(0, packed.size() / 2));
  const auto source = Source::open(path);
  ASSERT_TRUE(source) << source.error().message;
  std::string block(1 << 20, '\0');
  Result<size_t> n = size_t{1};
  size_t read = 0;
  for (; n && *n > 0; read += n.value_or(0))
    n = (*source)->read(std::as_writable_bytes(std::span(block)));
  ASSERT_FALSE(n);
  EXPECT_THAT(n.error().message, HasSubstr("lz4 data at byte"));
  EXPECT_GT(read, large.size() / 4);
  // What is whole before the end is all of it.
  EXPECT_EQ(text_up_to_damage(folder_.write("end.lz4", packed.substr(0, packed.size() - 1))),
            large);
  // Of a single block nothing can be read.
  const std::string small = archive_of(Packing::kLz4, {{"data", large.substr(0, 100'000)}});
  EXPECT_THAT(text_of(folder_.write("block.lz4", small.substr(0, small.size() / 2))),
              HasSubstr("the file is cut"));
  std::string damaged = packed;
  for (size_t i = 100'000; i < 100'100; ++i) damaged[i] = '\xFF';
  EXPECT_THAT(text_of(folder_.write("damaged.lz4", damaged)), HasSubstr("lz4 data at byte"));
  for (size_t size = 4; size < 40; ++size)
    EXPECT_EQ(text_of(folder_.write("short.lz4", packed.substr(0, size))).find('\n'),
              std::string::npos);
}

TEST_F(Archive, ACompressedFileInItIsRead) {
  const std::string inner = test::gzip("the trace");
  EXPECT_EQ(text_of(folder_.write("a", archive_of(Packing::kZip, {{"t.gz", inner}}))), "the trace");
}

TEST_F(Archive, NothingLeadsOutOfTheFolder) {
  const auto path = folder_.write("a.tar", archive_of(Packing::kTar, {{"../outside", "x"},
                                                                      {"/absolute", "x"},
                                                                      {"a/../../outside", "x"},
                                                                      {"link:leads", "/etc"},
                                                                      {"leads/passwd", "x"},
                                                                      {"good", "1"},
                                                                      {"b/../fine", "2"}}));
  EXPECT_EQ(files_of(path), "absolute fine good leads/passwd outside outside (2) ");
  EXPECT_FALSE(fs::exists(folder_ / "outside"));
  EXPECT_FALSE(fs::exists(temporary_ / "outside"));
  EXPECT_FALSE(fs::exists("/absolute"));
}

TEST_F(Archive, FilesOfOneNameAreAllUnpacked) {
  for (const Packing packing : {Packing::kZip, Packing::kTar}) {
    const auto path = folder_.write("a", archive_of(packing, {{"f/a.json", "1"},
                                                              {"f/a (2).json", "2"},
                                                              {"f/a.json", "3"},
                                                              {"f/a.json", "4"},
                                                              {"b", "5"}}));
    EXPECT_EQ(files_of(path), "b f/a (2).json f/a (3).json f/a (4).json f/a.json ");
  }
}

TEST_F(Archive, ASecondNameOfAFileIsAFile) {
  const auto path = folder_.write(
      "a.tar", archive_of(Packing::kTar,
                          {{"a/one", "the trace"}, {"same:b/two", "a/one"}, {"same:c", "none"}}));
  EXPECT_EQ(files_of(path), "a/one b/two ");
  const auto folder = Source::open(path);
  ASSERT_TRUE(folder);
  const auto file = (*folder)->open_file("b/two");
  ASSERT_TRUE(file);
  const auto text = (*file)->peek(100);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->size(), 9u);
}

// As signal recorders pack minutes without any change.
TEST_F(Archive, AFileMayBeAsSmallAsDeflateMakesIt) {
  const std::string rest(64 << 20, '\0');
  const auto path = folder_.write("rest", archive_of(Packing::kZip, {{"logic", rest}}));
  EXPECT_GT(rest.size() / fs::file_size(path), 900u);
  EXPECT_EQ(text_of(path, {.free_bytes = 1 << 20, .max_ratio = 200}), rest);
}

TEST_F(Archive, RefusesBombs) {
  const std::string zeros(64 << 20, '\0');
  constexpr SourceLimits kLimits{.free_bytes = 1 << 20, .max_ratio = 200};
  for (const Packing packing : {Packing::kTarGzip, Packing::kTarZstd, Packing::kTarXz}) {
    const auto path = folder_.write("bomb", archive_of(packing, {{"zeros", zeros}, {"a", "b"}}));
    EXPECT_THAT(text_of(path, kLimits), HasSubstr("refused"));
  }
  for (const Packing packing : {Packing::kXz, Packing::kLz4}) {
    const auto path = folder_.write("bomb", archive_of(packing, {{"zeros", zeros}}));
    const auto source = Source::open(path, kLimits);
    std::vector<std::byte> block(1 << 20);
    Result<size_t> n = size_t{1};
    for (int i = 0; i < 64 && n && *n > 0; ++i) n = (*source)->read(block);
    ASSERT_FALSE(n.has_value());
    EXPECT_THAT(n.error().message, HasSubstr("refused"));
  }
}

TEST_F(Archive, TwoDeepAndNoDeeper) {
  const std::string inner = archive_of(Packing::kZip, {{"t", "the trace"}});
  const std::string middle = archive_of(Packing::kTarGzip, {{"inner.zip", inner}});
  EXPECT_EQ(text_of(folder_.write("two", middle)), "the trace");
  const std::string outer = archive_of(Packing::kZip, {{"middle.tgz", middle}});
  EXPECT_THAT(text_of(folder_.write("three", outer)), HasSubstr("archive within archives"));
}

TEST_F(Archive, WhatLiesBeforeTheCutIsThere) {
  for (const Packing packing : {Packing::kZip, Packing::kTar, Packing::kTarGzip}) {
    std::string text;  // of which no packing makes little; a zip comes in blocks
    for (uint32_t i = 0, n = 1; i < 1'000'000; ++i, n = n * 1103515245 + 12345)
      text += static_cast<char>('a' + n / 65536 % 26);
    const std::string whole = archive_of(packing, {{"a", text}});
    const auto path = folder_.write("cut", whole.substr(0, whole.size() / 2));
    const auto source = Source::open(path);
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_NE(shortfall_of(**source).why, "");
    EXPECT_TRUE(shortfall_of(**source).is_of_source);
    const std::string found = text_of(path);
    EXPECT_TRUE(text.starts_with(found));
    // Five bits a letter are the least that packing makes of it.
    constexpr size_t kHeldBack = 64 << 10;  // by what unpacks
    EXPECT_GT(found.size() + kHeldBack, text.size() / 2);
    const std::string small = archive_of(packing, {{"a", text.substr(0, 10'000)}});
    const std::string begin = text_of(folder_.write("small", small.substr(0, small.size() / 2)));
    EXPECT_TRUE(packing == Packing::kTarGzip || text.starts_with(begin)) << begin;
  }
  const auto path = folder_.write("whole", archive_of(Packing::kTar, {{"a", "text"}}));
  EXPECT_EQ(shortfall_of(**Source::open(path)).why, "");
}

TEST_F(Archive, OfAFileBeforeTheCutNothingIsMissing) {
  std::string noise;
  for (uint32_t i = 0, n = 1; i < 1'000'000; ++i, n = n * 1103515245 + 12345)
    noise += static_cast<char>('a' + n / 65536 % 26);
  const ArchiveFiles files = {{"a", "text"}, {"b", noise}, {"c", "more"}};
  for (const Packing packing : {Packing::kZip, Packing::kTar, Packing::kTarGzip}) {
    const std::string whole = archive_of(packing, files);
    const auto source = Source::open(folder_.write("cut", whole.substr(0, whole.size() / 2)));
    const auto before = (*source)->open_file("a"), cut = (*source)->open_file("b");
    EXPECT_TRUE(shortfall_of(**source).is_of_source);
    EXPECT_FALSE(shortfall_of(**before).is_of_source);
    EXPECT_NE(shortfall_of(**before).why, "");
    EXPECT_TRUE(shortfall_of(**cut).is_of_source);
  }
}

// gzip's checksum stands behind all that tar reads.
TEST_F(Archive, OfAWrongChecksumItIsNotKnownWhatItMeans) {
  for (const Packing packing : {Packing::kTarGzip, Packing::kTarZstd, Packing::kTarXz}) {
    std::string damaged = archive_of(packing, {{"a", "1"}, {"b", "2"}});
    const auto whole = Source::open(folder_.write("whole", damaged));
    EXPECT_EQ(shortfall_of(**whole).why, "");
    damaged[damaged.size() - 6] ^= 1;
    const auto source = Source::open(folder_.write("damaged", damaged));
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_THAT(shortfall_of(**source).why, HasSubstr(" data at byte "));
    EXPECT_TRUE(shortfall_of(**(*source)->open_file("a")).is_of_source);
  }
}

TEST_F(Archive, WhatIsWrongWithAZipHasNoEndOfLine) {
  std::string damaged = archive_of(Packing::kZip, {{"a", std::string(10'000, 'x') + "end"}});
  constexpr size_t kSizeAt = 12;  // behind the data
  damaged[damaged.find("PK\x07\x08") + kSizeAt] ^= 1;
  const auto source = Source::open(folder_.write("a", damaged));
  const std::string why = source ? shortfall_of(**source).why : source.error().message;
  EXPECT_THAT(why, HasSubstr("wrong size"));
  EXPECT_TRUE(why.ends_with(')')) << why;
}

TEST_F(Archive, WhatIsDamagedIsOneLine) {
  const std::string whole = archive_of(Packing::kZip, {{"a", std::string(100, 'x')}, {"b", "2"}});
  for (size_t size = 600; size < whole.size(); size += 7)
    EXPECT_EQ(files_of(folder_.write("cut", whole.substr(0, size))).find('\n'), std::string::npos);
  const std::string tar = archive_of(Packing::kTar, {{"a", std::string(4000, 'x')}});
  EXPECT_THAT(text_of(folder_.write("cut.tar", tar.substr(0, 300))), HasSubstr("cannot unpack"));
}

}  // namespace
}  // namespace weft::io
