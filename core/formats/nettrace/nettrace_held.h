// Events with stacks, which wait for the names of what lies at their addresses: the methods are
// described when the trace ends. Where there is no memory for waiting they go with what is known.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/nettrace/nettrace_stacks.h"
#include "core/formats/stacks/sampled_stacks.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/trace/event_sink.h"

namespace weft::formats::nettrace {

struct Given {
  Time begin;
  Duration duration;
  bool is_state = false;
  LaneId lane;
  EventTypeId type;
  uint32_t nesting = 0;
  std::string json;  // its parameters; empty: none
  uint64_t process = 0;
  uint32_t stack = kNoStack;
};

struct Sample {
  Time time;
  Duration interval;  // 0: not known
  LaneId lane;
  EventTypeId innermost = EventTypeId::none();  // beyond the stack
  uint64_t process = 0;
  uint32_t stack = kNoStack;
};

class Held {
 public:
  Held(trace::EventSink& sink, uint64_t most_bytes)
      : sink_(sink), stacks_(most_bytes / 4), timeline_(sink), most_bytes_(most_bytes / 4 * 3) {}

  Stacks& stacks() { return stacks_; }
  Methods& methods() { return methods_; }
  // The stack of the file as one of ours; where there is no memory it is a loss.
  uint32_t stack_of(std::string_view bytes, uint64_t offset);

  void add(Given given);
  void add_sample(const Sample& sample);
  void finish();

 private:
  void release_given();
  void release_samples();
  void make_room(uint64_t bytes);
  void give(const Given& given);
  EventTypeId frame(uint64_t process, uint64_t address);
  const std::string& stack_text(uint64_t process, uint32_t stack);

  trace::EventSink& sink_;
  Stacks stacks_;
  Methods methods_;
  stacks::StackTimeline timeline_;
  uint64_t most_bytes_, bytes_ = 0;
  std::vector<Given> given_;
  std::vector<Sample> samples_;
  // Kept for one release.
  std::map<std::pair<uint64_t, uint64_t>, EventTypeId> frames_;
  std::map<std::pair<uint64_t, uint32_t>, std::string> texts_;
};

}  // namespace weft::formats::nettrace
