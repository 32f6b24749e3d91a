// Keys in tables: which they take, where they lead, and whose they are.
// covers B-13, B-28
#include "app/panels/tables/table_keys.h"
#include "app/session/panel_kinds.h"

#include <fmt/core.h>

#include <fstream>
#include <string_view>

#include "app/panels/tables/event_table.h"
#include "app/session/element_args.h"
#include "tests/app/offscreen_test.h"

namespace weft::app::testing {
namespace {

// Folders at level 0, each open one with the rows behind it that are indented more.
class FolderRows final : public TableRows {
 public:
  explicit FolderRows(std::vector<TableRow> rows) : rows_(std::move(rows)) {}
  uint64_t count() const override { return rows_.size(); }
  TableRow row(uint64_t row) const override { return rows_[row]; }
  std::string cell(uint64_t, size_t) const override { return {}; }
  Sheet sheet() const override { return {}; }

 private:
  std::vector<TableRow> rows_;
};

TEST(TableKeys, LeadFromRowToRow) {
  const FolderRows rows(std::vector<TableRow>(100));
  const SeenRows seen = {20, 10};
  const auto led = [&](std::string_view key, std::optional<uint64_t> from) {
    return step_by_key(key, from, rows, seen).row;
  };
  EXPECT_EQ(led("Down", std::nullopt), 20u);
  EXPECT_EQ(led("Down", 20), 21u);
  EXPECT_EQ(led("Up", 0), 0u);
  EXPECT_EQ(led("PageDown", 20), 29u);
  EXPECT_EQ(led("PageUp", 5), 0u);
  EXPECT_EQ(led("End", 5), 99u);
  EXPECT_EQ(led("Down", 99), 99u);
  EXPECT_EQ(led("Home", 50), 0u);
  EXPECT_TRUE(step_by_key("Enter", 7, rows, seen).opens);
  EXPECT_TRUE(step_by_key("Ctrl+C", 7, rows, seen).copies);
  EXPECT_EQ(top_to_show(30, seen), 21u);
  EXPECT_EQ(top_to_show(25, seen), 20u);
  EXPECT_EQ(top_to_show(3, seen), 3u);
}

TEST(TableKeys, FoldFoldersAndLeaveThem) {
  std::vector<TableRow> made(4);
  made[0].is_open = true;
  made[1].level = made[2].level = 1;
  made[3].is_open = false;
  const FolderRows rows(made);
  const SeenRows seen = {0, 4};
  EXPECT_TRUE(step_by_key("Left", 0, rows, seen).folds);
  EXPECT_EQ(step_by_key("Left", 2, rows, seen).row, 0u);
  EXPECT_FALSE(step_by_key("Left", 3, rows, seen).folds);
  EXPECT_TRUE(step_by_key("Right", 3, rows, seen).folds);
  EXPECT_EQ(step_by_key("Right", 0, rows, seen).row, 1u);
  const auto has_arrows = [](const TableRows& of) {
    return std::ranges::count(table_keys(of, {0, of.count()}), std::string_view("Left")) > 0;
  };
  EXPECT_TRUE(has_arrows(rows));
  EXPECT_FALSE(has_arrows(FolderRows(std::vector<TableRow>(3))));  // they step in the timeline
}

class TableKeysInPanels : public OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(1200, 900));
    if (host_) open_sample();
  }
  void press_and_wait(const std::string& chord) {
    press(chord);
    ASSERT_TRUE(host_->settle());
    host_->frame();  // what came meanwhile is answered
  }
  // The row of the event table that is the selected element.
  Json selected() const {
    const auto& element = session().trace()->element();
    return element ? args_from_element(*element) : Json();
  }
};

TEST_F(TableKeysInPanels, WalkThroughAllEvents) {
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  ASSERT_TRUE(host_->settle());
  const TimeWindow whole = session().trace()->view().window;
  press_and_wait("Home");
  const Json first = selected();
  ASSERT_FALSE(first.is_null());
  press_and_wait("Down");
  const Json second = selected();
  EXPECT_NE(second, first);
  press_and_wait("End");
  const Json last = selected();
  EXPECT_GT(last["at"], second["at"]);
  press_and_wait("Down");
  EXPECT_EQ(selected(), last);
  press_and_wait("PageUp");
  EXPECT_LT(selected()["at"], last["at"]);
  press_and_wait("Home");
  EXPECT_EQ(selected(), first);
  press_and_wait("Down");
  EXPECT_EQ(selected(), second);
  EXPECT_EQ(session().trace()->view().window, whole);
  press_and_wait("Ctrl+C");
  EXPECT_EQ(std::ranges::count(std::string(ImGui::GetClipboardText()), '\t'),
            static_cast<ptrdiff_t>(kEventColumnCount) - 1);
  press_and_wait("Enter");
  EXPECT_NE(session().trace()->view().window, whole);
  EXPECT_EQ(selected(), second);
}

