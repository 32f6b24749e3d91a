// A trace without end: only the newest is kept, whole, and the rest is counted.
// covers B-23 C-14
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "core/base/thread_pool.h"
#include "core/store/builder.h"
#include "core/store/params_chain.h"
#include "tests/core/store/random_trace.h"

namespace weft::store {
namespace {

using testing_traces::ScratchFolder;
using testing_traces::spill_file;

constexpr TimeRange kAllTime{Time::min(), Time::max()};
constexpr uint64_t kLeastEpoch = 1024;  // events, as Keep says

std::string params_of(uint64_t number) { return fmt::format(R"({{"n":{}}})", number); }

// Events in the order in which they come: each has its number as its parameter.
class Stream {
 public:
  struct Came {
    int64_t begin, end;
  };

  Stream(uint32_t seed, trace::EventSink& sink) : random_(seed), sink_(sink) {
    for (int i = 0; i < 3; ++i) lanes_.push_back(sink.add_lane({fmt::format("lane {}", i)}));
    for (int i = 0; i < trace::kCategoryCount; ++i)
      types_.push_back(sink.type(static_cast<trace::Category>(i), fmt::format("type {}", i)));
  }

  // About `gap` ticks apart, and a little out of order.
  void give(uint64_t events, int64_t gap) {
    for (uint64_t i = 0; i < events; ++i) give_one(gap);
  }
  const std::vector<Came>& came() const { return came_; }
  int64_t latest() const { return latest_; }

 private:
  int64_t below(uint64_t n) { return static_cast<int64_t>(random_() % n); }

  void give_one(int64_t gap) {
    now_ += below(2 * static_cast<uint64_t>(gap) + 1);
    const Time at{now_ - below(static_cast<uint64_t>(gap) * 3 + 1)};
    const Duration length{1 + below(below(50) == 0 ? 40 * gap : gap)};
    const ParamsId params = sink_.params(params_of(came_.size()));
    const LaneId lane = lanes_[random_() % lanes_.size()];
    const auto category = static_cast<trace::Category>(below(trace::kCategoryCount));
    const EventTypeId type = types_[static_cast<size_t>(category)];
    int64_t begin = at.ticks, end = at.ticks + 1;
    if (category == trace::Category::kState) {
      const trace::StateEvent event{at - length, length, params, lane, type};
      begin = event.begin.ticks;
      end = at.ticks;
      sink_.give(event);
    } else if (category == trace::Category::kPunctual) {
      sink_.give(trace::PunctualEvent{at, params, lane, type});
    } else if (category == trace::Category::kVariable) {
      sink_.give(trace::VariableSample{at, 1.5, params, lane, type});
    } else {
      const trace::LinkEvent event{at - length, at, params, lane, lanes_[0], type};
      begin = event.send.ticks;
      sink_.give(event);
    }
    came_.push_back({begin, end});
    latest_ = std::max(latest_, end);
  }

  std::mt19937_64 random_;
  trace::EventSink& sink_;
  std::vector<LaneId> lanes_;
  std::vector<EventTypeId> types_;
  std::vector<Came> came_;
  int64_t now_ = 0;
  int64_t latest_ = std::numeric_limits<int64_t>::min();
};

// The numbers of the events that a trace has; each record must have parameters. A link is there
// from both of its ends.
std::multiset<uint64_t> numbers_in(const Trace& trace) {
  std::multiset<uint64_t> numbers;
  std::map<uint64_t, int> ends;
  for (const Row& row : trace.rows()) {
    trace.for_each(row, kAllTime, [&](const Record& record) {
      const std::string json(trace.params(record.params).json);
      unsigned long long number = 0;
      EXPECT_EQ(std::sscanf(json.c_str(), "{\"n\":%llu}", &number), 1) << json;
      if (row.kind != RowKind::kLinkIn) numbers.insert(number);
      if (row.kind == RowKind::kLinkIn) ++ends[number];
      if (row.kind == RowKind::kLinkOut) --ends[number];
      return true;
    });
  }
  for (const auto& [number, sum] : ends) EXPECT_EQ(sum, 0) << number;
  return numbers;
}

uint64_t lost_in(const Trace& trace, std::string_view kind) {
  for (const trace::Loss& loss : trace.dictionary().report.losses()) {
    if (loss.kind == kind) return loss.count;
  }
  return 0;
}

class KeepsTheNewest : public ::testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<StoreBuilder> builder(Keep keep, uint64_t memory_bytes = 400 << 20) {
    auto made = StoreBuilder::create({.path = folder_ / "t.weft",
                                      .format = "test",
                                      .memory_bytes = memory_bytes,
                                      .is_watched = GetParam()},
                                     pool_);
    EXPECT_TRUE(made) << made.error().message;
    (*made)->keep(std::move(keep));
    return std::move(*made);
  }

