// Begins, ends, instants and flows, understood but not yet paired, → states, punctual events and
// links.
//
// Records of one writer come in order, mostly: begins and ends of a stack are put in order as far
// as a window reaches (stacks/time_window.h), and what comes later still is counted. Those of
// several, who may begin and end the same states, do not. An end closes the innermost state that
// began before it; where that comes later, both are put together by their times when the trace is
// over.
//
// Memory: states that are open, ends that wait, the window, flows that may go on.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/flat_index.h"
#include "core/formats/general/chrome_json/output.h"
#include "core/formats/general/perfetto/flows.h"
#include "core/formats/stacks/time_window.h"

namespace weft::formats::perfetto {

enum class Action : uint8_t {
  kBegin,
  kEnd,       // of the innermost, or of the innermost of its name
  kComplete,  // lasts `duration`
  kInstant,
  kChange,  // ends what is, and begins what has a type
  kFlow,    // flows only
};

struct Record {
  Time time{};
  Duration duration{};             // kComplete
  double value = 0;                // kSample
  uint64_t stack = 0;              // whose begins and ends these are
  uint32_t* stack_slot = nullptr;  // keeps its place for who names it again; first kNoSlot
  uint32_t name = 0;               // of a begin and its end; 0: none
  uint64_t offset = 0;
  LaneId lane = LaneId::none();
  EventTypeId type = EventTypeId::none();
  uint32_t args = 0;   // keep_args()
  uint32_t flows = 0;  // keep_flows()
  Action action = Action::kInstant;
};

// Things with numbers that are used again. 0 is nothing.
template <class T>
class Slots {
 public:
  uint32_t put(T thing) {
    if (free_.empty()) {
      things_.push_back(std::move(thing));
      return static_cast<uint32_t>(things_.size());
    }
    const uint32_t number = free_.back();
    free_.pop_back();
    things_[number - 1] = std::move(thing);
    return number;
  }
  T take(uint32_t number) {
    if (number == 0) return {};
    free_.push_back(number);
    return std::exchange(things_[number - 1], T{});
  }

 private:
  std::vector<T> things_;
  std::vector<uint32_t> free_;
};

class Timeline final : private trace::HeldEvents {
 public:
  Timeline(trace::EventSink& sink, uint64_t memory_bytes);

  static constexpr uint32_t kNoSlot = UINT32_MAX;

  // The text of a JSON object, until its event is given.
  uint32_t keep_args(std::string text) { return text.empty() ? 0 : args_.put(std::move(text)); }
  uint32_t keep_flows(std::vector<FlowRef> flows) { return flows_of_.put(std::move(flows)); }

  void add(const Record& record);
  void add_sample(const trace::VariableSample& sample) {
    output_.variables.push_back(sample);
    flush_when_full();
  }
  // Ends what is open at the end of the trace.
  void finish();
  Time last() const { return last_; }

 private:
  struct Open {
    Time begin{};
    EventTypeId type = EventTypeId::none();
    uint32_t name = 0;
    uint64_t offset = 0;
    LaneId lane = LaneId::none();
    uint32_t args = 0;
  };
  struct End {
    Time time;
    LaneId lane;
    uint32_t name;
    uint64_t offset;
    uint32_t args;
  };
  struct Stack {
    std::vector<Open> open;
    std::vector<End> late_ends;
    Time last_end = Time::min();  // that has closed a state
  };

  // A record in the window.
  struct Paired {
    Time time;
    uint64_t offset;
    uint32_t lane;  // of the window: its stack
    LaneId on;
    EventTypeId type;
    uint32_t name;
    uint32_t args;
    Action action;
  };

  void give_held() override;
  uint32_t stack_of(const Record& record);
  void put_in_order(const Record& record);
  auto pair() {
    return [this](const Paired& record) { pair(stacks_[record.lane], record); };
  }
  void pair(Stack& stack, const Paired& record);
  void change(Stack& stack, const Paired& record);
  void begin(Stack& stack, const Paired& record);
  void end(Stack& stack, const Paired& record);
  // Closes the innermost that it can be the end of; false: none.
  bool close(Stack& stack, const End& end);
  void lose_end(const End& end);
  void finish_stack(Stack& stack);
  ParamsId params_of(uint32_t args, uint32_t end_args = 0);
  void flush_when_full();
  void give(const Open& open, Time end, size_t depth, uint32_t end_args);
  void give_complete(const Record& record);
  void give_instant(const Record& record);
  void add_flows(const Record& record);

  chrome_json::Output output_;
  Flows flows_;
  Slots<std::string> args_;
  Slots<std::vector<FlowRef>> flows_of_;
  stacks::TimeWindow<Paired> window_;  // by stack
  LargeVector<Stack> stacks_;
  FlatIndex<uint64_t, NumberHash> stack_by_number_;
  const size_t most_kept_;
  size_t kept_ = 0;  // states that are open, and ends that wait
  Time last_ = Time::min();
};

}  // namespace weft::formats::perfetto
