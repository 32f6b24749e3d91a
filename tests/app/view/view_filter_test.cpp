// covers FS-59, B-04: event types that are hidden are a part of the view's filter
#include "app/view/view_filter.h"

#include <gtest/gtest.h>

#include "app/view/element_filter.h"

namespace weft::app {
namespace {

using Names = std::set<std::string>;

TEST(ViewFilterTest, HiddenTypesAreConditionsOfTheirOwn) {
  EXPECT_EQ(hidden_types(""), Names{});
  EXPECT_EQ(hidden_types("type != idle"), Names{"idle"});
  EXPECT_EQ(hidden_types("dur > 5ms && type != \"a b\" and type != c"), (Names{"a b", "c"}));
  // A condition within another one hides nothing by itself.
  for (const char* text :
       {"type != idle || dur > 5", "(type != idle || dur > 5) && dur < 9", "!(type != idle)",
        "type == idle", "type != idle && (", "name == \"type != idle\"", "type != /x/"}) {
    EXPECT_EQ(hidden_types(text), Names{}) << text;
  }
}

TEST(ViewFilterTest, WhatHidesTypesAloneLooksForNothing) {
  for (const char* text : {"type != idle", "type != \"a b\" and type != c && type != d"})
    EXPECT_TRUE(hides_only_types(text)) << text;
  for (const char* text : {"", "dur > 5ms", "type != idle && dur > 5", "type != a || type != b",
                           "!(type != idle)", "type == idle", "type != /x/"})
    EXPECT_FALSE(hides_only_types(text)) << text;
}

TEST(ViewFilterTest, APairWithoutAnEndIsOfMessagesThatHaveNone) {
  trace::Dictionary dictionary;
  dictionary.lanes.push_back({.name = "sender"});
  const LaneId sender(0);
  EXPECT_EQ(pair_filter(dictionary, sender, sender),
            "category == \"link\" && source == sender && target == sender");
  EXPECT_EQ(pair_filter(dictionary, sender, LaneId::none()),
            "category == \"link\" && source == sender && !(target contains \"\")");
  EXPECT_EQ(pair_filter(dictionary, LaneId::none(), sender),
            "category == \"link\" && !(source contains \"\") && target == sender");
}

TEST(ViewFilterTest, ATypeComesBackAsItWent) {
  for (const char* text : {"", "dur > 5ms", "dur > 5ms || type == b", "type != x"}) {
    std::string filter = with_type(text, "odd \" && name", false);
    EXPECT_TRUE(hidden_types(filter).contains("odd \" && name")) << filter;
    filter = with_type(filter, "second", false);
    filter = with_type(filter, "odd \" && name", true);
    EXPECT_FALSE(hidden_types(filter).contains("odd \" && name")) << filter;
    EXPECT_TRUE(hidden_types(filter).contains("second")) << filter;
    filter = with_type(filter, "second", true);
    const bool is_or = std::string_view(text).find("||") != std::string_view::npos;
    EXPECT_EQ(filter, is_or ? "(" + std::string(text) + ")" : text);
  }
  EXPECT_EQ(with_type("dur > 5", "never hidden", true), "dur > 5");
}

}  // namespace
}  // namespace weft::app
