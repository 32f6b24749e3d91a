// The parts of a model besides its lanes. covers TM-05
#include "app/session/trace_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "app/view/safe_colors.h"
#include "core/layout/length_colors.h"
#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

ModelKey key_of(const std::filesystem::path& sample) {
  ModelKey key;
  key.trace = testing::opened(sample);
  key.type_colors = key.lane_colors = std::make_shared<const NamedColors>();
  key.message_classes = std::make_shared<const MessageClasses>();
  return key;
}

TEST(TraceModel, LanesOfOneNameDifferInColourAndKeepItAtEveryStart) {
  const testing::ScratchFolder folder;
  const ModelKey key = key_of(testing::write_sample(folder.path()));
  const TraceModel model = ModelMaker().make(key);
  std::map<std::string, layout::Rgb> colors;
  size_t twins = 0;
  const auto& lanes = key.trace->dictionary().lanes;
  for (uint32_t lane = 0; lane < lanes.size(); ++lane) {
    const auto [twin, is_new] =
        colors.try_emplace(lanes[lane].name, model.lane_color(LaneId(lane)));
    if (is_new) continue;
    EXPECT_NE(twin->second, model.lane_color(LaneId(lane))) << twin->first;
    ++twins;
  }
  EXPECT_GT(twins, 0u);
  EXPECT_EQ(*ModelMaker().make(key).lane_colors, *model.lane_colors);
}

TEST(TraceModel, LanesHaveSafeColoursWhereTypesHave) {
  const testing::ScratchFolder folder;
  ModelKey key = key_of(testing::write_sample(folder.path()));
  ModelMaker maker;
  const auto usual = maker.make(key).lane_colors;
  key.has_safe_colors = true;
  EXPECT_NE(*maker.make(key).lane_colors, *usual);
  EXPECT_EQ(maker.make(key).lane_color(LaneId::none()), layout::Palette::kNeutral);
}

// covers B-26
TEST(TraceModel, GreysOfATraceStayGreyAmongSafeColours) {
  trace::Dictionary dictionary;
  dictionary.types.push_back({.name = "sleeping", .group = {}, .rgb = 0x566174});
  dictionary.types.push_back({.name = "failed", .group = {}, .rgb = 0xB5523B});
  dictionary.types.push_back({.name = "plain", .group = {}});
  const auto colors = safe_colors(dictionary, layout::Theme::kDark);
  EXPECT_FALSE(colors.contains(EventTypeId(0)));
  EXPECT_TRUE(colors.contains(EventTypeId(1)));
  EXPECT_TRUE(colors.contains(EventTypeId(2)));  // has no colour of its own
}

// covers FS-33
TEST(TraceModel, TheUsersColoursOfLanesGoBeforeAllOthers) {
  const testing::ScratchFolder folder;
  ModelKey key = key_of(testing::write_sample(folder.path()));
  ModelMaker maker;
  const auto usual = maker.make(key).lane_colors;
  key.lane_colors = std::make_shared<const NamedColors>(NamedColors{{usual->names[1], 0x010203}});
  key.has_safe_colors = true;
  const TraceModel model = maker.make(key);
  for (uint32_t lane = 0; lane < usual->names.size(); ++lane) {
    EXPECT_EQ(model.lane_color(LaneId(lane)) == 0x010203, lane == 1) << usual->names[lane];
  }
}

// covers FS-33
TEST(TraceModel, StatesAreColouredByHowLongTheyTakeUpToTheLongestOfTheTrace) {
  const testing::ScratchFolder folder;
  ModelKey key = key_of(testing::write_sample(folder.path()));
  ModelMaker maker;
  EXPECT_EQ(maker.make(key).palette->lengths(), nullptr);
  key.colors_by_duration = true;
  const auto palette = maker.make(key).palette;
  ASSERT_NE(palette->lengths(), nullptr);
  Duration longest;
  for (const store::Row& row : key.trace->rows()) {
    if (row.kind != store::RowKind::kState) continue;
    key.trace->for_each(row, key.trace->range(), [&](const store::Record& record) {
      longest = std::max(longest, record.duration);
      return true;
    });
  }
  EXPECT_GE(palette->lengths()->to(), longest);
  EXPECT_LT(palette->lengths()->to().ticks, 3 * longest.ticks);
  EXPECT_NE(palette->state_color(EventTypeId(0), longest),
            palette->state_color(EventTypeId(0), Duration{1}));
  EXPECT_EQ(palette->color(EventTypeId(0)), maker.make(key).palette->color(EventTypeId(0)));
  EXPECT_EQ(maker.make(key).palette, palette) << "tiles stay good while nothing changes";
}

}  // namespace
}  // namespace weft::app
