#include "core/formats/messages/spans/span_json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/time.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/formats/messages/spans/cloud_span.h"

namespace weft::formats::spans {
namespace {

using json::Element;
using json::member;

constexpr std::string_view kNoService = "(no service)";

std::string text_or(std::optional<Element> value, std::string_view otherwise) {
  const std::string_view text = json::text(value);
  return std::string(text.empty() ? otherwise : text);
}

// 64 bits are written as texts; some write numbers.
std::optional<int64_t> whole(std::optional<Element> value) {
  const std::string_view text = json::text(value);
  return text.empty() ? json::integer(value) : parse_number<int64_t>(text);
}

std::optional<int64_t> ns_from_us(std::optional<Element> value) {
  const auto us = whole(value);
  if (!us || *us > std::numeric_limits<int64_t>::max() / kNsPerUs ||
      *us < std::numeric_limits<int64_t>::min() / kNsPerUs)
    return std::nullopt;
  return *us * kNsPerUs;
}

std::optional<int64_t> sum(std::optional<int64_t> a, std::optional<int64_t> b) {
  int64_t out = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &out)) return std::nullopt;
  return out;
}

void add_value(ArgsText& params, std::string_view key, Element value) {
  params.name(key);
  const std::string_view text = json::text(value);
  value.is_string() ? params.text(text) : params.json(json::compact(value));
}

// The tags and fields of Jaeger: a key and a value each. Gives the first value of each that is
// asked for.
template <size_t kAsked = 0>
std::array<std::optional<Element>, kAsked> add_fields(
    ArgsText& params, std::optional<Element> fields,
    const std::array<std::string_view, kAsked>& asked = {}) {
  std::array<std::optional<Element>, kAsked> found;
  json::for_each_element(fields, [&](Element field) {
    const auto value = member(field, "value");
    if (!value) return;
    const std::string_view key = json::text(member(field, "key"));
    add_value(params, key, *value);
    for (size_t i = 0; i < kAsked; ++i) {
      if (!found[i] && key == asked[i]) found[i] = value;
    }
  });
  return found;
}

void add_attributes(ArgsText& params, std::optional<Element> attributes);

// {"intValue":"7"}, {"arrayValue":{"values":[…]}}: the value without its type.
void add_typed(ArgsText& params, std::string_view type, Element value) {
  if (type == "arrayValue") {
    params.begin('[');
    json::for_each_element(member(value, "values"), [&](Element each) {
      const auto typed = json::Members(each).next();
      typed ? add_typed(params, typed->name, typed->value) : params.nothing();
    });
    return params.end(']');
  }
  if (type == "kvlistValue") {
    params.begin('{');
    add_attributes(params, member(value, "values"));
    return params.end('}');
  }
  const auto integer = type == "intValue" ? whole(value) : std::nullopt;
  if (integer) return params.number(*integer);
  value.is_string() ? params.text(json::text(value)) : params.json(json::compact(value));
}

// The attributes of OpenTelemetry: values are said with their types.
void add_attribute(ArgsText& params, Element attribute) {
  const auto value = json::Members(member(attribute, "value")).next();
  if (!value) return;
  params.name(json::text(member(attribute, "key")));
  add_typed(params, value->name, value->value);
}
void add_attributes(ArgsText& params, std::optional<Element> attributes) {
  json::for_each_element(attributes, [&](Element attribute) { add_attribute(params, attribute); });
}

// An object with what is added to it; nothing where that is nothing.
template <class Add>
void add_object(ArgsText& params, std::string_view name, const Add& add) {
  ArgsText inner;
  add(inner);
  if (inner.is_empty()) return;
  params.name(name);
  params.json(inner.take());
}

