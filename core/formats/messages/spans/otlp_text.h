// Converts OpenTelemetry's protobuf (OTLP) to its equivalent JSON, so that one reader serves both.
// Fields that its readers (span_json.h, profiles/otlp_profile) do not use are left out.
//
// Source: opentelemetry-proto (trace.proto, profiles.proto, common.proto, resource.proto).
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace weft::formats::spans {

// Whether `traces`, a message TracesData (ExportTraceServiceRequest) or the begin of one, surely is
// one.
bool has_otlp_span(std::string_view traces);

// Calls each(document) for each of its elements, until it says false. False: the message is damaged
// or cut; what came before is there.
bool for_each_otlp_text(std::string_view traces, const std::function<bool(std::string_view)>& each);

// Whether `profiles`, a message ProfilesData or the begin of one, is likely one.
bool has_otlp_profile(std::string_view profiles);

// Returns the document of a message ProfilesData. `is_whole` is set to whether all of it could be
// read; what came before is there.
std::string otlp_profiles_text(std::string_view profiles, bool& is_whole);

}  // namespace weft::formats::spans
