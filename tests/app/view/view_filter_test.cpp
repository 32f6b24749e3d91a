// covers FS-59, B-04: event types that are hidden are a part of the view's filter
#include "app/view/view_filter.h"

#include <gtest/gtest.h>

namespace weft::app {
namespace {

using Names = std::set<std::string>;

TEST(ViewFilterTest, HiddenTypesAreConditionsOfTheirOwn) {
  EXPECT_EQ(hidden_types(""), Names{});
  EXPECT_EQ(hidden_types("type != idle"), Names{"idle"});
  EXPECT_EQ(hidden_types("dur > 5ms && type != \"a b\" and type != c"), (Names{"a b", "c"}));
  // What is part of something else hides nothing by itself.
  for (const char* text :
       {"type != idle || dur > 5", "(type != idle || dur > 5) && dur < 9", "!(type != idle)",
        "type == idle", "type != idle && (", "name == \"type != idle\"", "type != /x/"}) {
    EXPECT_EQ(hidden_types(text), Names{}) << text;
  }
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
