// Causal relations between messages: which led to a message, and which followed from it.
//
// A message is received by a lane at an instant and handled from then on: in the innermost state
// running there or, if none runs, until the lane receives the next message. So is one that was
// merely taken there: by a call that waited for it (MPI_Recv), a state that began before and sends
// nothing until it ends. What the lane sends meanwhile follows from the message:
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
// What wakes a thread of a kernel is received where it runs again: of its wait until then (a state
// of group "scheduler"), these messages are the causes.
//
// If the trace lacks that detail (no states, or a state that handles many messages), these are
// supersets: what may have caused M, what P may have caused.
//
// Results are finite: each message occurs once, in order of distance, even if disagreeing clocks
// create cycles. Reads only sorted rows: O(log n) per message of the result, plus what is received
// within the states around the send. Thread-safe; use it on workers.
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
  TimeRange span;                // messages sent in it may follow from the message
  Time begin;                    // of the state or, without one, of the receive
  std::optional<Element> state;  // the state that handles it

  Duration work() const { return state ? state->record.end() - begin : Duration{}; }
};

struct CausalMessage {
  static constexpr uint32_t kNone = ~0U;
  EventPlace place;  // causes: where it is received, if it is; effects: where it is sent
  store::Record record;
  LinkEnds ends;
  uint32_t from = kNone;  // the message whose cause or effect it is; kNone: the root's
  uint32_t distance = 0;  // in messages from the root
  Handling handling;      // meaningless if it was never received

  // Time from send to receive; 0 if an end is missing or both are the same instant.
  Duration travel() const {
    return ends.is_sent() && ends.is_received() ? ends.receive - ends.send : Duration{};
  }
  // Time from receive until its handling began.
  Duration waiting() const {
    return ends.is_received() ? handling.begin - ends.receive : Duration{};
  }
};

struct CausalTree {
  std::vector<CausalMessage> messages;  // nearest first; `from` always precedes
  bool is_cut = false;                  // there are more
};

// Some of the messages that were asked for, or all.
struct MessagePlaces {
  std::vector<EventPlace> all;
  bool is_cut = false;  // there are more
};

class Causality {
 public:
  // `elements` must outlive it.
  explicit Causality(const Elements& elements) : elements_(&elements) {}

  // Returns the causes or effects of an element. For a message the tree begins with itself; for a
  // state with what it received (causes) or sent (effects); anything else counts as a state one
  // tick long.
  CausalTree tree(const Element& of, Causal direction, size_t most,
                  const std::stop_token& stop = {}) const;

  // Return the messages that a send of the lane at `time` may follow from, latest first, and those
  // that a lane sent in `span`, in order; at most `most`.
  MessagePlaces causes_at(LaneId lane, Time time, size_t most) const;
  MessagePlaces sent_in(LaneId lane, TimeRange span, size_t most) const;

  // Returns the direct causes or effects of a message.
  MessagePlaces next_of(const CausalMessage& message, Causal direction, size_t most) const;
  // Returns the first messages of tree(): the message itself, or what a state received or sent.
  MessagePlaces roots_of(const Element& of, Causal direction, size_t most) const;

  Handling handling_of(LaneId lane, Time receive) const;

  // Returns the message at a place in a row of links, with its handling.
  CausalMessage message_at(const EventPlace& place) const;

 private:
  // Calls body(row, part, RowPart) for each part of the lane's rows of that kind.
  template <class Body>
  void for_each_part(LaneId lane, store::RowKind kind, Body body) const;
  std::optional<Time> next_receive(LaneId lane, Time after) const;
  bool is_merely_taken(const Element& state, Time receive) const;
  std::optional<Element> next_state(LaneId lane, TimeRange within) const;
  MessagePlaces links_in(LaneId lane, store::RowKind kind, TimeRange span, size_t most) const;
  // Returns the place of a link's other end, or of the link itself if that end is missing.
  EventPlace end_of(const Element& link, store::RowKind kind) const;

  const Elements* elements_;
};

// Returns the messages in depth-first order, each before its children, for printing as a tree.
std::vector<uint32_t> depth_first(const CausalTree& tree);

// Returns the places of messages with this `id`, each once, in order of rows; at most `most`. Reads
// the id zones (core/store/id_zones.h) and what they do not rule out.
std::vector<EventPlace> messages_with_id(const store::Trace& trace, uint64_t id, size_t most,
                                         const std::stop_token& stop = {});
// Returns the only message with this id or, given `at`, the one sent (or, if never sent, received)
// at that time. Fails if there is none, or several: the error says how many.
Result<EventPlace> message_with_id(const store::Trace& trace, uint64_t id,
                                   std::optional<Time> at = {}, const std::stop_token& stop = {});

}  // namespace weft::query
