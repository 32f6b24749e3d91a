#include "core/io/line_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/core/io/compress.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::io {
namespace {

struct Read {
  std::vector<std::string> lines;
  std::vector<uint64_t> offsets;
  std::vector<bool> are_cut;
  std::string error;
};

Read read(const std::filesystem::path& path, size_t max_line_bytes = 1 << 20) {
  const auto source = Source::open(path);
  EXPECT_TRUE(source);
  LineReader reader(**source, max_line_bytes);
  Read result;
  while (const Line* const line = reader.next()) {
    result.lines.emplace_back(line->text);
    result.offsets.push_back(line->offset);
    result.are_cut.push_back(line->is_cut);
  }
  if (reader.error()) result.error = reader.error()->message;
  return result;
}

TEST(LineReader, GivesLinesWithTheirOffsets) {
  const test::ScratchFolder folder;
  const Read got = read(folder.write("t", "one\r\n\nthree\nlast"));
  EXPECT_EQ(got.lines, (std::vector<std::string>{"one", "", "three", "last"}));
  EXPECT_EQ(got.offsets, (std::vector<uint64_t>{0, 5, 6, 12}));
}

TEST(LineReader, LinesOfAnyLengthAcrossBlocks) {
  const test::ScratchFolder folder;
  std::mt19937_64 random(2);
  constexpr size_t kMost = 3000;
  std::string text;
  std::vector<std::string> lines;
  std::vector<bool> are_cut;
  for (int i = 0; i < 4000; ++i) {
    const size_t length = random() % 8 == 0 ? random() % 20000 : random() % 100;
    const std::string line(length, static_cast<char>('a' + i % 26));
    text += line + '\n';
    lines.push_back(line.substr(0, kMost));
    are_cut.push_back(length > kMost);
  }
  const Read got = read(folder.write("t", text), kMost);
  EXPECT_EQ(got.lines, lines);
  EXPECT_EQ(got.are_cut, are_cut);
  uint64_t at = 0;
  for (size_t i = 0; i < got.offsets.size(); ++i) {
    ASSERT_EQ(got.offsets[i], at);
    at = text.find('\n', at) + 1;
  }
}

TEST(LineReader, AFileWithoutLineFeedsIsOneCutLine) {
  const test::ScratchFolder folder;
  const Read got = read(folder.write("t", std::string(10 << 20, 'x')), 1000);
  EXPECT_EQ(got.lines, std::vector<std::string>{std::string(1000, 'x')});
  EXPECT_EQ(got.are_cut, std::vector<bool>{true});
}

TEST(LineReader, ACutStreamGivesWhatItHasAndSaysWhy) {
  const test::ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919) + '\n';
  std::string packed = test::gzip(text);
  packed.resize(packed.size() / 2);
  const Read got = read(folder.write("t.gz", packed));
  EXPECT_GT(got.lines.size(), 1000u);
  EXPECT_FALSE(got.error.empty());
}

}  // namespace
}  // namespace weft::io
