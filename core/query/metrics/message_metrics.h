// What became of messages (links): how many were never received, thrown away, of unknown senders,
// never answered. Each of those counts one; by lane: the lane that sends or, where the send is
// missing, the one that receives.
#pragma once

#include "core/query/metrics/metrics.h"

namespace weft::query {

Statistics measure_unreceived(const store::Trace& trace, const Selection& selection, GroupBy by,
                              const Work& work);
std::optional<int64_t> unreceived_value(const store::Trace&, const store::Row& row,
                                        const store::Record& record, TimeRange range);

// Of those never received: the log says that they were thrown away (message_id.h: is_dropped).
Statistics measure_dropped(const store::Trace& trace, const Selection& selection, GroupBy by,
                           const Work& work);
std::optional<int64_t> dropped_value(const store::Trace& trace, const store::Row& row,
                                     const store::Record& record, TimeRange range);

Statistics measure_unsent(const store::Trace& trace, const Selection& selection, GroupBy by,
                          const Work& work);
std::optional<int64_t> unsent_value(const store::Trace&, const store::Row& row,
                                    const store::Record& record, TimeRange range);

// Microseconds for each message that followed (answer_filter.h). The value is that of every message
// that could have an answer: all are 1, and percentiles need not look for the others.
Statistics measure_unanswered(const store::Trace& trace, const Selection& selection, GroupBy by,
                              const Work& work);
std::optional<int64_t> unanswered_value(const store::Trace&, const store::Row& row,
                                        const store::Record& record, TimeRange range);

}  // namespace weft::query
