// Finds the critical path from one event to another: of all chains of messages that lead from the
// one to the other, that on which messages spent most time in transit and in queues.
//
// All such chains begin and end at the same times; they differ in how much of that time was spent
// working. The time in which nobody worked is where to look first.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "core/query/messages/causality.h"

namespace weft::query {

struct CausalPath {
  std::vector<CausalMessage> messages;  // in order of time
  bool is_cut = false;                  // not all chains were examined

  Duration waiting() const;  // in transit, and until handling began
};

// Finds the path from a message (or what a state sent) to another (or what a state received).
// nullopt if `from` does not lead to `to`, judging by up to `most` causes of `to`, each visited
// once. Chains in which a message is received before the one it follows from are ignored.
std::optional<CausalPath> critical_path(const Causality& causality, const Element& from,
                                        const Element& to, size_t most,
                                        const std::stop_token& stop = {});

}  // namespace weft::query
