// cause_of and effect_of against the trees that they are made of.
#include "core/query/filter/causal_filter.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/base/thread_pool.h"
#include "core/query/event_stream.h"
#include "core/query/filter/filter_compiler.h"
#include "core/store/builder.h"
#include "core/trace/message_id.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using store::RowKind;

// Three queues in a row. What each handles it hands on, until the last has it; one message in five
// gets lost, and one in seven is only received.
class CausalFilter : public testing::Test {
 protected:
  void SetUp() override {
    ThreadPool pool(2);
    const auto builder = store::StoreBuilder::create({folder_ / "t.weft", "test"}, pool);
    ASSERT_TRUE(builder);
    store::StoreBuilder& sink = **builder;
    const LaneId app = sink.add_lane({.name = "app"});
    for (int i = 0; i < 3; ++i)
      lanes_.push_back(sink.add_lane({.name = fmt::format("queue {}", i), .parent = app}));
    const EventTypeId message = sink.type(trace::Category::kLink, "message", "");
    const EventTypeId work = sink.type(trace::Category::kState, "work", "");
    uint64_t uid = 0;
    for (int64_t t = 0; t < 30'000; t += 100) {
      for (size_t lane = 0; lane < 2; ++lane) {
        const int64_t send = t + static_cast<int64_t>(lane) * 30 + 5;
        const ParamsId params = sink.params(fmt::format(R"({{"uid":{}}})", ++uid), {});
        const trace::LinkEvent link{
            .send = {send},
            .receive = {send + 20},
            .params = params,
            .source = uid % 7 == 0 ? LaneId::none() : lanes_[lane],
            .target = uid % 5 == 0 && uid % 7 != 0 ? LaneId::none() : lanes_[lane + 1],
            .type = message};
        sink.give(link);
        if (link.target.is_none()) continue;
        sink.give(trace::StateEvent{.begin = link.receive,
                                    .duration = {15},
                                    .params = ParamsId::none(),
                                    .lane = link.target,
                                    .type = work});
      }
    }
    last_uid_ = uid;
    auto trace = (*builder)->finish();
    ASSERT_TRUE(trace);
    trace_ = *trace;
  }

  struct Found {
    std::set<uint64_t> uids;
    std::set<Time> states;
    bool operator==(const Found&) const = default;
  };

  // The events that pass, found by checking every event from each of its ends.
  Found passing(const std::string& text) const {
    Found found;
    const auto filter = compile_filter(text, *trace_);
    EXPECT_TRUE(filter) << filter.error().one_line(text);
    if (!filter) return found;
    for (const store::Row& row : trace_->rows()) {
      const auto of_row = (*filter)->for_row(*trace_, row);
      for (uint64_t i = 0; i < row.count; ++i) {
        const store::Record record = trace_->record(row, i);
        if (!of_row.passes(record)) continue;
        if (row.kind == RowKind::kState) found.states.insert(record.begin);
        if (is_link(row.kind))
          found.uids.insert(*trace::message_id(trace_->params(record.params).json));
      }
    }
    return found;
  }

  Found in_tree(uint64_t uid, Causal direction) const {
    const Elements elements(trace_);
    const auto place = message_with_id(*trace_, uid);
    EXPECT_TRUE(place);
    Found found;
    for (const CausalMessage& message :
         Causality(elements).tree(*elements.at(*place), direction, 1'000).messages) {
      found.uids.insert(*trace::message_id(trace_->params(message.record.params).json));
      if (message.handling.state) found.states.insert(message.handling.state->record.begin);
    }
    return found;
  }

  std::string error_of(const std::string& text) const {
    const auto filter = compile_filter(text, *trace_);
    return filter ? "none" : filter.error().one_line(text);
  }

  ScratchFolder folder_;
  std::vector<LaneId> lanes_;
  uint64_t last_uid_ = 0;
  store::TracePtr trace_;
};

TEST_F(CausalFilter, LetsTheTreePass) {
  size_t most = 0;
  for (uint64_t uid = 1; uid <= last_uid_; uid += 3) {
    const Found causes = in_tree(uid, Causal::kCauses);
    EXPECT_EQ(passing(fmt::format("cause_of == {}", uid)), causes) << uid;
    EXPECT_EQ(passing(fmt::format("effect_of == 0x{:X}", uid)), in_tree(uid, Causal::kEffects));
    most = std::max(most, causes.uids.size());
  }
  EXPECT_EQ(most, 2U);
}

TEST_F(CausalFilter, GoesWithOtherConditions) {
  EXPECT_EQ(passing("cause_of in [2, 4]").uids, (std::set<uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(passing("cause_of == 2 && source == \"queue 0\"").uids, (std::set<uint64_t>{1}));
  EXPECT_EQ(passing("category == link && cause_of != 2").uids.size(), last_uid_ - 2);
  EXPECT_TRUE(passing("cause_of == 2 && category == link").states.empty());
}

TEST_F(CausalFilter, KnowsMessagesAndStatesByTheirPlace) {
  EXPECT_EQ(passing("effect_of == \"app/queue 0@5\""), passing("effect_of == 1"));
  EXPECT_EQ(passing("effect_of == \"queue 0@5\"").uids, (std::set<uint64_t>{1, 2}));
  // The state that handles message 1, and what it sends.
  const Found handling = passing("effect_of == \"queue 1@25\"");
  EXPECT_EQ(handling.uids, (std::set<uint64_t>{2}));
  EXPECT_TRUE(handling.states.contains({25}));
  EXPECT_EQ(passing("effect_of == \"queue 1@25#0\""), handling);
}

TEST_F(CausalFilter, SaysWhatItCannotFind) {
  EXPECT_EQ(error_of("cause_of == 99999"), "column 13: no message has the id 99999");
  EXPECT_EQ(error_of("cause_of == timer"),
            "column 13: 'timer' is neither an id of a message nor LANE@TIME");
  EXPECT_EQ(error_of("cause_of == \"queue 0@6\""), "column 13: nothing begins at 'queue 0@6'");
  EXPECT_EQ(error_of("cause_of == \"nowhere@5\""), "column 13: nothing begins at 'nowhere@5'");
  EXPECT_EQ(error_of("cause_of == \"queue 0@5#x\""), "column 13: 'x' is not a depth");
  EXPECT_NE(error_of("cause_of == \"queue 0@soon\""), "none");
  EXPECT_EQ(error_of("cause_of > 5"),
            "column 1: '>' compares values, and cause_of names a message: cause_of == 77");
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_FALSE(compile_filter("cause_of == 2", *trace_, stopped.get_token()));
}

}  // namespace
}  // namespace weft::query
