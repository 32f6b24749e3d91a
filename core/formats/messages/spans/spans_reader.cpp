#include "core/formats/messages/spans/spans_reader.h"

#include <string_view>

#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/messages/spans/span_json.h"
#include "core/formats/messages/spans/span_trace.h"

namespace weft::formats {
namespace {

// One object that ends with the first line, and another in the next.
bool are_lines(std::string_view head) {
  head = trimmed(head);
  const size_t end = head.find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view first = trimmed(head.substr(0, end)), next = trimmed(head.substr(end));
  return first.starts_with('{') && first.ends_with('}') && next.starts_with('{');
}

}  // namespace

int sniff_spans(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  const std::string_view begin = trimmed(text).substr(0, 1);
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  if (begin != "{" && begin != "[") return 0;
  constexpr int kSure = 96;
  if (has("\"resourceSpans\"") || has("\"scopeSpans\"") || has("\"instrumentationLibrarySpans\""))
    return kSure;
  if (has("\"traceID\"") && has("\"spanID\"") && has("\"operationName\"")) return kSure;
  const bool has_cloud_times = has("\"startTime\"") && has("\"endTime\"") && has("\"spanId\"");
  if (has_cloud_times && has("\"spans\"") && (has("\"traceId\"") || has("\"displayName\"")))
    return kSure;
  const bool is_zipkin = has("\"traceId\"") && has("\"id\"") && has("\"timestamp\"");
  return is_zipkin && has("\"localEndpoint\"") ? kSure : 0;
}

Status read_spans(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  sink.set_time_base(TimeBase::kNanoseconds);
  spans::SpanTrace trace(sink, context.memory_bytes);
  spans::SpanJson spans(sink, trace);
  WEFT_TRY_ASSIGN(const auto head, source.peek(size_t{1} << 20));
  if (are_lines(as_chars(head))) {
    json::Document document;
    for_each_line(
        source, sink,
        [&](const io::Line& line) {
          if (!document.parse_next(line.text) || !spans.add(document.root()))
            sink.loss("line without spans", trace.count());
        },
        context.memory_bytes / 2);
  } else {
    WEFT_TRY_ASSIGN(const json::Document document,
                    json::Document::read(source, sink, context.memory_bytes));
    if (!spans.add(document.root())) return fail("is a document about spans without any");
  }
  trace.finish();
  return {};
}

}  // namespace weft::formats