// covers FS-16, FS-17
TEST_F(TableKeysInPanels, WhatIsSortedOrFilteredAnewIsSeenFromItsTop) {
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  ASSERT_TRUE(host_->settle());
  press_and_wait("End");
  const Json last = selected();
  const auto set = [&](const char* option, Json value) {
    ASSERT_TRUE(run("panel.set", {{"panel", "events"}, {"option", option}, {"value", value}}));
    ASSERT_TRUE(host_->settle());
  };
  // The row below the titles and their filters.
  const auto click_top = [&] {
    const auto title = find_text("Parameters");
    ASSERT_TRUE(title);
    click(title->x + 3, title->y + 43);
    ASSERT_TRUE(host_->settle());
  };
  const auto top_is_first = [&] {
    click_top();
    const Json top = selected();
    press_and_wait("Home");
    return selected() == top;
  };
  set("sort", "-duration");
  EXPECT_EQ(selected(), last);
  EXPECT_TRUE(top_is_first());
  press_and_wait("End");
  ASSERT_TRUE(run("select.clear"));
  set("filters", {{"category", "state"}});
  EXPECT_TRUE(top_is_first());
  // Back in order of time, the selected row is visible among its neighbours.
  press_and_wait("End");
  const Json shortest = selected();
  set("sort", "");
  click_top();
  press_and_wait("Home");
  const Json first = selected();
  ASSERT_TRUE(run("element.select", shortest));
  ASSERT_TRUE(host_->settle());
  click_top();
  EXPECT_NE(selected(), first);
}

// covers FS-17
TEST_F(TableKeysInPanels, AFilterThatCannotBeReadIsSaidBelowTheRows) {
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  const auto shows = [&](const char* lane, const std::string& said) {
    EXPECT_TRUE(run("panel.set",
                    {{"panel", "events"}, {"option", "filters"}, {"value", {{"lane", lane}}}}));
    EXPECT_TRUE(host_->settle());
    return shown_text().contains(said);
  };
  EXPECT_TRUE(shows("a(b", ">no filter on Lane: regular expression 'a(b': ")) << shown_text();
  EXPECT_FALSE(shows("thread", "no filter on"));
}

TEST_F(TableKeysInPanels, LeadIntoTheFiltersAndBack) {
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  ASSERT_TRUE(host_->settle());
  const auto filters = [&] {
    EXPECT_TRUE(host_->settle());
    return session()
        .trace()
        ->panel_options.value("events", Json::object())
        .value("filters", Json());
  };
  press_and_wait("Tab");  // that of the time
  key(ImGuiKey_Tab);
  type("thread");
  EXPECT_EQ(filters(), Json({{"lane", "thread"}}));
  key(ImGuiKey_Tab);
  type("punct");
  EXPECT_EQ(filters(), Json({{"lane", "thread"}, {"category", "punct"}}));
  (void)picture("filters-by-keys.png");
  key(ImGuiKey_Enter);
  press_and_wait("Home");
  const Json first = selected();
  ASSERT_FALSE(first.is_null()) << "keys are for the rows again";
  press_and_wait("Down");
  EXPECT_GT(selected()["at"], first["at"]);
  // Also where no row passes.
  press_and_wait("Tab");
  type("> 1s");
  (void)filters();
  key(ImGuiKey_Enter);
  EXPECT_TRUE(shown_text().contains("No row passes")) << shown_text();
  press_and_wait("Tab");
  for (int i = 0; i < 12; ++i) key(ImGuiKey_Backspace);
  EXPECT_EQ(filters(), Json({{"lane", "thread"}, {"category", "punct"}}));
}

