// covers B-11: markers come back from their side-car file, and a bad file harms nothing
#include "app/markers.h"

#include <gtest/gtest.h>

#include <fstream>

#include "app/marker_file.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

Markers sample() {
  Markers markers;
  markers.add({.range = {{7}, {7}}, .name = "start %s ##", .note = "line\nline", .color = 3});
  markers.add({.range = {{-5}, {1'000'000'000'000}}, .name = "\xff\x1b[31m", .note = ""});
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
  ASSERT_EQ(back->all().size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
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
        R"({"markers":[{"begin":1,"name":7}]})", R"({"markers":[{"begin":1,"color":-1}]})"}) {
    EXPECT_FALSE(Markers::from_json(Json::parse(text))) << text;
  }
  const auto reversed = Markers::from_json(Json::parse(R"({"markers":[{"begin":9,"end":1}]})"));
  ASSERT_TRUE(reversed);
  EXPECT_TRUE(reversed->all().front().range.is_empty());
}

TEST(MarkerFile, KeepsThemInTheFolderAndBesideTheTraceOnDemand) {
  const testing::TemporaryFolder folder;
  const fs::path trace = folder.path() / "t.weft";
  write(trace, "trace");
  const auto load = [&] { return MarkerFile(trace, folder.path() / "state").load(); };
  EXPECT_FALSE(load()->has_value());
  MarkerFile file(trace, folder.path() / "state");
  ASSERT_TRUE(file.save(Markers()));
  EXPECT_FALSE(fs::exists(file.path()));  // nothing to keep, nothing written
  ASSERT_TRUE(file.save(sample()));
  EXPECT_EQ(load()->value().all().size(), 2u);
  ASSERT_TRUE(file.move_beside_trace(sample()));
  fs::remove_all(folder.path() / "state");
  EXPECT_EQ(load()->value().all().size(), 2u);
}

TEST(MarkerFile, SetsABrokenFileAside) {
  const testing::TemporaryFolder folder;
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
