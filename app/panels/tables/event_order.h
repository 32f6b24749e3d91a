// The first events of an index by what a column of the event table says, in memory that grows
// neither with their number nor with that of the threads: all workers take one pass over the rows,
// and each passes on what may be among the best. Worker threads only. Cost: O(n), and making a text
// for each event if the column is a parameter.
#pragma once

#include <cstddef>
#include <optional>

#include "app/panels/tables/event_table.h"
#include "core/base/large_vector.h"
#include "core/query/event_index.h"
#include "core/query/work.h"

namespace weft::app {

// Equal values are in order of time; descending order is the exact reverse. nullopt if it was
// stopped.
std::optional<LargeVector<EventTable::Event>> first_events_by(size_t column, bool is_descending,
                                                              const query::EventIndex& index,
                                                              const EventText& text, size_t most,
                                                              const query::Work& work);

}  // namespace weft::app
