// columns, density and stats against plain loops over what `events` prints.
#include <map>
#include <random>

#include "tests/app/cli/program.h"

namespace weft::cli {
namespace {

using nlohmann::json;

class Oracle : public ProgramTest {
 protected:
  // Call stacks on a few threads, instants, counters and messages; times in whole microseconds.
  Oracle() {
    std::mt19937_64 random(20);
    std::string text = "[";
    const auto add = [&](const json& event) { text += event.dump() + ",\n"; };
    for (int tid = 1; tid <= 3; ++tid) {
      int64_t t = 0;
      for (int i = 0; i < 120; ++i) {
        t += static_cast<int64_t>(random() % 40);
        const auto length = static_cast<int64_t>(random() % 60);
        const std::string name = "work " + std::to_string(random() % 5);
        add({{"ph", "X"}, {"pid", 1}, {"tid", tid}, {"ts", t}, {"dur", length}, {"name", name}});
        if (length > 3) {
          add({{"ph", "X"},
               {"pid", 1},
               {"tid", tid},
               {"ts", t + 1},
               {"dur", length / 2},
               {"name", "part"}});
        }
        if (i % 5 == 0) {
          add({{"ph", "i"}, {"pid", 1}, {"tid", tid}, {"ts", t}, {"name", "tick"}, {"s", "t"}});
          add({{"ph", "C"}, {"pid", 1}, {"ts", t}, {"name", "load"}, {"args", {{"value", i}}}});
          add({{"ph", "s"},
               {"pid", 1},
               {"tid", tid},
               {"ts", t},
               {"name", "m"},
               {"cat", "m"},
               {"id", tid * 1000 + i}});
          add({{"ph", "f"},
               {"bp", "e"},
               {"pid", 1},
               {"tid", 1 + tid % 3},
               {"ts", t + 9},
               {"name", "m"},
               {"cat", "m"},
               {"id", tid * 1000 + i}});
        }
        t += length;
      }
    }
    file_ = folder_.write("random.json", text);  // unterminated, which the format allows
    events_ = run({"events", file_, "--json"}).json_lines();
    info_ = run({"info", file_, "--json"}).json();
  }

