// A small .weft with something of everything in it: lanes in a tree, nested states, punctual
// events, links with and without ends, variables, parameters, payloads, metadata and losses.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/store/builder.h"

namespace weft::test {

// Lane `i` of the trace gets its share of `states` states and the rest in proportion.
inline void fill_lane(trace::EventSink& sink, LaneId lane, LaneId other, int states) {
  const EventTypeId work = sink.type(trace::Category::kState, "work", "sample");
  const EventTypeId part = sink.type(trace::Category::kState, "part of work");
  const EventTypeId mark = sink.type(trace::Category::kPunctual, "mark");
  const EventTypeId message = sink.type(trace::Category::kLink, "message");
  const EventTypeId load = sink.type(trace::Category::kVariable, "load");
  const std::byte payload[] = {std::byte{0xCA}, std::byte{0xFE}};
  for (int i = 0; i < states / 2; ++i) {
    const int64_t t = 100 * i + 7 * (i % 13);
    const ParamsId params = sink.params("{\"n\": " + std::to_string(i % 50) + "}", payload);
    sink.states(
        {{{{t}, {60 + i % 9}, params, lane, work}, {{t + 5}, {20}, ParamsId::none(), lane, part}}});
    if (i % 4 != 0) continue;
    sink.punctuals({{{{t + 3}, params, lane, mark}}});
    sink.variables({{{{t}, 0.25 * (i % 17), ParamsId::none(), lane, load}}});
    sink.links({{{{t + 1},
                  {t + 40},
                  ParamsId::none(),
                  lane,
                  i % 12 == 0 ? LaneId::none() : other,
                  message}}});
  }
}

inline Status write_small_trace(const std::filesystem::path& path, int lanes, int states_per_lane) {
  ThreadPool pool(1);
  WEFT_TRY_ASSIGN(auto builder,
                  store::StoreBuilder::create({.path = path, .format = "test"}, pool));
  builder->set_metadata("made by", "write_small_trace");
  const LaneId process = builder->add_lane({"process", LaneId::none(), trace::LaneKind::kProcess});
  std::vector<LaneId> threads;
  for (int i = 0; i < lanes; ++i) {
    threads.push_back(
        builder->add_lane({"thread " + std::to_string(i), process, trace::LaneKind::kThread, i}));
  }
  for (int i = 0; i < lanes; ++i)
    fill_lane(*builder, threads[i], threads[(i + 1) % lanes], states_per_lane);
  builder->loss("a loss for the test", 42, 1, true);
  WEFT_TRY(builder->finish());
  return {};
}

}  // namespace weft::test
