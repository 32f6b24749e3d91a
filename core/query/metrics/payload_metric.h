// The metric "payload bytes" of events that have a payload; links count on the sending lane.
//
// Besides the records, the head of every event's parameters is read.
#pragma once

#include "core/query/metrics/metrics.h"

namespace weft::query {

Statistics measure_payloads(const store::Trace& trace, const Selection& selection, GroupBy by,
                            const Work& work);
std::optional<int64_t> payload_value(const store::Trace& trace, const store::Row& row,
                                     const store::Record& record, TimeRange range);

}  // namespace weft::query