// How many of its parts a span lost before it was written.
void add_dropped(ArgsText& params, Element element) {
  constexpr std::pair<std::string_view, std::string_view> kCounts[] = {
      {"droppedAttributesCount", "dropped attributes"},
      {"droppedEventsCount", "dropped events"},
      {"droppedLinksCount", "dropped links"}};
  for (const auto& [member_name, shown] : kCounts) {
    const auto count = whole(member(element, member_name));
    if (count && *count != 0) params.add(shown, *count);
  }
}

std::string_view kind_from_number(int64_t number) {
  constexpr std::array<std::string_view, 6> kKinds = {"",       "internal", "server",
                                                      "client", "producer", "consumer"};
  return number > 0 && number < static_cast<int64_t>(kKinds.size())
             ? kKinds[static_cast<size_t>(number)]
             : kKinds[0];
}

// "client", of 3, "SPAN_KIND_CLIENT", "CLIENT" and "client".
std::string kind_from(std::optional<Element> value) {
  constexpr std::string_view kPrefix = "SPAN_KIND_";
  std::string_view text = json::text(value);
  if (text.empty()) return std::string(kind_from_number(json::integer(value).value_or(0)));
  take_prefix(text, kPrefix);
  return lower_case(std::string(text));
}

// OpenTelemetry's instrumentation scope: "io.opentelemetry.jdbc 1.2".
std::string scope_from(std::optional<Element> scope) {
  std::string text(json::text(member(scope, "name")));
  const std::string_view version = json::text(member(scope, "version"));
  if (!text.empty() && !version.empty()) text.append(1, ' ').append(version);
  return text;
}

// One side of a call, of Zipkin: each part where it is known. Where the span itself is, is its
// lane.
void add_endpoint(ArgsText& params, std::string_view side, std::optional<Element> endpoint) {
  const std::string_view service = json::text(member(endpoint, "serviceName"));
  const bool is_remote = side == "remote";
  if (is_remote && !service.empty()) params.add(side, service);
  const auto named = [&](std::string_view part) {
    return std::string(side).append(1, ' ').append(part);
  };
  for (const std::string_view key : {"ipv4", "ipv6"}) {
    const std::string_view address = json::text(member(endpoint, key));
    if (!address.empty()) params.add(named(key), address);
  }
  if (const auto port = json::integer(member(endpoint, "port"))) params.add(named("port"), *port);
}

bool is_jaeger(Element span) { return member(span, "operationName") && member(span, "spanID"); }
bool is_zipkin(Element span) {
  const bool is_timed = member(span, "timestamp") && member(span, "duration");
  return member(span, "traceId") && member(span, "id") &&
         (is_timed || member(span, "localEndpoint"));
}

// A number of a span, which Next.js writes as one; empty where there is none.
std::string id_from(std::optional<Element> value) {
  return value && !value->is_null() ? json::plain(value) : std::string();
}

bool is_sender(std::string_view kind) { return kind == "client" || kind == "producer"; }

void add_kind(Span& span, ArgsText& params, std::optional<Element> value) {
  const std::string kind = kind_from(value);
  span.is_sender = is_sender(kind);
  if (!kind.empty()) params.add("kind", kind);
}

}  // namespace

bool SpanJson::add(Element root) {
  const uint64_t before = found_;
  const auto each = [&](std::optional<Element> of, const auto& add) {
    json::for_each_part(of, [&](Element element) {
      if (sink_.keep_going()) add(element);
    });
  };
  const auto otlp = [&](Element resource) { add_otlp_resource(resource); };
  for (const auto& holder : {std::optional(root), member(root, "result"), member(root, "trace")}) {
    each(member(holder, "resourceSpans"), otlp);
    each(member(holder, "batches"), otlp);
  }
  const auto data = member(root, "data");  // traces, or one alone
  each(data, [&](Element trace) { add_jaeger_trace(trace); });
  if (member(data, "spans")) add_jaeger_trace(*data);
  each(member(root, "traces"), [&](Element trace) { add_cloud_trace(trace); });
  if (member(root, "spans") && !add_cloud_trace(root)) add_jaeger_trace(root);
  // As stored and returned by databases.
  if (is_jaeger(root)) add_jaeger(root, {});
  if (is_zipkin(root)) add_zipkin(root);
  each(member(member(root, "hits"), "hits"), [&](Element hit) {
    const auto span = member(hit, "_source");
    if (span && !json::is_cut(hit) && is_jaeger(*span)) add_jaeger(*span, {});
  });
  each(root, [&](Element element) {
    // An array of Zipkin's spans or traces, of Jaeger's traces, or of exports.
    if (element.is_array())
      return json::for_each_element(element, [&](Element span) { add_zipkin(span); });
    if (member(element, "spans") && add_cloud_trace(element)) return;
    if (member(element, "spans")) return add_jaeger_trace(element);
    if (member(element, "resourceSpans")) return static_cast<void>(add(element));
    if (json::is_cut(element)) return;
    if (is_jaeger(element)) return add_jaeger(element, {});
    add_zipkin(element);
  });
  return found_ > before;
}

