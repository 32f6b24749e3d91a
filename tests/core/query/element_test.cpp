// Single elements and what hangs together with them, against loops over all events.
#include "core/query/element.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;
using store::RowKind;
using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

struct ElementSample {
  ScratchFolder folder;
  store::TracePtr trace;
  std::vector<Element> all;  // of every row, in the store's order, as find() names them

  explicit ElementSample(const Events& events) : trace(build(events, folder / "t.weft")) {
    for (uint32_t i = 0; i < trace->rows().size(); ++i) {
      const Row& row = trace->row(RowId(i));
      std::map<std::tuple<Time, EventTypeId, LaneId, Duration>, uint32_t> seen;
      for (uint64_t r = 0; r < row.count; ++r) add(RowId(i), row, trace->record(row, r), seen);
    }
  }

 private:
  template <class Seen>
  void add(RowId id, const Row& row, const Record& record, Seen& seen) {
    const bool is_link = row.kind == RowKind::kLinkOut || row.kind == RowKind::kLinkIn;
    ElementRef ref;
    ref.lane = row.lane;
    ref.kind = row.kind;
    ref.which = row.kind == RowKind::kState      ? row.depth
                : row.kind == RowKind::kVariable ? row.variable.value()
                                                 : 0;
    ref.begin = record.begin;
    ref.type = record.type;
    ref.duration = record.duration;
    if (is_link) ref.peer = record.peer;
    ref.nth = seen[{ref.begin, ref.type, ref.peer, is_link ? ref.duration : Duration{}}]++;
    all.push_back({id, record, ref});
  }
};

// The plain loop: elements in order of begin, then of rows, then of the store.
std::optional<ElementRef> plain_neighbour(const std::vector<Element>& all, const Element& from,
                                          Direction direction, bool of_type) {
  std::vector<const Element*> candidates;
  for (const Element& element : all) {
    const bool is_there = of_type ? element.ref.lane == from.ref.lane &&
                                        element.ref.kind == from.ref.kind &&
                                        element.ref.type == from.ref.type
                                  : element.row == from.row;
    if (is_there) candidates.push_back(&element);
  }
  std::ranges::stable_sort(candidates, {}, [](const Element* e) { return e->record.begin; });
  const auto own = std::ranges::find(candidates, &from);
  if (direction == Direction::kNext) {
    return own + 1 == candidates.end() ? std::nullopt : std::optional(own[1]->ref);
  }
  return own == candidates.begin() ? std::nullopt : std::optional(own[-1]->ref);
}

std::optional<ElementRef> ref_of(const std::optional<Element>& element) {
  return element ? std::optional(element->ref) : std::nullopt;
}

