// Causes and effects, against loops over all messages and states.
#include "core/query/messages/causality.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "core/base/thread_pool.h"
#include "core/store/builder.h"
#include "core/trace/message_id.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;
using store::RowKind;
using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

constexpr size_t kAll = 100'000;

struct CausalSample {
  ScratchFolder folder;
  store::TracePtr trace;
  Elements elements;
  Causality causality;

  explicit CausalSample(const Events& events)
      : trace(build(events, folder / "t.weft")), elements(trace), causality(elements) {}

  std::vector<EventPlace> places(RowKind kind) const {
    std::vector<EventPlace> all;
    for (uint32_t i = 0; i < trace->rows().size(); ++i) {
      const Row& row = trace->row(RowId(i));
      for (uint64_t r = 0; row.kind == kind && r < row.count; ++r)
        all.push_back({trace->record(row, r).begin, RowId(i), 0, r});
    }
    return all;
  }
  LinkEnds ends(const EventPlace& place) const {
    const Row& row = trace->row(place.row);
    return ends_of(row.kind, row.lane, trace->record(row, place.index));
  }
};

// The definition: whether what `lane` sends at `time` follows from what it received at `receive`.
// Innermost: the deepest state that holds the instant.
class PlainHandling {
 public:
  explicit PlainHandling(const store::Trace& trace) {
    for (const Row& row : trace.rows()) {
      states_[row.lane];
      for (uint64_t i = 0; i < row.count; ++i) {
        const Record record = trace.record(row, i);
        if (row.kind == RowKind::kState) states_[row.lane].push_back({row.depth, record});
        if (row.kind == RowKind::kLinkIn) receives_[row.lane].insert(record.begin);
        if (row.kind == RowKind::kLinkOut) sends_[row.lane].insert(record.begin);
      }
    }
  }

  bool covers(LaneId lane, Time receive, Time time) const {
    if (time < receive) return false;
    const State* innermost = nullptr;
    for (const State& state : states_.at(lane)) {
      const bool runs = state.record.begin == receive ||
                        (state.record.begin < receive && receive < state.record.end());
      if (runs && (innermost == nullptr || state.depth > innermost->depth)) innermost = &state;
    }
    if (innermost != nullptr && (time < innermost->record.end() || time == receive)) return true;
    if (innermost != nullptr && !merely_takes(lane, innermost->record, receive)) return false;
    for (const Time other : receives_.at(lane)) {
      if (receive < other && other <= time) return false;
    }
    return true;
  }

 private:
  bool merely_takes(LaneId lane, const Record& state, Time receive) const {
    const auto sends = sends_.find(lane);
    if (state.begin >= receive) return false;
    if (sends == sends_.end()) return true;
    const auto next = sends->second.lower_bound(receive);
    return next == sends->second.end() || *next >= std::max(state.end(), receive + Duration{1});
  }

  struct State {
    uint32_t depth;
    Record record;
  };
  std::map<LaneId, std::vector<State>> states_;
  std::map<LaneId, std::set<Time>> receives_, sends_;
};

std::set<EventPlace> as_set(const std::vector<EventPlace>& places) {
  return {places.begin(), places.end()};
}

TEST(Causality, StepsAreThoseOfAPlainLoop) {
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    Events events = random_events(seed, 4, 1'500);
    if (seed % 2 == 0)
      std::erase_if(events.states, [](const auto& s) { return s.lane.value() < 2; });
    if (seed == 5) events.states.clear();
    const CausalSample sample(events);
    const PlainHandling plain(*sample.trace);
    const auto sent = sample.places(RowKind::kLinkOut);
    const auto received = sample.places(RowKind::kLinkIn);
    ASSERT_GT(sent.size(), 100U);
    uint64_t steps = 0;
    std::map<EventPlace, std::set<EventPlace>> effects;
    for (const EventPlace& m : sent) {
      const LinkEnds ends = sample.ends(m);
      std::set<EventPlace> causes;
      for (const EventPlace& p : received) {
        if (sample.ends(p).target != ends.source) continue;
        if (!plain.covers(ends.source, sample.ends(p).receive, ends.send)) continue;
        causes.insert(p);
        effects[p].insert(m);
        ++steps;
      }
      const MessagePlaces found = sample.causality.causes_at(ends.source, ends.send, kAll);
      EXPECT_EQ(as_set(found.all), causes);
      EXPECT_EQ(found.all.size(), causes.size());
      EXPECT_FALSE(found.is_cut);
    }
    for (const EventPlace& p : received) {
      const LinkEnds ends = sample.ends(p);
      const Handling handling = sample.causality.handling_of(ends.target, ends.receive);
      const MessagePlaces found = sample.causality.sent_in(ends.target, handling.span, kAll);
      EXPECT_EQ(as_set(found.all), effects[p]);
      EXPECT_GE(handling.begin, ends.receive);
    }
    EXPECT_GT(steps, 50U) << "the trace says too little";
  }
}