  ScratchFolder folder_;
  ThreadPool pool_{2};
};

// Against the plain definition: all that overlaps the last N, what came directly before, and
// nothing else; what is not there is counted.
TEST_P(KeepsTheNewest, WholeAndCountsTheRest) {
  for (const auto& [seed, events, gap, last] : {std::tuple{1U, 40'000, 10, 50'000},
                                                {2U, 40'000, 10, 5'000},
                                                {3U, 3'000, 1'000, 200'000},
                                                {4U, 20'000, 3, 1'000'000},
                                                {5U, 30'000, 100, 777'777}}) {
    SCOPED_TRACE(seed);
    const auto built = builder({.last = std::to_string(last)}, seed % 2 == 0 ? 1 : 400 << 20);
    Stream stream(seed, *built);
    stream.give(static_cast<uint64_t>(events), gap);
    const auto trace = built->finish();
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_TRUE((*trace)->verify()) << (*trace)->verify().error().message;

    const std::multiset<uint64_t> kept = numbers_in(**trace);
    const std::set<uint64_t> distinct(kept.begin(), kept.end());
    EXPECT_EQ(kept.size(), distinct.size());
    EXPECT_EQ(kept.size(), (*trace)->counts().total());
    EXPECT_EQ(kept.size() + lost_in(**trace, "event older than what is kept"),
              stream.came().size());
    EXPECT_FALSE((*trace)->dictionary().report.has_damage());

    const int64_t cut = stream.latest() - last;
    uint64_t before = 0;
    for (uint64_t i = 0; i < stream.came().size(); ++i) {
      EXPECT_TRUE(stream.came()[i].end <= cut || distinct.contains(i)) << i;
      if (stream.came()[i].end < cut - last / 4 - 3 * gap) before += distinct.contains(i);
    }
    EXPECT_LE(before, kLeastEpoch);
    // Everything that came after a kept event is kept.
    if (!distinct.empty()) {
      EXPECT_EQ(distinct.size(), stream.came().size() - *distinct.begin());
    }
    EXPECT_EQ((*trace)->range().end.ticks, stream.latest());
  }
}

TEST_P(KeepsTheNewest, WhatWasHandedOutStaysWhatItIs) {
  const auto built = builder({.last = "2000"});
  Stream stream(7, *built);
  stream.give(2'000, 1);
  built->show_tail();
  const auto early = built->snapshot();
  const auto numbers = numbers_in(*early);
  // Lanes, types and parameters that a reader holds.
  const LaneId lane = built->add_lane({"held"});
  const EventTypeId type = built->type(trace::Category::kPunctual, "held", {});
  const ParamsId used = built->params(params_of(1'000'001));
  const ParamsId forgotten = built->params(params_of(1'000'002));
  int64_t last = 0;
  for (int i = 0; i < 30; ++i) {
    stream.give(2'000, 1);
    last = stream.latest();
    built->give(trace::PunctualEvent{{last}, used, lane, type});
  }
  built->give(trace::PunctualEvent{{last}, forgotten, lane, type});
  EXPECT_EQ(numbers_in(*early), numbers);

  const auto trace = built->finish();
  ASSERT_TRUE(trace) << trace.error().message;
  std::vector<std::string> found;
  for (const Row& row : (*trace)->rows()) {
    if (row.lane != lane) continue;
    EXPECT_EQ((*trace)->dictionary().lane(row.lane).name, "held");
    (*trace)->for_each(row, kAllTime, [&](const Record& record) {
      EXPECT_EQ(record.type, type);
      found.emplace_back((*trace)->params(record.params).json);
      return true;
    });
  }
  ASSERT_GE(found.size(), 2u);
  EXPECT_LT(found.size(), 12u);
  for (size_t i = 0; i + 1 < found.size(); ++i) EXPECT_EQ(found[i], params_of(1'000'001));
  EXPECT_EQ(found.back(), "");
  EXPECT_EQ(lost_in(**trace, "parameters older than what is kept"), 1u);
}

// The size on disk at any time, and in the end.
TEST_P(KeepsTheNewest, ALongRunStaysSmall) {
  constexpr int kWindows = 60;
  constexpr uint64_t kPerWindow = 8'000;
  uint64_t most_spilled = 0, first = 0;
  const auto built = builder({.last = std::to_string(2 * kPerWindow)}, 8 << 20);
  Stream stream(11, *built);
  for (int i = 0; i < kWindows; ++i) {
    stream.give(kPerWindow, 2);
    built->show_tail();
    if (GetParam()) most_spilled = std::max(most_spilled, built->snapshot()->size_bytes());
    if (i == 1) first = built->snapshot()->size_bytes();
  }
  if (GetParam()) {
    EXPECT_LE(most_spilled, 3 * first);
  }
  const auto trace = built->finish();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_LT((*trace)->counts().total(), 2 * kPerWindow);
  EXPECT_LT((*trace)->size_bytes(), 120 * kPerWindow);
}

TEST_P(KeepsTheNewest, BySize) {
  constexpr uint64_t kMost = 4 << 20;
  const auto built = builder({.last = {}, .bytes = kMost});
  Stream stream(12, *built);
  stream.give(600'000, 2);
  const auto trace = built->finish();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_TRUE((*trace)->verify());
  EXPECT_LT((*trace)->size_bytes(), kMost + kMost / 2);
  EXPECT_GT((*trace)->size_bytes(), kMost / 4);
  const auto kept = numbers_in(**trace);
  EXPECT_EQ(*kept.rbegin(), 599'999u);
  EXPECT_EQ(kept.size() + lost_in(**trace, "event older than what is kept"), 600'000u);
}

// A single time far ahead, and a clock that begins anew: the size bounds what is kept.
TEST_P(KeepsTheNewest, TimesThatRunBackwardsLoseNothingWithinTheSize) {
  const auto built = builder({.last = "1000"});
  const LaneId lane = built->add_lane({"lane"});
  const EventTypeId type = built->type(trace::Category::kPunctual, "p", {});
  const auto at = [&](int64_t time) {
    built->give(trace::PunctualEvent{{time}, ParamsId::none(), lane, type});
  };
  at(std::numeric_limits<int64_t>::max());
  for (int64_t i = 0; i < 5'000; ++i) at(1'000'000 + i);
  for (int64_t i = 0; i < 5'000; ++i) at(i);
  const auto trace = built->finish();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->counts().total(), 10'001u);
}

TEST_P(KeepsTheNewest, AUnitThatTheTraceDoesNotCountInIsSaid) {
  const auto built = builder({.last = "1s"});
  built->set_time_base(TimeBase::kCycles);
  Stream stream(13, *built);
  stream.give(3'000, 1'000);
  const auto trace = built->finish();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->counts().total(), 3'000u);
  const auto& losses = (*trace)->dictionary().report.losses();
  ASSERT_FALSE(losses.empty());
  EXPECT_THAT(losses[0].kind, ::testing::HasSubstr("goes by its size"));
}

TEST_P(KeepsTheNewest, HeldItDropsNothingAndEndsWhenItIsFull) {
  const auto built = builder({.last = "1000", .bytes = 1 << 20});
  Stream stream(14, *built);
  stream.give(20'000, 1);
  built->hold();
  uint64_t given = 0;
  while (built->keep_going() && given < 1'000'000) {
    stream.give(100, 1);
    given += 100;
  }
  EXPECT_LT(given, 1'000'000u);
  const auto trace = built->finish();
  ASSERT_TRUE(trace) << trace.error().message;
  const auto kept = numbers_in(**trace);
  EXPECT_TRUE(kept.contains(19'900));
  EXPECT_EQ(kept.size(), stream.came().size() - *kept.begin());
}

// An observer sees every event once, under the ids of the trace.
TEST_P(KeepsTheNewest, WhatComesIsLookedAtOnce) {
  const auto built = builder({.last = "3000"});
  std::multiset<uint64_t> seen;
  built->look_with([&](const TracePtr& news) {
    EXPECT_EQ(news->dictionary().lanes.size(), 3u);
    EXPECT_LE(news->rows().size(), 3u * kRowKindCount * 8);
    seen.merge(numbers_in(*news));
  });
  Stream stream(15, *built);
  stream.give(3, 1);
  built->show_tail();
  EXPECT_EQ(seen.size(), 3u);
  stream.give(50'000, 1);
  ASSERT_TRUE(built->finish());
  ASSERT_EQ(seen.size(), 50'003u);
  EXPECT_EQ(*seen.begin(), 0u);
  EXPECT_EQ(*seen.rbegin(), 50'002u);
}

// Somebody else changes what is kept, looks on, and reads what is dropped meanwhile.
TEST_P(KeepsTheNewest, WhileOthersChangeItAndReadIt) {
  const auto built = builder({.last = "3000"}, 1);
  std::atomic<bool> is_done = false;
  std::thread other([&] {
    for (int i = 0; !is_done; ++i) {
      built->keep({.last = std::to_string(1000 + i % 7 * 1000), .bytes = uint64_t{1} << 20});
      built->look_with(i % 2 == 0 ? StoreBuilder::Look([](const auto&) {}) : StoreBuilder::Look());
      const auto numbers = numbers_in(*built->snapshot());
      EXPECT_TRUE(numbers.empty() || *numbers.rbegin() - *numbers.begin() < 60'000);
    }
  });
  Stream stream(16, *built);
  for (int i = 0; i < 60; ++i) {
    stream.give(1'000, 1);
    built->show_tail();
  }
  is_done = true;
  other.join();
  const auto trace = built->finish();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(numbers_in(**trace).size() + lost_in(**trace, "event older than what is kept"),
            60'000u);
}

INSTANTIATE_TEST_SUITE_P(Builder, KeepsTheNewest, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Watched" : "Unwatched"; });

// Ids go on over stores that are dropped, and a file has all that is left, close together.
TEST(ParamsChain, StoresAreReadUnderIdsThatGoOn) {
  const ScratchFolder folder;
  const auto store = [&](char letter, size_t values, size_t size) {
    auto made = std::make_shared<ParamsStore>(spill_file(folder.path()), 0, 400 << 20);
    for (size_t i = 0; i < values; ++i)
      made->add(fmt::format("{}{}", letter, i) + std::string(size, letter), {});
    made->flush();
    return made;
  };
  ParamsChain chain(store('a', 3, 10));
  EXPECT_TRUE(chain.moves_in_file().empty());
  std::vector<ParamsId> firsts = {ParamsId(0)};
  for (const char letter : {'b', 'c', 'd', 'e'}) {
    chain.add(letter == 'd' ? store(letter, 40, 1 << 20) : store(letter, 3, 1000));
    firsts.emplace_back(chain.last_begin());
    EXPECT_EQ(chain.get(firsts.back()).json.substr(0, 2), std::string(1, letter) + '0');
  }
  chain.drop_first();
  EXPECT_TRUE(chain.get(firsts[0]).json.empty());
  const auto moves = chain.moves_in_file();
  const auto pieces = chain.pieces();
  ASSERT_FALSE(moves.empty());
  EXPECT_EQ(moved(ParamsId::none(), moves), ParamsId::none());
  EXPECT_EQ(moved(firsts[1], moves), ParamsId(0));
  for (size_t i = 1; i < firsts.size(); ++i) {
    const uint64_t at = moved(firsts[i], moves).value();
    const auto piece = std::ranges::find(pieces, at, &ParamsChain::Piece::at);
    ASSERT_NE(piece, pieces.end()) << i;
    EXPECT_EQ(decode_params(piece->bytes).json, chain.get(firsts[i]).json);
  }
  // b and c fit into one extent, d needs two of its own, e lies behind it.
  EXPECT_LT(moved(firsts[2], moves).value(), uint64_t{4} << 10);
  EXPECT_EQ(moved(firsts[3], moves).value(), uint64_t{32} << 20);
  EXPECT_LT(pieces.back().at, uint64_t{80} << 20);
}

}  // namespace
}  // namespace weft::store
