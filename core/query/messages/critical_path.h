// The way from one event to another that waits longest: of all chains of messages that lead from
// the one to the other, that on which messages were under way and in queues for the longest time.
//
// All such chains begin and end at the same times; what differs is how much of that time somebody
// was at work. Where to look first is where nobody was.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "core/query/messages/causality.h"

namespace weft::query {

struct CausalPath {
  std::vector<CausalMessage> messages;  // in order of time
  bool is_cut = false;                  // not all chains were looked at

  Duration waiting() const;  // on their way, and until their handling began
};

// From a message, or what a state sent, to a message, or what a state received. None where the one
// does not lead to the other, as far as `most` causes of the latter tell. Looks at each of these
// once. Chains in which a message is received before the one it follows from are passed over.
std::optional<CausalPath> critical_path(const Causality& causality, const Element& from,
                                        const Element& to, size_t most,
                                        const std::stop_token& stop = {});

}  // namespace weft::query
