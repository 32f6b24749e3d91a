// covers B-25: keys, the user's own among them, and finding commands by a few letters
#include "app/session/key_map.h"

#include <gtest/gtest.h>

#include <set>

#include "app/base/fuzzy.h"
#include "app/session/commands.h"
#include "app/session/palette_entries.h"

namespace weft::app {
namespace {

using Chords = std::vector<std::string>;

TEST(KeyMap, HoldsEveryKeyOfTheTable) {
  const KeyMap keys;
  for (const CommandRow& row : command_table()) {
    const Chords chords = keys.chords_of(row.name);
    EXPECT_EQ(chords.empty(), row.shortcut.empty()) << row.name;
    for (const std::string& chord : chords) {
      EXPECT_EQ(keys.find(chord), &row) << chord;
      EXPECT_EQ(normal_chord(chord), chord);
    }
  }
  EXPECT_EQ(keys.to_json(), Json::object());
}

// covers XC-28
TEST(KeyMap, HasTheKeysOfOtherViewers) {
  const KeyMap keys;
  const std::pair<const char*, const char*> kKeys[] = {
      {"Right", "element.next"}, {"Left", "element.previous"}, {".", "marker.next"},
      {",", "marker.previous"},  {"G", "grid.show"},           {"Z", "view.zoom_to_selection"},
      {"Ctrl+F", "find.show"},   {"Ctrl++", "font.larger"},    {"Ctrl+-", "font.smaller"},
      {"Ctrl+0", "font.reset"},
  };
  for (const auto& [chord, command] : kKeys) {
    ASSERT_TRUE(keys.find(chord)) << chord;
    EXPECT_EQ(keys.find(chord)->name, command) << chord;
  }
}

TEST(KeyMap, WritesChordsInOneWay) {
  EXPECT_EQ(normal_chord("shift+ctrl+a"), "Ctrl+Shift+A");
  EXPECT_EQ(normal_chord("ALT+pageup"), "Alt+PageUp");
  EXPECT_EQ(normal_chord("Ctrl++"), "Ctrl++");
  EXPECT_EQ(normal_chord("f12"), "F12");
  EXPECT_EQ(normal_chord("?"), "?");
  for (const char* odd : {"", "Ctrl+", "Hyper+A", "Ctrl+AB", "Ctrl+Fx", "Ctrl+\x01"}) {
    EXPECT_EQ(normal_chord(odd), "") << odd;
  }
}

TEST(KeyMap, TakesAChordFromWhatHadIt) {
  KeyMap keys;
  EXPECT_EQ(keys.bind("theme", {"F", "ctrl+shift+t"}), "");
  EXPECT_EQ(keys.find("F")->name, "theme");
  EXPECT_EQ(keys.find("Ctrl+T"), nullptr);
  EXPECT_EQ(keys.chords_of("theme"), (Chords{"F", "Ctrl+Shift+T"}));
  EXPECT_EQ(keys.chords_of("view.fit"), (Chords{"Home", "0"}));
  EXPECT_NE(keys.bind("no.such", {"F"}), "");
  EXPECT_NE(keys.bind("theme", {"Ctrl+Nothing"}), "");
  EXPECT_EQ(keys.find("F")->name, "theme");
}

TEST(KeyMap, ComesBackFromItsFile) {
  KeyMap keys;
  (void)keys.bind("theme", {"F"});
  (void)keys.bind("quit", {});
  KeyMap back;
  EXPECT_TRUE(back.apply(keys.to_json()).empty());
  EXPECT_EQ(back.to_json(), keys.to_json());
  EXPECT_EQ(back.find("Ctrl+Q"), nullptr);
  const Json by_hand = Json::parse(R"({"quit": [], "theme": "Ctrl+E", "view.fit": ["F", "Home"]})");
  EXPECT_TRUE(back.apply(by_hand).empty());
  EXPECT_EQ(back.to_json(), by_hand) << "a file stays as it was written";
}

TEST(KeyMap, ReportsConflictsAndUnknownNames) {
  KeyMap keys;
  const auto complaints = keys.apply(
      Json::parse(R"({"quit":"Ctrl+E","theme":["ctrl+e",7],"no.such":"F","view.fit":"Hyper+F"})"));
  EXPECT_EQ(complaints.size(), 4u);
  EXPECT_EQ(keys.find("Ctrl+E")->name, "quit");
  EXPECT_EQ(keys.find("F")->name, "view.fit");
  EXPECT_EQ(keys.apply(Json::array()).size(), 1u);
}

TEST(KeyMap, CallsKeysAsTheyAreLabelled) {
  const KeyMap keys;
  EXPECT_EQ(keys.labels_of("row_height.larger"), Chords{"Alt+↑"});
  EXPECT_EQ(keys.labels_of("quit"), Chords{"Ctrl+Q"});
}

TEST(KeyMap, LeavesACommandItsKeysWhereNoneOfTheNewOnesIsUnderstood) {
  KeyMap keys;
  const auto complaints = keys.apply(
      Json::parse(R"({"links.show":"Ctrl+E","quit":7,"theme":["Ctrl+E"],"view.fit":[7,"K"]})"));
  EXPECT_EQ(complaints.size(), 3u);
  EXPECT_EQ(keys.chords_of("quit"), Chords{"Ctrl+Q"});
  EXPECT_EQ(keys.chords_of("theme"), Chords{"Ctrl+T"});
  EXPECT_EQ(keys.chords_of("view.fit"), Chords{"K"}) << "one of them was";
}

TEST(Fuzzy, FindsLettersInTheirOrder) {
  EXPECT_TRUE(fuzzy_score("", "anything"));
  EXPECT_TRUE(fuzzy_score("zts", "Zoom to the selection"));
  EXPECT_FALSE(fuzzy_score("stz", "Zoom to the selection"));
  EXPECT_TRUE(fuzzy_score("sel zo", "Zoom to the selection"));
  EXPECT_FALSE(fuzzy_score("x", ""));
  EXPECT_GT(fuzzy_score("fit", "Fit all"), fuzzy_score("fit", "of it at"));
  EXPECT_GT(fuzzy_score("zs", "Zoom to selection"), fuzzy_score("zs", "zooms"));
}

TEST(Palette, ReachesEveryCommand) {
  const Session session;
  const auto entries = palette_entries(session);
  for (const CommandRow& row : command_table()) {
    const auto found = matching(entries, row.title);
    ASSERT_FALSE(found.empty()) << row.name;
    const bool is_dialog = found.front().command.name == std::string(row.name) + ".ask";
    EXPECT_EQ(found.front().title, std::string(row.title) + (is_dialog ? "…" : "")) << row.name;
  }
  EXPECT_TRUE(matching(entries, "qqqqxqqq").empty());
}

// A dialog's "…" and that of a command which asks for arguments look the same.
TEST(Palette, NamesEveryEntryOnce) {
  std::set<std::string> titles;
  for (const PaletteEntry& entry : palette_entries(Session())) {
    std::string title = entry.title;
    if (title.ends_with("…")) title.resize(title.size() - std::string_view("…").size());
    EXPECT_TRUE(titles.insert(title).second) << title;
  }
}

TEST(Palette, BeginsWithWhatWasSetLastWhereItIsNoLongerSo) {
  Session session;
  const auto set = [&](const char* unit) {
    const Json args = {{"name", "time_unit"}, {"value", unit}};
    ASSERT_TRUE(apply_command(session, {"set", args}));
    session.note("set", args, 0, 0);
  };
  set("ms");  // as at the start
  EXPECT_NE(palette_entries(session).front().command.name, "set");
  set("us");
  EXPECT_EQ(palette_entries(session).front().title, "Times in milliseconds");
}

// The obstacle is the error that the command gives if it is run nevertheless.
TEST(Palette, SaysWhyWhatCanDoNothingNow) {
  Session session;
  size_t in_the_way = 0;
  bool is_last = false;
  for (const PaletteEntry& entry : palette_entries(session)) {
    in_the_way += entry.obstacle.empty() ? 0 : 1;
    EXPECT_TRUE(!is_last || !entry.obstacle.empty()) << entry.title << " stands behind them";
    is_last = !entry.obstacle.empty();
    if (entry.asks) continue;
    // The present obstacle: the previous commands have been run, too.
    const std::string obstacle = obstacle_to(entry.command.name, session);
    const Status status = apply_command(session, entry.command);
    const bool lacks_a_trace = !status && status.error().message.ends_with("no trace is open");
    if (obstacle.empty()) {
      EXPECT_FALSE(lacks_a_trace) << entry.title;
    } else if (!status) {
      EXPECT_TRUE(status.error().message.ends_with(obstacle)) << status.error().message;
    }
  }
  EXPECT_GT(in_the_way, 60U);
  EXPECT_EQ(obstacle_to("view.fit", session), "no trace is open");
  EXPECT_EQ(obstacle_to("theme", session), "");
}

// covers C-22
TEST(Palette, FindsWhatIsCalledOtherwiseElsewhere) {
  const Session session;
  const auto entries = palette_entries(session);
  const std::pair<const char*, const char*> asked[] = {{"Reset zoom", "view.fit"},
                                                       {"zoom out", "view.zoom"},
                                                       {"screenshot", "snapshot.ask"},
                                                       {"search", "find.show"},
                                                       {"shortcuts", "help.show"},
                                                       {"open statistics", "panel.open"},
                                                       {"csv", "table.copy"},
                                                       {"compare", "panel.open"},
                                                       {"sequence", "panel.open"},
                                                       {"undo", "view.undo"},
                                                       {"reset layout", "layout.reset"},
                                                       {"collapse all", "lane.collapse_all"},
                                                       {"export image", "snapshot.ask"},
                                                       {"dark mode", "theme"}};
  for (const auto& [words, command] : asked) {
    const auto found = matching(entries, words);
    ASSERT_FALSE(found.empty()) << words;
    EXPECT_EQ(found.front().command.name, command) << words;
  }
}

TEST(Palette, FindsSettingsByTheirNamesAndWhatCanBeDoneBeforeWhatCannot) {
  const auto entries = palette_entries(Session());
  const std::pair<const char*, const char*> asked[] = {
      {"patterns", "Patterns besides colours"},
      {"safe colors", "Colours that everybody can tell apart"},
      {"align beginnings", "Align the traces by their beginnings"}};
  for (const auto& [words, title] : asked) {
    const auto found = matching(entries, words);
    ASSERT_FALSE(found.empty()) << words;
    EXPECT_EQ(found.front().title, title) << words;
  }
  for (const PaletteEntry& entry : entries) {
    if (entry.command.name == "group.restore") {
      EXPECT_EQ(entry.obstacle, "there is no group of views");
    }
  }
  const auto equals =
      matching({{.title = "Go on", .hint = "", .command = {"a"}, .obstacle = "nothing is there"},
                {.title = "Go beyond", .hint = "", .command = {"b"}}},
               "go");
  ASSERT_EQ(equals.size(), 2u);
  EXPECT_EQ(equals.front().title, "Go beyond");
}

TEST(Palette, ReadsArgumentsAsTheyAreTyped) {
  EXPECT_EQ(*arguments_from_text("3", {{"lane", "its number"}}), (Json{{"lane", 3u}}));
  EXPECT_EQ(*arguments_from_text("from=-5 to=\"40 %\"", {{"from"}, {"to", "times"}}),
            (Json{{"from", -5}, {"to", "40 %"}}));
  EXPECT_EQ(*arguments_from_text("factor=1.5 at=+12.5ms", {}),
            (Json{{"factor", 1.5}, {"at", "+12.5ms"}}));
  EXPECT_EQ(*arguments_from_text("  {\"a\":[1]}", {}), (Json{{"a", {1}}}));
  EXPECT_EQ(*arguments_from_text("shown=false", {}), (Json{{"shown", false}}));
  EXPECT_EQ(*arguments_from_text("name=inf", {}), (Json{{"name", "inf"}}));
  EXPECT_EQ(*arguments_from_text("", {{"lane"}}), Json::object());
  EXPECT_EQ(*arguments_from_text("my messages", {{"name", "text"}}),
            (Json{{"name", "my messages"}}));
  EXPECT_EQ(*arguments_from_text("a b to=3", {{"name"}, {"to"}}),
            (Json{{"name", "a b"}, {"to", 3u}}));
  for (const char* odd : {"to=3 b", "{", "path=\"open", "{\"a\":1} 2"}) {
    EXPECT_FALSE(arguments_from_text(odd, {{"path", "text"}})) << odd;
  }
}

TEST(Palette, WritesArgumentsAsItReadsThem) {
  EXPECT_EQ(text_from_arguments({{"panel", "flame"}, {"at", "40 %"}, {"shown", false}}),
            "at=\"40 %\" panel=flame shown=false");
  EXPECT_EQ(text_from_arguments(Json::object()), "");
  const Json odd[] = {{{"name", "3"}}, {{"name", "a \"b\""}}, {{"lanes", {1, 2}}},
                      {{"name", ""}},  {{"name", nullptr}},   {{"factor", 0.1}},
                      {{"to", -5}},    {{"text", "a=b c"}},   {{"Other", 1}}};
  for (const Json& args : odd) {
    const auto read = arguments_from_text(text_from_arguments(args), {});
    ASSERT_TRUE(read) << args;
    EXPECT_EQ(*read, args);
  }
}

}  // namespace
}  // namespace weft::app
