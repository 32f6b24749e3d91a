// --where: every command that takes filters, against what `events` says of each event.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "tests/app/cli/program.h"

namespace weft::cli {
namespace {

using nlohmann::json;

class Where : public ProgramTest {
 protected:
  Where() {
    std::string text = "[";
    for (int i = 0; i < 400; ++i) {
      const int tid = 1 + i % 3;
      text += json{{"ph", "X"},
                   {"pid", 1},
                   {"tid", tid},
                   {"ts", i * 10},
                   {"dur", i * 7 % 31},
                   {"name", "work " + std::to_string(i * 7 % 5)},
                   {"cat", i % 2 == 0 ? "irq" : "task"},
                   {"args", {{"size", i * 13 % 2000}, {"name", i % 4 == 0 ? "Left" : "right"}}}}
                  .dump() +
              ",\n";
    }
    file_ = folder_.write("where.json", text);
    events_ = run({"events", file_, "--json"}).json_lines();
  }

  struct Case {
    const char* where;
    bool (*is_meant)(const json& event);
  };
  static constexpr Case kCases[] = {
      {"dur > 5us && type =~ /work [13]/",
       [](const json& e) {
         return e["duration"] > 5000 && (e["type"] == "work 1" || e["type"] == "work 3");
       }},
      {"params.size >= 1k", [](const json& e) { return e["params"]["size"] >= 1000; }},
      {"params.name == Left or !(dur >= 10us)",
       [](const json& e) { return e["params"]["name"] == "Left" || e["duration"] < 10000; }},
      {"left && lane =~ /2/",
       [](const json& e) {
         return e["params"]["name"] == "Left" && e["lane"].dump().find('2') != std::string::npos;
       }},
  };

  std::vector<json> meant(const Case& c) const {
    std::vector<json> events;
    std::ranges::copy_if(events_, std::back_inserter(events), c.is_meant);
    EXPECT_FALSE(events.empty() || events.size() == events_.size()) << c.where;
    return events;
  }

