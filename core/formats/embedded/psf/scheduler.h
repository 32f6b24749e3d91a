// Turns switches, interrupts and waits into states of tasks, processors and interrupts.
//
// A task switched away is ready, or blocked if it announced a wait; what it waits for lies within
// "blocked". A link goes from what made a task ready, at that time, to the task when it runs. The
// end of an interrupt is recorded only if another, or the task, continues: one that begins and is
// not more urgent than the innermost one ends that.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/embedded/psf/objects.h"
#include "core/trace/event_sink.h"

namespace weft::formats::psf {

constexpr uint32_t kMostCores = 16;
constexpr uint64_t kNoTask = 2;  // the address that stands for what ran before the scheduler

class Scheduler {
 public:
  Scheduler(trace::EventSink& sink, Objects& objects) : sink_(sink), objects_(objects) {}

  void set_order(bool is_greater_more_urgent) { is_greater_more_urgent_ = is_greater_more_urgent; }
  // Sets core and time of the next events.
  void at(uint32_t core, Time now) {
    core_ = core % kMostCores;
    now_ = now;
  }

  void activate(uint64_t task);  // 0: none
  void enter(uint64_t interrupt, uint64_t offset);
  void resume(uint64_t interrupt, uint64_t offset);
  void wake(uint64_t task);
  void suspend(uint64_t task);
  // The running task is about to wait.
  void block(std::string what, ParamsId params);
  // It no longer needs to wait.
  void unblock();
  void remove(uint64_t task);
  // What follows is unknown: ends everything.
  void stop_all();

  // The lane of what runs: an interrupt, a task or the processor.
  LaneId here();
  LaneId cpu() { return objects_.core("CPU", core_); }
  std::optional<uint64_t> running() const { return cores_[core_].running; }
  bool is_interrupted() const { return !cores_[core_].interrupts.empty(); }

 private:
  struct Interrupt {
    uint64_t address;
    Time begin;
  };
  struct Core {
    std::optional<uint64_t> running;
    std::string shown;  // on the processor's lane
    Time shown_since;
    std::vector<Interrupt> interrupts;  // the innermost last
  };
  bool is_running(uint64_t task) const;
  bool is_more_urgent(uint64_t interrupt, uint64_t than) const;
  void push(uint64_t interrupt, uint64_t offset);
  void pop();
  void stop();
  void show(std::string name);
  void change(uint64_t task, Object& object, std::string_view state);
  void end_wait(uint64_t task, Object& object);

  trace::EventSink& sink_;
  Objects& objects_;
  std::array<Core, kMostCores> cores_;
  std::set<uint64_t> in_a_state_;  // tasks
  bool is_greater_more_urgent_ = false;
  uint32_t core_ = 0;
  Time now_;
};

}  // namespace weft::formats::psf
