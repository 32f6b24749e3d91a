// The events of a Fuchsia trace → states, punctual events, variables and links.
//
//   process   name   asynchronous operations of this name
//             name.argument   a counter
//     thread  durations, instants, logs; flows between them
//
// Records come by provider, so what belongs together is put in order of time (perfetto/timeline.h).
// A flow goes by its number within a process; a step or an end that its process knows no begin of
// belongs to the one other process that has one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/formats/base/by_name.h"
#include "core/formats/general/chrome_json/output.h"
#include "core/formats/general/fxt/fxt_arguments.h"
#include "core/formats/general/fxt/fxt_objects.h"
#include "core/formats/general/fxt/fxt_provider.h"
#include "core/formats/general/perfetto/timeline.h"

namespace weft::formats::fxt {

class Events {
 public:
  Events(trace::EventSink& sink, ftrace::Lanes& lanes, Objects& objects, uint64_t memory_bytes);

  // Records of these types, whole. Returns false if they do not fit their own length.
  bool add_event(uint64_t header, Words record, const Provider& provider, uint64_t offset);
  bool add_log(uint64_t header, Words record, const Provider& provider, uint64_t offset);
  // A punctual event; behind the large header that is taken off.
  bool add_blob(uint64_t header, Words record, const Provider& provider, uint64_t offset);
  void finish();

 private:
  struct Event {
    uint64_t kind = 0;
    Time time{};
    ThreadId thread{};
    std::string_view category{}, name{};
    std::vector<Argument> arguments{};
    uint64_t offset = 0;
  };
  struct FlowPart {
    Time time{};
    uint64_t process = 0, id = 0;
    EventTypeId type = EventTypeId::none();
    LaneId lane = LaneId::none();
    perfetto::FlowPart part{};
    uint64_t offset = 0;
  };
  struct Async {
    uint64_t stack = 0;
    LaneId lane = LaneId::none();  // where what is open began
    uint32_t open = 0;             // begins without an end
    uint64_t ended = 0;            // its key in ended_, while none is open
  };
  using AsyncKey = std::pair<uint64_t, uint64_t>;  // process and number
  void add_duration(const Event& event, const Provider& provider, Words& rest);
  void add_async(const Event& event, const Provider& provider, Words& rest);
  Async* async_of(const AsyncKey& key);
  void add_counter(const Event& event, uint64_t id);
  void add_flow(const Event& event, uint64_t id);
  void resolve(const FlowPart& part);
  perfetto::Record record_of(const Event& event, perfetto::Action action, LaneId lane);
  EventTypeId type_of(trace::Category category, const Event& event);
  uint32_t number_of(std::string_view name);

  trace::EventSink& sink_;
  ftrace::Lanes& lanes_;
  Objects& objects_;
  perfetto::Timeline timeline_;
  chrome_json::Output links_;
  stacks::TimeOrder<FlowPart> order_;
  perfetto::Flows flows_;
  // By number of the flow: processes that began one.
  std::unordered_map<uint64_t, std::vector<uint64_t>> flow_owners_;
  const size_t most_owners_;
  ByName<uint32_t> names_;
  std::map<AsyncKey, Async> asyncs_;
  std::map<uint64_t, AsyncKey> ended_;  // that are over, the first to end first
  uint64_t ends_ = 0;
};

}  // namespace weft::formats::fxt