  std::string file_;
  std::vector<json> events_;
};

TEST_F(Where, FindStepsThroughThemInBothDirectionsFromAnyTime) {
  for (const Case& c : kCases) {
    std::vector<json> expected = meant(c);
    const auto middle = expected[expected.size() / 2]["time"].get<int64_t>();
    const auto is_before = [&](const json& e) { return e["time"].get<int64_t>() < middle; };
    std::vector<json> before, after;
    std::ranges::partition_copy(expected, std::back_inserter(before), std::back_inserter(after),
                                is_before);
    std::ranges::reverse(before);
    const auto find = [&](std::vector<std::string> more) {
      std::vector<std::string> arguments = {"find", file_, c.where, "--json"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      return run(arguments).json_lines();
    };
    const std::string from = std::to_string(middle);
    EXPECT_EQ(find({"--limit", "1000"}), expected) << c.where;
    EXPECT_EQ(find({"--from", from, "--limit", "1000"}), after) << c.where;
    EXPECT_EQ(find({"--from", from, "--backwards", "--limit", "1000"}), before) << c.where;
    EXPECT_EQ(find({"--from", from, "--count"}).at(0)["hits"], after.size());
    EXPECT_EQ(find({}).size(), std::min(size_t{10}, expected.size()));
  }
  const Outcome wrong = run({"find", file_, "dur >"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("column 6"), std::string::npos) << wrong.err;
}

TEST_F(Where, ASnapshotIsFiltered) {
  const auto draw = [&](std::vector<std::string> more) {
    const std::string picture = folder_ / "where.svg";
    std::vector<std::string> arguments = {"snapshot", file_, "-o", picture, "--size", "600x300"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run(arguments).exit_code, 0);
    return test::content_of(picture);
  };
  const std::string whole = draw({});
  const std::string dimmed = draw({"--where", "irq", "--filter", "dim"});
  const std::string hidden = draw({"--where", "irq", "--filter", "hide"});
  EXPECT_NE(whole, dimmed);
  EXPECT_NE(dimmed, hidden);
  EXPECT_EQ(run({"snapshot", file_, "-o", "x.png", "--where", "stat == 3"}).exit_code, 2);
}

TEST_F(Where, EventsAreThoseThatAreMeant) {
  for (const Case& c : kCases) {
    EXPECT_EQ(run({"events", file_, "--json", "--where", c.where}).json_lines(), meant(c))
        << c.where;
  }
}

TEST_F(Where, DensityCountsThem) {
  for (const Case& c : kCases) {
    const json density = run({"density", file_, "--count", "17", "--where", c.where}).json();
    uint64_t sum = 0;
    for (const json& bin : density["bins"]) sum += bin.get<uint64_t>();
    EXPECT_EQ(sum, meant(c).size()) << c.where;
  }
}

TEST_F(Where, StatsAddThemUp) {
  for (const Case& c : kCases) {
    const json stats = run({"stats", file_, "--json", "--where", c.where}).json();
    std::map<std::string, std::pair<uint64_t, int64_t>> expected;
    for (const json& event : meant(c)) {
      auto& [count, total] = expected[event["type"]];
      ++count;
      total += event["duration"].get<int64_t>();
    }
    // Types of one name differ in their group.
    std::map<std::string, std::pair<uint64_t, int64_t>> found;
    for (const json& row : stats["rows"]) {
      auto& [count, total] = found[row["name"]];
      count += row["count"].get<uint64_t>();
      total += row["total"].get<int64_t>();
    }
    EXPECT_EQ(found, expected) << c.where;
  }
}

TEST_F(Where, StatsHaveTheirPercentiles) {
  for (const Case& c : kCases) {
    const json stats =
        run({"stats", file_, "--json", "--percentiles", "--by", "lane", "--where", c.where}).json();
    std::map<json, std::vector<int64_t>> durations;
    for (const json& event : meant(c)) durations[event["lane"]].push_back(event["duration"]);
    ASSERT_EQ(stats["rows"].size(), durations.size());
    for (const json& row : stats["rows"]) {
      std::vector<int64_t>& of_lane = durations[row["lane"]];
      std::ranges::sort(of_lane);
      for (const size_t p : {50, 90, 95, 99}) {
        const size_t rank = (of_lane.size() * p + 99) / 100;
        EXPECT_EQ(row["percentiles"][std::to_string(p)], of_lane[rank - 1]) << c.where << " p" << p;
      }
    }
  }
}

TEST_F(Where, ColumnsHoldThem) {
  constexpr int64_t kWidth = 100'000;
  constexpr int64_t kCount = 41;
  for (const Case& c : kCases) {
    const auto rows = run({"columns", file_, "--from=0", "--to", std::to_string(kWidth * kCount),
                           "--count", std::to_string(kCount), "--where", c.where})
                          .json_lines();
    const std::vector<json> events = meant(c);
    for (const json& row : rows) {
      for (int64_t i = 0; i < kCount; ++i) {
        int64_t count = 0;
        int64_t busy = 0;
        for (const json& event : events) {
          if (event["lane"] != row["lane"] || event["depth"] != row["depth"]) continue;
          const int64_t begin = event["time"];
          const int64_t end = begin + event["duration"].get<int64_t>();
          const int64_t from = std::max(begin, i * kWidth);
          const int64_t to = std::min(end, (i + 1) * kWidth);
          if (from < to || (begin == end && from == to && to < (i + 1) * kWidth)) ++count;
          busy += std::max<int64_t>(0, to - from);
        }
        EXPECT_EQ(row["count"][static_cast<size_t>(i)], count) << c.where << " column " << i;
        EXPECT_EQ(row["busy"][static_cast<size_t>(i)], busy) << c.where << " column " << i;
      }
    }
  }
}

TEST_F(Where, ABadExpressionIsUsageAndPointsAtItsColumn) {
  for (const char* command : {"events", "stats"}) {
    const Outcome done = run({command, file_, "--where", "dur > 5ms && lane"});
    EXPECT_EQ(done.exit_code, 2);
    EXPECT_EQ(done.out, "");
    EXPECT_EQ(done.err,
              "weftscope: where: column 14: 'lane' is compared with nothing; the text is written "
              "\"lane\"\n");
  }
  const Outcome hostile = run({"events", file_, "--where", "type == \"\x1b[31m\" &&& b"});
  EXPECT_EQ(hostile.exit_code, 2);
  EXPECT_FALSE(hostile.err.contains('\x1b'));
}

}  // namespace
}  // namespace weft::cli
