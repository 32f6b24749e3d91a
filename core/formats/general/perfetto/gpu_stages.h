// Packets that tell of the work of GPUs: its stages, and what Vulkan says of who handed it in and
// of what its objects are called.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/counter_lanes.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/gpu_links.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class GpuStages {
 public:
  GpuStages(trace::EventSink& sink, ftrace::Lanes& lanes, CounterLanes& counters, GpuLinks& links)
      : sink_(sink), lanes_(lanes), counters_(counters), links_(links) {}

  // Takes the content of a packet; returns false if it is of another kind, or tells of a call of
  // Vulkan, which is an event by itself.
  bool add(const Field& data, const Sequence& sequence, std::optional<Time> time, uint64_t offset);

 private:
  struct Description {
    std::string name, text;
  };
  using Descriptions = std::map<uint64_t, Description>;
  struct Stage;

  // Each returns false if the message is damaged.
  bool add_stage(std::string_view message, const Sequence& sequence, std::optional<Time> time,
                 uint64_t offset);
  bool take_field(const Field& field, const Sequence& sequence, Stage& stage);
  bool take_specification(const Field& field, const Sequence& sequence, Stage& stage);
  bool add_specifications(std::string_view message);
  bool add_vulkan_call(std::string_view message, Time time, uint64_t offset);
  bool name_object(std::string_view message, uint64_t offset);
  bool add_submission(std::string_view message, Time time, uint64_t offset);

  void add_context(const Sequence& sequence, Stage& stage) const;
  void add_handles(Stage& stage) const;
  std::string_view name_of_object(uint64_t type, uint64_t handle, int32_t pid) const;
  void link(const Stage& stage, LaneId lane, Time time, uint64_t offset);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  CounterLanes& counters_;
  GpuLinks& links_;
  Descriptions queues_, stages_;          // of the older form
  std::map<uint64_t, int32_t> programs_;  // by context, of the older form
  std::map<std::tuple<uint64_t, uint64_t, int32_t>, std::string> objects_;  // by type, handle, pid
};

}  // namespace weft::formats::perfetto
