#include "core/io/source.h"
#include "core/io/folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>
#include <thread>
#include <vector>

#include "core/io/file_descriptor.h"
#include "core/io/open_pipe.h"
#include "core/io/reopen.h"
#include "core/io/watch.h"
#include "tests/core/io/compress.h"
#include "tests/core/io/live_pipe.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::io {
namespace {

using test::gzip;
using test::ScratchFolder;
using test::zstd;
using testing::HasSubstr;

struct Outcome {
  std::string text;
  std::string error;
};

// Reads to the end or to an error, `step` bytes at a time.
Outcome read_all(Source& source, size_t step = 1000) {
  Outcome outcome;
  std::vector<std::byte> buffer(step);
  for (;;) {
    const auto n = source.read(buffer);
    if (!n) outcome.error = n.error().message;
    if (!n || *n == 0) return outcome;
    outcome.text.append(reinterpret_cast<const char*>(buffer.data()), *n);
  }
}

Outcome read_all(const std::filesystem::path& path, size_t step = 1000) {
  auto source = Source::open(path);
  if (!source) return {"", source.error().message};
  return read_all(**source, step);
}

std::string numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(Source, ReadsPlainGzipAndZstdAlike) {
  const ScratchFolder folder;
  const std::string text = numbers(100000);
  for (const auto& path : {folder.write("plain", text), folder.write("gz", gzip(text)),
                           folder.write("zst", zstd(text))}) {
    const Outcome outcome = read_all(path);
    EXPECT_EQ(outcome.error, "") << path;
    EXPECT_EQ(outcome.text, text) << path;
  }
}

// A second reader of standard input would take its bytes from the first, be it a file or not.
TEST(Source, OnlyAFileOfItsOwnCanBeReopened) {
  const ScratchFolder folder;
  const std::string file = folder.write("plain", "text"), packed = folder.write("gz", gzip("text"));
  EXPECT_TRUE(can_be_reopened(**Source::open(file)));
  EXPECT_TRUE(can_be_reopened(**Source::open(packed)));
  FileDescriptor in(::open(file.c_str(), O_RDONLY)), before(::dup(STDIN_FILENO));
  ::dup2(in.get(), STDIN_FILENO);
  EXPECT_FALSE(can_be_reopened(**Source::open("-")));
  ::dup2(before.get(), STDIN_FILENO);
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  FileDescriptor from(ends[0]), to(ends[1]);
  ASSERT_EQ(::write(to.get(), "text", 4), 4);
  to = {};
  constexpr uint64_t kKnownBytes = 4;  // as of a file that comes through ssh
  EXPECT_FALSE(can_be_reopened(**open_pipe(std::move(from), kKnownBytes)));
  test::LivePipe pipe(folder / "pipe");
  pipe.write("text");
  EXPECT_FALSE(can_be_reopened(**open_watched(pipe.path(), {.on_wait = [] { return false; }})));
}

TEST(Source, ReadsMembersOneAfterAnother) {
  const ScratchFolder folder;
  EXPECT_EQ(read_all(folder.write("gz", gzip("one ") + gzip("") + gzip("two"))).text, "one two");
  EXPECT_EQ(read_all(folder.write("zst", zstd("one ") + zstd("") + zstd("two"))).text, "one two");
  const Outcome padded = read_all(folder.write("pad", gzip("one") + std::string(5000, '\0')));
  EXPECT_EQ(padded.text, "one");
  EXPECT_EQ(padded.error, "");
  const Outcome padded_zstd =
      read_all(folder.write("pad.zst", zstd("one") + std::string(5000, '\0')));
  EXPECT_EQ(padded_zstd.text, "one");
  EXPECT_EQ(padded_zstd.error, "");
}

TEST(Source, TextInUtf16BecomesUtf8) {
  const ScratchFolder folder;
  const std::u16string units =
      u"\xFEFF"
      u"a\u00e9\u20ac\U0001F600z\xD83D!\xDE00";
  const std::string text = "a\u00e9\u20ac\U0001F600z\uFFFD!\uFFFD";
  std::string little, big;
  for (const char16_t unit : units) {
    const char low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
    little += {low, high};
    big += {high, low};
  }
  for (const size_t step : {1u, 2u, 3u, 1000u}) {
    for (const std::string& bytes : {little, big}) {
      const Outcome outcome = read_all(folder.write("t", bytes), step);
      EXPECT_EQ(outcome.error, "");
      EXPECT_EQ(outcome.text, text) << step;
    }
  }
  const Outcome half = read_all(folder.write("half", little + "\x3D\xD8"));
  EXPECT_EQ(half.text, text + "\uFFFD");
  EXPECT_THAT(read_all(folder.write("cut", little + "x")).error, HasSubstr("the file is cut"));
}

TEST(Source, ColoursOfTerminalsAreLeftOut) {
  const ScratchFolder folder;
  const auto text_of = [&](const std::string& text) {
    return read_all(folder.write("text", text)).text;
  };
  EXPECT_EQ(text_of("\x1b[32mmain\x1b[0m;f\x1b[m\x1b[K\n"), "main;f\n");
  // What sets none is text; without any colour, all is.
  EXPECT_EQ(text_of("\x1b[1ma\x1b[2Jb\x1b\x1b[0m\x1b]c\x1b["), "a\x1b[2Jb\x1b\x1b]c\x1b[");
  EXPECT_EQ(text_of("a\x1b[2Jb\x1b[K"), "a\x1b[2Jb\x1b[K");
  EXPECT_EQ(text_of(std::string("\x1b[0m\0", 5)), std::string("\x1b[0m\0", 5));
  // Sequences lie across all borders between reads.
  std::string plain, coloured;
  for (int i = 0; i < 100'000; ++i) {
    plain += std::to_string(i);
    coloured += "\x1b[38;5;" + std::to_string(i % 256) + "m" + std::to_string(i) + "\x1b[0m";
  }
  EXPECT_TRUE(text_of(coloured) == plain);
  EXPECT_TRUE(text_of(gzip(coloured)) == plain);
}

TEST(Source, ReturnsThatEndLinesBecomeLineFeeds) {
  const ScratchFolder folder;
  const std::string text = "1 begin\tcaf\u00e9\r2 end\r\r3\r";
  for (const size_t step : {1u, 3u, 1000u})
    EXPECT_EQ(read_all(folder.write("t", text), step).text, "1 begin\tcaf\u00e9\n2 end\n\n3\n");
  EXPECT_EQ(read_all(folder.write("gz", gzip(text))).text, "1 begin\tcaf\u00e9\n2 end\n\n3\n");
  // Those of progress in a line, and those that are no text, stay.
  for (const std::string other : {"10 %\r20 %\rdone\n", "a\r\nb\r\n", "one\r", "\x01\r\r"})
    EXPECT_EQ(read_all(folder.write("o", other)).text, other);
}

TEST(Source, Utf16IsKnownWithoutAByteOrderMark) {
  const ScratchFolder folder;
  const std::string text = "{\"traceEvents\": [\r\n\t\"a trace that begins with ASCII\"]}";
  std::string little, big;
  for (const char c : text) {
    little += {c, '\0'};
    big += {'\0', c};
  }
  EXPECT_EQ(read_all(folder.write("little", little)).text, text);
  EXPECT_EQ(read_all(folder.write("big", big)).text, text);
  EXPECT_EQ(read_all(folder.write("letters later", little + "\xAC\x20")).text, text + "\u20ac");
  // Numbers of two bytes are not text.
  std::string numbers = little;
  numbers[20] = '\x01';
  EXPECT_EQ(read_all(folder.write("numbers", numbers)).text, numbers);
}

TEST(Source, AByteOrderMarkIsNoText) {
  const ScratchFolder folder;
  for (const auto& path :
       {folder.write("plain", "\xEF\xBB\xBFtext"), folder.write("gz", gzip("\xEF\xBB\xBFtext"))}) {
    auto source = Source::open(path);
    ASSERT_TRUE(source);
    EXPECT_EQ((*source)->offset(), 3u);
    EXPECT_EQ(read_all(**source, 2).text, "text");
  }
  EXPECT_EQ(read_all(folder.write("only", "\xEF\xBB\xBF")).text, "");
}

TEST(Source, PeekDoesNotConsume) {
  const ScratchFolder folder;
  const std::string text = numbers(300000);
  auto source = Source::open(folder.write("gz", gzip(text)));
  ASSERT_TRUE(source) << source.error().message;
  for (const size_t n : {1u, 10u, 70000u, 5u}) {
    const auto head = (*source)->peek(n);
    ASSERT_TRUE(head);
    ASSERT_GE(head->size(), n);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(head->data()), n), text.substr(0, n));
  }
  EXPECT_EQ((*source)->offset(), 0u);
  EXPECT_EQ(read_all(**source, 4096).text, text);
  EXPECT_EQ((*source)->offset(), text.size());
  EXPECT_EQ((*source)->disk_bytes_read(), (*source)->disk_bytes_total());
}

