// The output of each command for a small trace, without a display: the keys of docs/cli.md. covers
// B-17
#include <fmt/core.h>
#include <gmock/gmock.h>

#include <map>

#include "tests/app/cli/program.h"
#include "tests/core/io/archives.h"

namespace weft::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using InfoCommand = ProgramTest;
using EventsCommand = ProgramTest;
using StatsCommand = ProgramTest;
using OtherCommands = ProgramTest;

TEST_F(InfoCommand, DescribesTheTrace) {
  const Outcome done = run({"info", small_, "--json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const json info = done.json();
  EXPECT_EQ(info["format"], "chrome-json");
  EXPECT_EQ(info["begin"], 10'000);
  EXPECT_EQ(info["end"], 110'000);
  EXPECT_EQ(info["time_base"], "ns");
  EXPECT_EQ(info["counts"], json::parse(R"({"punctual":1,"state":2,"link":1,"variable":1})"));
  EXPECT_EQ(info["losses"], json::array());
  EXPECT_TRUE(info["metadata"].is_object());
  for (const char* key : {"lanes", "rows", "event_types", "bytes"}) {
    EXPECT_GT(info[key].get<uint64_t>(), 0u) << key;
  }
  EXPECT_THAT(run({"info", small_}).out, HasSubstr("chrome-json"));
}

TEST_F(InfoCommand, ListsLossesByKind) {
  const std::string file = folder_.write(
      "damaged.json",
      R"([{"ph":"E","ts":5,"pid":1,"tid":1},{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"name":"a"}])");
  const Outcome done = run({"info", file, "--json"});
  EXPECT_EQ(done.exit_code, 3);
  const json losses = done.json()["losses"];
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0]["count"], 1);
  EXPECT_FALSE(losses[0]["kind"].get<std::string>().empty());
  EXPECT_EQ(losses[0]["first"], json::array({1}));
  EXPECT_EQ(losses[0]["unit"], "byte");
  EXPECT_EQ(losses[0]["is_damage"], true);
  EXPECT_THAT(done.err, HasSubstr(losses[0]["kind"].get<std::string>() + " at byte 1\n"));
  EXPECT_THAT(run({"info", file}).out, HasSubstr("byte 1 "));
}

TEST_F(InfoCommand, SaysTimeAndLaneOfWhatHasNoPlaceInTheInput) {
  const std::string file = folder_.write("back.pjdump",
                                         "Container, 0, NODE, 0.0, 2.0, 2.0, one\n"
                                         "Container, 0, NODE, 0.0, 2.0, 2.0, two\n"
                                         "Link, 0, LINK, 1.5, 1.0, -0.5, PTP, one, two\n");
  const Outcome done = run({"info", file});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("clocks may differ  1,000.000000 ms, two "));
}

TEST_F(EventsCommand, PrintsJsonLinesInOrderOfTime) {
  const Outcome done = run({"events", small_, "--format", "jsonl"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const auto events = done.json_lines();
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[0], json::parse(R"({"category":"state","time":10000,"lane":["app","main"],
      "type":"outer","group":"c","duration":100000,"depth":0,"params":{"n":1}})"));
  EXPECT_EQ(events[1]["depth"], 1);
  EXPECT_EQ(events[2]["category"], "link");
  EXPECT_EQ(events[2]["target_lane"], json::parse(R"(["app","io"])"));
  EXPECT_EQ(events[2]["target_time"], 70'000);
  EXPECT_EQ(events[3]["type"], "tick");
  EXPECT_EQ(events[4]["value"], 2.5);
  EXPECT_EQ(run({"events", small_, "--json"}).out, done.out);
}

TEST_F(EventsCommand, SaysTheGroupOfATypeThatHasOne) {
  const std::string file =
      folder_.write("groups.json", R"([{"ph":"i","name":"a","cat":"net","pid":1,"tid":1,"ts":1},
                         {"ph":"i","name":"a","pid":1,"tid":1,"ts":2}])");
  const auto events = run({"events", file, "--json"}).json_lines();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0]["group"], "net");
  EXPECT_FALSE(events[1].contains("group"));
}

