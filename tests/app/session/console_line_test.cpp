// Lines typed into the console. covers TM-25
#include "app/session/console_line.h"

#include <gtest/gtest.h>

namespace weft::app {
namespace {

std::string as_journal(std::string_view line) {
  const auto command = command_from_line(line);
  return command ? json_from_command(*command) : "error: " + command.error().message;
}

TEST(ConsoleLine, IsACommandInEitherNotationOrAFilter) {
  EXPECT_EQ(as_journal(R"( {"command":"marker.add","args":{"at":"50%"}} )"),
            R"({"command":"marker.add","args":{"at":"50%"}})");
  EXPECT_EQ(as_journal("marker.add at=50% name=\"half of it\" color=3"),
            R"({"command":"marker.add","args":{"at":"50%","color":3,"name":"half of it"}})");
  EXPECT_EQ(as_journal("view.fit"), R"({"command":"view.fit","args":{}})");
  EXPECT_EQ(as_journal("dur > 5ms && type =~ /irq/"),
            R"({"command":"filter.set","args":{"text":"dur > 5ms && type =~ /irq/"}})");
  EXPECT_EQ(as_journal("dur >"), "error: column 6: a value is missing after '>'");
  EXPECT_EQ(as_journal("maker.add at=1"),
            "error: no command of that name; as a filter: column 11: && or || is missing before "
            "'at'");
  EXPECT_EQ(as_journal("marker.add at=1 2"), "error: '2' is not an argument (as name=value)");
  EXPECT_NE(as_journal(R"({"command":)").find("error"), std::string::npos);
  // Every command there is can be typed.
  for (const CommandRow& row : command_table()) {
    const auto command = command_from_line(row.name);
    ASSERT_TRUE(command) << row.name;
    EXPECT_EQ(command->name, row.name);
  }
}

TEST(ConsoleLine, OfAWordThatIsNoCommandTellsWhichThereAreAndHowToFilterByIt) {
  const std::string said = as_journal("stats");
  EXPECT_EQ(said,
            "error: no command 'stats', but states.by_duration, panel.open panel=statistics, "
            "trace.stack; a filter has it in quotes: \"stats\"");
  EXPECT_TRUE(as_journal("view.fitt").contains("view.fit")) << as_journal("view.fitt");
  EXPECT_EQ(as_journal("\"stats\""), R"({"command":"filter.set","args":{"text":"\"stats\""}})");
  for (const char* filter : {"/stats/", "!stats", "stats && more"})
    EXPECT_TRUE(as_journal(filter).starts_with(R"({"command":"filter.set")")) << filter;
}

std::vector<std::string> completions(std::string_view line,
                                     const trace::Dictionary* dictionary = nullptr) {
  std::vector<std::string> texts;
  for (const auto& item : complete_line(line, line.size(), dictionary).items)
    texts.push_back(item.text);
  return texts;
}

TEST(ConsoleLine, OffersCommandsTheirArgumentsAndFields) {
  EXPECT_EQ(completions("marker.ad"),
            (std::vector<std::string>{"marker.add", "marker.add_selection"}));
  EXPECT_EQ(completions("marker.add n"), (std::vector<std::string>{"name=", "note="}));
  EXPECT_EQ(completions("marker.add name=x c"), (std::vector<std::string>{"color="}));
  EXPECT_EQ(completions("row_height "), (std::vector<std::string>{"px=", "factor="}));
  EXPECT_TRUE(completions("").empty());
  trace::Dictionary dictionary;
  dictionary.types.push_back({.name = "durable goods", .group = ""});
  const auto fields = completions("category == state && du", &dictionary);
  EXPECT_NE(std::ranges::find(fields, "dur"), fields.end());
}

TEST(ConsoleLine, OffersTheWordsThatAnArgumentCanBe) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(completions("filter.set text=x mode="), (Lines{"dim", "hide", "off"}));
  EXPECT_EQ(completions("sequence.order by=f"), (Lines{"first", "force"}));
  EXPECT_EQ(completions("lane.flat on="), (Lines{"false", "true"}));
  EXPECT_EQ(completions("lane.flat off="), (Lines{}));
}

TEST(ConsoleLine, OffersLanesAndTypesAsValues) {
  using Lines = std::vector<std::string>;
  trace::Dictionary dictionary;
  dictionary.types.push_back({.name = "poll", .group = ""});
  for (const char* name : {"net", "node", "net"}) dictionary.lanes.push_back({.name = name});
  dictionary.lanes.push_back({.name = "rx", .parent = LaneId(1)});
  dictionary.lanes.push_back({.name = "rx", .parent = LaneId(2)});
  EXPECT_EQ(completions("lane.go lane=no", &dictionary), (Lines{"node", "node/rx"}));
  EXPECT_EQ(completions("lane.go lane=node/", &dictionary), (Lines{"node/rx"}));
  EXPECT_EQ(completions("lane.color color=#123456 lane=ne", &dictionary), (Lines{"net", "net/rx"}));
  EXPECT_EQ(completions("type.hide type=p", &dictionary), (Lines{"poll"}));
  EXPECT_EQ(completions("lane.go lane=", nullptr), (Lines{}));
  dictionary.lanes.push_back({.name = "no one"});
  EXPECT_EQ(completions("lane.go lane=no", &dictionary),
            (Lines{"\"no one\"", "\"node\"", "\"node/rx\""}));
  const auto open = complete_line("lane.go lane=\"no o", 18, &dictionary);
  ASSERT_EQ(open.items.size(), 1u);
  EXPECT_EQ(open.items[0].text, "\"no one\"");
  EXPECT_EQ(open.span.begin, 13u);
  // A name may hold a slash itself.
  dictionary.lanes.push_back({.name = "irq/16", .parent = LaneId(0)});
  EXPECT_EQ(completions("lane.go lane=irq/", &dictionary), (Lines{"irq/16"}));
  EXPECT_EQ(completions("lane.go lane=net/i", &dictionary), (Lines{"net/irq/16"}));
}

TEST(ConsoleLine, HistoryIsWalkedAsInAShell) {
  LineHistory history;
  EXPECT_EQ(history.step(-1), "");
  for (const char* line : {"a", "b", "b", "c"}) history.add(line);
  EXPECT_EQ(history.step(-1), "c");
  EXPECT_EQ(history.step(-1), "b");
  EXPECT_EQ(history.step(-1), "a");
  EXPECT_EQ(history.step(-1), "a");
  EXPECT_EQ(history.step(1), "b");
  EXPECT_EQ(history.step(1), "c");
  EXPECT_EQ(history.step(1), "");
  EXPECT_EQ(history.step(1), "");
  for (size_t i = 0; i < 2 * LineHistory::kMost; ++i) history.add(std::to_string(i));
  for (size_t i = 0; i < 2 * LineHistory::kMost; ++i) (void)history.step(-1);
  EXPECT_EQ(history.step(-1), std::to_string(LineHistory::kMost));
}

}  // namespace
}  // namespace weft::app
