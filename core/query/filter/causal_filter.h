// A filter's condition on causes and effects: cause_of == 77, effect_of == "app/main@1200".
//
// It lets pass a message, those that may have led to it (or followed), and the states that handled
// them (causality.h); at most kMostCausal messages, the nearest.
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

// `name`: what an expression says of a message:
//   77, 0x4D, 4d     its id; it must be the only one of that id
//   LANE@TIME        what the lane sends at a time (or receives, where the send is missing); where
//                    it sends nothing then, the state that begins there
//   LANE@TIME#DEPTH  the state of that depth that begins there
// LANE is a lane's path or its name, TIME as in all options (parse_time). The error says that there
// is no such message. Work for workers.
Result<std::vector<Element>> elements_named(const Elements& elements, std::string_view name,
                                            const std::stop_token& stop = {});

// What led to the element of that name, or followed from it. O(log n) for each message that passes.
Result<aggregate::FormulaPtr> causal_formula(const store::Trace& trace, std::string_view name,
                                             Causal direction, const std::stop_token& stop = {});

}  // namespace weft::query
