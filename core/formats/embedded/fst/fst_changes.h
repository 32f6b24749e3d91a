// The changes in one block of an FST file: a table of times, and for each handle its changes, which
// name times of the table by how many they are further.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/formats/embedded/fst/fst_hierarchy.h"
#include "core/formats/embedded/vcd/vcd_signals.h"
#include "core/formats/embedded/vcd/vcd_time_scale.h"
#include "core/trace/event_sink.h"

namespace weft::formats::fst {

class Changes {
 public:
  Changes(trace::EventSink& sink, vcd::Signals& signals, const std::vector<Geometry>& geometry,
          vcd::TimeScale scale, int64_t zero, bool is_swapped, uint64_t most_bytes)
      : sink_(sink),
        signals_(signals),
        geometry_(geometry),
        scale_(scale),
        zero_(zero),
        is_swapped_(is_swapped),
        most_bytes_(most_bytes) {
    if (const auto first = scale_.ticks_of(zero_)) last_ = first->time;
  }

  enum class Aliases : uint8_t { kNone, kOld, kNew };  // how shared changes are encoded
  // `offset` is the block's in the input.
  void add(std::string_view block, Aliases aliases, uint64_t offset);
  Time last() const { return last_; }

 private:
  // Times with equal steps between them, as those of a dump that notes every tick: of 10^9 times
  // there may be one.
  struct Run {
    uint64_t index = 0, ticks = 0, step = 0;  // of the first time
  };
  struct Chain {
    uint64_t begin = 0, end = 0;  // in the change data; 0: none
  };

  bool take_times(std::string_view& block);
  bool add_steps(std::string_view bytes, uint64_t most);
  static bool take_chains(std::string_view index, Aliases aliases, uint64_t most, uint64_t end,
                          std::vector<Chain>& chains);
  bool add_changes(uint64_t handle, std::string_view changes, std::string_view before, Time begin);
  void give(uint64_t handle, std::string_view value, Time time);
  Time time_at(uint64_t index, size_t& run);  // of the time table
  Time time_of(uint64_t ticks);

  trace::EventSink& sink_;
  vcd::Signals& signals_;
  const std::vector<Geometry>& geometry_;
  vcd::TimeScale scale_;
  int64_t zero_;                       // what is added to all times, in their unit
  bool is_swapped_;                    // reals have their bytes in the other order
  uint64_t most_bytes_;                // limit of one unpacked part
  std::vector<Run> runs_;              // the times of the block
  uint64_t times_ = 0;                 // number of times
  uint64_t ticks_ = 0;                 // of the last time
  uint64_t step_ = 0, step_bits_ = 0;  // as far as it is taken
  Time last_;
  uint64_t offset_ = 0;
  bool is_first_ = true;
};

}  // namespace weft::formats::fst