// Everything that can be reached by plain steps, and nothing else, each once, nearest first.
TEST(Causality, TreesHoldAllThatIsReached) {
  const CausalSample sample(random_events(11, 5, 1'200));
  const PlainHandling plain(*sample.trace);
  const auto received = sample.places(RowKind::kLinkIn);
  const auto sent = sample.places(RowKind::kLinkOut);
  for (size_t i = 0; i < sent.size(); i += 7) {
    const Element root = *sample.elements.at(sent[i]);
    const auto tree = sample.causality.tree(root, Causal::kEffects, kAll);
    std::set<EventPlace> reached = {sent[i]};
    std::vector<EventPlace> open = {sent[i]};
    while (!open.empty()) {
      const LinkEnds from = sample.ends(open.back());
      open.pop_back();
      for (const EventPlace& m : sent) {
        const LinkEnds ends = sample.ends(m);
        if (!from.is_received() || ends.source != from.target) continue;
        if (plain.covers(from.target, from.receive, ends.send) && reached.insert(m).second)
          open.push_back(m);
      }
    }
    std::set<EventPlace> found;
    uint32_t distance = 0;
    for (const CausalMessage& message : tree.messages) {
      EXPECT_TRUE(found.insert(message.place).second);
      EXPECT_GE(message.distance, distance);
      distance = message.distance;
      if (message.distance == 0) continue;
      EXPECT_EQ(tree.messages.at(message.from).distance + 1, message.distance);
    }
    EXPECT_EQ(found, reached);
    EXPECT_FALSE(tree.is_cut);
  }
}

// A relay: 0 → 1 → 2, what 1 sends when it is done follows from nothing.
Events relay() {
  Events events;
  events.lanes = 3;
  events.types = 1;
  events.add_state(0, 0, 10);
  events.add_state(1, 20, 30);
  events.add_state(2, 40, 50);
  events.add_link(0, 5, 1, 20);
  events.add_link(1, 25, 2, 38);
  events.add_link(1, 35, 2, 60);
  return events;
}

TEST(Causality, KnowsWaitingAndHandling) {
  const CausalSample sample(relay());
  const Element first = *sample.elements.at({{5}, RowId(1), 0, 0});
  ASSERT_TRUE(first.is_link());
  const auto tree = sample.causality.tree(first, Causal::kEffects, 10);
  ASSERT_EQ(tree.messages.size(), 2U);
  EXPECT_EQ(tree.messages[0].travel(), Duration{15});
  EXPECT_EQ(tree.messages[0].waiting(), Duration{0});
  EXPECT_EQ(tree.messages[0].handling.span, (TimeRange{{20}, {30}}));
  // Received before the state that handles it.
  EXPECT_EQ(tree.messages[1].ends.send, Time{25});
  EXPECT_EQ(tree.messages[1].waiting(), Duration{2});
  EXPECT_EQ(tree.messages[1].handling.state->record.begin, Time{40});

  const Element state = sample.elements.states_at(LaneId(1), {25}).at(0);
  const auto causes = sample.causality.tree(state, Causal::kCauses, 10);
  ASSERT_EQ(causes.messages.size(), 1U);
  EXPECT_EQ(causes.messages[0].ends.send, Time{5});
  EXPECT_TRUE(sample.causality.tree(state, Causal::kEffects, 0).is_cut);
}

// Two lanes whose clocks disagree answer each other before they are asked.
TEST(Causality, CirclesAndMissingEndsEnd) {
  Events events;
  events.lanes = 2;
  events.types = 1;
  const auto link = [&](LaneId source, int64_t send, LaneId target, int64_t receive) {
    events.links.push_back({{send}, {receive}, ParamsId::none(), source, target, EventTypeId(0)});
  };
  link(LaneId(0), 10, LaneId(1), 5);
  link(LaneId(1), 6, LaneId(0), 9);
  link(LaneId(0), 20, LaneId::none(), 0);
  link(LaneId::none(), 0, LaneId(1), 30);
  const CausalSample sample(events);
  const auto tree_of = [&](const EventPlace& place, Causal direction) {
    return sample.causality.tree(*sample.elements.at(place), direction, 100);
  };
  for (const EventPlace& place : sample.places(RowKind::kLinkOut)) {
    const bool is_lost = !sample.ends(place).is_received();
    EXPECT_EQ(tree_of(place, Causal::kEffects).messages.size(), is_lost ? 1U : 3U);
  }
  for (const EventPlace& place : sample.places(RowKind::kLinkIn)) {
    const bool is_orphan = !sample.ends(place).is_sent();
    EXPECT_EQ(tree_of(place, Causal::kCauses).messages.size(), is_orphan ? 1U : 2U);
    EXPECT_EQ(tree_of(place, Causal::kEffects).messages.size(), is_orphan ? 1U : 3U);
  }
}

TEST(Causality, SaysWhereItIsCut) {
  Events events;
  events.lanes = 2;
  events.types = 1;
  events.states.push_back({{0}, {100'000}, ParamsId::none(), LaneId(0), EventTypeId(0), 0});
  for (int64_t i = 0; i < 20'000; ++i) {
    events.links.push_back({{i}, {i + 1}, ParamsId::none(), LaneId(1), LaneId(0), EventTypeId(0)});
  }
  events.links.push_back(
      {{90'000}, {90'001}, ParamsId::none(), LaneId(0), LaneId(1), EventTypeId(0)});
  const CausalSample sample(events);
  const MessagePlaces causes = sample.causality.causes_at(LaneId(0), {90'000}, 50);
  EXPECT_EQ(causes.all.size(), 50U);
  EXPECT_TRUE(causes.is_cut);
  std::stop_source stopped;
  stopped.request_stop();
  const Element state = sample.elements.states_at(LaneId(0), {1}).at(0);
  EXPECT_TRUE(
      sample.causality.tree(state, Causal::kCauses, 50, stopped.get_token()).messages.empty());
}

TEST(MessageId, IsTheFirstOfTheParameters) {
  using trace::message_id;
  EXPECT_EQ(message_id(R"({"uid":77,"priority":2})"), 77U);
  EXPECT_EQ(message_id(R"( { "id" : "0x4D" } )"), 77U);
  EXPECT_EQ(message_id(R"({"id":"4d"})"), 77U);
  EXPECT_EQ(message_id(R"({"id":"77"})"), 77U);
  EXPECT_EQ(message_id(R"({"uid":18446744073709551615})"), ~uint64_t{0});
  for (const char* text :
       {"", "{}", R"({"priority":2,"uid":77})", R"({"uid":)", R"({"uid":7.5})", R"({"uid":-1})",
        R"({"uid":"x"})", R"({"uid":"7)", R"({"uid":18446744073709551616})"})
    EXPECT_FALSE(message_id(text)) << text;
}

// Messages with ids that count up, with random ones, with one that comes twice; some never arrive.
TEST(MessageId, FindsEveryMessage) {
  for (const bool is_random : {false, true}) {
    ScratchFolder folder;
    ThreadPool pool(2);
    auto builder = *store::StoreBuilder::create({folder / "t.weft", "test"}, pool);
    std::mt19937_64 random(3);
    std::map<uint64_t, uint64_t> counts;
    std::vector<LaneId> lanes;
    for (int i = 0; i < 5; ++i) lanes.push_back(builder->add_lane({.name = std::to_string(i)}));
    const EventTypeId type = builder->type(trace::Category::kLink, "m", "");
    for (int64_t i = 0; i < 20'000; ++i) {
      const uint64_t id = is_random ? random() : static_cast<uint64_t>(i == 9'999 ? 777 : i);
      const std::string json = R"({"uid":)" + std::to_string(id) + "}";
      const bool is_lost = i % 97 == 0, is_orphan = i % 101 == 0;
      builder->give(
          trace::LinkEvent{.send = {i},
                           .receive = {i + static_cast<int64_t>(random() % 100)},
                           .params = builder->params(json, {}),
                           .source = is_orphan ? LaneId::none() : lanes[random() % 5],
                           .target = is_lost && !is_orphan ? LaneId::none() : lanes[random() % 5],
                           .type = type});
      ++counts[id];
    }
    const auto trace = builder->finish();
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_TRUE((*trace)->verify());
    uint64_t looked_for = 0;
    for (const auto& [id, count] : counts) {
      if (count == 1 && ++looked_for % 64 != 0) continue;
      const auto places = messages_with_id(**trace, id, 10);
      EXPECT_EQ(places.size(), count) << id;
      for (const EventPlace& place : places) {
        const Record record = (*trace)->record((*trace)->row(place.row), place.index);
        EXPECT_EQ(trace::message_id((*trace)->params(record.params).json), id);
      }
    }
    EXPECT_TRUE(messages_with_id(**trace, 20'001, 10).empty());
  }
}

}  // namespace
}  // namespace weft::query