void SpanJson::take(Span span, std::optional<int64_t> begin, std::optional<int64_t> end) {
  const uint64_t index = found_++;
  if (!begin || !end) return sink_.loss("span without a begin or an end", index);
  if (*end < *begin) return sink_.loss("span that ends before it begins", index);
  span.begin = Time{*begin};
  span.end = Time{*end};
  trace_.add(std::move(span));
}

void SpanJson::add_jaeger_trace(Element trace) {
  Origins processes;
  json::for_each_member(member(trace, "processes"), [&](std::string_view id, Element process) {
    processes.try_emplace(std::string(id), jaeger_process(process));
  });
  json::for_each_element(member(trace, "spans"),
                         [&](Element span) { add_jaeger(span, processes); });
  json::for_each_element(member(trace, "warnings"), [&](Element warning) {
    sink_.set_metadata("warning", std::string(json::text(warning)));
  });
}

SpanJson::Origin SpanJson::jaeger_process(std::optional<Element> process) {
  ArgsText about;
  add_object(about, "process",
             [&](ArgsText& inner) { add_fields(inner, member(process, "tags")); });
  return {.service = text_or(member(process, "serviceName"), kNoService),
          .scope = {},
          .about = std::make_shared<const std::string>(about.take())};
}

// False: it is none of Google's.
bool SpanJson::add_cloud_trace(Element trace) {
  bool is_cloud = false;
  json::for_each_element(member(trace, "spans"), [&](Element element) {
    if (!is_cloud && !is_cloud_span(element)) return;
    is_cloud = true;
    if (!member(element, "spanId")) return sink_.loss("something that is not a span", found_++);
    CloudSpan cloud = cloud_span(element, trace);
    if (cloud.events_without_time > 0)
      sink_.loss("event of a span without a time", found_, cloud.events_without_time);
    take(std::move(cloud.span), cloud.begin, cloud.end);
  });
  return is_cloud;
}