TEST(Source, WhatAtraceCompressedIsFoundBehindWhatItSaid) {
  const ScratchFolder folder;
  const std::string text = numbers(100000), compressed = test::atrace(text);
  EXPECT_EQ(read_all(folder.write("bare", compressed)).text, text);
  EXPECT_EQ(read_all(folder.write("said", "capturing trace... done\n" + compressed)).text, text);
  const std::string other = "a line about TRACE:\nx and more";
  EXPECT_EQ(read_all(folder.write("text", other)).text, other);
}

TEST(Source, ACutStreamGivesWhatCameBeforeAndAnError) {
  const ScratchFolder folder;
  const std::string text = numbers(100000);
  for (std::string compressed : {gzip(text), zstd(text)}) {
    compressed.resize(compressed.size() / 2);
    const Outcome outcome = read_all(folder.write("cut", compressed));
    EXPECT_GE(outcome.text.size(), 100000u);
    EXPECT_EQ(outcome.text, text.substr(0, outcome.text.size()));
    EXPECT_THAT(outcome.error, HasSubstr("the file is cut"));
  }
}

TEST(Source, ADamagedStreamIsAnError) {
  const ScratchFolder folder;
  std::string compressed = gzip(numbers(100000));
  for (size_t i = compressed.size() / 2; i < compressed.size(); ++i) compressed[i] = 'x';
  EXPECT_THAT(read_all(folder.write("bad", compressed)).error, HasSubstr("gzip data at byte"));
  EXPECT_THAT(read_all(folder.write("tail", gzip("one") + "two")).error, HasSubstr("gzip data"));

  // However little came before.
  compressed = gzip("one\ntwo\n");
  compressed[compressed.size() - 8] ^= 1;  // of the checksum
  const Outcome outcome = read_all(folder.write("sum", compressed));
  EXPECT_EQ(outcome.text, "one\ntwo\n");
  EXPECT_THAT(outcome.error, HasSubstr("gzip data at byte"));
}

