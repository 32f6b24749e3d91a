// Makes states from pairs of punctual events: one type of event begins a state, another ends it,
// and a parameter tells which end belongs to which begin. (FS-42)
//
//   reader ──▶ StateAdapter ──▶ sink       every call is handed on; states are added
//
// The events are kept. A state lies on the lane of its begin and has its parameters. Unmatched
// begins and ends are counted as losses, but not as damage: recordings begin and end in the middle
// of things. Without pairs, calls are merely forwarded.
//
// Memory: open begins, at most kMostOpen, and the keys of the last kKeysKept parameters. An event
// given later than that after its parameters counts as one without a key.
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

// The option with which a format requests the adapter.
inline constexpr std::string_view kStatesOption = "states";
Option states_option(std::string fallback = {});

struct StatePair {
  std::string begin, end;  // names of punctual event types
  std::string key;         // a parameter of both; empty: an end closes the last begin on its lane
  std::string name;        // the state's name
  bool operator==(const StatePair&) const = default;
};
// Parses "BEGIN/END", "BEGIN/END/KEY" and "BEGIN/END/KEY=NAME", separated by commas. The default
// name is the words with which both names begin, or else the begin's name.
Result<std::vector<StatePair>> parse_state_pairs(std::string_view text);

class StateAdapter final : public trace::PassingSink {
 public:
  static constexpr size_t kMostOpen = 1 << 20;
  static constexpr size_t kKeysKept = 1 << 16;

  StateAdapter(trace::EventSink& sink, std::vector<StatePair> pairs);

  // Call after the last event: counts begins without an end.
  void finish();

  EventTypeId type(trace::Category category, std::string_view name,
                   std::string_view group) override;
  ParamsId keep_params(std::string_view json, std::span<const std::byte> payload) override;
  void punctuals(std::span<const trace::PunctualEvent> events) override;

 private:
  // The role of an event type in a pair.
  struct Part {
    size_t pair;
    bool is_begin;
  };
  // What an end looks for: the pair, and a key on any lane, or its own lane if there is no key.
  using Key = std::tuple<size_t, LaneId, std::string>;

  void play(const trace::PunctualEvent& event, const Part& part);
  void add_state(const trace::PunctualEvent& begin, Time end, size_t pair);
  std::optional<Key> key_of(const trace::PunctualEvent& event, size_t pair) const;

  std::vector<StatePair> pairs_;
  std::unordered_multimap<uint32_t, Part> parts_;        // by EventTypeId
  std::vector<std::optional<EventTypeId>> state_types_;  // by pair, once it has a state
  std::map<Key, std::vector<trace::PunctualEvent>> open_;
  size_t open_count_ = 0;
  // The latest parameters, as JSON, of events whose pair has a key.
  std::unordered_map<uint64_t, std::string> texts_;
  std::deque<uint64_t> texts_in_order_;
};

}  // namespace weft::formats