  std::string file_;
  std::vector<json> events_;
  json info_;
  std::mt19937_64 random_{21};
};

struct Column {
  uint64_t count = 0;
  int64_t busy = 0;
  std::map<std::string, std::pair<int64_t, uint64_t>> types;  // busy, count
};

Column plain_column(const std::vector<json>& events, const json& row, int64_t from, int64_t to) {
  Column column;
  for (const json& event : events) {
    if (event["category"] != "state" || event["lane"] != row["lane"] ||
        event["depth"] != row["depth"])
      continue;
    const int64_t begin = event["time"];
    const int64_t end = begin + event["duration"].get<int64_t>();
    const bool is_instant = begin == end;
    if (begin >= to || (is_instant ? begin < from : end <= from)) continue;
    const int64_t overlap = std::min(end, to) - std::max(begin, from);
    ++column.count;
    column.busy += overlap;
    auto& type = column.types[event["type"]];
    type.first += overlap;
    ++type.second;
  }
  return column;
}

TEST_F(Oracle, ColumnsEqualAPlainLoopOverEvents) {
  const int64_t begin = info_["begin"];
  const int64_t length = info_["end"].get<int64_t>() - begin;
  for (int i = 0; i < 25; ++i) {
    const auto count = static_cast<int64_t>(1 + random_() % 30);
    const int64_t from =
        begin - 1000 + static_cast<int64_t>(random_() % static_cast<uint64_t>(length));
    const int64_t width =
        1 + static_cast<int64_t>(random_() % static_cast<uint64_t>(1 + length / count));
    const int64_t to = from + width * count;
    SCOPED_TRACE(testing::Message() << "from " << from << " width " << width << " count " << count);
    const Outcome done = run({"columns", file_, "--from=" + std::to_string(from),
                              "--to=" + std::to_string(to), "--count", std::to_string(count)});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const auto rows = done.json_lines();
    ASSERT_GE(rows.size(), 6u);
    for (const json& row : rows) {
      ASSERT_EQ(row["count"].size(), static_cast<size_t>(count));
      for (size_t c = 0; c < static_cast<size_t>(count); ++c) {
        const int64_t left = from + static_cast<int64_t>(c) * width;
        const Column expected = plain_column(events_, row, left, left + width);
        EXPECT_EQ(row["count"][c], expected.count);
        EXPECT_EQ(row["busy"][c], expected.busy);
        if (expected.count == 0) {
          EXPECT_TRUE(row["type"][c].is_null());
          continue;
        }
        const auto& [busy, states] = expected.types.at(row["type"][c]);
        for (const auto& [name, weight] : expected.types)
          EXPECT_LE(weight, std::pair(busy, states));
        const double share =
            expected.busy > 0 ? static_cast<double>(busy) / static_cast<double>(expected.busy) : 0;
        EXPECT_DOUBLE_EQ(row["share"][c].get<double>(), share);
      }
    }
  }
}

TEST_F(Oracle, DensitySumsToTheNumberOfEvents) {
  for (const char* count : {"1", "7", "1000"}) {
    uint64_t sum = 0;
    const json density = run({"density", file_, "--count", count}).json();
    for (const json& bin : density["bins"]) sum += bin.get<uint64_t>();
    EXPECT_EQ(sum, events_.size());
  }
  const json counts = info_["counts"];
  for (const auto& [category, expected] : counts.items()) {
    const json density = run({"density", file_, "--count", "1", "--category", category}).json();
    EXPECT_EQ(density["bins"][0], expected) << category;
  }
}

TEST_F(Oracle, DensityCountsWhatBeginsInEachBin) {
  const int64_t from = info_["begin"].get<int64_t>() + 12'345;
  const int64_t to = info_["end"].get<int64_t>() - 6'789;
  constexpr int64_t kBins = 13;
  std::vector<uint64_t> expected(kBins);
  for (const json& event : events_) {
    const int64_t t = event["time"];
    for (int64_t i = 0; i < kBins; ++i) {
      if (from + i * (to - from) / kBins <= t && t < from + (i + 1) * (to - from) / kBins)
        ++expected[i];
    }
  }
  const json density = run({"density", file_, "--from", std::to_string(from), "--to",
                            std::to_string(to), "--count", std::to_string(kBins)})
                           .json();
  EXPECT_EQ(density["bins"].get<std::vector<uint64_t>>(), expected);
}

TEST_F(Oracle, StatsEqualAPlainLoopOverClippedEvents) {
  const int64_t begin = info_["begin"];
  const int64_t end = info_["end"];
  for (int i = 0; i < 10; ++i) {
    const auto length = static_cast<uint64_t>(end - begin);
    const auto [from, to] = std::minmax({begin + static_cast<int64_t>(random_() % length),
                                         begin + static_cast<int64_t>(random_() % length)});
    std::map<std::string, std::tuple<uint64_t, int64_t, int64_t, int64_t>> expected;
    for (const json& event : events_) {
      if (event["category"] != "state") continue;
      const int64_t b = event["time"];
      const int64_t e = b + event["duration"].get<int64_t>();
      if (b >= to || (b < from && e <= from)) continue;
      const int64_t clipped = std::min(e, to) - std::max(b, from);
      auto [it, is_new] = expected.try_emplace(event["type"], 0, 0, clipped, clipped);
      auto& [count, total, least, most] = it->second;
      ++count;
      total += clipped;
      least = std::min(least, clipped);
      most = std::max(most, clipped);
    }
    const json stats =
        run({"stats", file_, "--from", std::to_string(from), "--to", std::to_string(to), "--json"})
            .json();
    ASSERT_EQ(stats["rows"].size(), expected.size());
    int64_t self = 0;
    int64_t outermost = 0;
    for (const json& row : stats["rows"]) {
      const auto& [count, total, least, most] = expected.at(row["name"]);
      EXPECT_EQ(row["count"], count);
      EXPECT_EQ(row["total"], total);
      EXPECT_EQ(row["min"], least);
      EXPECT_EQ(row["max"], most);
      self += row["self"].get<int64_t>();
      if (row["name"] != "part") outermost += total;
    }
    EXPECT_EQ(self, outermost);  // every part lies within the work around it
  }
}

}  // namespace
}  // namespace weft::cli
