// A span as Google's Cloud Trace has it in JSON: of its version 1, in a trace with its project, and
// of version 2, by itself.
#pragma once

#include <cstdint>
#include <optional>

#include "core/formats/base/json_document.h"
#include "core/formats/messages/spans/span_trace.h"

namespace weft::formats::spans {

struct CloudSpan {
  Span span;
  std::optional<int64_t> begin, end;  // nanoseconds since 1970
  uint64_t events_without_time = 0;
};

bool is_cloud_span(json::Element span);
// `trace` says what all its spans have in common.
CloudSpan cloud_span(json::Element span, json::Element trace);

}  // namespace weft::formats::spans