// States without length, of one time and depth: nothing but the order in the file tells their
// order.
TEST_F(EventsCommand, OrderDoesNotDependOnWhereChunksEnd) {
  std::string text = "[";
  for (const char* name : {"a", "b", "c", "d"}) {
    for (const char* phase : {"B", "E"})
      text += fmt::format(R"({{"ph":"{}","name":"{}","pid":1,"tid":1,"ts":5}},)", phase, name);
  }
  const std::string file = folder_.write("order.json", text);
  const std::string whole = run({"events", file, "--json", "--no-cache"}).out;
  EXPECT_EQ(std::ranges::count(whole, '\n'), 4);
  for (const char* bytes : {"60", "90", "120", "150", "180"}) {
    const std::string option = std::string("chunk_bytes=") + bytes;
    EXPECT_EQ(run({"events", file, "--json", "--no-cache", "--option", option}).out, whole)
        << bytes;
  }
}

TEST_F(EventsCommand, PrintsCsvAndATable) {
  const Outcome csv = run({"events", small_, "--format", "csv"});
  EXPECT_THAT(csv.out, HasSubstr("category,time,lane,type,duration,depth,target_lane,target_time,"
                                 "value,params,payload\n"));
  EXPECT_THAT(csv.out, HasSubstr("\nlink,30000,app/main,msg,,,app/io,70000,,"));
  EXPECT_THAT(csv.out, HasSubstr("state,20000,app/main,inner,30000,1,,,,,\n"));
  EXPECT_EQ(std::ranges::count(csv.out, '\n'), 6);
  const Outcome table = run({"events", small_});
  EXPECT_EQ(std::ranges::count(table.out, '\n'), 6);
  EXPECT_THAT(table.out, HasSubstr("100 µs (depth 0)"));
  EXPECT_THAT(table.out, HasSubstr(" after 40 µs"));  // the message
}

TEST_F(EventsCommand, ObeysFiltersAndLimit) {
  const auto count = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"events", small_, "--json"});
    return run(arguments).json_lines().size();
  };
  EXPECT_EQ(count({"--limit", "2"}), 2u);
  EXPECT_EQ(count({"--limit", "0"}), 0u);
  EXPECT_EQ(count({"--category", "state"}), 2u);
  EXPECT_EQ(count({"--lane", "^app/io$"}), 1u);
  EXPECT_EQ(count({"--type", "^(inner|tick)$"}), 2u);
  EXPECT_EQ(count({"--from", "50us", "--to", "60us"}), 2u);  // outer reaches into it; tick
  EXPECT_EQ(count({"--from", "+0", "--to", "+10us"}), 1u);
  EXPECT_EQ(count({"--from=-5", "--to", "0%"}), 0u);
}

TEST_F(EventsCommand, SaysWhatIsMissingOfALink) {
  const std::string file = folder_.write("lost.json", R"([
      {"ph":"X","name":"work","pid":1,"tid":1,"ts":1,"dur":9},
      {"ph":"s","name":"lost","cat":"m","id":1,"pid":1,"tid":1,"ts":2}])");
  const auto links = run({"events", file, "--json", "--category", "link"}).json_lines();
  ASSERT_EQ(links.size(), 1u);
  EXPECT_TRUE(links[0]["target_lane"].is_null());
  EXPECT_TRUE(links[0]["target_time"].is_null());
}

TEST_F(EventsCommand, NothingInANameReachesTheTerminal) {
  const std::string file = folder_.write("hostile.json",
                                         "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,"
                                         "\"name\":\"a\\u001b[31m\\n,\\\"\\u202e\\ud800\","
                                         "\"args\":{\"k\\n\":\"\\u001b\"}}]");
  for (const char* format : {"table", "csv"}) {
    const Outcome done = run({"events", file, "--format", format});
    EXPECT_EQ(std::ranges::count(done.out, '\n'), 2) << format;
    EXPECT_EQ(done.out.find('\x1b'), std::string::npos) << format;
  }
  const auto lines = run({"events", file, "--format", "jsonl"}).json_lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0]["type"].get<std::string>().starts_with("a\x1b[31m\n,\""));
  for (const char* command : {"info", "stats"}) {
    EXPECT_EQ(run({command, file}).out.find('\x1b'), std::string::npos) << command;
  }
}