TEST(Elements, AreFoundByTheirNames) {
  const ElementSample sample(random_events(1, 3, 1'500));
  const Elements elements(sample.trace);
  for (const Element& element : sample.all) {
    const auto found = elements.find(element.ref);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->row, element.row);
    EXPECT_EQ(found->ref, element.ref);
  }
  ElementRef nowhere = sample.all.front().ref;
  nowhere.nth = 9;
  EXPECT_FALSE(elements.find(nowhere));
  nowhere = sample.all.front().ref;
  nowhere.lane = LaneId::none();
  EXPECT_FALSE(elements.find(nowhere));
}

TEST(Elements, HaveAPlace) {
  const ElementSample sample(random_events(1, 3, 1'500));
  const Elements elements(sample.trace);
  for (const Element& element : sample.all) {
    const auto place = elements.place_of(element.ref);
    ASSERT_TRUE(place);
    const auto there = elements.at(*place);
    ASSERT_TRUE(there);
    EXPECT_EQ(there->ref, element.ref);
  }
  ElementRef nowhere = sample.all.front().ref;
  nowhere.nth = 9;
  EXPECT_FALSE(elements.place_of(nowhere));
}

TEST(Elements, AreFoundAtAnotherDepthThanNamed) {
  const ElementSample sample(random_events(2, 1, 300));
  const Elements elements(sample.trace);
  ElementRef ref = sample.all.front().ref;
  ref.which = 77;
  EXPECT_EQ(ref_of(elements.find(ref)), sample.all.front().ref);
}

TEST(Elements, HaveTheNeighboursOfAPlainLoop) {
  const ElementSample sample(random_events(3, 2, 2'000));
  const Elements elements(sample.trace);
  std::mt19937_64 random(7);
  for (int i = 0; i < 400; ++i) {
    const Element& from = sample.all[random() % sample.all.size()];
    for (const Direction direction : {Direction::kNext, Direction::kPrevious}) {
      EXPECT_EQ(ref_of(elements.neighbour_in_row(from.ref, direction)),
                plain_neighbour(sample.all, from, direction, false));
      EXPECT_EQ(ref_of(elements.neighbour_of_type(from.ref, direction)),
                plain_neighbour(sample.all, from, direction, true));
    }
  }
}

TEST(Elements, KnowTheStatesAroundThemAndTheirSelfTime) {
  const ElementSample sample(random_events(4, 2, 1'500));
  const Elements elements(sample.trace);
  for (const Element& element : sample.all) {
    if (element.ref.kind != RowKind::kState) continue;
    std::vector<ElementRef> parents;
    int64_t self = element.record.duration.ticks;
    for (const Element& other : sample.all) {
      if (other.ref.kind != RowKind::kState || other.ref.lane != element.ref.lane) continue;
      const TimeRange span = {other.record.begin, other.record.end()};
      if (other.ref.which < element.ref.which && span.contains(element.record.begin)) {
        parents.push_back(other.ref);
      }
      if (other.ref.which == element.ref.which + 1) {
        const Time begin = std::max(other.record.begin, element.record.begin);
        const Time end = std::min(other.record.end(), element.record.end());
        self -= std::max<int64_t>(0, (end - begin).ticks);
      }
    }
    EXPECT_EQ(elements.self_time(element).ticks, self);
    const auto found = elements.parents_of(element);
    ASSERT_EQ(found.size(), parents.size()) << element.record.begin.ticks;
    for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].ref, parents[i]);
  }
}

TEST(Elements, KnowTheLinksThatLeaveAndReachThem) {
  const ElementSample sample(random_events(5, 3, 1'500));
  const Elements elements(sample.trace);
  for (const Element& element : sample.all) {
    if (element.ref.kind != RowKind::kState || element.record.duration.ticks == 0) continue;
    const TimeRange span = {element.record.begin, element.record.end()};
    uint64_t sent = 0, received = 0;
    for (const Element& other : sample.all) {
      if (other.ref.lane != element.ref.lane || !span.contains(other.record.begin)) continue;
      if (other.ref.kind == RowKind::kLinkOut) ++sent;
      if (other.ref.kind == RowKind::kLinkIn) ++received;
    }
    const Links found = elements.links_sent(element, 5);
    EXPECT_EQ(found.count, sent);
    EXPECT_EQ(found.links.size(), std::min<uint64_t>(5, sent));
    EXPECT_EQ(elements.links_received(element, 1'000).links.size(), received);
  }
}

// lane 0: [== a ==]--+            +->[= d =]
// lane 1:            +->[= b =]---+
// lane 2:               [= c =]        nothing leads here
Events relay_with_bystander() {
  Events events;
  events.lanes = 3;
  events.add_state(0, 0, 10);
  events.add_state(1, 20, 30);
  events.add_state(2, 20, 30);
  events.add_state(0, 40, 50);
  events.add_link(0, 5, 1, 20);
  events.add_link(1, 25, 0, 40);
  return events;
}

TEST(Elements, AreMetByTheEndsOfLinks) {
  const ElementSample sample(relay_with_bystander());
  const Elements elements(sample.trace);
  const auto at = [&](uint32_t lane, int64_t time) {
    return elements.states_at(LaneId(lane), {time}).at(0);
  };
  const LinkEnds first = ends_of(elements.links_sent(at(0, 0), 1).links.at(0));
  EXPECT_EQ(elements.receiver_of(first)->ref, at(1, 20).ref);
  EXPECT_EQ(elements.sender_of(first)->ref, at(0, 0).ref);
  EXPECT_EQ(ends_of(elements.links_received(at(1, 20), 1).links.at(0)), first);
}

}  // namespace
}  // namespace weft::query
