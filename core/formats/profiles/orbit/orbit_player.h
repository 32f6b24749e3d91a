// Turns the events of an Orbit capture into lanes and events: processes, their threads with calls,
// scopes, states and samples; processors with the threads they ran; GPU jobs; memory, tracks,
// warnings.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/profiles/orbit/orbit_message.h"
#include "core/formats/profiles/orbit/orbit_names.h"
#include "core/formats/stacks/held_stacks.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::orbit {

class Player {
 public:
  Player(trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink), names_(memory_bytes / 4), held_(sink, names_, memory_bytes / 4), open_(sink) {}

  // A ClientCaptureEvent; true where it says that the capture is finished.
  bool add(std::string_view event, uint64_t offset);
  // Adds the user's additions to the capture.
  void add_user_data(std::string_view message);
  void finish();

 private:
  struct OpenScope {
    Time begin;
    LaneId lane;
    EventTypeId type;
    std::string json;
    uint64_t offset = 0;
  };
  struct GpuJob {
    Time start;
    std::string timeline;
  };
  struct Submission {
    uint32_t tid = 0;
    uint64_t offset = 0;
    std::string bytes;
  };

  void add_event(uint32_t number, std::string_view bytes);
  void add_other_event(uint32_t number, const Message& message);

  void add_started(const Message& message);
  void add_options(std::string_view bytes);
  void add_finished(const Message& message);
  void add_sample(const Message& message);
  void add_call(const Message& message);
  void add_slice(const Message& message);
  void add_thread_state(const Message& message);
  void add_tracepoint(const Message& message);
  void add_thread_name(const Message& message);
  void add_present(const Message& message);

  void add_scope(const Message& message);
  void end_scope(const Message& message);
  void add_async_scope(const Message& message);
  void end_async_scope(const Message& message);
  void give_lost_scope(const OpenScope& scope, Time end);
  void add_string(const Message& message);
  void add_track_value(uint32_t number, const Message& message);

  void add_job(const Message& message);
  void add_submission(const Message& message, std::string_view bytes);
  void give_submissions();
  bool give_submission(const Submission& submission);

  void add_memory(const Message& message);
  void add_module(uint32_t pid, Time time, std::string_view bytes, std::string_view what);
  void add_modules(const Message& message);
  void add_texts(const Message& message, std::string_view what);
  void add_gap(const Message& message, std::string_view what);

  void add_variable(LaneId lane, Time time, std::string_view name, double value);
  void add_instant(LaneId lane, Time time, std::string_view name, std::string_view group,
                   const std::string& json);
  void add_state(LaneId lane, Time begin, Duration duration, EventTypeId type,
                 const std::string& json, uint32_t nesting = 0);
  EventTypeId type(std::string_view name, std::string_view group, uint32_t rgba = 0);

  LaneId process(uint32_t pid);
  LaneId thread(uint32_t pid, uint32_t tid);
  LaneId below(LaneId lane, std::string_view name);
  LaneId root(std::string_view name, trace::LaneKind kind, int32_t sort_index);
  LaneId processor(int32_t core);
  LaneId of_process(uint32_t pid, std::string_view name) { return below(process(pid), name); }
  trace::Lane thread_lane(uint32_t pid, uint32_t tid);
  std::string thread_name(uint32_t tid) const;

  trace::EventSink& sink_;
  Names names_;
  stacks::HeldStacks held_;
  stacks::OpenStates open_;
  uint32_t pid_ = 0;  // whose capture it is
  std::string executable_;
  Duration sample_interval_;
  uint64_t offset_ = 0;  // of the event
  Time last_ = Time::min();
  bool is_damaged_ = false;  // the event
  std::map<uint32_t, LaneId> processes_;
  std::map<uint32_t, LaneId> threads_;
  std::map<std::pair<uint32_t, std::string>, LaneId> below_;
  std::map<std::string, LaneId> roots_;
  std::map<uint64_t, OpenScope> scopes_;              // asynchronous ones
  std::map<std::pair<uint32_t, Time>, GpuJob> jobs_;  // by thread and time of the submission
  std::vector<Submission> submissions_;
  uint64_t submission_bytes_ = 0;
};

}  // namespace weft::formats::orbit
