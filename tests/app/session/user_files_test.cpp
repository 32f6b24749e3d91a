// covers B-29: what the user's files keep, and what a broken one does
#include "app/session/user_files.h"
#include "app/session/panel_kinds.h"
#include "app/session/panel_options.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/panels/panels.h"
#include "app/session/settings.h"
#include "app/session/view_state.h"
#include "tests/app/sample_trace.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

class UserFilesTest : public ::testing::Test {
 protected:
  UserFilesTest() {
    arrange_as_at_first(session_);
    sample_ = testing::write_sample(folder_.path());
  }
  void open() {
    session_.traces.push_back(std::make_unique<OpenTrace>(sample_, testing::opened(sample_)));
    session_.recent.add_file(sample_);
  }
  Status run(const std::string& name, Json args = Json::object()) {
    return apply_command(session_, {name, std::move(args)});
  }
  // The session after a restart with these files.
  Session restarted(bool opens_last = true) {
    Session session;
    arrange_as_at_first(session);
    UserFiles files = this->files();
    commands_ = files.load(session, opens_last);
    for (const Command& command : commands_) {
      if (command.name == "open") continue;  // there is nothing here to open files with
      const Status status = apply_command(session, command);
      EXPECT_TRUE(status) << status.error().message;
    }
    // As for the trace that would be opened.
    if (session.desk.has_linked_panels_only()) session.desk.arrange(default_layout());
    return session;
  }
  fs::path config() const { return folder_.path() / "config"; }
  fs::path state() const { return folder_.path() / "state"; }
  UserFiles files() const { return UserFiles(config(), state()); }

  testing::ScratchFolder folder_;
  fs::path sample_;
  Session session_;
  std::vector<Command> commands_;
};

TEST_F(UserFilesTest, KeepNoLayoutThatTheUserDidNotMake) {
  ASSERT_TRUE(run("layout.save", {{"name", "as it is"}}));
  files().save(session_);
  EXPECT_FALSE(restarted().desk.has_own_layout());
  for (const Command& command : commands_) EXPECT_NE(command.name, "layout.load");
}

TEST_F(UserFilesTest, KeepWhatWasSet) {
  open();
  ASSERT_TRUE(run("set", {{"name", "font_scale"}, {"value", 1.5}}));
  ASSERT_TRUE(run("theme", {{"name", "light"}}));
  ASSERT_TRUE(run("set", {{"name", "time_origin"}, {"value", "utc"}}));
  ASSERT_TRUE(run("keys.bind", {{"command", "theme"}, {"keys", "Ctrl+E"}}));
  ASSERT_TRUE(run("type.color", {{"type", "idle"}, {"color", "#102030"}}));
  ASSERT_TRUE(run("lane.color", {{"lane", "main"}, {"color", "#405060"}}));
  ASSERT_TRUE(run("panel.duplicate", {{"panel", "gantt"}, {"side", "right"}}));
  ASSERT_TRUE(run("layout.save", {{"name", "two"}}));
  ASSERT_TRUE(run("filter.keep", {{"name", "long"}, {"text", "dur > 5ms"}}));
  ASSERT_TRUE(run("panel.close", {{"panel", "density"}}));
  files().save(session_);

  const Session back = restarted();
  EXPECT_EQ(json_from_settings(back), json_from_settings(session_));
  EXPECT_EQ(back.keys.to_json(), session_.keys.to_json());
  EXPECT_EQ(*back.look.type_colors, (NamedColors{{"idle", 0x102030}}));
  EXPECT_EQ(*back.look.lane_colors, (NamedColors{{"main", 0x405060}}));
  EXPECT_EQ(back.desk.layout.to_json(), session_.desk.layout.to_json());
  EXPECT_EQ(back.desk.saved_layouts.at("two").to_json(),
            session_.desk.saved_layouts.at("two").to_json());
  EXPECT_EQ(back.kept_filters, (std::map<std::string, std::string>{{"long", "dur > 5ms"}}));
  EXPECT_EQ(back.recent.files, session_.recent.files);
  EXPECT_EQ(commands_.back().name, "open");
  EXPECT_TRUE(back.messages.all.empty());
}

