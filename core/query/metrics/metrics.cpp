#include "core/query/metrics/metrics.h"

#include <algorithm>

#include "core/query/metrics/count_metric.h"
#include "core/query/metrics/duration_metric.h"
#include "core/query/metrics/latency_metric.h"
#include "core/query/metrics/message_metrics.h"
#include "core/query/metrics/payload_metric.h"

namespace weft::query {
namespace {

constexpr Metric kMetrics[] = {
    {"duration", "Time in states", true, true, measure_durations, duration_value},
    {"count", "Number of events", false, false, measure_counts, count_value, true},
    {"latency", "Time from send to receive", true, false, measure_latencies, latency_value},
    {"unreceived", "Messages never received", false, false, measure_unreceived, unreceived_value,
     true},
    {"dropped", "Messages dropped", false, false, measure_dropped, dropped_value, true},
    {"unsent", "Messages of unknown senders", false, false, measure_unsent, unsent_value, true},
    {"unanswered", "Messages never answered", false, false, measure_unanswered, unanswered_value,
     true},
    {"payload", "Bytes of payload", false, false, measure_payloads, payload_value},
};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

const Metric* metric_from_id(std::string_view id) {
  const auto metric = std::ranges::find(kMetrics, id, &Metric::id);
  return metric == std::end(kMetrics) ? nullptr : &*metric;
}

}  // namespace weft::query
