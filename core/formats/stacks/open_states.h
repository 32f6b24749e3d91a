// Pairs begins and ends of states, by lane: each end closes the latest open begin, by time.
//
// Events out of order are sorted within a window (time_window.h); one that comes later still,
// before an end that has already closed a state, is counted. States are therefore given some events
// after their end, or when the input pauses (trace::HeldEvents).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/formats/stacks/joined_params.h"
#include "core/formats/stacks/time_window.h"
#include "core/trace/event_sink.h"

namespace weft::formats::stacks {

class OpenStates final : private trace::HeldEvents {
 public:
  using Payload = std::vector<std::byte>;

  explicit OpenStates(trace::EventSink& sink) : HeldEvents(sink), sink_(sink) {}

  void begin(LaneId lane, EventTypeId type, Time time, ParamsId params, uint64_t offset) {
    Event& begin = add(lane, What::kBegin, time, offset);
    begin.type = type;
    begin.params = params;
  }
  // `params` is the text of a JSON object, which the end may extend; empty: none.
  void begin(LaneId lane, EventTypeId type, Time time, std::string_view params, uint64_t offset,
             Payload payload = {}) {
    Event& begin = add(lane, What::kBegin, time, offset);
    begin.type = type;
    begin.text = params;
    begin.payload = std::move(payload);
  }
  // Sorts and gives everything held first.
  bool has_open(LaneId lane, EventTypeId type) {
    give_held();
    const std::pmr::vector<Open>& open = pairs_of(lane.value()).open;
    return std::ranges::find(open, type, &Open::type) != open.end();
  }
  // Ends the innermost open state. Counted if none is open: it began before the trace. `params`
  // extend the begin's if those were given as text; `payload` is the state's if the begin has none.
  void end(LaneId lane, Time time, uint64_t offset, std::string_view params = {},
           Payload payload = {}) {
    Event& end = add(lane, What::kEnd, time, offset);
    end.text = params;
    end.payload = std::move(payload);
  }
  // Ends the innermost open state of this type; states begun since stay open. `begun` gives the
  // begin's parameters, if the begin came without them.
  void end_of(LaneId lane, EventTypeId type, Time time, uint64_t offset,
              std::string_view params = {}, std::string_view begun = {}, Payload payload = {}) {
    Event& end = add(lane, What::kEndOf, time, offset);
    end.type = type;
    end.text = params;
    end.begun = begun;
    end.payload = std::move(payload);
  }
  // As end_of; where no state of this type is open, the innermost one ends, and is counted.
  void leave(LaneId lane, EventTypeId type, Time time, uint64_t offset, std::string_view params,
             std::string_view begun) {
    Event& end = add(lane, What::kLeave, time, offset);
    end.type = type;
    end.text = params;
    end.begun = begun;
  }
  // Ends the innermost open state of this type, if any, where the next one begins that cannot lie
  // within it: its own end was lost. States begun since stay open.
  void lose_end_of(LaneId lane, EventTypeId type, Time time) {
    add(lane, What::kLoseEndOf, time).type = type;
  }
  // Ends all open states of a lane that goes no further.
  void end_all(LaneId lane, Time time) { add(lane, What::kEndAll, time); }
  // Ends all open states of a lane where they cannot continue: their own ends were lost.
  void lose_ends(LaneId lane, Time time) { add(lane, What::kLoseEnds, time); }
  // Ends what is still open at the end of the trace.
  void finish(Time time) {
    give_held();
    for (uint32_t lane = 0; lane < lanes_.size(); ++lane)
      lose_all(LaneId(lane), lanes_[lane], time);
  }

 private:
  static constexpr size_t kMostDepth = 1 << 14;
  enum class What : uint8_t { kBegin, kEnd, kEndOf, kLeave, kLoseEndOf, kEndAll, kLoseEnds };
  struct Event {
    Time time;
    uint32_t lane;
    What what;
    EventTypeId type;
    uint64_t offset;
    ParamsId params;
    std::string text;   // parameters of the end, or of the begin if an end may extend them
    std::string begun;  // for an end
    Payload payload;
  };
  struct Open {
    EventTypeId type;
    Time begin;
    ParamsId params;
    uint64_t offset;
    std::string text;
    std::string_view kept = {};  // instead of the text, where many are open: lies in memory_
    Payload payload;

    std::string_view shown() const { return kept.empty() ? std::string_view(text) : kept; }
  };
  struct Pairs {
    explicit Pairs(std::pmr::memory_resource* memory) : open(memory) {}
    std::pmr::vector<Open> open;
    uint64_t too_deep = 0;  // begins that were not taken, and whose ends are still to come
    Time last_end = Time::min();
  };

  auto take() {
    return [this](Event& event) { take(LaneId(event.lane), event); };
  }

  void give_held() override { window_.give_all(take()); }

  Event& add(LaneId lane, What what, Time time, uint64_t offset = 0) {
    Event& event = window_.add(lane.value(), time, take());
    event.time = time;
    event.lane = lane.value();
    event.what = what;
    event.offset = offset;
    return event;
  }
  Pairs& pairs_of(uint32_t lane) {
    while (lane >= lanes_.size()) lanes_.emplace_back(&memory_);
    return lanes_[lane];
  }

