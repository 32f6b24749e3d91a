// covers FS-40, FS-54, XC-31: panels that are pinned, linked, dragged and opened, as a user does it
#include <gmock/gmock.h>

#include "app/session/pinned_scope.h"
#include "app/session/trace_model.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

constexpr int kDeskWidth = 1000;
constexpr int kDeskHeight = 700;

class DeskTest : public testing::OffscreenTest {
 protected:
  void SetUp() override { start(); }
  void start() { OffscreenTest::start(lasting(kDeskWidth, kDeskHeight)); }
};

TEST_F(DeskTest, APinnedPanelKeepsItsView) {
  open_sample();
  ASSERT_TRUE(run("panel.duplicate", {{"panel", "gantt"}, {"side", "right"}}));
  ASSERT_TRUE(run("panel.pin", {{"panel", "gantt-2"}}));
  const View linked = session().trace()->view();
  ASSERT_TRUE(run("view.set", {{"from", 1'000}, {"to", 3'000}, {"in", "gantt-2"}}));
  EXPECT_EQ(session().trace()->view(), linked);
  const auto& pinned = session().desk.layout.find("gantt-2")->pinned;
  ASSERT_TRUE(pinned);
  EXPECT_EQ(pinned->history->view.window.range(), (TimeRange{{1'000}, {3'000}}));
  ASSERT_TRUE(run("view.set", {{"from", 5'000}, {"to", 9'000}}));
  EXPECT_EQ(pinned->history->view.window.range(), (TimeRange{{1'000}, {3'000}}));
  (void)picture("pinned.png");
  ASSERT_TRUE(run("view.undo", {{"in", "gantt-2"}}));
  EXPECT_EQ(pinned->history->view, linked);
  ASSERT_TRUE(run("close"));  // its trace goes: it is linked again
  open_sample();
  ASSERT_TRUE(host_->settle());
}

TEST_F(DeskTest, TheLinesOfALogHaveHalfOfTheWindow) {
  OffscreenTest::start(lasting(1280, 720));
  if (!host_) return;
  ASSERT_TRUE(host_->open(WEFT_SOURCE_DIR "/tests/core/formats/logcat/succeed/threads.logcat"));
  (void)picture("log.png");
  const auto height = [&](const char* panel) {
    return host_->workbench().place_of(panel).value_or(Area()).height();
  };
  EXPECT_GE(height("events"), 300);
  EXPECT_GE(height("gantt"), 100);
  EXPECT_GE(height("density"), 60);
}

TEST_F(DeskTest, WithoutAnyPanelTheWindowSaysHowToOpenOne) {
  open_sample();
  EXPECT_FALSE(shown_text().contains("Every panel is closed"));
  for (const std::string& id : session().desk.layout.in_places())
    ASSERT_TRUE(run("panel.close", {{"panel", id}}));
  (void)picture("no-panels.png");
  EXPECT_TRUE(shown_text().contains(">Every panel is closed<")) << shown_text();
  ASSERT_TRUE(run("layout.reset"));
  (void)picture("panels-again.png");
  EXPECT_FALSE(shown_text().contains("Every panel is closed"));
}

TEST_F(DeskTest, NamesThatThereAreNotAreAnsweredByThoseThatThereAre) {
  open_sample();
  const auto error_of = [&](const char* command, Json args) {
    const Status status = host_->workbench().run({command, std::move(args)});
    return status ? std::string("none") : status.error().message;
  };
  using ::testing::AllOf, ::testing::HasSubstr;
  EXPECT_THAT(error_of("panel.open", {{"panel", "gannt"}}),
              AllOf(HasSubstr("'gannt' is not a panel: there are"), HasSubstr(", gantt, ")));
  EXPECT_THAT(error_of("panel.focus", {{"panel", "flame"}}),
              HasSubstr("no panel 'flame' is open, but overview, gantt"));
  EXPECT_THAT(error_of("set", {{"name", "colour"}, {"value", "dark"}}),
              AllOf(HasSubstr("'colour' is not a setting"), HasSubstr("theme")));
  EXPECT_THAT(error_of("layout.load", {{"name", "wide"}}),
              HasSubstr("no layout is kept under a name yet"));
  ASSERT_TRUE(run("layout.save", {{"name", "narrow"}}));
  EXPECT_THAT(error_of("layout.load", {{"name", "wide"}}), HasSubstr("'wide' is kept, but narrow"));
}

