// What a graph gives, decoded ahead by a thread of its own and played in order by the caller's.
//
//   Graph ─▷ messages, copied while they are in the core's cache ─▷ [batch] [batch] ─▷ Player
//             a thread of its own                                                   the caller's
//
// Babeltrace's own messages are not handed on: an event is a dozen lines of the cache, written anew
// on the other core. Memory: of a few batches, which are used again.
#pragma once

#include "core/base/result.h"
#include "core/formats/kernel/ctf/graph.h"
#include "core/formats/kernel/ctf/player.h"

namespace weft::formats::ctf {

// Plays all that the graph gives, once, until the player wants no more.
Status play_ahead(Graph& graph, Player& player);

}  // namespace weft::formats::ctf
