// Metrics of the fate of messages (links): how many were never received, dropped, of unknown
// senders, never answered. Each counts as one; by lane: the sender's or, if the send is missing,
// the receiver's.
#pragma once

#include "core/query/metrics/metrics.h"

namespace weft::query {

Statistics measure_unreceived(const store::Trace& trace, const Selection& selection, GroupBy by,
                              const Work& work);
std::optional<int64_t> unreceived_value(const store::Trace&, const store::Row& row,
                                        const store::Record& record, TimeRange range);

// Counts messages never received that the log reports as dropped (message_id.h: is_dropped).
Statistics measure_dropped(const store::Trace& trace, const Selection& selection, GroupBy by,
                           const Work& work);
std::optional<int64_t> dropped_value(const store::Trace& trace, const store::Row& row,
                                     const store::Record& record, TimeRange range);

Statistics measure_unsent(const store::Trace& trace, const Selection& selection, GroupBy by,
                          const Work& work);
std::optional<int64_t> unsent_value(const store::Trace&, const store::Row& row,
                                    const store::Record& record, TimeRange range);

// Counts unanswered messages; microseconds for each message that followed (answer_filter.h). Every
// message that could have an answer has the value 1, so percentiles need not search for answers.
Statistics measure_unanswered(const store::Trace& trace, const Selection& selection, GroupBy by,
                              const Work& work);
std::optional<int64_t> unanswered_value(const store::Trace&, const store::Row& row,
                                        const store::Record& record, TimeRange range);

}  // namespace weft::query
