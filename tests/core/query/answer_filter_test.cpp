// answer and the metrics of messages, against the trees of causes and effects. covers TM-08, TM-20
#include "core/query/filter/answer_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <ranges>
#include <set>
#include <thread>

#include "core/base/thread_pool.h"
#include "core/query/filter/filter_compiler.h"
#include "core/query/messages/causality.h"
#include "core/query/metrics/metrics.h"
#include "core/store/builder.h"
#include "core/store/segment.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using store::RowKind;
using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

// Begins (of the sends) of the links that pass, once from each end.
std::multiset<int64_t> passing(const store::Trace& trace, const std::string& text) {
  std::multiset<int64_t> sends;
  const auto filter = compile_filter(text, trace);
  EXPECT_TRUE(filter) << filter.error().one_line(text);
  if (!filter) return sends;
  for (const store::Row& row : trace.rows()) {
    const auto of_row = (*filter)->for_row(trace, row);
    for (uint64_t i = 0; i < row.count; ++i) {
      const store::Record record = trace.record(row, i);
      if (!of_row.passes(record)) continue;
      EXPECT_TRUE(is_link(row.kind));
      sends.insert(ends_of(row.kind, row.lane, record).send.ticks);
    }
  }
  return sends;
}

// client → server → store and back, once; the second request gets no answer from the store.
Events requests() {
  Events events;
  events.lanes = 3;
  events.types = 2;
  const auto send = [&](uint32_t from, int64_t at, uint32_t to, uint32_t type) {
    events.links.push_back(
        {{at}, {at + 5}, ParamsId::none(), LaneId(from), LaneId(to), EventTypeId(type)});
    events.add_state(to, at + 5, at + 9);
  };
  send(0, 10, 1, 0);
  send(1, 16, 2, 0);
  send(2, 22, 1, 1);
  send(1, 28, 0, 1);
  send(0, 110, 1, 0);
  send(1, 116, 2, 0);
  events.links.push_back({{200}, {}, ParamsId::none(), LaneId(0), LaneId::none(), EventTypeId(0)});
  return events;
}

TEST(AnswerFilter, KnowsWhatIsAnsweredByWayOfOthers) {
  const ScratchFolder folder;
  const auto trace = build(requests(), folder / "t.weft");
  const trace::Dictionary& dictionary = trace->dictionary();
  const std::string question = '"' + std::string(dictionary.types[0].name) + '"';
  const std::string answer = '"' + std::string(dictionary.types[1].name) + '"';
  const std::multiset<int64_t> none = {28, 28, 22, 22, 110, 110, 116, 116};
  EXPECT_EQ(passing(*trace, "answer == \"\""), none);
  EXPECT_EQ(passing(*trace, "answer == " + answer), (std::multiset<int64_t>{10, 10, 16, 16}));
  EXPECT_EQ(passing(*trace, "answer =~ /./"), (std::multiset<int64_t>{10, 10, 16, 16}));
  EXPECT_EQ(passing(*trace, "answer != " + answer), none);
  EXPECT_EQ(passing(*trace, "answer == " + question).size(), 0U);
  EXPECT_EQ(compile_filter("answer > 5", *trace).error().message,
            "'>' compares numbers, and answer is a text");
}

// Sends, once from each end, of messages in whose trees of effects nothing goes back.
std::multiset<int64_t> unanswered_by_trees(const store::TracePtr& trace) {
  const Elements elements(trace);
  std::multiset<int64_t> sends;
  const auto look_at = [&](const EventPlace& place, const LinkEnds& ends) {
    if (!ends.is_received() || ends.source == ends.target) return;
    const auto tree =
        Causality(elements).tree(*elements.at(place), Causal::kEffects, kMostFollowed);
    const bool is_answered = std::ranges::any_of(tree.messages, [&](const CausalMessage& m) {
      return m.distance > 0 && m.ends.source == ends.target && m.ends.target == ends.source;
    });
    for (int end = 0; end < 2 && !is_answered; ++end) sends.insert(ends.send.ticks);
  };
  for (uint32_t r = 0; r < trace->rows().size(); ++r) {
    const store::Row& row = trace->row(RowId(r));
    if (row.kind != RowKind::kLinkOut) continue;
    for (uint32_t part = 0; part < row.parts.size(); ++part) {
      for (uint64_t i = 0; i < row.parts[part].count(); ++i) {
        const store::Record record = row.parts[part].record(i);
        look_at({record.begin, RowId(r), part, i}, ends_of(row.kind, row.lane, record));
      }
    }
  }
  return sends;
}

TEST(AnswerFilter, IsWhatTheTreesOfEffectsSay) {
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    const ScratchFolder folder;
    Events events = random_events(seed, 4, 800);
    if (seed % 2 == 0)
      std::erase_if(events.states, [](const auto& s) { return s.lane.value() < 3; });
    const auto trace = build(events, folder / "t.weft");
    EXPECT_EQ(passing(*trace, "answer == \"\""), unanswered_by_trees(trace));
  }
}

// While a trace grows, a lane's messages lie in parts that overlap in time.
TEST(AnswerFilter, IsWhatTheTreesOfEffectsSayOfAGrowingTrace) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  auto builder = store::StoreBuilder::create({folder / "t.weft", "test", 400 << 20, true}, pool);
  ASSERT_TRUE(builder);
  const Events events = random_events(5, 3, 900);
  const auto half = static_cast<ptrdiff_t>(events.links.size() / 2);
  std::vector<trace::LinkEvent> links = events.links;
  std::ranges::shuffle(links, std::mt19937_64(1));
  // As many events as a segment holds.
  const std::vector<trace::PunctualEvent> filler(
      64 << 10, {{0}, ParamsId::none(), LaneId(0), EventTypeId(0)});
  const auto seal = [&](std::span<const trace::LinkEvent> part, uint64_t segments) {
    (*builder)->links(part);
    (*builder)->punctuals(filler);
    while ((*builder)->snapshot()->generation() < segments) std::this_thread::yield();
  };
  Events names;
  names.lanes = events.lanes;
  names.types = events.types;
  testing_traces::feed(**builder, names);
  seal(std::span(links).first(half), 1);
  seal(std::span(links).subspan(half), 2);
  const auto trace = (*builder)->snapshot();
  const auto parts = [](const store::Row& row) { return row.parts.size(); };
  EXPECT_EQ(std::ranges::max(trace->rows() | std::views::transform(parts)), 2U);
  EXPECT_EQ(passing(*trace, "answer == \"\""), unanswered_by_trees(trace));
}

TEST(MessageMetrics, CountWhatBecameOfMessages) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  Events events = requests();
  events.links.push_back({{}, {300}, ParamsId::none(), LaneId::none(), LaneId(2), EventTypeId(0)});
  const auto trace = build(events, folder / "t.weft");
  const auto count = [&](std::string_view id) {
    return metric_from_id(id)->measure(*trace, Selection::all(*trace), GroupBy::kPair, pool).sum;
  };
  EXPECT_EQ(count("unreceived"), 1);
  EXPECT_EQ(count("unsent"), 1);
  EXPECT_EQ(count("dropped"), 0);
  EXPECT_EQ(count("unanswered"), 4);
}

}  // namespace
}  // namespace weft::query
