// Turns the events of a .NET trace, in order of time, into lanes by process and thread, states of
// the garbage collector, of the execution engine and of threads, samples, and counters.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/formats/profiles/nettrace/nettrace_held.h"
#include "core/formats/profiles/nettrace/nettrace_roles.h"
#include "core/formats/profiles/nettrace/nettrace_values.h"
#include "core/trace/event_sink.h"

namespace weft::formats::nettrace {

struct Event {
  const Shown* of = nullptr;
  Time time;
  uint64_t process = 0, thread = 0;
  std::string thread_name;
  uint32_t processor = UINT32_MAX;
  uint64_t stack = kNoStack;
  std::string activity, related;  // GUIDs as texts
  std::vector<std::pair<std::string, std::string>> labels;
  std::string payload;
  uint64_t offset = 0;
};

class Player {
 public:
  Player(trace::EventSink& sink, uint64_t memory_bytes) : sink_(sink), held_(sink, memory_bytes) {}

  Held& held() { return held_; }
  void set_pointer_bytes(uint32_t bytes);
  void set_ticks_per_second(int64_t ticks) { ticks_per_second_ = ticks; }
  void add(const Event& event);
  void finish();

 private:
  struct Open {
    Time begin;
    LaneId lane;
    EventTypeId type;
    std::string json;
    uint64_t stack = kNoStack;
    uint64_t process = 0, offset = 0;
  };
  struct Sent {
    LaneId lane;
    Time time;
  };

  void add_by_role(const Event& event, const Values& values);
  void add_instant(const Event& event, const Values& values, LaneId lane);
  void add_pair(const Event& event, const Values& values);
  void add_collection(const Event& event, const Values& values);
  void add_suspension(const Event& event, const Values& values);
  void add_sample(const Event& event, const Values& values);
  void add_switch(const Event& event, const Values& values);
  void add_statistics(const Event& event, const Values& values, std::string_view lane);
  void add_counter(const Event& event, const Values& values);
  void add_meter(const Event& event, const Values& values);
  void add_about(const Event& event, const Values& values);
  void add_link(const Event& event, const Values& values);
  void add_variable(LaneId lane, std::string_view name, std::string_view group, Time time,
                    double value, ParamsId params = ParamsId::none());
  void begin(const std::string& key, const Event& event, LaneId lane, EventTypeId type,
             std::string json);
  // Returns false if nothing has begun.
  bool end(const std::string& key, Time time, LaneId lane, std::string_view json);
  void give(Open&& state, Time end, uint32_t nesting);
  std::string params_of(const Event& event, const Values& values) const;

  LaneId process(uint64_t number);
  static trace::Lane process_lane(uint64_t number, std::string name);
  LaneId thread(const Event& event);
  LaneId of_process(uint64_t process, std::string_view path);
  LaneId samples_of(LaneId thread);

  trace::EventSink& sink_;
  Held held_;
  uint32_t pointer_bytes_ = sizeof(uint64_t);
  int64_t ticks_per_second_ = 1;
  Time last_ = Time::min();
  std::map<uint64_t, LaneId> processes_;
  std::map<std::tuple<uint64_t, uint64_t, std::string>, LaneId> threads_;
  std::map<std::pair<uint64_t, std::string>, LaneId> of_processes_;
  std::map<uint32_t, LaneId> samples_;
  std::map<std::string, std::vector<Open>> open_;
  size_t open_count_ = 0;
  std::map<std::string, Sent> sent_;
  std::set<uint64_t> named_;  // processes whose lanes have their command in the name
};

}  // namespace weft::formats::nettrace
