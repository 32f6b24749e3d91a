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
#include "core/trace/passing_sink.h"

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

class StateAdapter final : public trace::PassingSink {
 public:
  static constexpr size_t kMostOpen = 1 << 20;
  static constexpr size_t kKeysKept = 1 << 16;

  StateAdapter(trace::EventSink& sink, std::vector<StatePair> pairs);

  // After the last event: counts what never ended.
  void finish();

  EventTypeId type(trace::Category category, std::string_view name,
                   std::string_view group) override;
  ParamsId keep_params(std::string_view json, std::span<const std::byte> payload) override;
  void punctuals(std::span<const trace::PunctualEvent> events) override;

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

  std::vector<StatePair> pairs_;
  std::unordered_multimap<uint32_t, Part> parts_;        // by EventTypeId
  std::vector<std::optional<EventTypeId>> state_types_;  // by pair, once there is a state
  std::map<Key, std::vector<trace::PunctualEvent>> open_;
  size_t open_count_ = 0;
  // The parameters of events whose pair has a key, as JSON, the last ones.
  std::unordered_map<uint64_t, std::string> texts_;
  std::deque<uint64_t> texts_in_order_;
};

}  // namespace weft::formats
