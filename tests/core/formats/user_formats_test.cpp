// Trace types that a user defines in files: rows like any other. covers XC-33
#include "core/formats/user_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/formats/reading.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

using test::ScratchFolder;
using testing::HasSubstr;

constexpr const char* kBeats = R"re({"name": "Beats", "extensions": ["beat"],
  "rules": [{"pattern": "^beat (?<time>\d+) (?<type>\w+)"}]})re";

TEST(UserFormats, AFileIsARow) {
  const ScratchFolder folder;
  const auto file = folder.write("beats-of-mine.json", kBeats);
  EXPECT_TRUE(add_formats_in(folder.path()).empty());
  const FormatPtr format = format_from_id("beats-of-mine");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(format->name, "Beats");
  EXPECT_EQ(format->origin, file);
  const auto trace = folder.write("a.beat", "beat 1 tick\nbeat 2 tock\n");
  EXPECT_THAT(test::read(trace)->text(), HasSubstr("punctual 2000000000 on trace: \"tock\""));
  EXPECT_THAT(test::read(trace, {"beats-of-mine"})->text(), HasSubstr("\"tick\""));
}

TEST(UserFormats, ATypeWhoseFileIsGoneClaimsNothing) {
  const ScratchFolder folder;
  const auto file = folder.write("gone-beats.json", R"re({"rules": [
    {"pattern": "^lost beat (?<time>\d+)"}]})re");
  const auto trace = folder.write("a.log", "lost beat 1\nlost beat 2\n");
  const auto recognised = [&] { return recognise_single(*io::Source::open(trace), ""); };
  ASSERT_TRUE(add_formats_in(folder.path()).empty());
  ASSERT_TRUE(recognised());
  EXPECT_EQ(recognised()->inputs.front().format->id, "gone-beats");
  std::filesystem::remove(file);
  const auto now = recognised();
  EXPECT_TRUE(!now || now->inputs.front().format->id != "gone-beats");
}

TEST(UserFormats, WhatCannotBeIsToldAndLeftOut) {
  const ScratchFolder folder;
  folder.write("chrome-json.json", kBeats);  // a built-in one
  folder.write("Big Name.json", kBeats);
  folder.write("broken.json", R"({"rules": [{"pattern": "("}]})");
  folder.write("readable-one.json", kBeats);
  folder.write("notes.txt", "no definition");
  const std::vector<Error> errors = add_formats_in(folder.path());
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_THAT(errors[0].message, HasSubstr("Big Name.json: 'Big Name' is not an id"));
  EXPECT_THAT(errors[1].message, HasSubstr("broken.json: rules[0].pattern: "));
  EXPECT_THAT(errors[2].message, HasSubstr("chrome-json.json: 'chrome-json' is a trace type of"));
  EXPECT_NE(format_from_id("readable-one"), nullptr);
  EXPECT_TRUE(add_formats_in(folder.path() / "not there").empty());
  EXPECT_FALSE(format_from_file(folder.path() / "notes.txt"));
}

}  // namespace
}  // namespace weft::formats