TEST_F(UserFilesTest, OfTwoWindowsHoldWhatEitherChanged) {
  Session other;
  UserFiles here = files(), there = files();
  (void)here.load(session_, false);
  (void)there.load(other, false);
  ASSERT_TRUE(run("set", {{"name", "font_scale"}, {"value", 1.5}}));
  ASSERT_TRUE(run("filter.keep", {{"name", "long"}, {"text", "dur > 5ms"}}));
  here.save(session_);
  ASSERT_TRUE(apply_command(other, {"theme", {{"name", "light"}}}));
  ASSERT_TRUE(apply_command(other, {"filter.keep", {{"name", "short"}, {"text", "dur < 5us"}}}));
  there.save(other);
  ASSERT_TRUE(run("keys.bind", {{"command", "theme"}, {"keys", "Ctrl+E"}}));
  here.save(session_);  // after the other, of which it knows nothing
  const Session back = restarted();
  EXPECT_EQ(back.look.font_scale, 1.5);
  EXPECT_EQ(back.look.theme, layout::Theme::kLight);
  EXPECT_EQ(back.kept_filters.size(), 2u);
}

TEST_F(UserFilesTest, SayTheLimitOfMemoryAsPeopleDo) {
  const auto kept = [&](const char* typed) {
    EXPECT_TRUE(run("set", {{"name", "memory_limit"}, {"value", typed}})) << typed;
    const Json shown = json_from_settings(session_)["memory_limit"];
    const uint64_t bytes = session_.memory_limit_bytes;
    EXPECT_TRUE(run("set", {{"name", "memory_limit"}, {"value", shown}}));
    EXPECT_EQ(session_.memory_limit_bytes, bytes) << typed << " as " << shown;
    return shown.get<std::string>();
  };
  EXPECT_EQ(kept("2G"), "2G");
  EXPECT_EQ(kept("2147483648"), "2G");
  EXPECT_EQ(kept("1.5 GiB"), "1536M");
  EXPECT_EQ(kept("3000000001"), "3000000001") << "no unit in which it is whole";
  EXPECT_EQ(kept("none"), "none");
}

// covers C-16
TEST_F(UserFilesTest, KeepLanesWithALayout) {
  open();
  ASSERT_TRUE(run("layout.save", {{"name", "plain"}}));
  EXPECT_TRUE(session_.desk.saved_layouts.at("plain").lanes.is_null());
  ASSERT_TRUE(run("lane.hide", {{"lane", 2}}));
  ASSERT_TRUE(run("lane.pin", {{"lane", 3}}));
  ASSERT_TRUE(run("lane.move", {{"lane", 3}, {"before", 0}}));
  ASSERT_TRUE(run("lane.group", {{"name", "pair"}, {"lanes", {4, 5}}}));
  ASSERT_TRUE(run("lane.collapse", {{"lane", "pair"}}));
  ASSERT_TRUE(run("layout.save", {{"name", "mine"}}));
  const LaneViewPtr arranged = session_.trace()->lanes();
  ASSERT_TRUE(run("lane.reset"));
  ASSERT_TRUE(run("layout.load", {{"name", "plain"}}));  // leaves lanes alone
  EXPECT_EQ(session_.trace()->arrangement(), layout::LaneArrangement());
  files().save(session_);

  Session back = restarted();
  back.traces.push_back(std::make_unique<OpenTrace>(sample_, testing::opened(sample_)));
  ASSERT_TRUE(apply_command(back, {"layout.load", {{"name", "mine"}}}));
  EXPECT_EQ(back.trace()->arrangement(), arranged->arrangement);
  EXPECT_EQ(back.trace()->collapsed(), arranged->collapsed);
  ASSERT_TRUE(apply_command(back, {"view.undo"}));
  EXPECT_EQ(back.trace()->arrangement(), layout::LaneArrangement());
}