TEST_F(EventsCommand, JsonEscapesWhatActsOnATerminal) {
  // DEL, CSI as one character, a mark of direction, a separator of lines; and text that does not
  // act.
  const std::string name = "a\x7F\u009B[31m\u202E\u2028\u00E9\u20AC";
  const std::string file = folder_.write(
      "acting.json", R"([{"ph":"i","pid":1,"tid":1,"ts":1,"cat":")" + name + R"(","name":")" +
                         name + R"(","args":{")" + name + R"(":")" + name + R"("}}])");
  for (const char* format : {"jsonl", "csv", "table"}) {
    const std::string out = run({"events", file, "--format", format}).out;
    for (const char* acting : {"\x7F", "\u009B", "\u202E", "\u2028"})
      EXPECT_FALSE(out.contains(acting)) << format;
    EXPECT_TRUE(out.contains("\u00E9\u20AC")) << format;
    // Parameters are JSON in a cell, too.
    EXPECT_TRUE(out.contains("\\u009b[31m\\u202e\\u2028")) << format;
  }
  const json event = run({"events", file, "--json"}).json_lines().at(0);
  EXPECT_EQ(event["type"], name);
  EXPECT_EQ(event["group"], name);
  EXPECT_EQ(event["params"][name], name);
  EXPECT_FALSE(run({"stats", file, "--metric", "count", "--json"}).out.contains("\u009B"));
}

