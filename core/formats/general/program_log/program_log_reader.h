// The reader of logs as programs write them by the usual libraries: lines with a time and a level
// (log4j and logback, Python, Rust, Go, klog, Kafka, Elasticsearch, …), lines of JSON (bunyan,
// pino, zap, Elastic's, of containers, …), and some that say more: event logs of Spark, tests of
// Go, audits of Kubernetes, requests of web servers, statements of PostgreSQL, jobs of GitHub and
// GitLab.
//
// Each form is a definition of a trace type, as users write them (custom/). What has a thread or a
// logger lies on the lane of that, and is called by its level.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_program_log(std::span<const std::byte> head);
Status read_program_log(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
