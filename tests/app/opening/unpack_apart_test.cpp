// Unpacking in a process of its own: the same files, and what becomes of it when that process dies.
// covers R10
#include "app/opening/unpack_apart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/unpack_wire.h"
#include "tests/core/io/archives.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;
using io::Packing;
using ::testing::HasSubstr;

class UnpackApart : public ::testing::Test {
 protected:
  // An input of these bytes that may be unpacked to `most_bytes`, and breaks off with `error`.
  static io::PackedInput input_of(std::string_view bytes, uint64_t most_bytes = 1 << 30,
                                  std::string error = {}) {
    const auto read = [bytes, error](std::span<std::byte> out) mutable -> Result<size_t> {
      constexpr size_t kSmallStep = 1000;
      const size_t n = std::min({out.size(), bytes.size(), kSmallStep});
      if (n == 0 && !error.empty()) return fail(error);
      std::ranges::copy(std::as_bytes(std::span(bytes.substr(0, n))), out.begin());
      bytes.remove_prefix(n);
      return n;
    };
    return {.read = read, .most_bytes = [most_bytes] { return most_bytes; }};
  }
  fs::path folder(const std::string& name) const {
    fs::create_directories(folder_ / name);
    return folder_ / name;
  }
  // The files below a folder, with what is in them.
  static std::string content(const fs::path& folder) {
    std::vector<std::string> files;
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(folder)) {
      if (!each.is_regular_file()) continue;
      const std::string name = each.path().lexically_relative(folder).string();
      files.push_back(name + ": " + test::content_of(each.path()) + "\n");
    }
    std::ranges::sort(files);
    std::string all;
    for (const std::string& file : files) all += file;
    return all;
  }
  // What comes of it here and apart, which is the same.
  std::string unpacked(Packing packing, std::string_view bytes, uint64_t most_bytes = 1 << 30,
                       const std::string& error = {}) {
    const auto text = [&](const char* name, const io::Unpack& unpack) {
      const fs::path to = folder(name);
      std::string said = text_of(unpack(packing, input_of(bytes, most_bytes, error), to));
      std::ranges::replace(said, '\0', '|');
      const std::string files = content(to);
      fs::remove_all(to);
      return said + "\n" + files;
    };
    const std::string here = text("here", io::unpack_here);
    EXPECT_EQ(text("apart", unpack_apart(*reader_program())), here);
    return here;
  }
  // What is said where a program that does this is to unpack something.
  std::string error_of(const std::string& script,
                       std::chrono::milliseconds patience = kUsualPatience) {
    const fs::path program = folder_.write("reader", "#!/bin/sh\n" + script + "\n");
    fs::permissions(program, fs::perms::owner_all);
    const std::string bytes(1 << 20, 'x');
    const auto none =
        unpack_apart(program, patience)(Packing::kArchive, input_of(bytes), folder("none"));
    return none ? "" : none.error().message;
  }

  test::ScratchFolder folder_;
};

TEST_F(UnpackApart, GivesTheFilesThatUnpackingHereGives) {
  const test::ArchiveFiles files = {
      {"a/one", std::string(700'000, 'a')}, {"a/two", "2"}, {"same:b", "a/two"}, {"a/two", "3"}};
  EXPECT_THAT(unpacked(Packing::kArchive, archive_of(test::Packing::kZip, files, 1'000'000'000)),
              HasSubstr("unpacked||2|a/two (2)|a/one|1000000000|0|a/two|1000000000|0|"));
  EXPECT_THAT(unpacked(Packing::kArchive, archive_of(test::Packing::kTar, files)),
              HasSubstr("\nb: 2\n"));
  EXPECT_THAT(unpacked(Packing::kPage, "<html><script id=\"viewer-data\" type=\"text/plain\">[1]"),
              HasSubstr("unpacked|the page ends within it|2||\ntrace-1: [1]\n"));
}

TEST_F(UnpackApart, SaysWhatUnpackingHereSaysOfDamage) {
  const std::string zip =
      archive_of(test::Packing::kZip, {{"one", std::string(9000, 'a')}, {"two", "b"}});
  EXPECT_THAT(unpacked(Packing::kArchive, zip, 4000), HasSubstr("too much for its size; refused"));
  EXPECT_THAT(unpacked(Packing::kArchive, std::string_view(zip).substr(0, zip.size() / 2), 1 << 20,
                       "the disk is broken"),
              HasSubstr("the disk is broken"));
  EXPECT_THAT(unpacked(Packing::kArchive, "PK\3\4"), HasSubstr("cannot unpack the archive"));
  EXPECT_THAT(unpacked(Packing::kPage, "<html>"), HasSubstr("without a trace in it"));
}

TEST_F(UnpackApart, ThatDiesIsAnError) {
  EXPECT_EQ(error_of("kill -SEGV $$"),
            "cannot be unpacked: what does so stopped: Segmentation fault");
  EXPECT_EQ(error_of("cat > /dev/null; exit 3"),
            "cannot be unpacked: what does so stopped: exit status 3");
  EXPECT_EQ(error_of("while :; do :; done", std::chrono::milliseconds(100)),
            "cannot be unpacked: what does so stopped: it went round in circles");
}

TEST_F(UnpackApart, ThatTalksNonsenseIsNotBelieved) {
  const auto said = [&](std::string answer) {  // a bar stands for the end of a field
    std::ranges::replace(answer, '|', '\0');
    return error_of("cat > /dev/null; cat " + folder_.write("answer", answer).string() + " >&3");
  };
  EXPECT_EQ(said("failed|because|"), "because");
  EXPECT_EQ(said("unpacked||0|a|b|1|2|"), "");
  for (const char* nonsense : {"x", "failed", "unpacked||", "unpacked||9|a|", "unpacked||0|../a|",
                               "unpacked||0|a|/b|1|2|", "unpacked||0|a|b|1|"})
    EXPECT_EQ(said(nonsense), "what unpacks it talks nonsense") << nonsense;
}

}  // namespace
}  // namespace weft::app
