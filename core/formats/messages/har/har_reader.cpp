#include "core/formats/messages/har/har_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/base/time_form.h"
#include "core/formats/messages/har/har_url.h"
#include "core/formats/messages/spans/span_trace.h"

namespace weft::formats {
namespace har {
namespace {

using json::Element;
using json::member;
using spans::Span;

constexpr size_t kMostText = 16 << 10;  // of one parameter; longer ones are told by their length

// Unknown values are -1, or missing.
double ms_of(std::optional<Element> object, std::string_view name) {
  constexpr double kMost = 9e12;  // nanoseconds of that are no more than a time may be
  const double ms = json::number(member(object, name)).value_or(0);
  return ms > 0 && ms < kMost ? ms : 0;
}
Duration duration_from(double ms) {
  constexpr double kNanoseconds = 1e6;
  return {std::llround(ms * kNanoseconds)};
}
Time after(Time time, double ms) {
  return Time{saturating_add(time.ticks, duration_from(ms).ticks)};
}

std::optional<Time> date_of(std::optional<Element> object) {
  return parse_date(json::text(member(object, "startedDateTime")));
}

void add_text(ArgsText& params, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  if (text.size() > kMostText) return params.add(fmt::format("{} (bytes)", name), text.size());
  params.add(name, text);
}
void add_member(ArgsText& params, std::string_view name, std::optional<Element> value) {
  if (!value || value->is_null()) return;
  if (value->is_string()) return add_text(params, name, json::text(value));
  const size_t bytes = json::written_bytes(value);
  if (bytes > kMostText) return params.add(fmt::format("{} (bytes)", name), bytes);
  params.name(name);
  params.json(json::compact(value));
}
// Sizes that are not known are -1.
void add_size(ArgsText& params, std::string_view name, std::optional<Element> value) {
  const auto size = json::integer(value);
  if (size && *size >= 0) params.add(name, *size);
}
// Headers and the like: a name and a value each, of which some come several times.
void add_pairs(ArgsText& params, std::string_view name, std::optional<Element> pairs) {
  if (!pairs || !pairs->is_array()) return;
  ArgsText list;
  std::string text;
  size_t bytes = 0;
  list.begin('[');
  json::for_each_element(pairs, [&](Element pair) {
    text = json::text(member(pair, "name"));
    text.append(": ").append(json::text(member(pair, "value")));
    bytes += text.size();
    if (bytes <= kMostText) list.text(text);
  });
  list.end(']');
  if (bytes == 0) return;
  if (bytes > kMostText) return params.add(fmt::format("{} (bytes)", name), bytes);
  params.name(name);
  params.value_of(list);
}

struct Phase {
  std::string_view name;
  double begin, end;  // ms since the request began
  bool is_inner;      // within the one before
};

// One after the other. TLS is a part of connecting; some keep it apart, which the total tells.
std::vector<Phase> phases_of(std::optional<Element> entry) {
  const auto timings = member(entry, "timings");
  const double blocked = ms_of(timings, "blocked"), dns = ms_of(timings, "dns");
  const double connect = ms_of(timings, "connect"), ssl = ms_of(timings, "ssl");
  const double send = ms_of(timings, "send"), wait = ms_of(timings, "wait");
  const double receive = ms_of(timings, "receive");
  const double sum = blocked + dns + connect + send + wait + receive;
  const double total = ms_of(entry, "time");
  const bool is_apart =
      ssl > connect || (total > 0 && std::abs(total - sum - ssl) < std::abs(total - sum));
  std::vector<Phase> phases;
  double now = 0;
  const auto add = [&](std::string_view name, double ms) {
    if (ms > 0) phases.push_back({name, now, now + ms, false});
    now += ms;
  };
  add("blocked", blocked);
  const double queueing = std::min(ms_of(timings, "_blocked_queueing"), blocked);
  if (queueing > 0) phases.push_back({"queueing", 0, queueing, true});
  add("dns", dns);
  add("connect", connect);
  if (is_apart)
    add("ssl", ssl);
  else if (ssl > 0)
    phases.push_back({"ssl", now - ssl, now, true});
  add("send", send);
  add("wait", wait);
  add("receive", receive);
  return phases;
}

std::string params_of(std::optional<Element> entry) {
  const auto request = member(entry, "request"), response = member(entry, "response");
  const auto content = member(response, "content"), cache = member(entry, "cache");
  ArgsText params;
  add_text(params, "method", json::text(member(request, "method")));
  add_text(params, "url", json::text(member(request, "url")));
  add_member(params, "status", member(response, "status"));
  add_text(params, "statusText", json::text(member(response, "statusText")));
  add_text(params, "error", json::text(member(response, "_error")));
  add_text(params, "httpVersion", json::text(member(response, "httpVersion")));
  add_text(params, "mimeType", json::text(member(content, "mimeType")));
  add_size(params, "size", member(content, "size"));
  add_size(params, "bodySize", member(response, "bodySize"));
  add_size(params, "transferSize", member(response, "_transferSize"));
  add_text(params, "redirectURL", json::text(member(response, "redirectURL")));
  add_text(params, "page", json::text(member(entry, "pageref")));
  add_text(params, "serverIPAddress", json::text(member(entry, "serverIPAddress")));
  add_member(params, "connection", member(entry, "connection"));
  add_text(params, "priority", json::text(member(entry, "_priority")));
  add_member(params, "fromCache", member(entry, "_fromCache"));
  add_member(params, "beforeRequest", member(cache, "beforeRequest"));
  add_member(params, "initiator", member(entry, "_initiator"));
  add_text(params, "comment", json::text(member(entry, "comment")));
  add_member(params, "postData", member(request, "postData"));
  add_pairs(params, "queryString", member(request, "queryString"));
  add_pairs(params, "request headers", member(request, "headers"));
  add_pairs(params, "response headers", member(response, "headers"));
  return params.take();
}

// As given by Chrome: for a script, the innermost call.
std::string initiator_of(std::optional<Element> entry) {
  const auto initiator = member(entry, "_initiator");
  std::string url(json::text(member(initiator, "url")));
  auto stack = member(initiator, "stack");
  for (int depth = 0; url.empty() && stack && depth < 64; ++depth) {
    json::for_each_element(member(stack, "callFrames"), [&](Element frame) {
      if (url.empty()) url = json::text(member(frame, "url"));
    });
    stack = member(stack, "parent");
  }
  return url;
}

struct Request {
  Span span;
  std::vector<Phase> phases;
  std::string url, redirect, initiator, page;
};

class HarReader {
 public:
  HarReader(trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink), trace_(sink), most_bytes_(memory_bytes / 2) {}