TEST_F(DeskTest, OptionsThatNoPanelHasAreRefusedByName) {
  open_sample();
  ASSERT_TRUE(run("panel.open", {{"panel", "flame"}}));
  const auto set = [&](const char* option, Json value) {
    return host_->workbench().run(
        {"panel.set", {{"panel", "flame"}, {"option", option}, {"value", std::move(value)}}});
  };
  EXPECT_TRUE(set("view", "chart"));
  EXPECT_FALSE(set("sort", "-total")) << "it is not a table";
  EXPECT_FALSE(set("zoom", "main")) << "a list is wanted";
  const Status unknown = set("veiw", "chart"), odd = set("view", "chrat"), number = set("view", 3);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message,
              ::testing::HasSubstr("'veiw' is not an option of Flame graph"));
  ASSERT_FALSE(odd);
  EXPECT_THAT(odd.error().message, ::testing::HasSubstr("'view' must be graph, chart, callees"));
  EXPECT_FALSE(number);
  EXPECT_EQ(session().desk.layout.find("flame")->options["view"], "chart");
  EXPECT_FALSE(host_->workbench().run(
      {"panel.open", {{"panel", "flame"}, {"options", {{"views", "chart"}}}}}));
}

TEST_F(DeskTest, OptionsThatNameWhatThereIsNotAreAnsweredByWhatThereIs) {
  open_sample();
  using ::testing::HasSubstr;
  const auto error_of = [&](const char* panel, const char* option, Json value) {
    EXPECT_TRUE(run("panel.open", {{"panel", panel}}));
    const Status status =
        run("panel.set", {{"panel", panel}, {"option", option}, {"value", std::move(value)}});
    return status ? std::string("none") : status.error().message;
  };
  EXPECT_THAT(error_of("pages", "page", "sheet"), HasSubstr("'page' must be one of events"));
  EXPECT_EQ(error_of("pages", "page", "events"), "none");
  EXPECT_FALSE(run("panel.open", {{"panel", "pages"}, {"options", {{"page", "sheet"}}}}));
  EXPECT_THAT(error_of("compare", "metric", "size"), HasSubstr("'metric' must be one of duration"));
  EXPECT_EQ(error_of("compare", "metric", "payload"), "none");
  EXPECT_THAT(error_of("statistics", "metric", "size"), HasSubstr("'metric' must be count, "));
  EXPECT_EQ(error_of("statistics", "metric", "active"), "none");
  EXPECT_THAT(error_of("flame", "b", "1"), HasSubstr("number of an open trace, from 0 to 0"));
  EXPECT_EQ(error_of("flame", "b", "0"), "none");
  EXPECT_THAT(error_of("events", "sort", 3), HasSubstr("'sort' must be a text"));
}

