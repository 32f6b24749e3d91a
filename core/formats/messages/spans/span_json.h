// Takes spans out of JSON: as Jaeger's query service answers and its pages save it, as
// OpenTelemetry's protocol (OTLP) says it, as Zipkin (version 2) and Next.js do, and as Google's
// Cloud Trace.
//
// Sources: jaeger-ui's types of its API; opentelemetry-proto (trace.proto, and its notes on JSON);
// zipkin-api's zipkin2-api.yaml; Cloud Trace's reference of its API.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/base/json_document.h"
#include "core/formats/messages/spans/span_trace.h"

namespace weft::formats::spans {

class SpanJson {
 public:
  SpanJson(trace::EventSink& sink, SpanTrace& trace) : sink_(sink), trace_(trace) {}

  // Adds all spans of a document; returns false if there are none.
  bool add(json::Element root);

 private:
  using Element = json::Element;
  // The origin of spans.
  struct Origin {
    std::string service = {}, scope = {};
    std::shared_ptr<const std::string> about = {};
  };

  using Origins = std::map<std::string, Origin, std::less<>>;

  void add_jaeger_trace(Element trace);
  static Origin jaeger_process(std::optional<Element> process);
  bool add_cloud_trace(Element trace);
  void add_jaeger(Element span, const Origins& processes);
  void add_otlp_resource(Element resource_spans);
  void add_otlp(Element span, const Origin& origin);
  int64_t clock_offset(std::string_view trace, Element span);
  void add_zipkin(Element span);
  void take(Span span, std::optional<int64_t> begin, std::optional<int64_t> end);

  trace::EventSink& sink_;
  SpanTrace& trace_;
  uint64_t found_ = 0;
  std::map<std::string, int64_t, std::less<>> clock_offsets_;  // by trace
};

}  // namespace weft::formats::spans
