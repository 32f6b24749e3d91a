// covers B-11: markers come back from their side-car file, and a bad file harms nothing
#include "app/session/markers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "app/session/marker_file.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

Markers sample() {
  Markers markers;
  const auto add = [&](TimeRange range, std::string name, std::string note, uint8_t color,
                       Duration every) {
    Marker marker;
    marker.range = range;
    marker.name = std::move(name);
    marker.note = std::move(note);
    marker.color = color;
    marker.every = every;
    markers.add(std::move(marker));
  };
  add({{7}, {7}}, "start %s ##", "line\nline", 3, {});
  add({{-5}, {1'000'000'000'000}}, "\xff\x1b[31m", "", 0, {});
  add({{20}, {30}}, "", "", 0, {10});
  Marker on_message;
  on_message.range = {{40}, {40}};
  query::ElementRef message;
  message.lane = LaneId(3);
  message.kind = store::RowKind::kLinkOut;
  message.begin = {40};
  message.type = EventTypeId(2);
  message.peer = LaneId(5);
  message.duration = {-7};
  message.nth = 1;
  on_message.element = message;
  markers.add(std::move(on_message));
  markers.set_a(Time{-1});
  return markers;
}

void write(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(Markers, ComeBackFromJsonAsTheyWere) {
  const Markers markers = sample();
  const auto back = Markers::from_json(markers.to_json());
  ASSERT_TRUE(back);
  ASSERT_EQ(back->all().size(), markers.all().size());
  for (size_t i = 0; i < markers.all().size(); ++i) {
    EXPECT_EQ(back->all()[i].element, markers.all()[i].element);
    EXPECT_EQ(back->all()[i].every, markers.all()[i].every);
    EXPECT_EQ(back->all()[i].range, markers.all()[i].range);
    EXPECT_EQ(back->all()[i].name, markers.all()[i].name);
    EXPECT_EQ(back->all()[i].note, markers.all()[i].note);
    EXPECT_EQ(back->all()[i].color, markers.all()[i].color);
  }
  EXPECT_EQ(back->a(), Time{-1});
  EXPECT_FALSE(back->b());
}

TEST(Markers, OfHostileJsonAreAnError) {
  for (const char* text :
       {"[]", "7", R"({"markers":7})", R"({"markers":[7]})", R"({"markers":[{}]})", R"({"a":"x"})",
        R"({"markers":[{"begin":1,"name":7}]})", R"({"markers":[{"begin":1,"color":-1}]})",
        R"({"markers":[{"begin":1,"every":"x"}]})", R"({"markers":[{"begin":1,"element":7}]})",
        R"({"markers":[{"begin":1,"element":{"lane":1,"kind":"state","type":-1,"at":1}}]})"}) {
    EXPECT_FALSE(Markers::from_json(Json::parse(text))) << text;
  }
  const auto reversed = Markers::from_json(Json::parse(R"({"markers":[{"begin":9,"end":1}]})"));
  ASSERT_TRUE(reversed);
  EXPECT_TRUE(reversed->all().front().range.is_empty());
  const auto negative = Markers::from_json(Json::parse(R"({"markers":[{"begin":9,"every":-1}]})"));
  ASSERT_TRUE(negative);
  EXPECT_EQ(negative->all().front().every, Duration{});
}

// covers XC-31: a marker that stands again and again does so wherever one looks
TEST(Markers, RepeatBeforeAndBehindWhereTheyWereSet) {
  Marker marker;
  marker.range = {{100}, {104}};
  const auto seen = [&](int64_t begin, int64_t end) {
    std::string text;
    const Repetitions repetitions = repetitions_in(marker, {{begin}, {end}});
    for (int64_t i = repetitions.first; i <= repetitions.last; ++i) {
      const TimeRange at = repetition(marker, i);
      text += std::to_string(at.begin.ticks) + "-" + std::to_string(at.end.ticks) + " ";
    }
    return text;
  };
  EXPECT_EQ(seen(0, 200), "100-104 ");
  EXPECT_EQ(seen(0, 99), "");
  EXPECT_EQ(seen(105, 200), "");
  marker.every = {10};
  EXPECT_EQ(seen(100, 119), "100-104 110-114 ");
  EXPECT_EQ(seen(103, 109), "100-104 ");
  EXPECT_EQ(seen(-6, 13), "-10--6 0-4 10-14 ");
  marker.every = {3};  // they overlap
  EXPECT_EQ(seen(100, 100), "97-101 100-104 ");
  const int64_t most = std::numeric_limits<int64_t>::max();
  marker.every = {most};
  const Repetitions far = repetitions_in(marker, {Time::min(), Time::max()});
  EXPECT_LE(far.last - far.first, 4);
  for (int64_t i = far.first; i <= far.last; ++i)
    EXPECT_FALSE(repetition(marker, i).end < repetition(marker, i).begin);
}

TEST(MarkerFile, KeepsThemInTheFolderAndBesideTheTraceOnDemand) {
  const testing::ScratchFolder folder;
  const fs::path trace = folder.path() / "t.weft";
  write(trace, "trace");
  const auto load = [&] { return MarkerFile(trace, folder.path() / "state").load(); };
  EXPECT_FALSE(load()->has_value());
  MarkerFile file(trace, folder.path() / "state");
  ASSERT_TRUE(file.save(Markers()));
  EXPECT_FALSE(fs::exists(file.path()));  // nothing to keep, nothing written
  ASSERT_TRUE(file.save(sample()));
  EXPECT_EQ(load()->value().all().size(), sample().all().size());
  ASSERT_TRUE(file.move_beside_trace(sample()));
  fs::remove_all(folder.path() / "state");
  EXPECT_EQ(load()->value().all().size(), sample().all().size());
}

Marker named(const char* name, int64_t at) {
  Marker marker;
  marker.range = {{at}, {at}};
  marker.name = name;
  return marker;
}

TEST(MarkerFile, OfTwoWindowsHoldsTheMarkersOfBoth) {
  const testing::ScratchFolder folder;
  const fs::path trace = folder.path() / "t.weft";
  write(trace, "trace");
  const auto names = [&] {
    std::vector<std::string> names;
    const auto kept = MarkerFile(trace, folder.path()).load().value().value_or(Markers());
    for (const Marker& marker : kept.all()) names.push_back(marker.name);
    return names;
  };
  MarkerFile here(trace, folder.path()), there(trace, folder.path());
  Markers ours, theirs;
  ours.add(named("ours", 10));
  ASSERT_TRUE(here.save(ours));
  theirs.add(named("theirs", 20));
  ASSERT_TRUE(there.save(theirs));
  EXPECT_THAT(names(), ::testing::ElementsAre("ours", "theirs"));
  const uint32_t second = *ours.add(named("second", 30));
  ASSERT_TRUE(here.save(ours));
  EXPECT_THAT(names(), ::testing::ElementsAre("ours", "theirs", "second"));
  ASSERT_TRUE(ours.remove(second));
  ASSERT_TRUE(here.save(ours));
  EXPECT_THAT(names(), ::testing::ElementsAre("ours", "theirs"));
}

TEST(MarkerFile, SetsABrokenFileAside) {
  const testing::ScratchFolder folder;
  const fs::path trace = folder.path() / "t.weft";
  for (const char* text : {"{", "[[[[", "{\"markers\":3}", "\xff\xfe"}) {
    MarkerFile first(trace, folder.path());
    fs::create_directories(first.path().parent_path());
    write(first.path(), text);
    EXPECT_FALSE(first.load()) << text;
    EXPECT_FALSE(fs::exists(first.path()));
    const auto again = first.load();
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->has_value());
  }
}

}  // namespace
}  // namespace weft::app
