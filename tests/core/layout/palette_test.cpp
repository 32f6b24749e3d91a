#include "core/layout/palette.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace weft::layout {
namespace {

trace::Dictionary dictionary_of(const std::vector<std::string>& names) {
  trace::Dictionary dictionary;
  for (const std::string& name : names) {
    dictionary.types.push_back({.name = name, .group = {}});
  }
  return dictionary;
}

// covers TM-05
TEST(Palette, ANameHasTheSameColourForever) {
  // Written down once: a change here changes the colours of every user's traces.
  EXPECT_EQ(color_of_name("main", Theme::kDark), 0xADA1DCu);
  EXPECT_EQ(color_of_name("main", Theme::kLight), 0xB4A5EBu);
}

TEST(Palette, TheTracesOwnColourWinsAndTheUsersOverIt) {
  trace::Dictionary dictionary = dictionary_of({"a", "b"});
  dictionary.types.set_color(EventTypeId(0), 0x123456);
  EXPECT_EQ(Palette::make(dictionary, Theme::kDark)->color(EventTypeId(0)), 0x123456u);
  const auto painted = Palette::make(dictionary, Theme::kDark, {{EventTypeId(0), 0xABCDEF}});
  EXPECT_EQ(painted->color(EventTypeId(0)), 0xABCDEFu);
  EXPECT_EQ(painted->color(EventTypeId(1)), color_of_name("b", Theme::kDark));
  EXPECT_EQ(painted->color(EventTypeId::none()), Palette::kNeutral);
}

TEST(Palette, StatesOfTasksLookAlikeWhoeverNamesThem) {
  trace::Dictionary dictionary = dictionary_of({"running", "RUNNING", "TIMED_WAITING", "waiting"});
  const auto palette = Palette::make(dictionary, Theme::kDark);
  EXPECT_EQ(palette->color(EventTypeId(0)), palette->color(EventTypeId(1)));
  EXPECT_EQ(palette->color(EventTypeId(2)), palette->color(EventTypeId(3)));
  EXPECT_NE(palette->color(EventTypeId(0)), palette->color(EventTypeId(3)));
  dictionary.types.set_color(EventTypeId(0), 0x123456);
  EXPECT_EQ(Palette::make(dictionary, Theme::kDark)->color(EventTypeId(0)), 0x123456u);
  EXPECT_EQ(color_of_meaning("running late", trace::Category::kState), std::nullopt);
}

TEST(Palette, EventsThatAreCalledAsLogsCallFailuresAreRed) {
  const auto color = [](std::string_view name) {
    return color_of_meaning(name, trace::Category::kPunctual);
  };
  const auto red = [](Rgb rgb) { return static_cast<int>(rgb >> 16 & 0xFF); };
  const auto green = [](Rgb rgb) { return static_cast<int>(rgb >> 8 & 0xFF); };
  for (const char* failure : {"ERROR", "Error", "err", "FATAL", "critical"}) {
    ASSERT_TRUE(color(failure)) << failure;
    EXPECT_GT(red(*color(failure)), 2 * green(*color(failure))) << failure;
  }
  EXPECT_EQ(color("WARN"), color("warning"));
  EXPECT_NE(color("WARN"), color("ERROR"));
  EXPECT_TRUE(is_grey(*color("DEBUG")));  // recedes
  EXPECT_EQ(color("error handler"), std::nullopt);
  EXPECT_EQ(color_of_meaning("error", trace::Category::kState), std::nullopt);
}

TEST(Palette, AGreyOfTheTraceRecedesOnBothThemes) {
  trace::Dictionary dictionary = dictionary_of({"sleeping", "failed", "black"});
  dictionary.types.set_color(EventTypeId(0), 0x566174);
  dictionary.types.set_color(EventTypeId(1), 0xB5523B);
  dictionary.types.set_color(EventTypeId(2), 0x000000);
  const auto dark = Palette::make(dictionary, Theme::kDark);
  const auto light = Palette::make(dictionary, Theme::kLight);
  EXPECT_EQ(dark->color(EventTypeId(0)), 0x566174u);
  EXPECT_LT(contrast(light->color(EventTypeId(0)), theme_colors(Theme::kLight).row), 2.5);
  for (const uint32_t type : {1, 2}) {
    EXPECT_EQ(light->color(EventTypeId(type)), dark->color(EventTypeId(type)));
  }
}

TEST(Palette, EveryPaletteHasAVersionOfItsOwn) {
  const trace::Dictionary dictionary = dictionary_of({"a"});
  EXPECT_NE(Palette::make(dictionary, Theme::kDark)->version(),
            Palette::make(dictionary, Theme::kDark)->version());
}

TEST(Palette, ColoursStandOutFromTheBackgroundAndCarryLabels) {
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    std::set<Rgb> colors;
    for (int i = 0; i < 1000; ++i) {
      const Rgb color = color_of_name("name " + std::to_string(i), theme);
      EXPECT_GE(contrast(color, theme_colors(theme).row), theme == Theme::kDark ? 3.0 : 1.6);
      EXPECT_GE(contrast(color, readable_on(color)), 4.5) << std::hex << color;
      colors.insert(color);
    }
    EXPECT_GT(colors.size(), 800u) << "few names share a colour";
  }
}

TEST(Palette, LinesAreSeenOnLightGround) {
  const Rgb yellow = seen_as_line(0xF0E442, Theme::kLight);
  EXPECT_GE(contrast(yellow, theme_colors(Theme::kLight).row), 3);
  EXPECT_GT(yellow >> 16, yellow & 0xFF) << "still yellow";
  EXPECT_EQ(seen_as_line(0xF0E442, Theme::kDark), 0xF0E442u);
  EXPECT_EQ(seen_as_line(0x202020, Theme::kLight), 0x202020u) << "seen as it is";
}

TEST(Palette, TextReadsOnItsBackground) {
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    const ThemeColors& colors = theme_colors(theme);
    EXPECT_GE(contrast(colors.text, colors.background), 7);
    EXPECT_GE(contrast(colors.text_dim, colors.background), 4.5);
    EXPECT_GE(contrast(colors.link, colors.background), 3);
  }
}

TEST(Palette, OklchMeetsKnownColours) {
  EXPECT_EQ(rgb_from_oklch(0, 0, 0), 0x000000u);
  EXPECT_EQ(rgb_from_oklch(1, 0, 0), 0xFFFFFFu);
  // sRGB red is L 0.628, C 0.2577, h 29.23°.
  EXPECT_NEAR(static_cast<int>(rgb_from_oklch(0.62796, 0.25768, 29.234 / 360) >> 16), 255, 1);
}

}  // namespace
}  // namespace weft::layout