// Columns are known where they are drawn.
TEST_F(DeskTest, AColumnToSortByThatThereIsNotIsAnsweredByThoseThatThereAre) {
  open_sample();
  const auto sorts = [&](const char* column) {
    ASSERT_TRUE(run("panel.set", {{"panel", "events"}, {"option", "sort"}, {"value", column}}));
    ASSERT_TRUE(host_->settle());
  };
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}, {"options", {{"sort", "weight"}}}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_THAT(session().messages.last.text,
              ::testing::HasSubstr("panel 'events' has no column 'weight', but: time, lane"));
  EXPECT_FALSE(session().desk.layout.find("events")->options.contains("sort"));
  const uint64_t said = session().messages.last.serial;
  sorts("-duration");
  EXPECT_EQ(session().messages.last.serial, said);
  EXPECT_EQ(session().desk.layout.find("events")->options["sort"], "-duration");
  sorts("size");
  EXPECT_THAT(session().messages.last.text, ::testing::HasSubstr("has no column 'size'"));
  // Of a panel behind another, they are known as soon as it is in front.
  ASSERT_TRUE(run("panel.move", {{"panel", "events"}, {"beside", "gantt"}, {"side", "tab"}}));
  ASSERT_TRUE(run("panel.focus", {{"panel", "gantt"}}));
  ASSERT_TRUE(host_->settle());
  const uint64_t said_before = session().messages.last.serial;
  sorts("height");
  EXPECT_EQ(session().messages.last.serial, said_before);
  ASSERT_TRUE(run("panel.focus", {{"panel", "events"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_THAT(session().messages.last.text, ::testing::HasSubstr("has no column 'height'"));
  EXPECT_FALSE(session().desk.layout.find("events")->options.contains("sort"));
  // Where a table is not there yet, it is waited for.
  ASSERT_TRUE(run("panel.open", {{"panel", "sql"}, {"options", {{"sort", "weight"}}}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().desk.layout.find("sql")->options["sort"], "weight");
}

// covers FS-11, FS-18, FS-24, FS-40
TEST_F(DeskTest, TheRangeOfAPanelIsShownInAnother) {
  open_sample();
  ASSERT_TRUE(run("view.set", {{"from", 2'000}, {"to", 5'000}}));
  const TimeRange shown = session().trace()->view().window.range();
  ASSERT_TRUE(run("panel.show_in", {{"panel", "density"}, {"kind", "events"}}));
  EXPECT_EQ(session().desk.layout.focused(), "events");
  EXPECT_EQ(session().trace()->view().window.range(), shown);
  const auto scope_of = [&](const char* id) {
    return session().desk.layout.find(id)->options["scope"];
  };
  EXPECT_EQ(scope_of("events"), "window");
  ASSERT_TRUE(run("panel.set", {{"panel", "events"}, {"option", "scope"}, {"value", "trace"}}));
  ASSERT_TRUE(run("panel.show_in", {{"panel", "events"}, {"kind", "statistics"}}));
  EXPECT_EQ(scope_of("statistics"), "trace");
  // A view of its own is shown by one that looks at what all look at.
  ASSERT_TRUE(run("panel.pin", {{"panel", "density"}}));
  ASSERT_TRUE(run("view.set", {{"from", 6'000}, {"to", 7'000}, {"in", "density"}}));
  ASSERT_TRUE(run("panel.show_in", {{"panel", "density"}, {"kind", "gantt"}}));
  EXPECT_EQ(session().desk.layout.focused(), "gantt");
  EXPECT_EQ(session().trace()->view().window.range(), (TimeRange{{6'000}, {7'000}}));
  ASSERT_TRUE(run("panel.show_in", {{"panel", "gantt"}, {"kind", "density"}}));
  EXPECT_EQ(session().desk.layout.focused(), "density-2");  // not the pinned one
  EXPECT_FALSE(run("panel.show_in", {{"panel", "gantt"}, {"kind", "memory"}}));
  EXPECT_FALSE(run("panel.show_in", {{"panel", "nowhere"}, {"kind", "gantt"}}));
  ASSERT_TRUE(host_->settle());
}

// covers FS-24: the rows are as high as they can be with all lanes in sight
TEST_F(DeskTest, RowsAreFittedToThePanel) {
  EXPECT_FALSE(run("row_height.fit"));  // nothing is open
  open_sample();
  const auto height_of_lanes = [&](double px) {
    const store::Trace& trace = *session().trace()->trace();
    return layout::Lanes::build(trace.dictionary(), trace.rows(), {}, lane_heights(px, 1)).height();
  };
  for (const double before : {3.0, 60.0}) {
    ASSERT_TRUE(run("row_height", {{"px", before}}));
    press("Alt+0");
    ASSERT_TRUE(host_->settle());
    const double px = session().look.row_height_px;
    const float room = host_->workbench().place_of("gantt")->height() - 26;  // below the ruler
    EXPECT_LE(height_of_lanes(px), room);
    EXPECT_GT(height_of_lanes(px + 1), room);
    ASSERT_TRUE(run("view.undo"));
    EXPECT_EQ(session().look.row_height_px, before);
  }
}

// covers FS-54
TEST_F(DeskTest, AGroupOfViewsShowsTheSameAndComesAndGoesTogether) {
  open_sample();
  ASSERT_TRUE(run("panel.duplicate", {{"panel", "gantt"}, {"side", "right"}}));
  ASSERT_TRUE(run("panel.duplicate", {{"panel", "density"}, {"side", "right"}}));
  for (const char* panel : {"gantt-2", "density-2"}) {
    ASSERT_TRUE(run("group.add", {{"panel", panel}, {"group", "boot <%s>"}}));
  }
  const View linked = session().trace()->view();
  const auto shown = [&](const char* panel) { return shown_in(session(), panel)->view; };
  // Moving or filtering one panel moves or filters all of the group and nothing else.
  ASSERT_TRUE(run("view.set", {{"from", 1'000}, {"to", 3'000}, {"in", "gantt-2"}}));
  ASSERT_TRUE(run("filter.set", {{"text", "dur > 100"}, {"in", "density-2"}}));
  EXPECT_EQ(shown("density-2").window.range(), (TimeRange{{1'000}, {3'000}}));
  EXPECT_EQ(shown("gantt-2").filter.text, "dur > 100");
  EXPECT_EQ(shown("density-2"), shown("gantt-2"));
  EXPECT_EQ(session().trace()->view(), linked);
  (void)picture("group.png");
  // Synchronised, it has the range and the filter of the others; undo takes that back.
  const View own = shown("gantt-2");
  ASSERT_TRUE(run("view.set", {{"from", 5'000}, {"to", 9'000}}));
  ASSERT_TRUE(run("filter.set", {{"text", "type == \"wait\""}}));
  ASSERT_TRUE(run("group.synchronise", {{"group", "boot <%s>"}}));
  for (const char* panel : {"gantt-2", "density-2"}) {
    EXPECT_EQ(shown(panel), session().trace()->view());
  }
  ASSERT_TRUE(run("view.undo", {{"in", "density-2"}}));
  EXPECT_EQ(shown("gantt-2"), own);
  ASSERT_TRUE(run("panel.set", {{"panel", "density-2"}, {"option", "scale"}, {"value", "root"}}));
  ASSERT_TRUE(run("group.close", {{"group", "boot <%s>"}}));
  EXPECT_FALSE(session().desk.layout.find("gantt-2"));
  EXPECT_FALSE(session().desk.layout.find("density-2"));
  start();  // closed, it is kept
  ASSERT_TRUE(host_->workbench().wait_until_loaded());
  ASSERT_TRUE(run("group.open", {{"group", "boot <%s>"}}));
  EXPECT_FALSE(host_->workbench().run({"group.open", {{"group", "boot <%s>"}}}));  // it is
  EXPECT_EQ(session().desk.layout.find("density-2")->options["scale"], "root");
  start();  // open, too
  ASSERT_TRUE(host_->workbench().wait_until_loaded());
  ASSERT_TRUE(host_->settle());
  for (const char* panel : {"gantt-2", "density-2"}) {
    EXPECT_EQ(shown(panel).window, own.window);
    EXPECT_EQ(shown(panel).filter, own.filter);
  }
  (void)picture("group-again.png");
  // Its trace goes, and comes back.
  ASSERT_TRUE(run("close"));
  ASSERT_TRUE(host_->settle());
  open_sample();
  EXPECT_EQ(shown("gantt-2").window, own.window);
  ASSERT_TRUE(run("group.remove", {{"panel", "gantt-2"}}));
  EXPECT_EQ(shown("gantt-2"), session().trace()->view());
  ASSERT_TRUE(run("group.delete", {{"group", "boot <%s>"}}));
  EXPECT_EQ(shown("density-2"), session().trace()->view());
}

TEST_F(DeskTest, ATabIsDraggedOutOfItsGroup) {
  open_sample();
  ASSERT_TRUE(run("panel.duplicate", {{"panel", "gantt"}, {"side", "tab"}}));
  ASSERT_TRUE(host_->settle());
  ASSERT_EQ(session().desk.layout.group_of("gantt")->tabs.size(), 2u);
  // The tabs lie below the overview, at the left.
  const float y = 21 + 76 + 5 + 12;
  at(30, y, false);
  at(30, y, true);
  for (float x = 40; x < kDeskWidth - 60; x += 60) at(x, y + 40, true);
  at(kDeskWidth - 60, 350, true);
  at(kDeskWidth - 60, 350, true);
  at(kDeskWidth - 60, 350, false);
  at(kDeskWidth - 60, 350, false);
  EXPECT_EQ(session().desk.layout.group_of("gantt")->tabs.size(), 1u);
  EXPECT_EQ(session().desk.layout.group_of("gantt-2")->tabs.size(), 1u);
}

TEST_F(DeskTest, APanelOpensOnceAndDuplicatesAtWill) {
  for (const PanelKind& kind : panel_kinds()) {
    ASSERT_TRUE(run("panel.open", {{"panel", kind.id}}));
    const size_t count = session().desk.layout.panels().size();
    ASSERT_TRUE(run("panel.open", {{"panel", kind.id}}));
    EXPECT_EQ(session().desk.layout.panels().size(), count);
    EXPECT_EQ(session().desk.layout.focused(), kind.id);
  }
  open_sample();
  (void)picture("all-panels.png");
  ASSERT_TRUE(run("set", {{"name", "panels_per_kind"}, {"value", PanelLayout::kMaxPanels}}));
  for (size_t i = session().desk.layout.panels().size(); i < PanelLayout::kMaxPanels; ++i) {
    ASSERT_TRUE(run("panel.duplicate", {{"panel", "gantt"}, {"side", i % 2 ? "right" : "tab"}}));
  }
  EXPECT_FALSE(run("panel.duplicate", {{"panel", "gantt"}}));
  EXPECT_FALSE(session().messages.last.offer);  // so many are never allowed
  ASSERT_TRUE(host_->settle());
  while (!session().desk.layout.panels().empty()) {
    ASSERT_TRUE(run("panel.close", {{"panel", session().desk.layout.panels().front().id}}));
  }
  ASSERT_TRUE(host_->settle());
}

// covers FS-40
TEST_F(DeskTest, SoManyPanelsOfAKindMayBeOpenAndMoreWhereTheUserAllowsIt) {
  open_sample();
  ASSERT_TRUE(run("set", {{"name", "panels_per_kind"}, {"value", 2}}));
  ASSERT_TRUE(run("panel.duplicate", {{"panel", "density"}}));
  const size_t open = session().desk.layout.panels().size();
  const Command duplicate = {"panel.duplicate", {{"panel", "density"}}};
  EXPECT_FALSE(host_->workbench().run(duplicate));
  // Others of their kinds are not concerned, and one that is open is asked for at any time.
  ASSERT_TRUE(run("panel.duplicate", {{"panel", "gantt"}}));
  ASSERT_TRUE(run("panel.open", {{"panel", "density"}}));
  EXPECT_EQ(session().desk.layout.panels().size(), open + 1);
  EXPECT_EQ(session().desk.layout.focused(), "density");
  // Nor is one opened to show a range in, where those that are open stay with another view.
  ASSERT_TRUE(run("panel.pin", {{"panel", "density"}}));
  ASSERT_TRUE(run("panel.pin", {{"panel", "density-2"}}));
  const Command show = {"panel.show_in", {{"panel", "gantt"}, {"kind", "density"}}};
  EXPECT_FALSE(host_->workbench().run(show));
  ASSERT_TRUE(session().messages.last.offer);
  const Offer offer = *session().messages.last.offer;
  (void)picture("limit.png");
  ASSERT_TRUE(run(offer.command, offer.args));
  EXPECT_FALSE(session().messages.last.offer);  // it is taken
  EXPECT_EQ(session().desk.panels_per_kind, 3u);
  EXPECT_TRUE(host_->workbench().run(show));
  EXPECT_EQ(session().desk.layout.focused(), "density-3");
}

// covers B-26 B-27
TEST_F(DeskTest, SettingsAreInOnePlaceAndSetByTheirCommand) {
  open_sample();
  press("Ctrl+,");
  ASSERT_TRUE(session().dialogs.shows_settings);
  ASSERT_TRUE(host_->settle());
  (void)picture("settings.png");
  const auto click_right_of = [&](const char* title, float x) {
    const auto row = find_text(title);
    ASSERT_TRUE(row) << title;
    click(row->x + x, row->y - 4);
  };
  click_right_of("Patterns besides colours", 300);
  EXPECT_TRUE(session().look.has_patterns);
  EXPECT_EQ(session().journal.back().command, "set");
  click_right_of("Theme", 310);
  const auto light = find_text("light");
  ASSERT_TRUE(light) << shown_text();
  click(light->x + 4, light->y - 4);
  EXPECT_EQ(session().look.theme, layout::Theme::kLight);
  press("Escape");
  EXPECT_FALSE(session().dialogs.shows_settings);
}

// covers B-18
TEST_F(DeskTest, ListsOfTheSettingsAreReachedAndChosenFromByKeys) {
  const auto has_list = [] { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); };
  ASSERT_TRUE(run("settings.show"));
  ASSERT_TRUE(host_->settle());
  key(ImGuiKey_Tab);
  (void)picture("settings-tab.png");
  key(ImGuiKey_DownArrow);
  EXPECT_EQ(session().look.theme, layout::Theme::kLight) << "the first of them is the theme";
  key(ImGuiKey_DownArrow);
  EXPECT_EQ(session().look.theme, layout::Theme::kLight) << "it is the last";
  key(ImGuiKey_Enter);
  ASSERT_TRUE(has_list());
  (void)picture("settings-list.png");
  key(ImGuiKey_UpArrow);
  press("Enter");
  EXPECT_FALSE(has_list());
  EXPECT_EQ(session().look.theme, layout::Theme::kDark);
  EXPECT_TRUE(session().dialogs.shows_settings);
}

TEST_F(DeskTest, SettingsSayWhereFilesLie) {
  ASSERT_TRUE(run("settings.show"));
  ASSERT_TRUE(host_->settle());
  Pointer wheel{.x = kDeskWidth / 2.0F, .y = kDeskHeight / 2.0F};
  wheel.wheel = -100;
  for (int i = 0; i < 3; ++i) host_->frame({}, wheel);
  ASSERT_TRUE(host_->settle());
  EXPECT_THAT(shown_text(), ::testing::HasSubstr("keys.json"));
  (void)picture("settings_files.png");
}

}  // namespace
}  // namespace weft::app