  void read(Element log) {
    sink_.set_time_base(TimeBase::kNanoseconds);
    for (const std::string_view program : {"creator", "browser"}) {
      const std::string_view name = json::text(member(member(log, program), "name"));
      const std::string_view version = json::text(member(member(log, program), "version"));
      if (!name.empty()) sink_.set_metadata(program, fmt::format("{} {}", name, version));
    }
    json::for_each_element(member(log, "entries"), [&](Element entry) { add_request(entry); });
    std::ranges::stable_sort(requests_, {}, [](const Request& each) { return each.span.begin; });
    json::for_each_element(member(log, "pages"), [&](Element page) { add_page(page); });
    for (size_t i = 0; i < requests_.size(); ++i) link(i);
    for (Request& request : requests_) give(request);
    trace_.finish();
  }

 private:
  void add_request(Element entry) {
    const uint64_t index = entries_++;
    const auto begin = date_of(entry);
    if (!begin) return sink_.loss("request without a time", index);
    Request request{.span = {},
                    .phases = phases_of(entry),
                    .url = {},
                    .redirect = {},
                    .initiator = initiator_of(entry),
                    .page = std::string(json::text(member(entry, "pageref")))};
    request.url = json::text(member(member(entry, "request"), "url"));
    request.redirect =
        resolved(json::text(member(member(entry, "response"), "redirectURL")), request.url);
    double length = ms_of(entry, "time");
    for (const Phase& phase : request.phases) length = std::max(length, phase.end);
    Span& span = request.span;
    span.key = fmt::format("{}", index);
    span.service = host_of(request.url);
    span.name = name_of(request.url);
    span.group = kind_of(entry);
    span.given = sink_.params(params_of(entry));
    span.begin = *begin;
    span.end = after(*begin, length);
    add_messages(span, entry);
    bytes_ += sizeof(Request) + request.phases.size() * sizeof(Phase) + request.initiator.size() +
              3 * request.url.size();
    if (bytes_ > most_bytes_)
      return sink_.loss("beyond the memory: allow more with --memory", index);
    requests_.push_back(std::move(request));
  }

  static std::string kind_of(Element entry) {
    std::string_view kind = json::text(member(entry, "_resourceType"));
    if (kind.empty()) {
      kind = json::text(member(member(member(entry, "response"), "content"), "mimeType"));
      kind = trimmed(kind.substr(0, kind.find(';')));
    }
    return kind.empty() ? "request" : valid_utf8(kind);
  }

