// covers FS-40, FS-54: the tree of panels, and where its parts lie
#include "app/view/panel_layout.h"
#include "app/session/panel_kinds.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "app/panels/panels.h"
#include "app/view/tiling.h"

namespace weft::app {
namespace {

// "[a b*]" is a group of tabs with b in front, "(x / y)" a column, "(x | y)" a row; "=76" a size.
std::string text_of(const LayoutNode& node) {
  std::string text;
  if (node.kind == LayoutNode::Kind::kTabs) {
    for (size_t i = 0; i < node.tabs.size(); ++i) {
      text += (i > 0 ? " " : "") + node.tabs[i];
      if (node.tabs.size() > 1 && i == node.active) text += "*";
    }
    if (node.tabs.size() > 1) text = "[" + text + "]";
  } else {
    for (const LayoutNode& child : node.children) {
      if (!text.empty()) text += node.kind == LayoutNode::Kind::kRow ? " | " : " / ";
      text += text_of(child);
    }
    text = "(" + text + ")";
  }
  if (node.px > 0) text += "=" + std::to_string(static_cast<int>(node.px));
  return text;
}
std::string text_of(const PanelLayout& layout) {
  return layout.root() ? text_of(*layout.root()) : "nothing";
}

PanelLayout column() {
  PanelLayout layout;
  EXPECT_EQ(layout.open("overview", "", Side::kBottom, 76), "overview");
  EXPECT_EQ(layout.open("gantt", "", Side::kBottom), "gantt");
  EXPECT_EQ(layout.open("density", "", Side::kBottom, 132), "density");
  return layout;
}

TEST(PanelLayout, GrowsAtItsSides) {
  PanelLayout layout = column();
  EXPECT_EQ(text_of(layout), "(overview=76 / gantt / density=132)");
  (void)layout.open("events", "", Side::kRight, 300);
  EXPECT_EQ(text_of(layout), "((overview=76 / gantt / density=132) | events=300)");
  (void)layout.open("gantt", "gantt", Side::kRight);
  EXPECT_EQ(text_of(layout), "((overview=76 / (gantt | gantt-2) / density=132) | events=300)");
  (void)layout.open("stats", "events", Side::kTab);
  EXPECT_EQ(text_of(layout),
            "((overview=76 / (gantt | gantt-2) / density=132) | [events stats*]=300)");
  EXPECT_EQ(layout.focused(), "stats");
  (void)layout.open("traffic", "density", Side::kBottom);
  EXPECT_EQ(text_of(layout),
            "((overview=76 / (gantt | gantt-2) / density=66 / traffic=66) | [events stats*]=300)");
}

TEST(PanelLayout, LeavesNoEmptyGroupNorASplitOfOne) {
  PanelLayout layout = column();
  (void)layout.open("gantt", "gantt", Side::kRight);
  EXPECT_TRUE(layout.close("gantt"));
  EXPECT_EQ(text_of(layout), "(overview=76 / gantt-2 / density=132)");
  EXPECT_TRUE(layout.close("overview"));
  EXPECT_TRUE(layout.close("density"));
  EXPECT_EQ(text_of(layout), "gantt-2");
  EXPECT_FALSE(layout.close("density"));
  EXPECT_TRUE(layout.close("gantt-2"));
  EXPECT_EQ(text_of(layout), "nothing");
  EXPECT_EQ(layout.open("gantt", "", Side::kLeft), "gantt");
}

TEST(PanelLayout, WhatIsClosedLeavesItsRoomToItsHeir) {
  PanelLayout layout = column();
  ASSERT_EQ(layout.open("events", "gantt", Side::kBottom), "events");
  const Json before = layout.to_json();
  ASSERT_EQ(layout.open("gantt", "gantt", Side::kBottom), "gantt-2");
  EXPECT_EQ(layout.split_between("gantt", "gantt-2"), LayoutNode::Kind::kColumn);
  ASSERT_TRUE(layout.close_into("gantt-2", "gantt"));
  EXPECT_EQ(layout.to_json(), before);
  ASSERT_EQ(layout.open("gantt", "gantt", Side::kRight), "gantt-2");
  EXPECT_EQ(layout.split_between("gantt", "gantt-2"), LayoutNode::Kind::kRow);
  EXPECT_EQ(layout.split_between("gantt-2", "events"), LayoutNode::Kind::kColumn);
  ASSERT_TRUE(layout.close_into("gantt-2", "gantt"));
  EXPECT_EQ(layout.to_json(), before);
  ASSERT_EQ(layout.open("gantt", "gantt", Side::kTab), "gantt-2");
  EXPECT_EQ(layout.split_between("gantt", "gantt-2"), std::nullopt);
  ASSERT_TRUE(layout.close_into("gantt-2", "gantt"));
  EXPECT_EQ(layout.to_json(), before);
  EXPECT_FALSE(layout.close_into("gantt", "nowhere"));
  EXPECT_EQ(layout.to_json(), before);
}

TEST(PanelLayout, MovesPanelsWithTheirSize) {
  PanelLayout layout = column();
  EXPECT_TRUE(layout.move("overview", "", Side::kBottom));
  EXPECT_EQ(text_of(layout), "(gantt / density=132 / overview=76)");
  EXPECT_TRUE(layout.move("density", "gantt", Side::kTab));
  EXPECT_EQ(text_of(layout), "([gantt density*] / overview=76)");
  EXPECT_TRUE(layout.move("density", "density", Side::kLeft));  // out of its own group
  EXPECT_EQ(text_of(layout), "((density | gantt) / overview=76)");
  EXPECT_TRUE(layout.move("density", "density", Side::kTab));  // alone: it stays
  EXPECT_EQ(text_of(layout), "((density | gantt) / overview=76)");
  EXPECT_FALSE(layout.move("density", "nothing", Side::kTab));
  EXPECT_FALSE(layout.move("nothing", "density", Side::kTab));
}

TEST(PanelLayout, ResizesWhatMeetsBetweenTwoPanels) {
  PanelLayout layout = column();
  (void)layout.open("gantt", "gantt", Side::kRight);
  EXPECT_TRUE(layout.resize_share("gantt", "gantt-2", 0.25));
  const LayoutNode* left = layout.group_of("gantt");
  const LayoutNode* right = layout.group_of("gantt-2");
  EXPECT_DOUBLE_EQ(left->weight / (left->weight + right->weight), 0.25);
  EXPECT_TRUE(layout.resize_px("density", "gantt-2", 200));
  EXPECT_EQ(layout.group_of("density")->px, 200);
  EXPECT_FALSE(layout.resize_share("density", "gantt", 0.5));  // it has a size of its own
  EXPECT_FALSE(layout.resize_px("density", "density", 200));
}

TEST(PanelLayout, ComesBackFromJson) {
  PanelLayout layout = column();
  (void)layout.open("gantt", "gantt", Side::kRight);
  (void)layout.open("events", "density", Side::kTab);
  (void)layout.resize_share("gantt", "gantt-2", 0.25);
  layout.find("gantt-2")->options["color"] = "by type";
  const auto back = PanelLayout::from_json(layout.to_json());
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->to_json(), layout.to_json());
  EXPECT_EQ(text_of(*back), text_of(layout));
}

TEST(PanelLayout, OfHostileJsonIsAnErrorNotACrash) {
  std::string deep = R"({"tabs":["a"]})";
  for (int i = 0; i < 64; ++i) deep = R"({"row":[)" + deep + R"(,{"tabs":["b"]}]})";
  for (const std::string& text :
       {std::string("[]"), std::string("{}"), std::string(R"({"panels":7})"),
        std::string(R"({"panels":[{"id":1,"kind":[]}]})"),
        std::string(R"({"panels":[{"id":"a","kind":"gantt"}]})"),
        std::string(R"({"panels":[],"root":{"tabs":["a"]}})"),
        std::string(R"({"panels":[],"root":{"tabs":[]}})"),
        std::string(R"({"panels":[],"root":{"row":[{"tabs":["a"]}]}})"),
        std::string(R"({"panels":[{"id":"a"}],"root":{"row":[{"tabs":["a"]},{"tabs":["a"]}]}})"),
        std::string(R"({"panels":[{"id":"a","options":7}],"root":{"tabs":["a"]}})"),
        R"({"panels":[],"root":)" + deep + "}"}) {
    EXPECT_FALSE(PanelLayout::from_json(Json::parse(text))) << text;
  }
}

TEST(Tiling, GivesFixedSizesAndSharesTheRest) {
  PanelLayout layout = column();
  (void)layout.open("gantt", "gantt", Side::kRight);
  (void)layout.resize_share("gantt", "gantt-2", 0.25);
  const Tiling tiling = arrange(*layout.root(), {0, 0, 1005, 1000}, 1);
  ASSERT_EQ(tiling.groups.size(), 4u);
  ASSERT_EQ(tiling.splitters.size(), 3u);
  EXPECT_EQ(tiling.groups[0].area.height(), 76);
  EXPECT_EQ(tiling.groups[1].area.height(), 1000 - 76 - 132 - 10);
  EXPECT_EQ(tiling.groups[1].area.width(), 250);
  EXPECT_EQ(tiling.groups[2].area.x0, 255);
  EXPECT_EQ(tiling.groups[2].area.x1, 1005);
  EXPECT_EQ(tiling.groups[3].area.y1, 1000);
}

TEST(Tiling, CoversTheWindowAtEverySize) {
  PanelLayout layout = column();
  (void)layout.open("gantt", "gantt", Side::kRight);
  (void)layout.open("events", "", Side::kLeft, 400);
  for (const float size : {1.0F, 7.0F, 40.0F, 333.0F, 2161.0F}) {
    for (const float scale : {0.5F, 1.0F, 1.7F, 3.0F}) {
      const Tiling tiling = arrange(*layout.root(), {0, 0, size, size}, scale);
      for (const PlacedGroup& placed : tiling.groups) {
        EXPECT_GE(placed.area.width(), 0);
        EXPECT_GE(placed.area.height(), 0);
        EXPECT_LE(placed.area.x1, size);
        EXPECT_LE(placed.area.y1, size);
      }
      if (size < 333) continue;
      float covered = 0;
      for (const PlacedGroup& placed : tiling.groups) {
        covered += placed.area.width() * placed.area.height();
      }
      for (const Splitter& splitter : tiling.splitters) {
        covered += splitter.area.width() * splitter.area.height();
      }
      EXPECT_EQ(covered, size * size) << size << " " << scale;
    }
  }
}

// Drags the splitter after the panel's part downwards (to the right), as the window does.
void drag(PanelLayout& layout, const Area& area, size_t splitter, float moved_px, float scale) {
  const Tiling tiling = arrange(*layout.root(), area, scale);
  std::map<std::string, double> sizes;
  for (const auto& part : dragged(tiling.splitters[splitter], moved_px, scale))
    sizes[part.panel] = part.px / scale;
  ASSERT_TRUE(layout.resize(sizes));
}

TEST(Tiling, ASplitterGoesWhereItIsDraggedAndMovesNoOther) {
  for (const float height : {1000.0F, 560.0F}) {  // with room for all, and with less than they want
    for (const float scale : {1.0F, 1.25F}) {
      const Area area = {0, 0, 1000, height * scale};
      for (size_t i = 0; i < 3; ++i) {
        PanelLayout layout = column();
        (void)layout.open("events", "", Side::kBottom, 260);
        for (const float moved : {-3.0F, 40.0F, -25.0F}) {
          const Tiling before = arrange(*layout.root(), area, scale);
          drag(layout, area, i, moved, scale);
          const Tiling after = arrange(*layout.root(), area, scale);
          ASSERT_EQ(after.splitters.size(), 3u);
          const auto way = [&](size_t k) {
            return after.splitters[k].area.y0 - before.splitters[k].area.y0;
          };
          const auto at = [&] {
            return ::testing::Message() << "splitter " << i << " by " << moved << " of " << height;
          };
          EXPECT_NEAR(way(i), moved, 1) << at();
          // The table's edge takes the density along.
          EXPECT_NEAR(way(0), i == 0 ? moved : 0, 1) << at();
          EXPECT_NEAR(way(1), i == 0 ? 0 : moved, 1) << at();
          EXPECT_NEAR(way(2), i == 2 ? moved : 0, 1) << at();
        }
      }
    }
  }
}

TEST(Tiling, WhatIsDraggedToMoreThanFixedPartsMayHaveKeepsIt) {
  PanelLayout layout = column();
  (void)layout.open("events", "", Side::kBottom, 260);
  const Area area = {0, 0, 1000, 1000};
  drag(layout, area, 2, -300, 1);
  EXPECT_EQ(arrange(*layout.root(), area, 1).groups.back().area.height(), 560);
  EXPECT_EQ(text_of(layout), "(overview=76 / gantt / density=132 / events)");
  // It grows with the window from then on; the others stay.
  const Tiling larger = arrange(*layout.root(), {0, 0, 1000, 1400}, 1);
  EXPECT_GT(larger.groups.back().area.height(), 700);
  EXPECT_EQ(larger.groups[0].area.height(), 76);
  // Dragged as far as it goes.
  drag(layout, area, 2, -5'000, 1);
  EXPECT_EQ(arrange(*layout.root(), area, 1).groups[1].area.height(), 30);
}

TEST(Tiling, ASplitterBetweenPartsOfOtherSplitsIsOfItsOwn) {
  PanelLayout layout = column();
  (void)layout.open("gantt", "gantt", Side::kRight);
  (void)layout.open("gantt", "gantt", Side::kRight);
  const Area area = {0, 0, 1210, 1000};
  drag(layout, area, 1, 100, 1);  // the left one of the row: the third part stays
  const Tiling tiling = arrange(*layout.root(), area, 1);
  EXPECT_EQ(tiling.groups[1].area.width(), 400);
  EXPECT_EQ(tiling.groups[2].area.width(), 200);
  EXPECT_EQ(tiling.groups[3].area.width(), 600);
  EXPECT_FALSE(layout.resize({{"gantt", 100.0}}));
  EXPECT_FALSE(layout.resize({{"gantt", 100.0}, {"nothing", 100.0}}));
  EXPECT_FALSE(layout.resize({{"gantt", 100.0}, {"gantt-2", 100.0}, {"density", 100.0}}));
}

TEST(PanelLayout, MakesTabsOfWhatASmallWindowHasNoRoomFor) {
  PanelLayout layout = column();
  (void)layout.open("events", "", Side::kBottom, 260);
  const auto shown = [&](float width, float height) {
    return text_of(*arrange(*layout.root(), {0, 0, width, height}, 1, layout.focus_order()).root);
  };
  EXPECT_EQ(shown(400, 600), text_of(layout));
  EXPECT_EQ(shown(400, 450), "(overview=76 / gantt / [density events*]=260)");
  EXPECT_EQ(shown(400, 300), "(overview=76 / [gantt density events*])");
  EXPECT_EQ(shown(400, 250), "(overview=76 / [gantt density events*])");
  EXPECT_EQ(shown(400, 100), "[overview gantt density events*]");
  // The one that had the focus last is in front, wherever the focus went since.
  (void)layout.focus("density");
  (void)layout.focus("overview");
  EXPECT_EQ(shown(400, 250), "(overview=76 / [gantt density* events])");
  (void)layout.open("inspector", "", Side::kRight, 320);
  EXPECT_EQ(shown(405, 250), "((overview=76 / [gantt density* events]) | inspector=320)");
  EXPECT_EQ(shown(400, 250), "[overview gantt density events inspector*]");
  EXPECT_EQ(text_of(layout), "((overview=76 / gantt / density=132 / events=260) | inspector=320)");
}

// Fixed parts give room to the others, down to what is still of use.
TEST(Tiling, SeveralTimelinesAreAsHighAsEachNeeds) {
  PanelLayout layout = column();
  (void)layout.open("gantt", "gantt", Side::kBottom);
  (void)layout.open("gantt", "gantt", Side::kBottom);
  for (const float scale : {1.0F, 2.0F}) {
    const Tiling tiling = arrange(*layout.root(), {0, 0, 800 * scale, 460 * scale}, scale);
    ASSERT_EQ(tiling.groups.size(), 5U);
    const Tiling roomy = arrange(*layout.root(), {0, 0, 800 * scale, 800 * scale}, scale);
    EXPECT_EQ(roomy.groups[0].area.height(), 76 * scale);
    float timelines = 0;
    for (const size_t i : {1U, 2U, 3U}) timelines += tiling.groups[i].area.height();
    EXPECT_GE(timelines, 3 * 90 * scale - 1);
    EXPECT_GE(tiling.groups[0].area.height(), 38 * scale);
    EXPECT_GE(tiling.groups[4].area.height(), 66 * scale);
  }
}

// A panel that needs more room than those whose place it shares gets it.
TEST(PanelLayout, APlaceGrowsForAPanelThatNeedsMore) {
  PanelLayout layout = default_layout();
  const auto height = [&] { return layout.group_of("events")->px; };
  ASSERT_TRUE(open_panel(layout, *find_panel_kind("events")));
  EXPECT_EQ(height(), 260);
  ASSERT_TRUE(layout.resize_px("events", "density", 150));
  ASSERT_TRUE(open_panel(layout, *find_panel_kind("statistics")));
  EXPECT_EQ(height(), 150) << "it needs no more than those";
  ASSERT_TRUE(open_panel(layout, *find_panel_kind("traffic")));
  EXPECT_EQ(height(), 320);
  EXPECT_FALSE(layout.grow("gantt", LayoutNode::Kind::kColumn, 9'000)) << "it takes what is left";
}

// The editor of trace types needs a place, and is about no trace.
TEST(PanelLayout, TheEditorOfTraceTypesLiesOverTheTimeline) {
  PanelLayout layout = default_layout();
  ASSERT_TRUE(open_panel(layout, *find_panel_kind("trace-type")));
  EXPECT_EQ(text_of(layout), "(overview=76 / [gantt trace-type*] / density=132)");
  ASSERT_TRUE(layout.close("trace-type"));
  ASSERT_TRUE(open_panel(layout, *find_panel_kind("inspector")));  // takes of its width
  ASSERT_TRUE(open_panel(layout, *find_panel_kind("trace-type")));
  EXPECT_EQ(layout.group_of("trace-type")->px, 420);
}

}  // namespace
}  // namespace weft::app
