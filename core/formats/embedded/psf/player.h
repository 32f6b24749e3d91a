// The events of a recording → states, punctual events, links and variables.
//
// What runs is the Scheduler's. Beside it: how full queues are and what was sent where it was
// received, memory that is taken, counters, unused stacks and priorities as variables; intervals,
// runnables, states of state machines; and all other events as they are, on the lane of what made
// them. Tables are bounded: what is open longest goes first, counted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/base/args_text.h"
#include "core/formats/embedded/psf/clock.h"
#include "core/formats/embedded/psf/events.h"
#include "core/formats/embedded/psf/objects.h"
#include "core/formats/embedded/psf/scheduler.h"
#include "core/formats/embedded/psf/session.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::psf {

struct Event {
  uint32_t id = 0;
  uint32_t core = 0;
  uint32_t timestamp = 0;
  std::string_view params;  // as they lie in the recording
};

class Player {
 public:
  explicit Player(trace::EventSink& sink)
      : sink_(sink), objects_(sink), scheduler_(sink, objects_), open_(sink) {}

  // Call when the recorder starts or restarts.
  void start(const Session& session);
  void add_entry(const Entry& entry);
  void add(const Event& event, uint64_t offset);
  // Adds a print by the program: a channel, values and a format.
  void add_print(const Event& head, uint64_t channel, const std::vector<uint64_t>& values,
                 std::string_view format);
  void lose(uint32_t core, uint64_t count, uint64_t offset);
  // Whether the number has a meaning in this recording.
  bool knows(uint32_t id, size_t params) const;
  void finish(uint64_t offset);

 private:
  struct Extension {
    uint32_t first, count;
    uint64_t address;
  };
  struct Interval {
    Time begin;
    ParamsId params = ParamsId::none();
    uint32_t row;
    uint64_t offset;
  };
  void begin(uint32_t core, uint32_t timestamp);
  void act(const EventInfo& info, uint64_t offset);
  void act_and_show(const EventInfo& info);
  void start_cores(const EventInfo& info);
  void create(const EventInfo& info);
  void remove(const EventInfo& info);
  void set_priority(uint64_t task, uint64_t priority);
  void send(Object& object, const Origin& origin, const EventInfo& info);
  void receive(Object& object, const Origin& end, const EventInfo& info);
  void add_extension(uint64_t address, uint64_t first, uint64_t count);
  void allocate(int64_t bytes);
  void begin_interval(uint64_t offset);
  void end_interval(uint64_t offset);
  void give_interval(uint64_t channel, const Interval& interval);
  LaneId interval_lane(uint64_t channel, uint32_t row);
  void run(bool is_begin, uint64_t offset);
  void print(uint32_t number);
  void give_print(uint64_t channel, const std::vector<uint64_t>& values, std::string_view format);
  void add_unknown(uint32_t id);
  void add_punctual(std::string_view type, ParamsId params);
  void add_variable(LaneId lane, std::string_view name, double value);
  void add_level(const EventInfo& info);
  void write_params(const EventInfo& info);
  ParamsId params() { return sink_.params(args_.take()); }
  uint64_t word(size_t index) const { return index < words_.size() ? words_[index] : 0; }
  int64_t signed_word(size_t index) const;
  std::string text_from(size_t index) const;
  std::string wait_of(const EventInfo& info) const;

  trace::EventSink& sink_;
  Objects objects_;
  Flows flows_;
  Scheduler scheduler_;
  stacks::OpenStates open_;
  Clock clock_;
  Session session_;
  bool has_base_ = false;
  Time now_;
  uint32_t core_ = 0;
  std::vector<uint64_t> words_;  // of the event
  std::string_view bytes_;
  ArgsText args_;
  std::optional<uint64_t> level_;  // reported by the event
  std::vector<Extension> extensions_;
  uint64_t heap_ = 0;  // address of the first
  int64_t allocated_ = 0;
  std::vector<std::pair<uint64_t, double>> first_values_;  // of entries, given with the first event
  std::vector<std::pair<uint64_t, uint64_t>> first_states_;      // machine, state
  std::map<std::pair<uint64_t, uint64_t>, Interval> intervals_;  // by channel and instance
  std::map<uint64_t, std::vector<bool>> interval_rows_;          // that are taken, by channel
  std::map<std::pair<uint64_t, uint32_t>, LaneId> interval_lanes_;
  std::map<uint32_t, LaneId> runnable_lanes_;  // by the lane of what runs them
};

}  // namespace weft::formats::psf
