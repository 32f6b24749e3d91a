// The user's own trace types as files. covers XC-33
#include "app/opening/trace_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/formats/formats.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::app {
namespace {

using formats::custom::Definition;
using test::ScratchFolder;
using ::testing::HasSubstr;

TEST(TraceTypes, OneThatIsSavedIsThere) {
  const ScratchFolder folder;
  Definition definition{.name = "Beats"};
  definition.rules.push_back({.pattern = "^saved (?<time>\\d+)"});
  const auto in = folder.path() / "not yet there";
  ASSERT_TRUE(save_trace_type(in, "saved-beats", definition));
  EXPECT_EQ(formats::format_from_id("saved-beats")->name, "Beats");
  const std::string text = test::content_of(in / "saved-beats.json");
  EXPECT_EQ(formats::custom::definition_from_text(text).value(), definition);
  definition.name = "Others";
  ASSERT_TRUE(save_trace_type(in, "saved-beats", definition));
  EXPECT_EQ(formats::format_from_id("saved-beats")->name, "Others");
}

TEST(TraceTypes, WhatCannotBeIsNotWritten) {
  const ScratchFolder folder;
  Definition good, bad;
  good.rules.push_back({.pattern = "^(?<time>\\d+)"});
  bad.rules.push_back({.pattern = "("});
  const auto error = [&](std::string_view id, const Definition& definition) {
    const Status status = save_trace_type(folder.path(), id, definition);
    return status ? std::string() : status.error().message;
  };
  EXPECT_THAT(error("../up", good), HasSubstr("not the name of a trace type"));
  EXPECT_THAT(error("btrace", good), HasSubstr("is a trace type of the program"));
  EXPECT_THAT(error("mine", bad), HasSubstr("rules[0].pattern: missing closing parenthesis"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(TraceTypes, NamesBecomeIds) {
  EXPECT_EQ(trace_type_id("Boot log (2)"), "boot-log-2");
  EXPECT_EQ(trace_type_id("Größe"), "gr-e");
  EXPECT_EQ(trace_type_id("/../"), "");
}

}  // namespace
}  // namespace weft::app