  // Adds messages of web sockets and event streams.
  void add_messages(Span& span, Element entry) {
    for (const std::string_view list : {"_webSocketMessages", "_eventSourceMessages"}) {
      json::for_each_element(member(entry, list), [&](Element message) {
        const auto seconds = json::number(member(message, "time"));
        constexpr double kMost = 9.2e9, kMicroseconds = 1e6;
        constexpr int64_t kNanoseconds = 1000;
        if (!seconds || !(std::abs(*seconds) < kMost)) return;
        ArgsText params;
        for (const std::string_view name : {"opcode", "eventId", "data"})
          add_member(params, name, member(message, name));
        std::string_view kind = json::text(member(message, "type"));
        if (kind.empty()) kind = json::text(member(message, "eventName"));
        span.events.push_back({.time = Time{std::llround(*seconds * kMicroseconds) * kNanoseconds},
                               .name = kind.empty() ? "message" : valid_utf8(kind),
                               .params = {},
                               .given = sink_.params(params.take())});
        bytes_ += sizeof span.events.front();
      });
    }
  }

  // It ends where it was loaded or, where that is not told, with its last request.
  void add_page(Element page) {
    const uint64_t index = pages_++;
    const auto begin = date_of(page);
    if (!begin) return sink_.loss("page without a time", index);
    const auto id = json::text(member(page, "id"));
    const auto timings = member(page, "pageTimings");
    ArgsText params;
    add_text(params, "id", id);
    add_text(params, "comment", json::text(member(page, "comment")));
    std::string_view name = json::text(member(page, "title"));
    if (name.empty()) name = id.empty() ? "page" : id;
    Span span{.key = fmt::format("page {}", index),
              .service = "pages",
              .name = valid_utf8(name),
              .group = "page",
              .params = params.take(),
              .about = {},
              .begin = *begin,
              .end = after(*begin, ms_of(timings, "onLoad")),
              .references = {},
              .events = {}};
    json::for_each_member(timings, [&](std::string_view key, Element) {
      const std::string_view plain = key.substr(key.starts_with('_') ? 1 : 0);
      if (const double ms = ms_of(timings, key); ms > 0)
        span.events.push_back({.time = after(*begin, ms), .name = valid_utf8(plain), .params = {}});
    });
    if (span.end == span.begin) {
      for (const Request& request : requests_)
        if (request.page == id) span.end = std::max(span.end, request.span.end);
    }
    trace_.add(std::move(span));
  }

  // Links a request to what made it: the last earlier one redirected here, or its initiator.
  void link(size_t i) {
    Request& request = requests_[i];
    const auto refer = [&](const ByName<size_t>::Entry* to, std::string_view kind) {
      if (to == nullptr) return false;
      request.span.references.push_back({.kind = kind, .span = requests_[to->second].span.key});
      return true;
    };
    if (!refer(redirected_.find(request.url), "redirected to") && !request.initiator.empty())
      refer(by_url_.find(request.initiator), "initiated");
    by_url_[request.url] = i;
    if (!request.redirect.empty()) redirected_[request.redirect] = i;
  }

  void give(Request& request) {
    const std::string request_key = request.span.key, service = request.span.service;
    const Time begin = request.span.begin;
    trace_.add(std::move(request.span));
    std::string outer;
    for (const Phase& phase : request.phases) {
      const std::string key = spans::key_of(request_key, phase.name);
      Span span{.key = key,
                .service = service,
                .name = std::string(phase.name),
                .group = "phase",
                .params = {},
                .about = {},
                .begin = after(begin, phase.begin),
                .end = after(begin, phase.end),
                .references = {},
                .events = {}};
      span.references.push_back({"child of", phase.is_inner ? outer : request_key});
      trace_.add(std::move(span));
      if (!phase.is_inner) outer = key;
    }
  }

  trace::EventSink& sink_;
  spans::SpanTrace trace_;
  uint64_t most_bytes_, bytes_ = 0;  // of the requests
  std::vector<Request> requests_;
  ByName<size_t> by_url_, redirected_;  // the last so far
  uint64_t entries_ = 0, pages_ = 0;
};

}  // namespace
}  // namespace har

int sniff_har(std::span<const std::byte> head) {
  const std::string_view text = trimmed(as_chars(head));
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  if (!text.starts_with('{') || !has("\"log\"") || has("\"recording\"")) return 0;
  return has("\"startedDateTime\"") || (has("\"creator\"") && has("\"entries\"")) ? 95 : 0;
}

Status read_har(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  const auto log = json::member(document.root(), "log");
  if (!log) return fail("is an HTTP archive without a log");
  har::HarReader(sink, context.memory_bytes).read(*log);
  return {};
}

}  // namespace weft::formats
