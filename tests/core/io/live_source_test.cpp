// A pipe as a source: what has come is there before the rest has.
// covers C-13
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>

#include "core/io/line_reader.h"
#include "core/io/source.h"
#include "core/io/watch.h"
#include "tests/core/base/eventually.h"
#include "tests/core/io/compress.h"
#include "tests/core/io/live_pipe.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::io {
namespace {

using test::LivePipe;
using test::ScratchFolder;

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string read_once(Source& source) {
  std::array<std::byte, 4096> block{};
  const auto n = source.read(block);
  return n ? text_of(std::span(block).first(*n)) : n.error().message;
}

std::unique_ptr<Source> opened(const LivePipe& pipe, OnWait on_wait) {
  auto source = open_watched(pipe.path(), {.on_wait = std::move(on_wait)});
  EXPECT_TRUE(source) << source.error().message;
  return source ? *std::move(source) : nullptr;
}

class LiveSource : public ::testing::Test {
 protected:
  ScratchFolder folder_;
  LivePipe pipe_{folder_ / "pipe"};
};

TEST_F(LiveSource, WhatHasComeIsRead) {
  pipe_.write("one");
  const auto source = opened(pipe_, [] { return true; });
  EXPECT_TRUE(source->is_ready());
  EXPECT_EQ(read_once(*source), "one");
  EXPECT_FALSE(source->is_ready());
  pipe_.write("two");
  EXPECT_TRUE(source->is_ready());
  EXPECT_EQ(read_once(*source), "two");
  pipe_.close();
  EXPECT_EQ(read_once(*source), "");
  EXPECT_TRUE(source->is_ended());
  EXPECT_EQ(source->disk_bytes_read(), 6u);
}

TEST_F(LiveSource, WhatHasComeIsLookedAt) {
  pipe_.write("one");
  const auto source = opened(pipe_, [] { return true; });
  EXPECT_EQ(text_of(*source->peek(1000)), "one");
  EXPECT_FALSE(source->is_ended());
  pipe_.write("two");
  EXPECT_EQ(text_of(*source->peek(1000)), "onetwo");
  pipe_.close();
  EXPECT_EQ(text_of(*source->peek(1000)), "onetwo");
  EXPECT_TRUE(source->is_ended());
  EXPECT_EQ(read_once(*source), "onetwo");
}

TEST_F(LiveSource, IsLookedAtAsAWholeWhereNobodyWaits) {
  pipe_.write("one");
  std::thread writer([&] {
    for (const char* more : {"two", "three", "four"}) {
      EXPECT_TRUE(test::eventually([&] { return pipe_.is_read(); }));
      pipe_.write(more);
    }
    pipe_.close();
  });
  const auto source = opened(pipe_, {});
  EXPECT_EQ(text_of(*source->peek(1000)), "onetwothreefour");
  writer.join();
}

TEST_F(LiveSource, WhoWaitsIsAskedAndEndsIt) {
  pipe_.write("one");
  int asked = 0;
  const auto source = opened(pipe_, [&] { return ++asked < 5; });
  EXPECT_EQ(read_once(*source), "one");
  EXPECT_EQ(read_once(*source), "");
  EXPECT_EQ(asked, 5);
}

TEST_F(LiveSource, EndsWhereNobodyWantsMoreThoughThereIsMore) {
  pipe_.write("one");
  bool is_wanted = true;
  auto source = open_watched(pipe_.path(), {.on_wait = [] { return true; },
                                            .on_block = [&](auto...) { return is_wanted; }});
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(read_once(**source), "one");
  pipe_.write("two");
  is_wanted = false;
  EXPECT_EQ(read_once(**source), "");
  is_wanted = true;
  EXPECT_EQ(read_once(**source), "") << "its end is its end";
}

TEST_F(LiveSource, WhatIsStoppedWhileItPausesWithinALineEndsBeforeIt) {
  pipe_.write("whole\nhal");
  bool is_wanted = true;
  const auto source = opened(pipe_, [&] { return is_wanted; });
  LineReader lines(*source);
  const Line* const line = lines.next();
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->text, "whole");
  is_wanted = false;
  EXPECT_EQ(lines.next(), nullptr);
  EXPECT_TRUE(source->was_stopped());
}

TEST_F(LiveSource, WhatIsStoppedWithinALineEndsBeforeIt) {
  pipe_.write("whole\nhal");
  bool is_wanted = true;
  auto source = open_watched(pipe_.path(), {.on_wait = [] { return true; },
                                            .on_block = [&](auto...) { return is_wanted; }});
  ASSERT_TRUE(source) << source.error().message;
  LineReader lines(**source);
  const Line* const line = lines.next();
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->text, "whole");
  EXPECT_FALSE((*source)->was_stopped());
  is_wanted = false;
  EXPECT_EQ(lines.next(), nullptr);
  EXPECT_TRUE((*source)->was_stopped());
}

// Of what came, its decoder may still hold some when it is stopped.
TEST_F(LiveSource, WhatIsCompressedAndStoppedGivesAllThatHasCome) {
  constexpr size_t kBlock = 128 << 10;  // of zstd
  std::string packed = test::zstd(std::string(2 * kBlock + 5000, 'a'));
  packed.pop_back();
  pipe_.write(packed);
  bool is_wanted = true;
  const auto source = opened(pipe_, [&] { return is_wanted; });
  size_t read = read_once(*source).size();
  is_wanted = false;
  for (std::string more = read_once(*source); !more.empty(); more = read_once(*source))
    read += more.size();
  EXPECT_EQ(read, 2 * kBlock);
  EXPECT_TRUE(source->was_stopped());
}

TEST_F(LiveSource, APipeInWhichNothingComesCanBeGivenUp) {
  const auto source = open_watched(pipe_.path(), {.on_wait = [] { return false; }});
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().message, "file is empty");
}

TEST_F(LiveSource, IsDecompressedAsItComes) {
  const std::string packed = test::gzip("one, two, three");
  pipe_.write(packed.substr(0, packed.size() - 4));
  const auto source = opened(pipe_, [] { return true; });
  EXPECT_EQ(read_once(*source), "one, two, three");
}

}  // namespace
}  // namespace weft::io