void SpanJson::add_jaeger(Element element, const Origins& processes) {
  Span span;
  const std::string_view trace = json::text(member(element, "traceID"));
  const std::string_view id = json::text(member(element, "spanID"));
  const auto process = processes.find(json::text(member(element, "processID")));
  const Origin own =
      process == processes.end() ? jaeger_process(member(element, "process")) : Origin{};
  const Origin& origin = process == processes.end() ? own : process->second;
  span.key = key_of(trace, id);
  span.service = origin.service;
  span.about = origin.about;
  span.name = text_or(member(element, "operationName"), "span");
  ArgsText params;
  params.add("trace", trace);
  params.add("span", id);
  const auto [kind] =
      add_fields(params, member(element, "tags"), std::to_array<std::string_view>({"span.kind"}));
  span.is_sender = is_sender(kind_from(kind));
  if (const auto warnings = member(element, "warnings"); warnings && warnings->is_array())
    add_value(params, "warnings", *warnings);
  span.params = params.take();
  json::for_each_element(member(element, "references"), [&](Element reference) {
    const bool follows = json::text(member(reference, "refType")) == "FOLLOWS_FROM";
    span.references.push_back(
        {follows ? "follows from" : "child of", key_of(json::text(member(reference, "traceID")),
                                                       json::text(member(reference, "spanID")))});
  });
  const std::string_view parent = json::text(member(element, "parentSpanID"));
  if (span.references.empty() && !parent.empty())
    span.references.push_back({"child of", key_of(trace, parent)});
  json::for_each_element(member(element, "logs"), [&](Element log) {
    const auto time = ns_from_us(member(log, "timestamp"));
    if (!time) return sink_.loss("event of a span without a time", found_);
    ArgsText said;
    const auto [event, message] = add_fields(said, member(log, "fields"),
                                             std::to_array<std::string_view>({"event", "message"}));
    span.events.push_back({Time{*time}, text_or(event ? event : message, "log"), said.take()});
  });
  const auto begin = ns_from_us(member(element, "startTime"));
  take(std::move(span), begin, sum(begin, ns_from_us(member(element, "duration"))));
}

void SpanJson::add_otlp_resource(Element element) {
  Origin origin;
  origin.service = kNoService;
  ArgsText resource;
  json::for_each_element(member(member(element, "resource"), "attributes"), [&](Element attribute) {
    if (json::text(member(attribute, "key")) != "service.name")
      return add_attribute(resource, attribute);
    origin.service = text_or(member(member(attribute, "value"), "stringValue"), origin.service);
  });
  const std::string about_resource = resource.take();
  constexpr std::pair<std::string_view, std::string_view> kScopes[] = {
      {"scopeSpans", "scope"}, {"instrumentationLibrarySpans", "instrumentationLibrary"}};
  for (const auto& [holders, said] : kScopes) {
    json::for_each_part(member(element, holders), [&, said = said](Element holder) {
      const auto scope = member(holder, said);
      origin.scope = scope_from(scope);
      ArgsText about;
      add_object(about, "scope attributes",
                 [&](ArgsText& inner) { add_attributes(inner, member(scope, "attributes")); });
      if (!about_resource.empty()) {
        about.name("resource");
        about.json(about_resource);
      }
      origin.about = std::make_shared<const std::string>(about.take());
      json::for_each_element(member(holder, "spans"),
                             [&](Element span) { add_otlp(span, origin); });
    });
  }
}

void SpanJson::add_otlp(Element element, const Origin& origin) {
  Span span;
  const std::string_view trace = json::text(member(element, "traceId"));
  const std::string_view id = json::text(member(element, "spanId"));
  const std::string_view parent = json::text(member(element, "parentSpanId"));
  span.key = key_of(trace, id);
  span.service = origin.service;
  span.about = origin.about;
  span.name = text_or(member(element, "name"), "span");
  ArgsText params;
  params.add("trace", trace);
  params.add("span", id);
  add_kind(span, params, member(element, "kind"));
  const auto status = member(element, "status"), code = member(status, "code");
  if (!origin.scope.empty()) params.add("scope", origin.scope);
  constexpr int64_t kError = 2;
  if (json::integer(code) == kError || json::text(code) == "STATUS_CODE_ERROR")
    params.add("error", text_or(member(status, "message"), "yes"));
  add_attributes(params, member(element, "attributes"));
  if (const std::string_view state = json::text(member(element, "traceState")); !state.empty())
    params.add("trace state", state);
  add_dropped(params, element);
  span.params = params.take();
  const bool is_root = parent.find_first_not_of('0') == std::string_view::npos;
  if (!is_root) span.references.push_back({"child of", key_of(trace, parent)});
  json::for_each_element(member(element, "links"), [&](Element link) {
    ArgsText said;
    add_attributes(said, member(link, "attributes"));
    span.references.push_back(
        {"link", key_of(json::text(member(link, "traceId")), json::text(member(link, "spanId"))),
         said.take()});
  });
  json::for_each_element(member(element, "events"), [&](Element event) {
    const auto time = whole(member(event, "timeUnixNano"));
    if (!time) return sink_.loss("event of a span without a time", found_);
    ArgsText said;
    add_attributes(said, member(event, "attributes"));
    add_dropped(said, event);
    span.events.push_back({Time{*time}, text_or(member(event, "name"), "event"), said.take()});
  });
  take(std::move(span), whole(member(element, "startTimeUnixNano")),
       whole(member(element, "endTimeUnixNano")));
}