TEST(Source, RefusesBombs) {
  const ScratchFolder folder;
  const std::string zeros(200 << 20, '\0');
  for (const auto& path : {folder.write("gz", gzip(zeros)), folder.write("zst", zstd(zeros))}) {
    const Outcome outcome = read_all(path, 1 << 20);
    EXPECT_THAT(outcome.error, HasSubstr("more than 200 times its size"));
    EXPECT_GE(outcome.text.size(), 63u << 20);
    EXPECT_LE(outcome.text.size(), 70u << 20);
  }
}

TEST(Source, ReadsWhatIsCompressedTwice) {
  const ScratchFolder folder;
  const std::string text = numbers(100000);
  for (const std::string& twice : {zstd(gzip(text)), gzip(zstd(text)), gzip(gzip(text))}) {
    const Outcome outcome = read_all(folder.write("twice", twice));
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.text, text);
  }
  const std::string wide("T\0i\0m\0e\0;\0", 10);
  EXPECT_EQ(read_all(folder.write("wide", zstd(gzip(wide)))).text, "Time;");
  EXPECT_EQ(read_all(folder.write("empty", gzip(gzip("")))).text, "");
  EXPECT_THAT(read_all(folder.write("deep", gzip(gzip(gzip(gzip(text)))))).error,
              HasSubstr("again and again"));
}

TEST(Source, WhatIsCompressedTwiceMayBeCutInEitherLayer) {
  const ScratchFolder folder;
  std::string text;  // what compresses badly goes through the outer layer in many blocks
  for (uint32_t i = 0, random = 1; i < 100000; ++i)
    text += std::to_string(random = random * 1664525 + 1013904223) + "\n";
  const std::string inner = gzip(text);
  const std::string outer = zstd(inner);
  for (const std::string& cut :
       {zstd(inner.substr(0, inner.size() / 2)), outer.substr(0, outer.size() * 3 / 4)}) {
    const Outcome outcome = read_all(folder.write("cut", cut));
    EXPECT_GE(outcome.text.size(), 100000u);
    EXPECT_EQ(outcome.text, text.substr(0, outcome.text.size()));
    EXPECT_THAT(outcome.error, HasSubstr("the file is cut"));
  }
}

