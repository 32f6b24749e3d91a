// Converts OpenTelemetry's protobuf (OTLP) to its equivalent JSON, so that one reader serves both.
// Fields that span_json.h does not use are left out.
//
// Source: opentelemetry-proto (trace.proto, common.proto, resource.proto).
#pragma once

#include <functional>
#include <string_view>

namespace weft::formats::spans {

// Whether `traces`, a message TracesData (ExportTraceServiceRequest) or the begin of one, surely is
// one.
bool has_otlp_span(std::string_view traces);

// Calls each(document) for each of its elements, until it says false. False: the message is damaged
// or cut; what came before is there.
bool for_each_otlp_text(std::string_view traces, const std::function<bool(std::string_view)>& each);

}  // namespace weft::formats::spans