TEST_F(StatsCommand, AddsUpByTypeAndByLane) {
  const json by_type = run({"stats", small_, "--json"}).json();
  EXPECT_EQ(by_type["metric"], "duration");
  ASSERT_EQ(by_type["rows"].size(), 2u);
  const json& outer = by_type["rows"][0];
  EXPECT_EQ(outer["name"], "outer");
  EXPECT_EQ(outer["count"], 1);
  EXPECT_EQ(outer["total"], 100'000);
  EXPECT_EQ(outer["self"], 70'000);
  EXPECT_NEAR(outer["percentage"].get<double>(), 76.92, 0.01);
  for (const char* key : {"mean", "min", "max"}) EXPECT_EQ(outer[key], 100'000) << key;
  EXPECT_EQ(by_type["histogram"].size(), 2u);

  const json by_lane =
      run({"stats", small_, "--by", "lane", "--from", "30us", "--to", "60us", "--json"}).json();
  ASSERT_EQ(by_lane["rows"].size(), 1u);
  EXPECT_EQ(by_lane["rows"][0]["lane"], json::parse(R"(["app","main"])"));
  EXPECT_EQ(by_lane["rows"][0]["total"], 50'000);  // clipped: 30 and 20 µs
  EXPECT_EQ(by_lane["rows"][0]["self"], 30'000);
}

TEST_F(StatsCommand, KnowsOtherMetrics) {
  const json counts = run({"stats", small_, "--metric", "count", "--json"}).json();
  EXPECT_EQ(counts["rows"].size(), 5u);
  EXPECT_TRUE(counts["rows"][0]["self"].is_null());
  const json latency = run({"stats", small_, "--metric", "latency", "--json"}).json();
  ASSERT_EQ(latency["rows"].size(), 1u);
  EXPECT_EQ(latency["rows"][0]["total"], 40'000);
  EXPECT_THAT(run({"stats", small_, "--histogram"}).out, HasSubstr("#"));
}

// covers B-05: the value holds until the next sample, or the end of the trace
TEST_F(StatsCommand, WeighsValuesOfVariablesByTime) {
  const std::string file =
      folder_.write("counter.json", R"([{"ph":"C","name":"n","pid":1,"ts":0,"args":{"n":4}},
                                        {"ph":"C","name":"n","pid":1,"ts":110,"args":{"n":8}},
                                        {"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":200}])");
  const auto value = [&](const char* by) {
    return run({"stats", file, "--metric", "value", "--by", by, "--from", "100us", "--to", "140us",
                "--json"})
        .json();
  };
  for (const char* by : {"type", "lane"}) {
    const json rows = value(by)["rows"];
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0]["count"], 1);
    EXPECT_EQ(rows[0]["mean"], 7);
    EXPECT_EQ(rows[0]["min"], 4);
    EXPECT_EQ(rows[0]["max"], 8);
    EXPECT_EQ(rows[0]["last"], 8);
    EXPECT_TRUE(rows[0]["total"].is_null() && rows[0]["self"].is_null());
  }
  EXPECT_EQ(value("type")["rows"][0]["category"], "variable");
  EXPECT_TRUE(value("lane")["rows"][0]["lane"].is_array());
  EXPECT_THAT(run({"stats", file, "--metric", "value"}).out, HasSubstr("last"));
}

TEST_F(StatsCommand, SaysHowManyThereAreInASecond) {
  const json rows =
      run({"stats", small_, "--metric", "count", "--from", "0us", "--to", "200us", "--json"})
          .json()["rows"];
  ASSERT_FALSE(rows.empty());
  for (const json& row : rows)
    EXPECT_DOUBLE_EQ(row["rate"].get<double>(), row["count"].get<double>() * 5'000);
  EXPECT_THAT(run({"stats", small_, "--metric", "count"}).out, HasSubstr("per s"));
  EXPECT_FALSE(run({"stats", small_, "--json"}).json()["rows"][0].contains("rate"));
}

// A capture at one place sees each message once: its latency was not measured.
TEST_F(StatsCommand, SaysNothingOfLatenciesThatNobodyMeasured) {
  const std::string file = folder_.write("seen-once.btrace",
                                         "0\tMESSAGE_SEND\tUid:1\tSender:a\tReceiver:b\n"
                                         "0\tMESSAGE_RECEIVE\tUid:1\tSender:a\tReceiver:b\n");
  const Outcome stats = run({"stats", file, "--metric", "latency", "--json"});
  EXPECT_EQ(stats.exit_code, 0);
  EXPECT_TRUE(stats.json()["rows"].empty()) << stats.out;
  EXPECT_THAT(stats.err, HasSubstr("latencies are not known"));
  const Outcome sql =
      run({"sql", file, "SELECT latency, receive - send AS apart FROM links", "--format", "jsonl"});
  EXPECT_EQ(sql.out, "{\"latency\":null,\"apart\":0}\n");
  EXPECT_THAT(run({"events", file}).out, Not(HasSubstr("after")));
  // Sent, on its way, waited.
  EXPECT_THAT(run({"chain", file, "--message", "1", "--effect"}).out,
              HasSubstr("0 ticks              0 ticks\n"));
  EXPECT_EQ(run({"events", file, "--where", "latency >= 0", "--format", "jsonl"}).out, "");
}

TEST_F(StatsCommand, CountsEventsWhereThereAreNoStates) {
  const std::string file =
      folder_.write("instants.json", R"([{"ph":"i","name":"a","pid":1,"tid":1,"ts":1,"s":"t"}])");
  EXPECT_EQ(run({"stats", file, "--json"}).json()["metric"], "count");
}

// Types of one name and several groups are several rows.
TEST_F(OtherCommands, CompareSaysTheGroupsOfTypes) {
  const std::string file = folder_.write(
      "groups.json", R"([{"ph":"X","name":"a","cat":"net","pid":1,"tid":1,"ts":1,"dur":5},
                         {"ph":"X","name":"a","cat":"disk","pid":1,"tid":1,"ts":7,"dur":1}])");
  const json rows = run({"compare", small_, file, "--json"}).json()["rows"];
  ASSERT_EQ(rows.size(), 4u);
  std::map<std::string, double> totals;
  for (const json& row : rows) {
    if (row["name"] == "a") totals[row["group"]] = row["total"]["b"];
  }
  EXPECT_EQ(totals, (std::map<std::string, double>{{"net", 5000}, {"disk", 1000}}));
  EXPECT_FALSE(
      run({"compare", small_, file, "--by", "lane", "--json"}).json()["rows"][0].contains("group"));
}

TEST_F(OtherCommands, CompareOfCountsPrintsCountsAlone) {
  std::string many = "[";
  for (int i = 0; i < 1'234; ++i)
    many += fmt::format(R"({{"ph":"i","name":"tick","pid":1,"tid":1,"ts":{}}},)", i);
  const std::string file = folder_.write("many.json", many);
  const Outcome counts = run({"compare", small_, file, "--metric", "count"});
  EXPECT_THAT(counts.out, HasSubstr("count A"));
  for (const char* other : {"total", "mean", "max"})
    EXPECT_THAT(counts.out, Not(HasSubstr(other))) << counts.out;
  EXPECT_THAT(counts.out, HasSubstr("1,234"));
  EXPECT_THAT(counts.out, HasSubstr("+1,233"));
  EXPECT_THAT(run({"compare", small_, file, "--metric", "duration"}).out, HasSubstr("mean A"));
  const json row =
      run({"compare", small_, file, "--metric", "count", "--json"}).json()["rows"].at(0);
  for (const char* key : {"count", "total", "mean", "max"}) EXPECT_TRUE(row.contains(key)) << key;
  EXPECT_TRUE(row["count"]["b"].is_number_integer()) << row;
}

TEST_F(OtherCommands, OrderPutsThoseThatTalkSideBySide) {
  std::string log;
  int uid = 0;
  const auto exchange = [&](std::string_view a, std::string_view b, int messages) {
    for (int i = 0; i < messages; ++i, ++uid) {
      log += fmt::format("{0}\tMESSAGE_SEND\tUid:{0}\tSender:{1}\tReceiver:{2}\n", uid, a, b);
      log += fmt::format("{0}\tMESSAGE_RECEIVE\tUid:{0}\tSender:{1}\tReceiver:{2}\n", uid, a, b);
    }
  };
  exchange("b", "c", 1);
  exchange("a", "d", 9);
  exchange("d", "b", 3);
  const std::string file = folder_.write("log.btrace", log);
  const Outcome done = run({"order", file, "--json", "--compare"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const json order = done.json();
  EXPECT_EQ(order["method"], "short");
  EXPECT_EQ(order["length"], 13);                               // every message goes to a neighbour
  EXPECT_EQ(order["lengths"]["first"], 1 * 1 + 9 * 1 + 3 * 3);  // b c a d
  std::vector<std::string> lanes;
  for (const json& lane : order["lanes"]) lanes.push_back(lane.back());
  EXPECT_THAT(lanes, testing::ElementsAre("c", "b", "d", "a"));  // c appears before a
  EXPECT_EQ(run({"order", file, "--method", "best"}).exit_code, 2);
}

constexpr std::string_view kRelay =
    "# time_base: us\n"
    "10\tMESSAGE_SEND\tUid:1\tSender:0x1\tReceiver:0x2\tType:0x9\n"
    "20\tMESSAGE_RECEIVE\tUid:1\tSender:0x1\tReceiver:0x2\n"
    "25\tMESSAGE_SEND\tUid:2\tSender:0x2\tReceiver:0x3\n"
    "26\tMESSAGE_SEND\tUid:3\tSender:0x2\tReceiver:0x4\n"
    "30\tMESSAGE_DONE\tUid:1\tReceiver:0x2\n"
    "31\tMESSAGE_SEND\tUid:5\tSender:0x2\tReceiver:0x3\n"
    "40\tMESSAGE_RECEIVE\tUid:2\tSender:0x2\tReceiver:0x3\n"
    "45\tMESSAGE_SEND\tUid:4\tSender:0x3\tReceiver:0x1\n"
    "50\tMESSAGE_DONE\tUid:2\tReceiver:0x3\n"
    "60\tMESSAGE_RECEIVE\tUid:4\tSender:0x3\tReceiver:0x1\n"
    "70\tMESSAGE_RECEIVE\tUid:5\tSender:0x2\tReceiver:0x3\n";

TEST_F(OtherCommands, ChainFollowsMessagesBothWays) {
  const std::string file = folder_.write("relay.btrace", kRelay);
  const Outcome causes = run({"chain", file, "--message", "0x4", "--cause", "--format", "json"});
  EXPECT_EQ(causes.exit_code, 0) << causes.err;
  EXPECT_EQ(causes.json(), json::parse(R"({"schema":1,"message":4,"direction":"cause","messages":[
      {"id":4,"parent":null,"distance":0,"type":"message","sender":["0x3"],"receiver":["0x1"],
       "send":45,"receive":60,"begin":60,"end":null},
      {"id":2,"parent":0,"distance":1,"type":"message","sender":["0x2"],"receiver":["0x3"],
       "send":25,"receive":40,"begin":40,"end":50},
      {"id":1,"parent":1,"distance":2,"type":"0x9","sender":["0x1"],"receiver":["0x2"],
       "send":10,"receive":20,"begin":20,"end":30}],"is_cut":false})"));

  const json effects = run({"chain", file, "--message", "1", "--effect", "--json"}).json();
  std::vector<json> ids;
  for (const json& message : effects["messages"]) ids.push_back(message["id"]);
  EXPECT_EQ(ids, (std::vector<json>{1, 2, 3, 4}));  // not 5, which was sent after
  EXPECT_EQ(effects["messages"][2]["receiver"], nullptr);
  const json nearest =
      run({"chain", file, "--message", "1", "--effect", "--limit", "2", "--json"}).json();
  EXPECT_EQ(nearest["messages"].size(), 2u);
  EXPECT_EQ(nearest["is_cut"], true);

  const json followed =
      run({"chain", file, "--message", "2", "--cause", "--field", "uid", "--json"}).json();
  EXPECT_EQ(followed["messages"][1]["value"], "1");
  EXPECT_EQ(followed["messages"][1]["changed"], true);
  EXPECT_EQ(followed["messages"][0]["changed"], false);

  const Outcome table = run({"chain", file, "--message", "1", "--effect", "--field", "nothing"});
  EXPECT_THAT(table.out, HasSubstr("    4"));  // below 2, below 1
  EXPECT_THAT(table.out, HasSubstr("(never received)"));
}

TEST_F(OtherCommands, ChainSaysWhichMessageItCannotFind) {
  const std::string again = std::string(kRelay) +
                            "80\tMESSAGE_SEND\tUid:1\tSender:0x1\tReceiver:0x2\n"
                            "90\tMESSAGE_RECEIVE\tUid:1\tSender:0x1\tReceiver:0x2\n";
  const std::string file = folder_.write("again.btrace", again);
  const auto error = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"chain", file});
    const Outcome done = run(more);
    return std::to_string(done.exit_code) + " " + done.err;
  };
  EXPECT_EQ(error({"--message", "77", "--cause"}),
            "1 weftscope: " + file + ": no message has the id 77\n");
  EXPECT_EQ(
      error({"--message", "1", "--cause"}),
      "1 weftscope: " + file + ": 2 messages have the id 1, the first at 10, the last at 80\n");
  EXPECT_EQ(error({"--message", "one", "--cause"}),
            "1 weftscope: " + file + ": 'one' is neither an id of a message nor LANE@TIME\n");
  EXPECT_EQ(error({"--message", "0x1@11", "--cause"}),
            "1 weftscope: " + file + ": nothing begins at '0x1@11'\n");
  EXPECT_THAT(error({"--message", "1"}), HasSubstr("2 weftscope: say --cause or --effect"));
  EXPECT_THAT(error({"--message", "1", "--cause", "--effect"}), HasSubstr("2 weftscope: say"));
  EXPECT_EQ(run({"chain", file, "--message", "1", "--effect", "--at", "80", "--json"})
                .json()["messages"][0]["send"],
            80);
  EXPECT_EQ(run({"chain", file, "--message", "0x1@80", "--effect", "--json"})
                .json()["messages"][0]["send"],
            80);
}

TEST_F(OtherCommands, FormatsListsTheTable) {
  const json formats = run({"formats", "--json"}).json()["formats"];
  ASSERT_GE(formats.size(), 2u);
  for (const json& format : formats) {
    for (const char* key : {"id", "name", "category", "extensions", "reads", "writes"}) {
      EXPECT_TRUE(format.contains(key)) << key;
    }
  }
}

TEST_F(OtherCommands, EveryObjectSaysItsSchema) {
  const std::string indexed = folder_ / "small.weft";
  const std::vector<std::vector<std::string>> commands = {
      {"info", small_},
      {"formats"},
      {"import", small_, "-o", indexed},
      {"verify", indexed},
      {"stats", small_},
      {"compare", small_, small_},
      {"density", small_, "--count", "2"},
      {"find", small_, "outer", "--count"},
      {"order", small_},
      {"tour", small_, "--size", "320x200", "--frames", "2"}};
  for (std::vector<std::string> command : commands) {
    command.emplace_back("--json");
    const Outcome done = run(command);
    EXPECT_EQ(done.exit_code, 0) << command[0] << ": " << done.err;
    EXPECT_THAT(done.out, testing::StartsWith(R"({"schema":1,)")) << command[0];
  }
}

TEST_F(OtherCommands, ColumnsPrintsOneLinePerRowOfStates) {
  const Outcome done = run({"columns", small_, "--from", "0", "--to", "120000", "--count", "3"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const auto rows = done.json_lines();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0], json::parse(R"({"lane":["app","main"],"depth":0,"count":[1,1,1],
      "busy":[30000,40000,30000],"type":["outer","outer","outer"],"share":[1,1,1]})"));
  EXPECT_EQ(rows[1]["type"], json::parse(R"(["inner","inner",null])"));
  EXPECT_EQ(rows[1]["share"], json::parse("[1,1,0]"));
}

TEST_F(OtherCommands, DensityPrintsItsBins) {
  const json density = run({"density", small_, "--count", "4"}).json();
  EXPECT_EQ(density["bins"], json::parse("[3,1,1,0]"));
  EXPECT_EQ(density["from"], 10'000);
  EXPECT_EQ(density["to"], 110'000);
}

TEST_F(OtherCommands, ReadStandardInput) {
  EXPECT_EQ(run({"events", "-", "--json"}, small_).out, run({"events", small_, "--json"}).out);
}

TEST_F(OtherCommands, ExportWritesAPartAsAnotherFormat) {
  const std::string source = folder_ / "source.json", written = folder_ / "written.pftrace";
  ASSERT_EQ(run({"generate", "chrome-json", "-o", source, "--events", "500"}).exit_code, 0);
  ASSERT_EQ(run({"export", source, "--to", "perfetto", "-o", written}).exit_code, 0);
  const json first = run({"info", source, "--json"}).json();
  const json second = run({"info", written, "--json"}).json();
  EXPECT_EQ(second["format"], "perfetto");
  EXPECT_EQ(second["counts"], first["counts"]);
  // A format beside a time.
  const Outcome part = run({"export", source, "--to", "perfetto", "--to", "50%", "-o", written});
  EXPECT_EQ(part.exit_code, 0) << part.err;
  EXPECT_LT(run({"info", written, "--json"}).json()["counts"]["state"], first["counts"]["state"]);
}

TEST_F(OtherCommands, ExportWritesWhatTheNameOfTheFileSays) {
  for (const auto& [ending, format] : {std::pair(".json", "chrome-json"),
                                       {".pftrace", "perfetto"},
                                       {".weft", "chrome-json"},
                                       {"", "chrome-json"}}) {
    const std::string written = folder_ / ("part" + std::string(ending));
    const Outcome done = run({"export", small_, "-o", written});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(run({"info", written, "--json"}).json()["format"], format) << ending;
    const bool is_own = test::content_of(written).starts_with("WEFTTRC1");
    EXPECT_EQ(is_own, ending == std::string() || ending == std::string(".weft")) << ending;
  }
  const Outcome unknown = run({"export", small_, "-o", folder_ / "part.nosuch"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr(".pftrace"));
}

TEST_F(OtherCommands, ExportPrintsWhatItWouldWrite) {
  const std::string file = folder_ / "small.csv";
  ASSERT_EQ(run({"export", small_, "--to", "csv", "-o", file}).exit_code, 0);
  const Outcome printed = run({"export", small_, "--to", "csv", "-o", "-"});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(printed.out, test::content_of(file));
  EXPECT_NE(printed.err.find("events"), std::string::npos) << printed.err;
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(OtherCommands, WhatMakesAFilePrintsItToo) {
  const Outcome imported = run({"import", small_, "-o", "-", "--json"});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_EQ(run({"verify", folder_.write("t.weft", imported.out)}).exit_code, 0);
  EXPECT_NE(imported.err.find("\"events\":5"), std::string::npos) << imported.err;
  const std::string generated = folder_ / "g.btrace";
  ASSERT_EQ(run({"generate", "btrace", "-o", generated, "--events", "9"}).exit_code, 0);
  EXPECT_EQ(run({"generate", "btrace", "-o", "-", "--events", "9"}).out,
            test::content_of(generated));
  const Outcome picture = run({"snapshot", small_, "-o", "-", "--size", "300x200"});
  EXPECT_TRUE(picture.exit_code != 0 || picture.out.substr(1, 3) == "PNG");
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(OtherCommands, GenerateIsRepeatableAndReadBack) {
  for (const std::string format : {"btrace", "chrome-json", "nexus-lite"}) {
    const std::string first = folder_ / (format + ".1");
    const std::string again = folder_ / (format + ".2");
    for (const std::string& file : {first, again}) {
      ASSERT_EQ(run({"generate", format, "-o", file, "--events", "500", "--seed", "3"}).exit_code,
                0);
    }
    EXPECT_EQ(test::content_of(first), test::content_of(again));
    const json info = run({"info", first, "--json"}).json();
    EXPECT_EQ(info["format"], format);
    const char* const counted = format == "btrace"       ? "link"
                                : format == "nexus-lite" ? "punctual"
                                                         : "state";
    EXPECT_EQ(info["counts"][counted], 500);
  }
}

// The text of an ftrace does not say which machine's numbers it has.
TEST_F(OtherCommands, SystemCallsOfAnFtraceHaveTheNamesOfTheMachineThatIsGiven) {
  const std::string trace = WEFT_SOURCE_DIR "/tests/core/formats/ftrace/succeed/kernel.ftrace";
  const auto calls = [&](const std::string& machine) {
    return run({"events", trace, "--no-cache", "--lane", "system calls", "--option",
                "machine=" + machine})
        .out;
  };
  EXPECT_THAT(calls("x86_64"), HasSubstr("sys_write "));
  EXPECT_THAT(calls("aarch64"), HasSubstr("sys_io_destroy "));
  EXPECT_THAT(calls("abacus"), HasSubstr("system call 1 "));
}

TEST_F(OtherCommands, TourReportsItsFrames) {
  const Outcome done = run({"tour", small_, "--size", "320x200", "--frames", "20", "--json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const json report = done.json();
  for (const char* key :
       {"frames", "cpu_ms", "gpu_ms", "stale_share", "tiles_made", "gpu_bytes", "renderer"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  for (const char* key : {"p50", "p95", "p99", "max"})
    EXPECT_TRUE(report["cpu_ms"].contains(key)) << key;
}

TEST_F(OtherCommands, ReplayRunsAJournalThatDraws) {
  const std::string output = folder_ / "replayed.png";
  const std::string journal = folder_.write(
      "journal", json{{"command", "snapshot"}, {"args", {{"output", output}}}}.dump() + "\n");
  const Outcome done = run({"replay", journal, small_, "--size", "320x200"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(std::filesystem::exists(output));
  EXPECT_THAT(done.out, IsEmpty());
}

}  // namespace
}  // namespace weft::cli