TEST_F(TableKeysInPanels, OpenTheMenuOfARow) {
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  ASSERT_TRUE(host_->settle());
  press_and_wait("Home");
  press_and_wait("Down");
  const Json second = selected();
  press_and_wait("Shift+F10");
  (void)picture("menu-by-keys.png");
  EXPECT_TRUE(shown_text().contains(">Copy cell<")) << shown_text();
  const TimeWindow whole = session().trace()->view().window;
  key(ImGuiKey_DownArrow);
  press("Enter");
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains(">Copy cell<"));
  EXPECT_NE(session().trace()->view().window, whole) << "Show it in the timeline";
  EXPECT_EQ(selected(), second) << "what the menu is of";
  ASSERT_TRUE(run("view.fit"));
  ASSERT_TRUE(host_->settle());
  press_and_wait("Shift+F10");
  press("Escape");
  EXPECT_FALSE(shown_text().contains(">Copy cell<"));
  press_and_wait("End");
  EXPECT_NE(selected(), second) << "keys are for the rows again";
}

TEST_F(TableKeysInPanels, ThatAreHeldAreOneEntryOfTheJournal) {
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  ASSERT_TRUE(host_->settle());
  press_and_wait("Home");
  const size_t before = session().journal.size();
  for (int i = 0; i < 5; ++i) press_and_wait("Down");
  EXPECT_EQ(session().journal.size(), before);
  EXPECT_EQ(session().journal.back().command, "element.select");
  const Json& said = session().journal.back().args;
  EXPECT_EQ(said["at"], selected()["at"]);
}

// Each step is a command, and so a new row at the top.
TEST_F(TableKeysInPanels, WalkThroughTheJournalThatGrowsMeanwhile) {
  for (const char* at : {"20%", "40%", "60%"}) ASSERT_TRUE(run("view.go", {{"at", at}}));
  ASSERT_TRUE(run("panel.open", {{"panel", "journal"}}));
  ASSERT_TRUE(host_->settle());
  const auto step = [&](const char* key) {
    press_and_wait(key);
    press_and_wait("Enter");
  };
  step("Home");
  const auto entry = [&] { return session().journal.back().args.at("entry").get<int>(); };
  const int newest = entry();
  step("Down");
  EXPECT_EQ(entry(), newest - 1);
  step("Down");
  EXPECT_EQ(entry(), newest - 2);
  step("Up");
  EXPECT_EQ(entry(), newest - 1);
}

TEST_F(TableKeysInPanels, ShowTheElementThatIsSelectedElsewhere) {
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  ASSERT_TRUE(host_->settle());
  press_and_wait("End");
  const Json last = selected();
  press_and_wait("Home");
  const auto is_shown = [&] {
    EXPECT_TRUE(host_->settle());
    return shown_text().find("95.86") != std::string::npos;
  };
  ASSERT_FALSE(is_shown());  // the first rows are others
  ASSERT_TRUE(run("element.select", last));
  EXPECT_TRUE(is_shown());
}