// What has to be added to the times of a trace. Those of Next.js count from the start of the
// machine; its spans also say when they began since 1970, but only in milliseconds: the first of a
// trace says it for all, so that the others keep their distances.
int64_t SpanJson::clock_offset(std::string_view trace, Element span) {
  constexpr size_t kMostTraces = 1 << 16, kMostIdBytes = 64;
  const auto known = clock_offsets_.find(trace);
  if (known != clock_offsets_.end()) return known->second;
  const auto since_1970 = json::integer(member(span, "startTime"));
  const auto begin = ns_from_us(member(span, "timestamp"));
  int64_t offset = 0;
  if (!since_1970 || !begin || __builtin_mul_overflow(*since_1970, kNsPerMs, &offset) ||
      __builtin_sub_overflow(offset, *begin, &offset))
    return 0;
  if (clock_offsets_.size() < kMostTraces && trace.size() <= kMostIdBytes)
    clock_offsets_.emplace(trace, offset);
  return offset;
}

// A server may share its client's number: it is then its child.
void SpanJson::add_zipkin(Element element) {
  const std::string_view trace = json::text(member(element, "traceId"));
  const std::string id = id_from(member(element, "id"));
  const std::string parent = id_from(member(element, "parentId"));
  if (trace.empty() || id.empty()) return sink_.loss("something that is not a span", found_++);
  Span span;
  const auto shared = member(element, "shared");
  const bool is_shared = shared && shared->is_true();
  span.key = is_shared ? shared_key_of(trace, id) : key_of(trace, id);
  const auto local = member(element, "localEndpoint");
  const int64_t offset = local ? 0 : clock_offset(trace, element);
  span.service = text_or(member(local, "serviceName"), kNoService);
  span.name = text_or(member(element, "name"), "span");
  ArgsText params;
  params.add("trace", trace);
  params.add("span", id);
  add_kind(span, params, member(element, "kind"));
  add_endpoint(params, "local", local);
  add_endpoint(params, "remote", member(element, "remoteEndpoint"));
  json::for_each_member(member(element, "tags"), [&](std::string_view key, Element value) {
    add_value(params, key, value);
  });
  span.params = params.take();
  const std::string above = parent.empty() ? std::string() : key_of(trace, parent);
  if (is_shared) {
    span.references.push_back({.kind = "child of", .span = key_of(trace, id), .otherwise = above});
  } else if (!above.empty()) {
    span.references.push_back({"child of", above});
  }
  json::for_each_element(member(element, "annotations"), [&](Element annotation) {
    const auto time = sum(ns_from_us(member(annotation, "timestamp")), offset);
    if (!time) return sink_.loss("event of a span without a time", found_);
    span.events.push_back({Time{*time}, text_or(member(annotation, "value"), "annotation"), {}});
  });
  auto begin = sum(ns_from_us(member(element, "timestamp")), offset);
  const auto duration = member(element, "duration");
  auto end = duration ? sum(begin, ns_from_us(duration)) : begin;
  if (!begin) {  // reported by someone who knew only what happened meanwhile, or nothing
    if (span.events.empty()) return sink_.note("span of which nobody told a time", found_++);
    const auto [first, last] = std::ranges::minmax(span.events, {}, &SpanEvent::time);
    begin = first.time.ticks;
    end = last.time.ticks;
  }
  take(std::move(span), begin, end);
}

}  // namespace weft::formats::spans
