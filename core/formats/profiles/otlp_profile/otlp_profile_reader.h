// Reads profiles of OpenTelemetry (OTLP) in the form whose profiles share a dictionary of stacks
// (v1development, since opentelemetry-proto 1.8): as a document of JSON, as lines of such
// documents, or as one message of protobuf, which is turned into the document that the protocol
// has for it.
//
//   {"resourceProfiles": [{"resource": …, "scopeProfiles": [{"profiles": [
//      {"sampleType": {"typeStrindex": 1, "unitStrindex": 2},
//       "samples": [{"stackIndex": 1, "values": ["10"], "attributeIndices": [1]}]}]}]}],
//    "dictionary": {"stringTable": ["", "cpu", "nanoseconds", …], "stackTable": …, …}}
//
// Where all samples have times, stacks lie at these (timed_samples.h). Else they lie side by side,
// as wide as their values, on a lane for each process (or service) and type of value; attributes of
// a sample are a punctual event at its begin. A sample without values weighs as much as it has
// times. What is before the shared dictionary is refused.
//
// Source: opentelemetry-proto (profiles.proto).
#pragma once

#include <cstddef>
#include <span>

#include "core/formats/formats.h"

namespace weft::formats {

int sniff_otlp_profile(std::span<const std::byte> head);
Status read_otlp_profile(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
