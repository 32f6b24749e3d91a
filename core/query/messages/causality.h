// Which messages led to a message, and which followed from it.
//
// A message is received by a lane at an instant, and handled from there on: in the state that runs
// there (the innermost one), or, where none runs, until the lane receives the next one. What the
// lane sends meanwhile follows from the message:
//
//   lane A  ──●──────────────────────────────
//             │ P
//   lane B    └──▶[ handles P ──●── ]──●─────   M follows from P, N does not
//                             M │      │ N
//
//   the handling of a message   [receive, end of the state), or [receive, next receive)
//   causes of M                 the messages whose handling its sender was in when it sent M
//   effects of P                what its receiver sent during its handling
//
// Where the trace does not say what its programs did (no states; a state that handles many
// messages), these are supersets: what may have caused M, what P may have caused.
//
// Answers end: each message comes once, in order of distance, whatever circles clocks that disagree
// make of them. All reads are of sorted rows: O(log n) for each message of the answer, and what is
// received within the states around the send. Work for workers. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/query/element.h"
#include "core/query/search.h"

namespace weft::query {

enum class Causal : uint8_t { kCauses, kEffects };

struct Handling {
  TimeRange span;                // what is sent in it may follow from the message
  Time begin;                    // of the work: of the state, or the receive where there is none
  std::optional<Element> state;  // that handles it

  Duration work() const { return state ? state->record.end() - begin : Duration{}; }
};

struct CausalMessage {
  static constexpr uint32_t kNone = ~0U;
  EventPlace
      place;  // among causes: where it is received, if it is; among effects: where it is sent
  store::Record record;
  LinkEnds ends;
  uint32_t from = kNone;  // the message whose cause or effect it is; kNone: of the question itself
  uint32_t distance = 0;  // from the question, in messages
  Handling handling;      // none where it was never received

  // From where it was sent until it was received; 0 where an end is missing, or both are one.
  Duration travel() const {
    return ends.is_sent() && ends.is_received() ? ends.receive - ends.send : Duration{};
  }
  // From where it was received until its handling began.
  Duration waiting() const {
    return ends.is_received() ? handling.begin - ends.receive : Duration{};
  }
};

struct CausalTree {
  std::vector<CausalMessage> messages;  // nearest first; what leads to one comes before it
  bool is_cut = false;                  // there are more
};

class Causality {
 public:
  // `elements` must outlive it.
  explicit Causality(const Elements& elements) : elements_(&elements) {}

  // Of a message: begins with itself. Of a state: with what it received (causes), what it sent
  // (effects). Of anything else: as of a state that is one tick long.
  CausalTree tree(const Element& of, Causal direction, size_t most,
                  const std::stop_token& stop = {}) const;

  // The places of the messages that a send of the lane at `time` may follow from, the latest first;
  // what a lane sent in `span`, in order. `is_cut` is set where there are more.
  std::vector<EventPlace> causes_at(LaneId lane, Time time, size_t most, bool& is_cut) const;
  std::vector<EventPlace> sent_in(LaneId lane, TimeRange span, size_t most, bool& is_cut) const;

  // The messages that a message may follow from, or that may follow from it: one step.
  std::vector<EventPlace> next_of(const CausalMessage& message, Causal direction, size_t most,
                                  bool& is_cut) const;
  // Where tree() begins: the message, or what a state received or sent.
  std::vector<EventPlace> roots_of(const Element& of, Causal direction, size_t most,
                                   bool& is_cut) const;

  Handling handling_of(LaneId lane, Time receive) const;

  // The message at a place of a row of links, with its handling.
  CausalMessage message_at(const EventPlace& place) const;

 private:
  // Calls body(row, part, RowPart) for each part of the lane's rows of that kind.
  template <class Body>
  void for_each_part(LaneId lane, store::RowKind kind, Body body) const;
  std::optional<Time> next_receive(LaneId lane, Time after) const;
  std::optional<Element> next_state(LaneId lane, TimeRange within) const;
  std::vector<EventPlace> links_in(LaneId lane, store::RowKind kind, TimeRange span, size_t most,
                                   bool& is_cut) const;
  // Where the other end of a link lies, or the end itself where the other is missing.
  EventPlace end_of(const Element& link, store::RowKind kind) const;

  const Elements* elements_;
};

// The messages, each before those that were found from it: a tree to be printed line by line.
std::vector<uint32_t> depth_first(const CausalTree& tree);

// Where the messages are that call themselves `id`, each once, in order of rows; at most `most`.
// Reads the zones of ids (core/store/id_zones.h) and what they do not rule out.
std::vector<EventPlace> messages_with_id(const store::Trace& trace, uint64_t id, size_t most,
                                         const std::stop_token& stop = {});
// The one message of that id, or of those the one that was sent (or only received) `at` a time. The
// error says that there is none, or how many.
Result<EventPlace> message_with_id(const store::Trace& trace, uint64_t id,
                                   std::optional<Time> at = {}, const std::stop_token& stop = {});

}  // namespace weft::query