// The type that takes most in one half takes least in the other. Two types have the same name.
std::string halves() {
  std::string text;
  const auto add = [&](const char* name, const char* group, int at, int us) {
    text += fmt::format(R"({{"ph":"X","name":"{}","cat":"{}","pid":1,"tid":1,"ts":{},"dur":{}}},)",
                        name, group, at, us);
  };
  for (int i = 0; i < 3; ++i) add("run", i % 2 ? "net" : "disk", 4'000 + 300 * i, 200 - i);
  for (int i = 0; i < 30; ++i) add(fmt::format("f{:02}", i).c_str(), "", 100 * (i + 1), 60 - i);
  for (int i = 0; i < 30; ++i)
    add(fmt::format("f{:02}", i).c_str(), "", 10'000 + 100 * i, 20 + 2 * i);
  text.back() = ']';
  return '[' + text;
}

// covers B-05: of a user who zooms and pans
TEST_F(TableKeysInPanels, TheirRowStaysWhereFiguresPutItInAnotherPlace) {
  start(sized(1200, 460));
  if (!host_) return;
  const auto file = folder_.path() / "halves.json";
  std::ofstream(file) << halves();
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "selection"}}));
  host_->workbench().show_only("selection");
  ASSERT_TRUE(run("view.set", {{"from", "+0us"}, {"to", "+5ms"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(find_text("run · disk<") && find_text("run · net<")) << shown_text();
  click_on("f10<");
  const auto before = find_text("f10<");
  ASSERT_TRUE(before && find_text("f09<"));
  EXPECT_LT(find_text("f09<")->y, before->y);
  ASSERT_TRUE(run("view.set", {{"from", "+9ms"}, {"to", "+14ms"}}));
  ASSERT_TRUE(host_->settle());
  const auto after = find_text("f10<");
  ASSERT_TRUE(after && find_text("f09<")) << shown_text();
  EXPECT_GT(find_text("f09<")->y, after->y) << "they are in another order";
  EXPECT_EQ(after->y, before->y);
  press_and_wait("Ctrl+C");
  EXPECT_TRUE(std::string(ImGui::GetClipboardText()).starts_with("f10\t"));
  // A new order by the user begins where it did.
  ASSERT_TRUE(run("panel.set", {{"panel", "selection"}, {"option", "sort"}, {"value", "name"}}));
  ASSERT_TRUE(run("panel.set", {{"panel", "selection"}, {"option", "sort"}, {"value", "-name"}}));
  ASSERT_TRUE(host_->settle());
  press_and_wait("Ctrl+C");
  EXPECT_TRUE(std::string(ImGui::GetClipboardText()).starts_with("f10\t"));
}

TEST_F(TableKeysInPanels, ChooseOnlyWithEnterWhereAClickDoesMore) {
  ASSERT_TRUE(run("panel.open", {{"panel", "statistics"}}));
  ASSERT_TRUE(host_->settle());
  const auto chosen = [&] {
    const PanelInstance* panel = session().desk.layout.find("statistics");
    return panel->options.value("selected", Json::array());
  };
  press_and_wait("End");
  EXPECT_TRUE(chosen().empty());
  press_and_wait("Enter");
  EXPECT_EQ(chosen().size(), 1u);
}

TEST_F(TableKeysInPanels, AreThoseOfTheTimelineWithoutTheFocus) {
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  ASSERT_TRUE(run("view.set", {{"from", 10'000}, {"to", 20'000}}));
  ASSERT_TRUE(run("panel.focus", {{"panel", "gantt"}}));
  ASSERT_TRUE(host_->settle());
  press_and_wait("PageDown");
  EXPECT_TRUE(selected().is_null());
  EXPECT_EQ(session().trace()->view().window.range().begin, Time{20'000});
}

// covers FS-16, FS-17, FS-18
TEST_F(TableKeysInPanels, EveryTableOfEveryPanelTakesTheOptionsOfTables) {
  size_t tables = 0;
  for (const PanelKind& kind : panel_kinds()) {
    ASSERT_TRUE(run("panel.open", {{"panel", kind.id}}));
    const std::string id = session().desk.layout.first_of(kind.id)->id;
    host_->workbench().show_only(id);
    if (kind.id == "durations") {
      ASSERT_TRUE(run("panel.set", {{"panel", id}, {"option", "bin"}, {"value", {700, 900}}}));
    }
    ASSERT_TRUE(host_->settle());
    for (const std::string table : {"", "types"}) {
      ASSERT_TRUE(run("table.sort", {{"panel", id}, {"table", table}, {"column", "nothing"}}));
      ASSERT_TRUE(host_->settle());
      const std::string said = session().messages.last.text;
      const bool is_there = said.contains("has no column") || said.contains("cannot be sorted");
      if (!is_there) continue;
      ++tables;
      const auto set = [&](const char* option, Json value) {
        const std::string name = table.empty() ? option : table + "." + option;
        const Status status =
            run("panel.set", {{"panel", id}, {"option", name}, {"value", std::move(value)}});
        EXPECT_TRUE(status) << status.error().message;
      };
      set("sort", "-name");
      set("filters", {{"name", "x"}});
      set("filters_folded", true);
      set("hidden", Json::array({"name"}));
      set("widths", {{"name", 100}});
    }
    ASSERT_TRUE(run("panel.close", {{"panel", id}}));
  }
  EXPECT_GE(tables, 12u);
}

TEST_F(TableKeysInPanels, TwoTablesOfAPanelHaveAMenuAndFiltersEach) {
  ASSERT_TRUE(run("panel.open", {{"panel", "durations"}}));
  ASSERT_TRUE(run("panel.set", {{"panel", "durations"}, {"option", "bin"}, {"value", {600, 800}}}));
  host_->workbench().show_only("durations");
  ASSERT_TRUE(host_->settle());
  const auto title = find_text("Lane<");
  ASSERT_TRUE(title) << shown_text();
  click(title->x + 3, title->y + 43, /*is_right=*/true);
  const std::string shown = shown_text();
  const size_t menu = shown.find(">Copy cell<");
  ASSERT_NE(menu, std::string::npos);
  EXPECT_EQ(shown.find(">Copy cell<", menu + 1), std::string::npos);
  press_escape();
  ASSERT_TRUE(host_->settle());
  click(title->x + 3, title->y + 21);
  type("thread 1");
  ASSERT_TRUE(host_->settle());
  (void)picture("two-tables.png");
  const Json& options = session().trace()->panel_options;
  EXPECT_EQ(options.value("durations", Json::object()), Json({{"filters", {{"lane", "thread 1"}}}}))
      << options;
  EXPECT_FALSE(shown_text().contains("thread 0<"));
}

// covers FS-17
TEST_F(TableKeysInPanels, WhereNoRowPassesItsFiltersAreOfferedToBeCleared) {
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  const Json nothing = {{"lane", "no such lane"}};
  ASSERT_TRUE(run("panel.set", {{"panel", "events"}, {"option", "filters"}, {"value", nothing}}));
  (void)picture("no-row-passes.png");
  click_on("Clear these filters");
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(session().trace()->panel_options.contains("events"));
  EXPECT_FALSE(shown_text().contains("No row passes"));
}

// A column of texts that nearly no event has leaves its room to the others until one is seen.
TEST_F(OffscreenTest, AColumnInWhichNothingIsWrittenIsAsNarrowAsItsTitle) {
  start(sized(1600, 500));
  if (!host_) return;
  const auto file = folder_.path() / "marks.ftrace";
  std::ofstream out(file);
  out << "# tracer: nop\n";
  for (int i = 0; i < 200; ++i)
    out << fmt::format("  worker-12  [001] ....  100.{:06}: app_step: number={}\n", i, i);
  out << "  worker-12  [001] ....  100.000900: tracing_mark_write: all is done now\n";
  out.close();
  ASSERT_TRUE(host_->open(file));
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  host_->workbench().show_only("events");
  const auto place_of_text = [&](const char* name) {
    (void)picture(name);
    const auto title = find_text("Text<");
    EXPECT_TRUE(title) << shown_text();
    return title ? title->x : 0;
  };
  const float bare = place_of_text("nothing-written.png");
  ASSERT_TRUE(run("table.sort", {{"panel", "events"}, {"column", "-time"}}));
  EXPECT_LT(place_of_text("written.png"), bare - 200) << "its text is the first now";
  EXPECT_TRUE(shown_text().contains("all is done now"));
  ASSERT_TRUE(run("table.sort", {{"panel", "events"}, {"column", "time"}}));
  EXPECT_EQ(place_of_text("nothing-written.png"), bare);
}

TEST_F(OffscreenTest, TheLegendHidesACategoryThatAllTypesHave) {
  start(sized(420, 500));
  if (!host_) return;
  const std::string name = "android.view.Choreographer doFrame of the first window";
  const auto file = folder_.path() / "states.json";
  const auto shows_category = [&](const std::string& more) {
    std::ofstream(file) << R"([{"ph":"X","name":")" << name
                        << R"(","pid":1,"tid":1,"ts":1,"dur":5})" << more << ']';
    EXPECT_TRUE(host_->open(file));
    EXPECT_TRUE(run("panel.open", {{"panel", "legend"}}));
    host_->workbench().show_only("legend");
    (void)picture("legend-category.png");
    return shown_text().contains(">Category<");
  };
  EXPECT_FALSE(shows_category(""));
  const std::string shown = shown_text();
  EXPECT_TRUE(shown.contains(">android") && shown.contains("…") && shown.contains("window<"))
      << "cut in the middle: " << shown;
  ASSERT_TRUE(
      run("panel.set", {{"panel", "legend"}, {"option", "hidden"}, {"value", Json::array()}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">Category<")) << "it can be shown";
  start(sized(420, 500));
  EXPECT_TRUE(shows_category(R"(,{"ph":"i","name":"tick","pid":1,"tid":1,"ts":2})"));
}

TEST_F(OffscreenTest, NoOpenTraceIsSaidOnce) {
  start(sized(1600, 1000));
  if (!host_) return;
  for (const PanelKind& kind : panel_kinds()) {
    ASSERT_TRUE(run("panel.open", {{"panel", kind.id}}));
    (void)picture("no-trace.png");
    const std::string shown = shown_text();
    const std::string_view said = "No trace is open";
    const size_t at = shown.find(said);
    ASSERT_NE(at, std::string::npos) << kind.id;
    EXPECT_EQ(shown.find(said, at + 1), std::string::npos) << kind.id;
  }
}

}  // namespace
}  // namespace weft::app::testing
