#include "core/query/metrics/message_metrics.h"

#include "core/query/filter/answer_filter.h"
#include "core/query/metrics/value_metric.h"
#include "core/trace/message_id.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;
using store::RowKind;
using store::Trace;

bool is_out(const Row& row) { return row.kind == RowKind::kLinkOut; }
bool is_in(const Row& row) { return row.kind == RowKind::kLinkIn; }

std::optional<int64_t> one_if(bool is_one) {
  return is_one ? std::optional<int64_t>(1) : std::nullopt;
}

}  // namespace

Statistics measure_unreceived(const Trace& trace, const Selection& selection, GroupBy by,
                              const Work& work) {
  return measure_values(trace, selection, by, work, is_out, unreceived_value);
}
std::optional<int64_t> unreceived_value(const Trace&, const Row& row, const Record& record,
                                        TimeRange) {
  return one_if(is_out(row) && record.peer.is_none());
}

Statistics measure_dropped(const Trace& trace, const Selection& selection, GroupBy by,
                           const Work& work) {
  return measure_values(trace, selection, by, work, is_out, dropped_value);
}
std::optional<int64_t> dropped_value(const Trace& trace, const Row& row, const Record& record,
                                     TimeRange) {
  return one_if(is_out(row) && record.peer.is_none() &&
                trace::is_dropped(trace.params(record.params).json));
}

Statistics measure_unsent(const Trace& trace, const Selection& selection, GroupBy by,
                          const Work& work) {
  return measure_values(trace, selection, by, work, is_in, unsent_value);
}
std::optional<int64_t> unsent_value(const Trace&, const Row& row, const Record& record, TimeRange) {
  return one_if(is_in(row) && record.peer.is_none());
}

Statistics measure_unanswered(const Trace& trace, const Selection& selection, GroupBy by,
                              const Work& work) {
  Selection asked = selection;
  asked.narrow(trace, unanswered());
  return measure_values(trace, asked, by, work, is_out, unanswered_value);
}
std::optional<int64_t> unanswered_value(const Trace&, const Row& row, const Record& record,
                                        TimeRange) {
  return one_if(is_out(row) && !record.peer.is_none() && record.peer != row.lane);
}

}  // namespace weft::query
