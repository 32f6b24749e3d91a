// What OpenTelemetry's protocol (OTLP) says in protobuf, as the JSON that it has for the same, so
// that there is one reader of it. Names are those of span_json.h; what is not asked for there is
// left out.
//
// Source: opentelemetry-proto (trace.proto, common.proto, resource.proto).
#pragma once

#include <functional>
#include <string_view>

namespace weft::formats::spans {

// Of a message TracesData (ExportTraceServiceRequest), or of its begin: whether it is surely one.
bool has_otlp_span(std::string_view traces);

// Calls each(document) for each of its elements, until it says false. False: the message is damaged
// or cut; what came before is there.
bool for_each_otlp_text(std::string_view traces, const std::function<bool(std::string_view)>& each);

}  // namespace weft::formats::spans
