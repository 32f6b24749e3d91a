// States out of punctual events: two types of event, of which one begins something and the other
// ends it, and a parameter that says which end is whose. (FS-42)
//
//   reader ──▶ StateAdapter ──▶ sink       every call is handed on; states are added
//
// The events stay as they are. A state lies on the lane of its begin and has its parameters. What
// never ends, and ends of nothing, are counted as losses, none of them damage: a recording begins
// and ends in the middle of things. Without pairs it hands on, and costs a call.
//
// Memory: a begin that is open, at most kMostOpen; the keys of the last kKeysKept parameters. A
// reader that gives an event later than that after its parameters has the event counted as one
// without a key.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/formats/formats.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

// The option by which a format has its adapter.
inline constexpr std::string_view kStatesOption = "states";
Option states_option(std::string fallback = {});

struct StatePair {
  std::string begin, end;  // names of types of punctual events
  std::string key;         // a parameter of both; empty: the last begin on the lane is ended
  std::string name;        // of the state
  bool operator==(const StatePair&) const = default;
};
// "BEGIN/END", "BEGIN/END/KEY" and "BEGIN/END/KEY=NAME", separated by commas. A name is by default
// the words that both names begin with, or the begin's.
Result<std::vector<StatePair>> parse_state_pairs(std::string_view text);

class StateAdapter final : public trace::EventSink {
 public:
  static constexpr size_t kMostOpen = 1 << 20;
  static constexpr size_t kKeysKept = 1 << 16;

  StateAdapter(trace::EventSink& sink, std::vector<StatePair> pairs);

  // After the last event: counts what never ended.
  void finish();

  void set_time_base(TimeBase base) override { sink_.set_time_base(base); }
  void set_metadata(std::string_view key, std::string_view value) override {
    sink_.set_metadata(key, value);
  }
  LaneId add_lane(const trace::Lane& lane) override { return sink_.add_lane(lane); }
  void update_lane(LaneId id, const trace::Lane& lane) override { sink_.update_lane(id, lane); }
  EventTypeId type(trace::Category category, std::string_view name,
                   std::string_view group) override;
  void set_type_color(EventTypeId id, uint32_t rgb) override { sink_.set_type_color(id, rgb); }
  ParamsId params(std::string_view json, std::span<const std::byte> payload) override;
  void states(std::span<const trace::StateEvent> events) override { sink_.states(events); }
  void punctuals(std::span<const trace::PunctualEvent> events) override;
  void links(std::span<const trace::LinkEvent> events) override { sink_.links(events); }
  void variables(std::span<const trace::VariableSample> events) override {
    sink_.variables(events);
  }
  void loss(std::string_view kind, const trace::LossPlace& place, uint64_t count,
            bool is_damage) override {
    sink_.loss(kind, place, count, is_damage);
  }
  void progress(uint64_t bytes_done, uint64_t bytes_total) override {
    bytes_done_ = bytes_done;
    sink_.progress(bytes_done, bytes_total);
  }
  bool keep_going() const override { return sink_.keep_going(); }

 private:
  // What a type of event does for a pair.
  struct Part {
    size_t pair;
    bool is_begin;
  };
  // What an end looks for: the pair, and a key on any lane, or no key on its lane.
  using Key = std::tuple<size_t, LaneId, std::string>;

  void play(const trace::PunctualEvent& event, const Part& part);
  void add_state(const trace::PunctualEvent& begin, Time end, size_t pair);
  std::optional<Key> key_of(const trace::PunctualEvent& event, size_t pair) const;

  trace::EventSink& sink_;
  std::vector<StatePair> pairs_;
  std::unordered_multimap<uint32_t, Part> parts_;        // by EventTypeId
  std::vector<std::optional<EventTypeId>> state_types_;  // by pair, once there is a state
  std::map<Key, std::vector<trace::PunctualEvent>> open_;
  size_t open_count_ = 0;
  // The parameters of events whose pair has a key, as JSON, the last ones.
  std::unordered_map<uint64_t, std::string> texts_;
  std::deque<uint64_t> texts_in_order_;
  uint64_t bytes_done_ = 0;
};

}  // namespace weft::formats