// A bomb may be in any layer: much of what the inner one reads may come to nothing.
TEST(Source, RefusesBombsInBombs) {
  const ScratchFolder folder;
  const std::string twice = gzip(gzip(std::string(200 << 20, '\0')));
  const Outcome outcome = read_all(folder.write("twice", twice), 1 << 20);
  EXPECT_THAT(outcome.error, HasSubstr("more than 200 times its size"));
  EXPECT_LE(outcome.text.size(), 70u << 20);
  const std::string member = gzip("");
  std::string nothing;
  while (nothing.size() < (80u << 20)) nothing += member;
  const Outcome empty = read_all(folder.write("nothing", zstd(nothing)), 1 << 20);
  EXPECT_THAT(empty.error, HasSubstr("more than 200 times its size"));
}

TEST(Source, AFolderHasFilesAndNoBytes) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "b");
  folder.write("b/inner", "12345");
  folder.write("a", "123");
  std::filesystem::create_symlink(folder / "a", folder / "link");
  std::filesystem::create_symlink(folder / "nothing", folder / "broken");
  auto source = Source::open(folder.path());
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_TRUE((*source)->is_folder());
  ASSERT_EQ((*source)->files().size(), 3u);
  EXPECT_EQ((*source)->files()[0].name, "a");
  EXPECT_EQ((*source)->files()[1].name, "b/inner");
  EXPECT_EQ((*source)->files()[2].name, "link");
  EXPECT_EQ((*source)->disk_bytes_total(), 3u + 5u + 3u);
  EXPECT_EQ(read_all(folder.path()).text, "");
}

TEST(Source, NoLinkLeadsOutOfAFolder) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "trace");
  folder.write("secret", "x");
  for (const char* target : {"../secret", "..", "/etc"}) {
    std::filesystem::create_symlink(target, folder / "trace" / "link");
    const auto source = Source::open(folder / "trace");
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().message,
              "is a folder with a symbolic link that leads out of it: link");
    std::filesystem::remove(folder / "trace" / "link");
  }
}

TEST(Source, SaysWhatIsNotAFile) {
  const ScratchFolder folder;
  EXPECT_EQ(read_all(folder / "none").error, "File does not exist");
  EXPECT_EQ(read_all("/dev/zero").error, "is not a file: it is a device");
  EXPECT_EQ(read_all(folder.write("empty", "")).error, "file is empty");
  EXPECT_THAT(read_all(folder.write("zip", "PK\3\4....")).error,
              HasSubstr("cannot unpack the archive"));
}

TEST(Source, ASocketIsNotAFile) {
  const ScratchFolder folder;
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  (folder / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(read_all(folder / "socket").error, "is not a file: it is a socket");
  ::close(fd);
}

TEST(Source, AFileWithoutPermissionSaysSo) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const ScratchFolder folder;
  const auto path = folder.write("secret", "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_EQ(read_all(path).error, "cannot open: Permission denied");
}

TEST(Source, AFolderWithoutPermissionSaysSo) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const ScratchFolder folder;
  const auto path = folder / "secrets";
  std::filesystem::create_directory(path);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const auto files = files_below(path);
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().message, "cannot open: Permission denied");
}

TEST(Source, APipeIsReadToItsEnd) {
  const ScratchFolder folder;
  const auto path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string text = numbers(100000);
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << text; });
  const Outcome outcome = read_all(path);
  writer.join();
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.text, text);
}

TEST(Source, APipeWithoutAWriterIsGivenUp) {
  const ScratchFolder folder;
  const auto path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(read_all(path).error, "is a pipe that nobody writes to");
}

TEST(Source, AGrowingFileIsReadToWhereItEndsNow) {
  const ScratchFolder folder;
  const auto path = folder.write("growing", "one ");
  auto source = Source::open(path);
  ASSERT_TRUE(source);
  std::ofstream(path, std::ios::app) << "two";
  const std::string text = read_all(**source).text;
  EXPECT_EQ(text.substr(0, 4), "one ");
}

TEST(Source, AShrinkingFileEndsEarly) {
  const ScratchFolder folder;
  const std::string text = numbers(200000);
  const auto path = folder.write("shrinking", text);
  auto source = Source::open(path);
  ASSERT_TRUE(source);
  std::filesystem::resize_file(path, 300000);
  EXPECT_EQ(read_all(**source).text, text.substr(0, 300000));
}

}  // namespace
}  // namespace weft::io
