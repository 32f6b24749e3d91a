// The heap of GHC over time, what collections did to it, and the collector that runs beside the
// program (nonmoving).
//
//   Heap                   allocated, size, blocks, live, in bytes; what collections copied
//   Concurrent collector   mark, synchronisation, sweep
//   Nonmoving heap         segments and blocks, by the size of a block
#pragma once

#include <string_view>

#include "core/formats/profiles/ghc/ghc_event.h"
#include "core/formats/profiles/ghc/ghc_variables.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ghc {

class Heap {
 public:
  explicit Heap(trace::EventSink& sink) : sink_(sink), variables_(sink), open_(sink) {}

  // Returns false if it is of no type that is known, or damaged.
  bool play(const Event& event);
  void finish(Time end) { open_.finish(end); }

 private:
  bool play_size(const Event& event);
  bool play_collection(const Event& event);
  bool play_memory_return(const Event& event);
  bool play_parameters(std::string_view payload);
  bool play_phase(const Event& event);
  bool play_census(const Event& event);
  LaneId group(LaneId& lane, std::string_view name);

  trace::EventSink& sink_;
  Variables variables_;
  stacks::OpenStates open_;
  LaneId heap_ = LaneId::none(), collector_ = LaneId::none(), nonmoving_ = LaneId::none();
  std::map<uint32_t, LaneId> by_block_size_;
};

}  // namespace weft::formats::ghc
