// The first events of an index by what a column of the event table says, in memory that does not
// grow with their number, nor with that of the threads: one pass by all workers over the rows, each
// of which gives what may be among the best to all. Work for workers; cost: O(n), and the making of
// a text for each event where the column is one of parameters.
#pragma once

#include <cstddef>
#include <optional>

#include "app/panels/tables/event_table.h"
#include "core/base/large_vector.h"
#include "core/query/event_index.h"
#include "core/query/work.h"

namespace weft::app {

// What equals stands in order of time; descending is all of it backwards. None where it was told to
// stop.
std::optional<LargeVector<EventTable::Event>> first_events_by(size_t column, bool is_descending,
                                                              const query::EventIndex& index,
                                                              const EventText& text, size_t most,
                                                              const query::Work& work);

}  // namespace weft::app
