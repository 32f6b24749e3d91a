#include "core/formats/messages/spans/cloud_span.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/base/args_text.h"
#include "core/formats/base/time_form.h"

namespace weft::formats::spans {
namespace {

using json::Element;
using json::member;

// "2015-09-03T16:40:00.841654024Z"
std::optional<int64_t> ns_from_date(std::optional<Element> value) {
  const auto time = parse_date(json::text(value));
  return time ? std::optional(time->ticks) : std::nullopt;
}

std::string_view kind_of(std::string_view kind) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kKinds = {
      std::pair{"RPC_CLIENT", "client"},
      {"RPC_SERVER", "server"},
      {"CLIENT", "client"},
      {"SERVER", "server"},
      {"PRODUCER", "producer"},
      {"CONSUMER", "consumer"}};
  for (const auto& [name, said] : kKinds) {
    if (kind == name) return said;
  }
  return kind == "SPAN_KIND_UNSPECIFIED" ? std::string_view() : kind;
}

// Texts that may be cut are objects in version 2: {"value": "x", "truncatedByteCount": 0}.
std::string_view text_of(std::optional<Element> value) {
  const std::string_view text = json::text(value);
  return text.empty() ? json::text(member(value, "value")) : text;
}

void add_members(ArgsText& params, std::optional<Element> object) {
  json::for_each_member(object, [&](std::string_view key, Element value) {
    const auto text = member(value, "stringValue");  // of version 2
    params.name(key);
    if (text) {
      params.text(text_of(text));
    } else if (value.is_string()) {
      params.text(json::text(value));
    } else {
      const auto number = member(value, "intValue"), flag = member(value, "boolValue");
      params.json(number ? json::text(number) : json::compact(flag ? *flag : value));
    }
  });
}

// "…/traces/6ef9/spans/12", of version 2.
std::string_view trace_in(std::string_view name) {
  constexpr std::string_view kBefore = "/traces/";
  const size_t begin = name.find(kBefore);
  if (begin == std::string_view::npos) return {};
  name.remove_prefix(begin + kBefore.size());
  return name.substr(0, name.find('/'));
}

void add_events(CloudSpan& out, std::optional<Element> events) {
  json::for_each_element(events, [&](Element event) {
    const auto time = ns_from_date(member(event, "time"));
    if (!time) {
      ++out.events_without_time;
      return;
    }
    const auto annotation = member(event, "annotation");
    const std::string_view said = text_of(member(annotation, "description"));
    ArgsText params;
    add_members(params, member(member(annotation, "attributes"), "attributeMap"));
    add_members(params, member(event, "messageEvent"));
    out.span.events.push_back({Time{*time},
                               std::string(!said.empty() ? said
                                           : annotation  ? std::string_view("annotation")
                                                         : std::string_view("message")),
                               params.take()});
  });
}

}  // namespace

bool is_cloud_span(Element span) {
  return member(span, "spanId") && !json::text(member(span, "startTime")).empty();
}

CloudSpan cloud_span(Element element, Element trace) {
  CloudSpan out;
  Span& span = out.span;
  const std::string number = json::plain(member(element, "spanId"));
  const std::string_view resource = json::text(member(element, "name"));
  std::string_view in = json::text(member(trace, "traceId"));
  if (in.empty()) in = trace_in(resource);
  span.key = key_of(in, number);
  const std::string_view project = json::text(member(trace, "projectId"));
  span.service = project.empty() ? "(no service)" : std::string(project);
  const std::string_view shown = text_of(member(element, "displayName"));
  span.name = !shown.empty() ? shown : !resource.empty() ? resource : "span";
  ArgsText params;
  params.add("trace", in);
  params.add("span", number);
  const auto said = member(element, "kind") ? member(element, "kind") : member(element, "spanKind");
  const std::string_view kind = kind_of(json::text(said));
  span.is_sender = kind == "client" || kind == "producer";
  if (!kind.empty()) params.add("kind", kind);
  add_members(params, member(element, "labels"));
  add_members(params, member(member(element, "attributes"), "attributeMap"));
  span.params = params.take();
  const auto parent = member(element, "parentSpanId");
  if (parent) {
    const std::string of = json::plain(parent);
    const bool is_root = of.find_first_not_of('0') == std::string::npos;
    if (!is_root) span.references.push_back({"child of", key_of(in, of)});
  }
  json::for_each_element(member(member(element, "links"), "link"), [&](Element link) {
    span.references.push_back(
        {"link", key_of(json::text(member(link, "traceId")), json::text(member(link, "spanId")))});
  });
  add_events(out, member(member(element, "timeEvents"), "timeEvent"));
  out.begin = ns_from_date(member(element, "startTime"));
  out.end = ns_from_date(member(element, "endTime"));
  return out;
}

}  // namespace weft::formats::spans
