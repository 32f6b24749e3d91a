// Decodes a graph's messages ahead on a separate thread; the caller's thread plays them in order.
//
//   Graph ─▷ messages, copied while they are in the core's cache ─▷ [batch] [batch] ─▷ Player
//             a thread of its own                                                   the caller's
//
// Babeltrace's own messages are not handed on: an event takes a dozen cache lines, which the other
// core would have to fetch. Memory: a few batches, which are reused.
#pragma once

#include "core/base/result.h"
#include "core/formats/kernel/ctf/graph.h"
#include "core/formats/kernel/ctf/player.h"

namespace weft::formats::ctf {

// Plays all that the graph gives, once, until the player wants no more.
Status play_ahead(Graph& graph, Player& player);

}  // namespace weft::formats::ctf
