// covers FS-17: what is typed below the titles of tables
#include "app/panels/tables/column_filter.h"

#include <gtest/gtest.h>

namespace weft::app {
namespace {

bool takes(const std::string& typed, std::string_view text) {
  const auto filter = ColumnFilter::compile(typed);
  EXPECT_TRUE(filter) << typed;
  return filter && filter->matches(text);
}

TEST(ColumnFilter, TakesWhatARegularExpressionFinds) {
  EXPECT_TRUE(takes("poll|read", "epoll_wait"));
  EXPECT_TRUE(takes("poll", "EPOLL"));
  EXPECT_FALSE(takes("POLL", "epoll"));
  EXPECT_TRUE(takes("<main>", "<main>"));
  EXPECT_TRUE(takes(">", "a > b"));
  EXPECT_FALSE(ColumnFilter::compile("("));
}

TEST(ColumnFilter, ComparesTimesWhateverTheirUnits) {
  EXPECT_TRUE(takes("> 1ms", "6.584 ms"));
  EXPECT_TRUE(takes(">1 ms", "1.2 s"));
  EXPECT_FALSE(takes("> 1ms", "998 µs"));
  EXPECT_TRUE(takes("< 12.5 µs", "900 ps"));
  EXPECT_TRUE(takes(">= 10min", "0:10:00"));
  EXPECT_TRUE(takes("> 1:00:00", "2 d 3:00:00"));
  EXPECT_TRUE(takes(">2ms <= 3ms", "3 ms"));
  EXPECT_FALSE(takes(">2ms <3ms", "3 ms"));
  EXPECT_TRUE(takes("== 6.584ms", "6.584 ms"));
  EXPECT_FALSE(takes("!= 6.584ms", "6.584 ms"));
  EXPECT_TRUE(takes("> -1ms", "-0.5 ms"));
  // Since 1970, beyond what picoseconds count.
  EXPECT_TRUE(takes("> 1700000004 s", "1,700,000,005.000000000 s"));
  EXPECT_FALSE(takes("> 1700000004 s", "1,700,000,004.000000000 s"));
  EXPECT_TRUE(takes("== 1700000004.000000001 s", "1,700,000,004.000000001 s"));
  EXPECT_FALSE(takes("== 1700000004 s", "1,700,000,004.000000001 s"));
  EXPECT_TRUE(takes("> 200 d", "300 d 0:00:00"));
}

TEST(ColumnFilter, ComparesEverythingWith0) {
  EXPECT_TRUE(takes("!= 0", "6.5 ms"));
  EXPECT_FALSE(takes("!= 0", "0 ns"));
  EXPECT_TRUE(takes("> 0", "2 KiB"));
  EXPECT_TRUE(takes("== 0", "0 B"));
}

TEST(ColumnFilter, ComparesNumbersAndBytes) {
  EXPECT_TRUE(takes("> 1000", "1,234"));
  EXPECT_TRUE(takes(">= 33", "33.40 %"));
  EXPECT_TRUE(takes("<5", "3 ticks"));
  EXPECT_TRUE(takes("> 1KiB", "1.5 MiB"));
  EXPECT_FALSE(takes("> 1KiB", "500 B"));
  EXPECT_TRUE(takes("< 0", "-3"));
  EXPECT_TRUE(takes("> 2", "+3.1"));
  EXPECT_TRUE(takes("> 67 ms", "≈ 67.1 ms"));
}

TEST(ColumnFilter, WhatIsNamedIsTakenExactlyAndReadsAsItsName) {
  EXPECT_EQ(exactly("a.b (c)"), "= a.b (c)");
  for (const char* name : {"a.b (c)", "= 5", "\\E", " with spaces ", "5 ms", ""}) {
    EXPECT_TRUE(takes(exactly(name), name)) << name;
    EXPECT_FALSE(takes(exactly(name), std::string(name) + "x")) << name;
    EXPECT_FALSE(takes(exactly(name), "x" + std::string(name))) << name;
  }
  EXPECT_FALSE(takes("= a.b", "axb"));
  EXPECT_TRUE(takes("==5", "5"));
}

// Neither more nor less: what has another kind of quantity, or none.
TEST(ColumnFilter, WhatCannotBeComparedIsNotTaken) {
  EXPECT_FALSE(takes("> 1", "6.584 ms"));
  EXPECT_FALSE(takes("> 1ms", "5"));
  for (const char* text : {"", "–", "poll", "ms"}) {
    EXPECT_FALSE(takes("!= 1", text)) << text;
    EXPECT_FALSE(takes("< 1ms", text)) << text;
  }
}

}  // namespace
}  // namespace weft::app