TEST_F(UserFilesTest, TakeOfALayoutTheLanesThatTheTraceHas) {
  open();
  ASSERT_TRUE(run("layout.save", {{"name", "of others"}, {"layout", Json::parse(R"({"panels": [],
      "lanes": {"folded": ["nowhere", 1, {}], "arrangement": {"sort": "name",
        "hidden": ["nowhere", null, ["a"]], "moves": [["nowhere"], 7, [["b"]]],
        "groups": [{"number": 0, "name": "g", "lanes": ["nowhere"]}, 3]}}})")}}));
  ASSERT_TRUE(run("layout.load", {{"name", "of others"}}));
  layout::LaneArrangement sorted;
  sorted.sort = layout::LaneSort::kName;
  EXPECT_EQ(session_.trace()->arrangement(), sorted);
}

TEST_F(UserFilesTest, OpenTheLastTracesOnlyWhereWanted) {
  open();
  files().save(session_);
  (void)restarted(/*opens_last=*/false);
  EXPECT_TRUE(std::ranges::none_of(commands_, [](const Command& c) { return c.name == "open"; }));
  ASSERT_TRUE(run("set", {{"name", "reopen"}, {"value", false}}));
  files().save(session_);
  (void)restarted();
  EXPECT_TRUE(std::ranges::none_of(commands_, [](const Command& c) { return c.name == "open"; }));
}

// covers B-29
TEST_F(UserFilesTest, ShowTheTraceThatWasShownLast) {
  open();
  const fs::path copy = folder_.path() / "copy.weft";
  fs::copy_file(sample_, copy);
  session_.traces.push_back(std::make_unique<OpenTrace>(copy, testing::opened(copy)));
  const auto index = [&]() -> std::optional<Json> {
    files().save(session_);
    Session other;
    for (const Command& command : files().load(other, true)) {
      if (command.name == "trace.select") return command.args["index"];
    }
    return std::nullopt;
  };
  session_.current = 0;
  EXPECT_EQ(index(), Json(0));
  session_.current = 1;
  EXPECT_EQ(index(), Json(1));
  fs::remove(sample_);
  EXPECT_FALSE(index()) << "it is the only one";
}

// covers D1: files that are kept in another folder, for several machines, say
TEST_F(UserFilesTest, AreWrittenWhereALinkLeadsTo) {
  const fs::path kept = folder_.path() / "dotfiles";
  fs::create_directories(config());
  fs::create_directories(kept);
  std::ofstream(kept / "keys.json") << R"({"theme": "Ctrl+E"})";
  fs::create_symlink(fs::path("../dotfiles/keys.json"), config() / "keys.json");
  UserFiles files = this->files();
  for (const Command& command : files.load(session_, true))
    ASSERT_TRUE(apply_command(session_, command));
  ASSERT_TRUE(run("keys.bind", {{"command", "theme"}, {"keys", "Ctrl+F7"}}));
  files.save(session_);
  EXPECT_TRUE(fs::is_symlink(config() / "keys.json"));
  EXPECT_THAT(test::content_of(kept / "keys.json"), ::testing::HasSubstr("Ctrl+F7"));
}

TEST_F(UserFilesTest, SayInOneMessageWhichOfTheLastTracesAreGone) {
  const fs::path file = state() / "session.json";
  fs::create_directories(state());
  const auto said_of = [&](const Json& open) {
    std::ofstream(file) << Json{{"version", 1}, {"open", open}};
    const Session back = restarted();
    EXPECT_LE(back.messages.all.size(), 1u);
    return back.messages.last.text;
  };
  const std::string there = sample_.string();
  EXPECT_EQ(said_of({there, "ssh://board/no/such/trace"}), "");
  EXPECT_EQ(said_of({"/no/such/a.json", there}),
            "/no/such/a.json was open last and is not there any more");
  EXPECT_EQ(commands_.back().args, (Json{{"path", there}}));
  EXPECT_EQ(said_of({"/no/a", {{"path", "/no/b"}, {"format", "csv"}}, "/no/c"}),
            "/no/a, /no/b, /no/c were open last and are not there any more");
  EXPECT_EQ(
      said_of({"/no/a", "/no/b", "/no/c", "/no/d", "/no/e", "/no/f", "/no/g"}),
      "/no/a, /no/b, /no/c, /no/d, /no/e and 2 more were open last and are not there any more");
  // Two tabs of one file are one from now on.
  (void)said_of({there, there});
  EXPECT_EQ(std::ranges::count(commands_, "open", &Command::name), 1);
}

TEST_F(UserFilesTest, RememberHowATraceWasLookedAt) {
  open();
  ASSERT_TRUE(run("view.set", {{"from", 20'000}, {"to", 40'000}}));
  ASSERT_TRUE(run("lane.toggle", {{"lane", 0u}}));
  ASSERT_TRUE(run("sequence.run", {{"from", 21'000}, {"to", 22'000}}));
  ASSERT_TRUE(run("select.range", {{"from", 25'000}, {"to", 26'000}}));
  ASSERT_TRUE(run("element.select", {{"lane", 2u}, {"kind", "state"}, {"type", 0u}, {"at", 100}}));
  const View kept = {TimeWindow::from_range({{30'000}, {35'000}}), 12, {}};
  session_.trace()->bookmarks[3] = kept;
  session_.trace()->selected_lanes = {LaneId(1)};
  const auto element = session_.trace()->element();
  UserFiles files = this->files();
  files.remember(*session_.trace());
  session_.traces.clear();
  files.save(session_);

  Session other;
  UserFiles again = this->files();
  (void)again.load(other, true);
  const Json state = again.view_state_of(sample_);
  ASSERT_FALSE(state.is_null());
  OpenTrace trace(sample_, testing::opened(sample_));
  apply_view_state(trace, state);
  EXPECT_EQ(trace.view().window.range(), (TimeRange{{20'000}, {40'000}}));
  EXPECT_EQ(trace.collapsed().size(), 1u);
  EXPECT_EQ(trace.view().open_runs, (std::vector<TimeRange>{{{21'000}, {22'000}}}));
  EXPECT_EQ(trace.selection, (TimeRange{{25'000}, {26'000}}));
  EXPECT_EQ(trace.element(), element);
  EXPECT_EQ(trace.bookmarks[3], kept);
  EXPECT_EQ(trace.selected_lanes, std::vector<LaneId>{LaneId(1)});
  EXPECT_EQ(json_from_view_state(trace), state);
}

TEST_F(UserFilesTest, ForgetTheViewThatWasLeftLongestAgo) {
  constexpr size_t kMost = 200;
  const auto path_of = [&](size_t i) { return folder_.path() / fmt::format("{:03}.weft", i); };
  const auto snapshot = testing::opened(sample_);
  const auto leave = [&](UserFiles& files, size_t i) {
    files.remember(OpenTrace(path_of(i), snapshot));
  };
  const auto known = [&](const UserFiles& files, size_t i) {
    return !files.view_state_of(path_of(i)).is_null();
  };
  UserFiles files = this->files();
  for (size_t i = kMost; i-- > 0;) leave(files, i);
  leave(files, kMost - 1);  // once more: nothing grows
  for (size_t i = 0; i < kMost; ++i) ASSERT_TRUE(known(files, i)) << i;
  files.save(session_);
  UserFiles next = this->files();
  (void)next.load(session_, true);
  leave(next, kMost);
  EXPECT_FALSE(known(next, kMost - 2));
  EXPECT_TRUE(known(next, 0) && known(next, kMost - 1) && known(next, kMost));
}

// covers FS-18: the next trace may have neither the lanes nor the columns
TEST_F(UserFilesTest, KeepTheFiltersOfTablesWithTheTraceAndNotWithTheLayout) {
  open();
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  const Json filters = {{"lane", "thread 0"}};
  for (const auto& [option, value] :
       {std::pair<const char*, Json>("filters", filters), {"sort", "-duration"}}) {
    ASSERT_TRUE(run("panel.set", {{"panel", "events"}, {"option", option}, {"value", value}}));
  }
  ASSERT_TRUE(run("layout.save", {{"name", "mine"}}));
  files().save(session_);
  const Session next = restarted();
  const Json& options = next.desk.layout.find("events")->options;
  EXPECT_EQ(options.value("sort", ""), "-duration");
  EXPECT_FALSE(options.contains("filters"));
  EXPECT_FALSE(
      next.desk.saved_layouts.at("mine").panels.find("events")->options.contains("filters"));
  UserFiles files = this->files();
  Session unused;
  (void)files.load(unused, true);
  OpenTrace again(sample_, testing::opened(sample_));
  apply_view_state(again, files.view_state_of(sample_));
  EXPECT_EQ(options_in(*next.desk.layout.find("events"), &again)["filters"], filters);
}

TEST_F(UserFilesTest, TakeNoFiltersFromALayoutOfAnEarlierVersion) {
  open();
  ASSERT_TRUE(run("panel.open", {{"panel", "events"}}));
  Json layout = session_.desk.layout.to_json();
  for (Json& panel : layout["panels"]) {
    if (panel["id"] == "events")
      panel["options"] = {{"filters", {{"lane", "x"}}}, {"sort", "time"}};
  }
  ASSERT_TRUE(run("layout.load", {{"layout", layout}}));
  EXPECT_EQ(session_.desk.layout.find("events")->options, Json({{"sort", "time"}}));
}

TEST_F(UserFilesTest, KeepWhatALaterVersionSaidOfAView) {
  open();
  ASSERT_TRUE(run("select.range", {{"from", 25'000}, {"to", 26'000}}));
  files().save(session_);
  const fs::path file = state() / "session.json";
  const std::string path = session_.trace()->known_as().string();
  Json last = Json::parse(test::content_of(file));
  last["views"][path]["of_later"] = {{"a", {1, 2}}};
  last["views"][path]["huge"] = std::string(kMostUnknownBytes, 'x');
  std::ofstream(file) << last;

  UserFiles files = this->files();
  Session unused;
  (void)files.load(unused, true);
  ASSERT_TRUE(run("select.clear"));
  const auto saved = [&] {
    files.save(session_);
    return Json::parse(test::content_of(file))["views"][path];
  };
  const Json while_open = saved();
  EXPECT_EQ(while_open.value("of_later", Json()), Json::parse(R"({"a": [1, 2]})"));
  EXPECT_FALSE(while_open.contains("huge"));
  EXPECT_FALSE(while_open.contains("selection")) << "that is known, and there is none now";
  files.remember(*session_.trace());
  session_.traces.clear();
  EXPECT_EQ(saved(), while_open);
}

// Else what was taken back would come again with the next start.
TEST_F(UserFilesTest, KnowAllThatTheySayOfAView) {
  open();
  for (const auto& [name, args] : std::vector<std::pair<std::string, Json>>{
           {"view.set", {{"from", 20'000}, {"to", 40'000}}},
           {"scroll", {{"to", 30}}},
           {"trace.offset", {{"to", 5'000}, {"drift", 20}}},
           {"filter.set", {{"text", "dur > 5ms"}}},
           {"sequence.run", {{"from", 21'000}, {"to", 22'000}}},
           {"view.compress", {{"where", "type != idle"}}},
           {"select.range", {{"from", 25'000}, {"to", 26'000}, {"lanes", {1}}}},
           {"element.select", {{"lane", 2}, {"kind", "state"}, {"type", 0}, {"at", 100}}},
           {"bookmark.set_1", Json::object()},
           {"lane.pin", {{"lane", 1}}},
           {"lane.collapse", {{"lane", 0}}},
           {"panel.open", {{"panel", "events"}, {"options", {{"filters", {{"lane", "a"}}}}}}}})
    ASSERT_TRUE(run(name, args)) << name;
  const Json state = json_from_view_state(*session_.trace());
  EXPECT_GT(state.size(), 14u) << state;
  EXPECT_EQ(state["cut_where"], "type != idle");
  Json rest = Json::object();
  keep_unknown(state, rest);
  EXPECT_TRUE(rest.empty()) << rest;
}

TEST_F(UserFilesTest, OddViewStatesAreLeftOut) {
  OpenTrace trace(sample_, testing::opened(sample_));
  const Json before = json_from_view_state(trace);
  for (const char* text :
       {"7", "[]", R"({"window":[5,5]})", R"({"window":["a",1]})", R"({"selection":[9,1]})",
        R"({"open_runs":7})", R"({"open_runs":[7,[2,1],["a",3]]})", R"({"lanes":-1,"folded":[0]})",
        R"({"folded":{"a":1}})", R"({"scroll_px":"x"})", R"({"panel_options":7})",
        R"({"panel_options":{"events":{"filters":3,"sort":{}},"flame":[]}})",
        R"({"bookmarks":{"3":{"window":[2,1]}},"element":{"lane":-1},"selected_lanes":[1e9]})"}) {
    apply_view_state(trace, Json::parse(text));
    EXPECT_EQ(json_from_view_state(trace), before) << text;
  }
}

TEST_F(UserFilesTest, PutABrokenFileAside) {
  fs::create_directories(config());
  std::ofstream(config() / "settings.json") << "{\"theme\": ";
  std::ofstream(config() / "keys.json") << "[1, 2]";
  const Session session = restarted();
  EXPECT_EQ(session.messages.all.size(), 2u);
  EXPECT_FALSE(fs::exists(config() / "settings.json"));
  EXPECT_EQ(test::content_of(config() / "settings.json.broken"), "{\"theme\": ");
  EXPECT_TRUE(fs::exists(config() / "keys.json.broken"));
  std::ofstream(config() / "keys.json") << "[3]";
  (void)restarted();
  EXPECT_EQ(test::content_of(config() / "keys.json.broken"), "[1, 2]")
      << "what was put aside is kept";
  EXPECT_EQ(test::content_of(config() / "keys.json.broken-2"), "[3]");
}

TEST_F(UserFilesTest, SayWhichEntriesAreNotUnderstood) {
  const std::pair<const char*, const char*> kFiles[] = {
      {"colors.json", R"({"idle": "#102030", "run": "red", "wait": 7, "a": [], "b": null})"},
      {"lane-colors.json", R"({"main": "#40506"})"},
      {"message-classes.json", R"({"classes": [{"name": "a", "where": "x"}, 3]})"},
      {"connections.json", R"({"connections": [{"path": "/no/ssh"}, {"follow": true}]})"}};
  fs::create_directories(config());
  for (const auto& [name, text] : kFiles) std::ofstream(config() / name) << text;
  UserFiles files = this->files();
  for (const Command& command : files.load(session_, true)) {
    const size_t said = session_.messages.all.size();
    ASSERT_TRUE(apply_command(session_, command));
    if (session_.messages.all.size() > said) files.set_aside_source_of(command, session_);
  }
  EXPECT_EQ(*session_.look.type_colors, (NamedColors{{"idle", 0x102030}}));
  EXPECT_EQ(session_.message_classes->size(), 1u);
  std::string said;
  for (const Message& message : session_.messages.all) said += message.text + "\n";
  for (const char* part :
       {"colours of event types: a: [] is not a colour (as \"#4e79a7\"); b: null is",
        "run: \"red\" is not a colour (as \"#4e79a7\"); and 1 more",
        "colours of lanes: main: \"#40506\"", "classes of messages: entry 2: a class is an object",
        "connections: entry 1: ", "entry 2: 'path' is missing"}) {
    EXPECT_THAT(said, ::testing::HasSubstr(part));
  }
  for (const auto& [name, text] : kFiles)
    EXPECT_EQ(test::content_of(config() / (std::string(name) + ".broken")), text);
}

// covers D1: what the program keeps for itself is state
TEST_F(UserFilesTest, KeepTheSessionAndItsLayoutInTheStateFolder) {
  open();
  ASSERT_TRUE(run("panel.close", {{"panel", "density"}}));
  files().save(session_);
  EXPECT_FALSE(fs::exists(config() / "session.json"));
  EXPECT_FALSE(fs::exists(config() / "layouts.json")) << "none was kept by name";
  const Json kept = Json::parse(test::content_of(state() / "session.json"));
  EXPECT_EQ(kept["version"], 1);
  EXPECT_EQ(kept["own_layouts"],
            (Json{{"overview gantt density", session_.desk.layout.to_json()}}));
  EXPECT_FALSE(kept.contains("layout")) << "no panel stays with a trace";
}

TEST_F(UserFilesTest, PutAsideTheSessionOfALaterVersion) {
  const std::string text = R"({"version": 2, "recent": "in another form"})";
  fs::create_directories(state());
  std::ofstream(state() / "session.json") << text;
  Session session;
  UserFiles files = this->files();
  (void)files.load(session, true);
  ASSERT_EQ(session.messages.all.size(), 1u);
  EXPECT_THAT(session.messages.all[0].text, ::testing::HasSubstr("newer version"));
  EXPECT_EQ(test::content_of(state() / "session.json.broken"), text);
  files.save(session);
  EXPECT_EQ(Json::parse(test::content_of(state() / "session.json"))["version"], 1);
}

TEST_F(UserFilesTest, KeepWhatALaterVersionAddedToTheSession) {
  fs::create_directories(state());
  std::ofstream(state() / "session.json")
      << R"({"version": 1, "of_later": {"a": [1, 2]}, "recent": ["/gone.weft"]})";
  Session session;
  UserFiles files = this->files();
  (void)files.load(session, true);
  session.recent.files.clear();
  files.save(session);
  const Json kept = Json::parse(test::content_of(state() / "session.json"));
  EXPECT_EQ(kept["of_later"], Json::parse(R"({"a": [1, 2]})"));
  EXPECT_EQ(kept["recent"], Json::array()) << "what is known is as it is now";
  EXPECT_TRUE(session.messages.all.empty());
}

TEST_F(UserFilesTest, PutAsideTheSessionOfALayoutThatIsNone) {
  fs::create_directories(state());
  std::ofstream(state() / "session.json") << R"({"layout": {"panels": 7}})";
  UserFiles files = this->files();
  for (const Command& command : files.load(session_, true)) {
    if (!apply_command(session_, command)) files.set_aside_source_of(command, session_);
  }
  EXPECT_TRUE(fs::exists(state() / "session.json.broken"));
}

TEST_F(UserFilesTest, PutAsideWhatIsUnderstoodInPart) {
  const std::string text = R"({"theme": "pink", "row_height": 16, "of_later": 1})";
  fs::create_directories(config());
  std::ofstream(config() / "settings.json") << text;
  Session session;
  UserFiles files = this->files();
  for (const Command& command : files.load(session, true)) {
    if (!apply_command(session, command)) files.set_aside_source_of(command, session);
  }
  EXPECT_EQ(test::content_of(config() / "settings.json.broken"), text);
  ASSERT_EQ(session.messages.all.size(), 1u) << "once, of two settings";
  EXPECT_THAT(session.messages.all[0].text, ::testing::HasSubstr("settings.json.broken"));
  EXPECT_TRUE(files.is_dirty());
  files.save(session);
  EXPECT_EQ(Json::parse(test::content_of(config() / "settings.json"))["row_height"], 16);
  files.set_aside_source_of({"open", {}}, session);
  EXPECT_EQ(session.messages.all.size(), 1u) << "a trace that is gone is not a fault of the file";
}

TEST_F(UserFilesTest, AreNotWrittenWithoutAFolderNorAnew) {
  UserFiles none({}, {});
  none.note_change({});
  EXPECT_FALSE(none.is_dirty());
  none.save(session_);
  UserFiles files = this->files();
  files.note_change(UserFiles::Clock::time_point());
  EXPECT_TRUE(files.is_dirty());
  EXPECT_FALSE(files.is_due(UserFiles::Clock::time_point()));
  EXPECT_TRUE(files.is_due(UserFiles::Clock::time_point() + std::chrono::seconds(3)));
  files.save(session_);
  EXPECT_FALSE(files.is_dirty());
  const auto written = fs::last_write_time(config() / "settings.json");
  files.save(session_);
  EXPECT_EQ(fs::last_write_time(config() / "settings.json"), written);
  EXPECT_FALSE(fs::exists(config() / "keys.json"));  // nothing was bound
}

TEST_F(UserFilesTest, SettingsRefuseWhatTheyAreNot) {
  const Json before = json_from_settings(session_);
  for (const Setting& setting : settings()) {
    for (const Json& odd : {Json(nullptr), Json::array(), Json("purple")}) {
      if (setting.set(session_, odd)) continue;
      EXPECT_EQ(json_from_settings(session_), before) << setting.name;
    }
    EXPECT_TRUE(set_setting(session_, setting.name, setting.get(session_))) << setting.name;
  }
  EXPECT_FALSE(run("set", {{"name", "nothing"}, {"value", 1}}));
  const auto refused = set_setting(session_, "font_scale", 99);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("from 0.5 to 3"));
  EXPECT_EQ(json_from_settings(session_), before);
}

}  // namespace
}  // namespace weft::app
