// covers the arguments of commands: what they are, and that no others are taken
#include "app/session/argument.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "app/session/panel_kinds.h"
#include "app/session/settings.h"
#include "tests/app/session/commands_fixture.h"

namespace weft::app {
namespace {

// A word that is mistyped in a journal must not be passed over.
TEST_F(Commands, ArgumentsThatACommandDoesNotKnowAreRefused) {
  for (const char* odd : {"bogus", "panel", "fro", "from_", ""}) {
    const Status status = run("view.set", {{"from", 1'000}, {"to", 2'000}, {odd, 1}});
    ASSERT_FALSE(status) << odd;
    EXPECT_NE(status.error().message.find("no argument is called"), std::string::npos);
    EXPECT_NE(status.error().message.find("from"), std::string::npos) << "it says which there are";
  }
  EXPECT_TRUE(run("view.set", {{"from", 1'000}, {"to", 2'000}, {"in", ""}}));
  EXPECT_FALSE(run("view.fit", {{"bogus", 1}}));
}

TEST_F(Commands, WordsOfWhatIsSaidOfArgumentsAreNoArguments) {
  for (const char* word : {"or", "high", "is", "higher"}) {
    const Status status = run("row_height", {{"px", 20}, {word, 1}});
    ASSERT_FALSE(status) << word;
    EXPECT_EQ(status.error().message, std::string("row_height: no argument is called '") + word +
                                          "'; px: high; or factor: > 1 is higher");
  }
}

TEST_F(Commands, SayWhatTheirArgumentsAre) {
  EXPECT_EQ(in_words(find_command("view.fit")->arguments), "");
  EXPECT_EQ(in_words(find_command("filter.set")->arguments),
            "text: an expression; mode: off, dim or hide (default: as it is)");
  EXPECT_EQ(in_words(find_command("sequence.run")->arguments),
            "from, to: times that hold a send of it (default: of the selected message); "
            "open: true or false (default: toggle)");
  EXPECT_TRUE(find_command("filter.set")->arguments.must_be_asked_for());
  EXPECT_FALSE(find_command("sequence.run")->arguments.must_be_asked_for());
  for (const CommandRow& row : command_table()) {
    std::set<std::string_view> names;
    for (const Argument& argument : row.arguments)
      EXPECT_TRUE(names.insert(argument.name).second) << row.name << " " << argument.name;
    // The last one says what it is: those before may say the same.
    const bool speaks = names.empty() || !(row.arguments.end() - 1)->says.empty() ||
                        !(row.arguments.end() - 1)->choices.empty();
    EXPECT_TRUE(speaks) << row.name;
  }
}

TEST_F(Commands, ArgumentsOfAWrongTypeAreErrorsThatNameThem) {
  const std::pair<const char*, const char*> flags[] = {
      {"links.show", "shown"}, {"lane.flat", "on"},      {"trace.couple", "on"},
      {"view.compress", "on"}, {"view.end", "follow"},   {"panel.pin", "pinned"},
      {"grid.show", "shown"},  {"type.hide", "shown"},   {"file.ask", "shown"},
      {"snapshot", "context"}, {"sequence.run", "open"}, {"find.show", "shown"}};
  (void)open_panel(session_.desk.layout, *find_panel_kind("gantt"));
  for (const auto& [command, flag] : flags) {
    for (const Json& odd : {Json(1), Json("true"), Json(nullptr)}) {
      Json args = {{flag, odd}};
      if (command == std::string("type.hide")) args["type"] = "tick";
      if (command == std::string("sequence.run")) args.update({{"from", 0}, {"to", 9}});
      const Status status = run(command, args);
      ASSERT_FALSE(status) << command << odd;
      EXPECT_EQ(status.error().message,
                std::string(command) + ": '" + flag + "' must be true or false");
    }
  }
  EXPECT_EQ(run("theme", {{"name", 3}}).error().message,
            "theme: 'name' must be dark, light or toggle");
  EXPECT_EQ(run("theme", {{"in", 3}}).error().message, "theme: 'in' must be a text");
  EXPECT_EQ(run("keys.bind", {{"command", "theme"}, {"keys", {1}}}).error().message,
            "keys.bind: 'keys' must be a list of texts");
}

TEST_F(Commands, ArgumentsThatAreNotWholeNumbersAreRefusedWhereTheyMustBe) {
  ASSERT_TRUE(run("marker.add", {{"at", 1'000}}));
  const uint32_t id = session_.trace()->markers.all()[0].id;
  constexpr uint64_t kBeyond = std::numeric_limits<uint64_t>::max();
  const std::pair<const char*, Json> commands[] = {{"trace.select", {{"index", 0}}},
                                                   {"view.go", {{"at", 1'000}}},
                                                   {"marker.a", {{"at", 1'000}}},
                                                   {"bookmark.set", {{"slot", 0}}},
                                                   {"lane.levels", {{"count", 0}}},
                                                   {"marker.change", {{"id", id}}},
                                                   {"marker.add", {{"at", 1'000}, {"color", 0}}}};
  for (const auto& [command, good] : commands) {
    EXPECT_TRUE(run(command, good)) << command;
    Json args = good;
    const std::string key = (--good.end()).key();  // the last by name
    for (const Json& odd : {Json(0.7), Json(kBeyond), Json(kBeyond / 2 + 1), Json(-1e300)}) {
      args[key] = odd;
      EXPECT_FALSE(run(command, args)) << command << odd;
    }
  }
}

// No command throws, whatever it is given.
TEST_F(Commands, TakeAnyValueOfAnyArgumentOrRefuseIt) {
  for (const CommandRow& row : command_table()) {
    for (const Argument& argument : row.arguments) {
      for (const Json& odd : {Json(nullptr), Json(true), Json(-1), Json(1e300), Json::array(),
                              Json::object(), Json({1, "a"}), Json({{"deep", {1, 2}}})}) {
        EXPECT_NO_THROW((void)run(std::string(row.name), {{argument.name, odd}})) << row.name;
        if (session_.traces.empty()) open_sample();
      }
    }
  }
}

TEST_F(Commands, OfHostileTextAreErrorsNotCrashes) {
  for (const char* line :
       {"", "{", "[]", "7", R"({"command":7})", R"({"command":"x","args":[]})"}) {
    EXPECT_FALSE(command_from_json(line)) << line;
  }
  for (const CommandRow& row : command_table()) {
    for (const char* key : {"path", "index", "from", "factor", "fraction", "lane", "rows", "px",
                            "name", "panel", "size", "output", "at", "shown"}) {
      // Whatever it says, the process lives; most of these must fail.
      (void)run(std::string(row.name), {{key, {{"deep", {1, 2}}}}});
      (void)run(std::string(row.name), {{key, -1e308}, {"to", "x"}});
    }
  }
  EXPECT_FALSE(run("no.such.command"));
}

}  // namespace
}  // namespace weft::app