  void take(LaneId lane, Event& event) {
    Pairs& pairs = pairs_of(lane.value());
    if (event.time < pairs.last_end) sink_.note(kRanBackwards, {event.offset, lane, event.time});
    if (pairs.too_deep > 0 && is_end_of_too_deep(lane, pairs, event)) return;
    switch (event.what) {
      case What::kBegin:
        return push(lane, pairs, event);
      case What::kEnd:
        if (pairs.open.empty()) return lose_begin(lane, event);
        take_payload(lane, pairs.open.back(), event);
        return give(lane, pairs, event.time, event.text);
      case What::kLeave:
        if (!pairs.open.empty() && !bring_last(pairs.open, event.type))
          return leave_another(lane, pairs, event);
        [[fallthrough]];
      case What::kEndOf:
        if (!bring_last(pairs.open, event.type)) return lose_begin(lane, event);
        if (!event.text.empty() && pairs.open.back().shown().empty())
          pairs.open.back().text = event.begun;
        take_payload(lane, pairs.open.back(), event);
        return give(lane, pairs, event.time, event.text);
      case What::kLoseEndOf:
        if (bring_last(pairs.open, event.type)) lose_end(lane, pairs, event.time);
        return;
      case What::kEndAll:
        forget_too_deep(lane, pairs);
        while (!pairs.open.empty()) give(lane, pairs, event.time);
        return;
      case What::kLoseEnds:
        return lose_all(lane, pairs, event.time);
    }
  }

  // What is too deep lies within all that is open, and ends before it, unless ends say what they
  // are of. Then it is one less.
  bool is_end_of_too_deep(LaneId lane, Pairs& pairs, const Event& event) {
    if (event.what == What::kEndOf || event.what == What::kLeave) {
      const auto of_type = too_deep_.find({lane.value(), event.type.value()});
      if (of_type == too_deep_.end()) return false;
      if (--of_type->second == 0) too_deep_.erase(of_type);
    } else if (event.what != What::kEnd) {
      return false;
    }
    if (--pairs.too_deep == 0) forget_too_deep(lane, pairs);
    return true;
  }
  void forget_too_deep(LaneId lane, Pairs& pairs) {
    pairs.too_deep = 0;
    too_deep_.erase(too_deep_.lower_bound({lane.value(), 0}),
                    too_deep_.upper_bound({lane.value(), UINT32_MAX}));
  }

  void push(LaneId lane, Pairs& pairs, Event& event) {
    if (pairs.open.size() == kMostDepth) {
      ++pairs.too_deep;
      ++too_deep_[{lane.value(), event.type.value()}];
      return sink_.loss("states nested too deep", {event.offset, lane, event.time});
    }
    const std::string_view kept = kept_text(event.text);
    pairs.open.push_back({event.type, event.time, event.params, event.offset,
                          kept.empty() ? std::move(event.text) : std::string(), kept,
                          std::move(event.payload)});
  }

  // Texts of many open states lie where their lanes do; else moving one costs less.
  std::string_view kept_text(std::string_view text) {
    constexpr size_t kMostMoved = 1 << 15, kLeast = 16;
    if (open_count_++ < kMostMoved || text.size() < kLeast) return {};
    char* const kept = static_cast<char*>(memory_.allocate(text.size(), 1));
    std::memcpy(kept, text.data(), text.size());
    return {kept, text.size()};
  }
  void forget(std::string_view kept) {
    --open_count_;
    if (kept.empty()) return;
    memory_.deallocate(const_cast<char*>(kept.data()), kept.size(), 1);
  }

  // A state has one payload.
  void take_payload(LaneId lane, Open& open, Event& end) {
    if (open.payload.empty()) {
      open.payload = std::move(end.payload);
    } else if (!end.payload.empty() && end.payload != open.payload) {
      sink_.note("payload of an end whose begin has one", {end.offset, lane, end.time});
    }
  }

  void leave_another(LaneId lane, Pairs& pairs, const Event& event) {
    sink_.note("leave of another region", {event.offset, lane, event.time});
    give(lane, pairs, event.time, event.text);
  }

  void lose_begin(LaneId lane, const Event& event) {
    sink_.note("end without a begin", {event.offset, lane, event.time});
  }

  // Moves the latest open state of this type to the top; false: there is none.
  static bool bring_last(std::pmr::vector<Open>& open, EventTypeId type) {
    const auto it = std::find_if(open.rbegin(), open.rend(),
                                 [type](const Open& each) { return each.type == type; });
    if (it == open.rend()) return false;
    std::rotate(it.base() - 1, it.base(), open.end());
    return true;
  }

  void lose_all(LaneId lane, Pairs& pairs, Time time) {
    forget_too_deep(lane, pairs);
    while (!pairs.open.empty()) lose_end(lane, pairs, time);
  }

  void lose_end(LaneId lane, Pairs& pairs, Time time) {
    const Open& last = pairs.open.back();
    sink_.note("begin without an end", {last.offset, lane, last.begin});
    give(lane, pairs, time);
  }

  void give(LaneId lane, Pairs& pairs, Time end, std::string_view added = {}) {
    Open last = std::move(pairs.open.back());
    pairs.open.pop_back();
    pairs.last_end = std::max(pairs.last_end, end);
    const std::string_view text = last.shown();
    if (!text.empty() && !added.empty()) {
      last.params = sink_.params(joined_params(text, added), last.payload);
    } else if (!text.empty() || !added.empty() || !last.payload.empty()) {
      last.params = sink_.params(text.empty() ? added : text, last.payload);
    }
    forget(last.kept);
    if (end < last.begin)
      return sink_.loss("end before its begin", {last.offset, lane, last.begin});
    sink_.give(trace::StateEvent{.begin = last.begin,
                                 .duration = end - last.begin,
                                 .params = last.params,
                                 .lane = lane,
                                 .type = last.type,
                                 .nesting = static_cast<uint32_t>(pairs.open.size())});
  }

  trace::EventSink& sink_;
  TimeWindow<Event> window_;
  LargePool memory_;
  LargeVector<Pairs> lanes_;
  std::pmr::map<std::pair<uint32_t, uint32_t>, uint64_t> too_deep_{&memory_};  // by lane and type
  size_t open_count_ = 0;
};

}  // namespace weft::formats::stacks
