// Random traces for tests: events as plain lists, to be given to a builder and to a plain loop.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/io/output_file.h"
#include "core/store/trace.h"
#include "core/trace/event_sink.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::testing_traces {

using test::ScratchFolder;

struct Events {
  uint32_t lanes = 1;
  uint32_t types = 1;
  std::vector<trace::StateEvent> states;
  std::vector<trace::PunctualEvent> punctuals;
  std::vector<trace::LinkEvent> links;
  std::vector<trace::VariableSample> variables;

  // Adds a state of the first type.
  void add_state(uint32_t lane, int64_t begin, int64_t end) {
    states.push_back({{begin}, {end - begin}, ParamsId::none(), LaneId(lane), EventTypeId(0), 0});
  }
  void add_link(uint32_t source, int64_t send, uint32_t target, int64_t receive) {
    links.push_back(
        {{send}, {receive}, ParamsId::none(), LaneId(source), LaneId(target), EventTypeId(0)});
  }
};

// Call stacks of bursts and pauses: durations and gaps over several orders of magnitude.
Events random_events(uint32_t seed, uint32_t lanes, uint32_t states, int64_t origin = 0);

void feed(trace::EventSink& sink, const Events& events);

store::TracePtr build(const Events& events, const std::filesystem::path& path,
                      uint64_t memory_bytes = 400 << 20);

// A file for a store of parameters.
std::shared_ptr<io::NewFile> spill_file(const std::filesystem::path& folder);

}  // namespace weft::testing_traces
