#include "app/base/json_merge.h"

#include <gtest/gtest.h>

namespace weft::app {
namespace {

Json json(const char* text) { return Json::parse(text); }

TEST(JsonMerge, TakesWhatEitherChangedAndOursWhereBothDid) {
  const Json base = json(R"({"a": 1, "b": 1, "c": 1, "same": 1})");
  const Json ours = json(R"({"a": 2, "b": 1, "c": 2, "same": 1})");
  const Json theirs = json(R"({"a": 1, "b": 3, "c": 3, "same": 1})");
  EXPECT_EQ(merged(base, ours, theirs), json(R"({"a": 2, "b": 3, "c": 2, "same": 1})"));
  EXPECT_EQ(merged(base, base, theirs), theirs);
  EXPECT_EQ(merged(base, ours, base), ours);
}

TEST(JsonMerge, WhatOneAddedOrRemovedIsSoForBoth) {
  const Json base = json(R"({"old": 1, "older": 1, "changed": 1})");
  const Json ours = json(R"({"older": 1, "changed": 1, "new": 2})");
  const Json theirs = json(R"({"old": 1, "newer": 3, "changed": 2})");
  EXPECT_EQ(merged(base, ours, theirs), json(R"({"changed": 2, "new": 2, "newer": 3})"));
  // What they changed is there though we removed it.
  EXPECT_EQ(merged(base, json(R"({"old": 1, "older": 1})"), theirs),
            json(R"({"old": 1, "newer": 3, "changed": 2})"));
}

TEST(JsonMerge, GoesIntoObjectsAndTakesListsAsAWhole) {
  const Json base = json(R"({"views": {"/a": {"from": 1}}, "recent": ["x"]})");
  const Json ours = json(R"({"views": {"/a": {"from": 2}, "/b": 1}, "recent": ["y", "x"]})");
  const Json theirs = json(R"({"views": {"/a": {"from": 1, "to": 3}}, "recent": ["z", "x"]})");
  EXPECT_EQ(merged(base, ours, theirs),
            json(R"({"views": {"/a": {"from": 2, "to": 3}, "/b": 1}, "recent": ["y", "x"]})"));
  EXPECT_EQ(merged(Json(), ours, theirs)["views"]["/a"], json(R"({"from": 2, "to": 3})"));
}

}  // namespace
}  // namespace weft::app
