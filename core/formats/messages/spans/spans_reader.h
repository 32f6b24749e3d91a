// The reader of spans of distributed tracing: in JSON what Jaeger saves, OpenTelemetry's protocol
// (a document, or one in each line, as the file exporter of its collector writes) and Zipkin's
// version 2; in protobuf OpenTelemetry's protocol (a message, or several, each behind its length of
// 4 bytes, big-endian, which the file exporter writes; then also JSON, or either packed by zstd).
// See spans/span_trace.h for what becomes of them. Places of losses are numbers of spans.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_spans(std::span<const std::byte> head);
Status read_spans(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
