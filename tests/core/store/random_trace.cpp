#include "tests/core/store/random_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "core/base/thread_pool.h"
#include "core/store/builder.h"

namespace weft::testing_traces {

Events random_events(uint32_t seed, uint32_t lanes, uint32_t states, int64_t origin) {
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t n) { return static_cast<int64_t>(random() % n); };
  Events events;
  events.lanes = lanes;
  events.types = 1 + static_cast<uint32_t>(below(20));
  const auto type = [&] {
    return EventTypeId(static_cast<uint32_t>(std::min(below(events.types), below(events.types))));
  };
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    struct Open {
      int64_t begin;
      EventTypeId type;
    };
    std::vector<Open> stack;
    int64_t t = origin + below(1000);
    uint32_t left = states / lanes;
    while (left > 0 || !stack.empty()) {
      t += below(8) == 0 ? below(1 << below(16)) : below(20);
      const bool opens = left > 0 && (stack.empty() || (stack.size() < 6 && below(2) == 0));
      if (opens) {
        stack.push_back({t, type()});
        --left;
        continue;
      }
      const auto depth = static_cast<uint32_t>(stack.size());
      events.states.push_back({{stack.back().begin},
                               {t - stack.back().begin},
                               ParamsId::none(),
                               LaneId(lane),
                               stack.back().type,
                               depth});
      stack.pop_back();
    }
    for (uint32_t i = 0; i < states / lanes / 10; ++i) {
      const Time at{origin + below(static_cast<uint64_t>(t - origin + 1))};
      events.punctuals.push_back({at, ParamsId::none(), LaneId(lane), type()});
      // Those of every third lane are exact as double only.
      const auto value = static_cast<double>(below(100) + (lane % 3 == 0 ? 123'456'789 : 0));
      events.variables.push_back(
          {at, value / (lane % 2 == 0 ? 1 : 7), ParamsId::none(), LaneId(lane), type()});
      events.links.push_back({at, at + Duration{below(500) - 10}, ParamsId::none(), LaneId(lane),
                              LaneId(static_cast<uint32_t>(below(lanes))), type()});
    }
  }
  return events;
}

void feed(trace::EventSink& sink, const Events& events) {
  for (uint32_t i = 0; i < events.lanes; ++i)
    sink.add_lane({"lane " + std::to_string(i), LaneId::none(), trace::LaneKind::kThread, 0});
  for (uint32_t i = 0; i < events.types; ++i)
    sink.type(trace::Category::kState, "type " + std::to_string(i));
  sink.states(events.states);
  sink.punctuals(events.punctuals);
  sink.links(events.links);
  sink.variables(events.variables);
}

store::TracePtr build(const Events& events, const std::filesystem::path& path,
                      uint64_t memory_bytes) {
  ThreadPool pool(2);
  auto builder = store::StoreBuilder::create({path, "test", memory_bytes, false}, pool);
  EXPECT_TRUE(builder) << builder.error().message;
  feed(**builder, events);
  auto trace = (*builder)->finish();
  EXPECT_TRUE(trace) << trace.error().message;
  return *trace;
}

std::shared_ptr<io::NewFile> spill_file(const std::filesystem::path& folder) {
  auto file = io::SpillFile::create(folder);
  EXPECT_TRUE(file) << file.error().message;
  return std::make_shared<io::SpillFile>(std::move(*file));
}

}  // namespace weft::testing_traces
