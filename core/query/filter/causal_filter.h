// Filter conditions on causes and effects: cause_of == 77, effect_of == "app/main@1200".
//
// They pass a message, those that may have led to it (or followed from it), and the states that
// handled them (causality.h): at most the kMostCausal nearest messages.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/base/result.h"
#include "core/query/messages/causality.h"

namespace weft::query {

inline constexpr size_t kMostCausal = 100'000;

// Resolves `name`, which an expression gives for a message:
//   77, 0x4D, 4d     its id; it must be the only one of that id
//   LANE@TIME        what the lane sends at a time (or receives, where the send is missing); where
//                    it sends nothing then, the state that begins there
//   LANE@TIME#DEPTH  the state of that depth that begins there
// LANE is a lane's path or name, TIME as for parse_time(). Fails if there is no such message. Call
// from workers.
Result<std::vector<Element>> elements_named(const Elements& elements, std::string_view name,
                                            const std::stop_token& stop = {});

// Makes a formula that passes what led to the named element, or followed from it. O(log n) per
// message that passes.
Result<aggregate::FormulaPtr> causal_formula(const store::Trace& trace, std::string_view name,
                                             Causal direction, const std::stop_token& stop);

}  // namespace weft::query
