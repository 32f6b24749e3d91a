// covers TM-02
#include "core/layout/lane_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::layout {
namespace {

using testing::ElementsAre;

// Lanes by their names and the numbers of their groups.
trace::Dictionary dictionary(std::initializer_list<std::pair<const char*, uint32_t>> lanes) {
  trace::Dictionary dictionary;
  for (const auto& [name, parent] : lanes) {
    trace::Lane& lane = dictionary.lanes.emplace_back();
    lane.name = name;
    if (parent < dictionary.lanes.size() - 1) lane.parent = LaneId(parent);
  }
  return dictionary;
}
constexpr uint32_t kRoot = 99;

TEST(LaneNames, OnlyThoseThatAreAlikeTakeTheNamesOfTheirGroups) {
  const trace::Dictionary ranks = dictionary(
      {{"box", kRoot}, {"rank 0", 0}, {"rank 1", 0}, {"main", 1}, {"main", 2}, {"helper", 2}});
  const LaneId lanes[] = {LaneId(4), LaneId(5), LaneId(3)};
  EXPECT_THAT(distinct_names(ranks, lanes), ElementsAre("rank 1/main", "helper", "rank 0/main"));
  EXPECT_THAT(distinct_names(ranks, std::span(lanes).subspan(1)), ElementsAre("helper", "main"));
}

TEST(LaneNames, GroupsThatAreAlikeTakeTheirsToo) {
  const trace::Dictionary boxes = dictionary(
      {{"a", kRoot}, {"b", kRoot}, {"rank", 0}, {"rank", 1}, {"main", 2}, {"main", 3}, {"x", 0}});
  const LaneId lanes[] = {LaneId(4), LaneId(5), LaneId(6)};
  EXPECT_THAT(distinct_names(boxes, lanes), ElementsAre("a/rank/main", "b/rank/main", "x"));
}

TEST(LaneNames, WhatIsAlikeUpToTheRootStaysSo) {
  const trace::Dictionary twins = dictionary({{"x", kRoot}, {"x", kRoot}, {"y", 0}, {"y", 1}});
  const LaneId lanes[] = {LaneId(0), LaneId(1), LaneId(2), LaneId(3)};
  EXPECT_THAT(distinct_names(twins, lanes), ElementsAre("x", "x", "x/y", "x/y"));
}

TEST(LaneNames, AreShortenedWhereTheyAreAlike) {
  const std::vector<std::string> names = {"Execution #1/main", "Execution #1/reader",
                                          "Execution #2/main", "dispatcher of all", "idle"};
  EXPECT_THAT(shortened(names, 40), names);
  EXPECT_THAT(shortened(names, 9),
              ElementsAre("Ex…1/main", "Ex…1/rea…", "Ex…2/main", "dispatch…", "idle"));
  // Names that differ early lose only their end.
  EXPECT_THAT(shortened(std::span(names).subspan(2), 9),
              ElementsAre("Executio…", "dispatch…", "idle"));
}

TEST(LaneNames, TheWordInWhichTheyDifferIsKeptWhole) {
  const std::vector<std::string> names = {"epeec04.Skt0.MC0 · Bandwidth",
                                          "epeec04.Skt0.MC1 · Bandwidth"};
  EXPECT_THAT(shortened(names, 12), ElementsAre("epe…MC0 · B…", "epe…MC1 · B…"));
  const std::vector<std::string> sockets = {"epeec04.Skt0.MC1 · Bandwidth",
                                            "epeec04.Skt1.MC1 · Bandwidth"};
  EXPECT_THAT(shortened(sockets, 12), ElementsAre("epe…Skt0.MC…", "epe…Skt1.MC…"));
  // A word that is longer than the room: what differs in it.
  const std::vector<std::string> ids = {"thread 0x7f3a12345601", "thread 0x7f3a12345602"};
  EXPECT_THAT(shortened(ids, 8), ElementsAre("thread…1", "thread…2"));
}

TEST(LaneNames, AreShortenedToPixelsToo) {
  const NameWidth width_of = [](std::string_view text) {
    double px = 0;
    for (const char c : text) px += c == 'i' ? 1 : 4;
    return px;
  };
  ASSERT_EQ(width_of("…"), 12);
  EXPECT_EQ(cut_at_end("iiiiiiiiiiiiiiii", 16, width_of), "iiiiiiiiiiiiiiii");
  EXPECT_EQ(cut_at_end("wwwwwwww", 31, width_of), "wwww…");
  EXPECT_EQ(cut_at_end("wwwwwwww", 11, width_of), "");
  const std::vector<std::string> names = {"wide words 1", "wide words 2", "ii"};
  EXPECT_THAT(shortened(names, 32, width_of), ElementsAre("wide…1", "wide…2", "ii"));
}

TEST(LaneNames, LettersOfSeveralBytesAreKeptWhole) {
  // The two last letters of each differ in their second byte only.
  const std::vector<std::string> names = {"Größe der Wärme ä", "Größe der Wärme ö"};
  EXPECT_THAT(shortened(names, 6), ElementsAre("Größ…ä", "Größ…ö"));
  EXPECT_THAT(shortened(names, 1), ElementsAre("…", "…"));
  const std::vector<std::string> same = {"one and the same", "one and the same"};
  EXPECT_THAT(shortened(same, 8), ElementsAre("one and…", "one and…"));
}

}  // namespace
}  // namespace weft::layout
