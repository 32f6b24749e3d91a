#include "core/formats/messages/spans/span_trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "core/base/text.h"

namespace weft::formats::spans {

using trace::Category;

std::string key_of(std::string_view trace, std::string_view span) {
  return std::string(trace).append(1, '/').append(span);
}

constexpr std::string_view kShared = " shared";

std::string shared_key_of(std::string_view trace, std::string_view span) {
  return key_of(trace, span).append(kShared);
}

namespace {

// Adds the members of one object to those of another; each may be empty.
void join(std::string& object, std::string_view more) {
  if (object.empty() || more.empty()) {
    object += more;
  } else {
    object.back() = ',';
    object += more.substr(1);
  }
}

constexpr std::string_view kChildOf = "child of";

}  // namespace

void SpanTrace::add(Span span) {
  if (span.given.is_none()) {
    if (span.about) join(span.params, *span.about);
    span.given = sink_.params(span.params);
  }
  has_shared_ |= span.key.ends_with(kShared);
  const uint32_t key = number_of(span.key);
  has_equal_keys_ |= first_[key] != kNone;
  if (first_[key] == kNone) first_[key] = static_cast<uint32_t>(spans_.size());
  auto* const group = groups_.try_emplace(span.group).first;
  spans_.push_back({.begin = span.begin,
                    .end = span.end,
                    .group = group,
                    .name = group->second.try_emplace(span.name).first,
                    .service = services_.try_emplace(span.service).first,
                    .params = span.given,
                    .key = key,
                    .first_cause = static_cast<uint32_t>(causes_.size()),
                    .first_moment = static_cast<uint32_t>(moments_.size()),
                    .is_sender = span.is_sender});
  for (const SpanEvent& event : span.events) {
    const ParamsId params = event.given.is_none() ? sink_.params(event.params) : event.given;
    auto* const name = moment_names_.try_emplace(event.name, EventTypeId::none()).first;
    moments_.push_back({event.time, name, params});
  }
  for (const Reference& reference : span.references)
    causes_.push_back({reference.kind, number_of(reference.span),
                       reference.otherwise.empty() ? kNone : number_of(reference.otherwise),
                       sink_.params(reference.params)});
}

uint32_t SpanTrace::number_of(std::string_view key) {
  const auto [number, is_new] = keys_.add(key);
  if (is_new) first_.push_back(kNone);
  return number;
}

std::span<SpanTrace::Cause> SpanTrace::causes_of(const Placed& span) {
  const bool is_last = &span == &spans_.back();
  const size_t end = is_last ? causes_.size() : (&span)[1].first_cause;
  return std::span(causes_).subspan(span.first_cause, end - span.first_cause);
}

std::span<const SpanTrace::Moment> SpanTrace::moments_of(const Placed& span) const {
  const bool is_last = &span == &spans_.back();
  const size_t end = is_last ? moments_.size() : (&span)[1].first_moment;
  return std::span(moments_).subspan(span.first_moment, end - span.first_moment);
}

// References from within a server's service to the number it shares with a client mean the server;
// all of them do where the client is not in the trace.
void SpanTrace::resolve() {
  if (!has_shared_) return;
  for (const Placed& span : spans_) {
    for (Cause& cause : causes_of(span)) {
      if (first_of(cause.key) == nullptr && cause.otherwise != kNone) cause.key = cause.otherwise;
      const auto shared = keys_.find(std::string(keys_.text(cause.key)).append(kShared));
      const Placed* const server = first_of(shared.value_or(kNone));
      if (server == nullptr || *shared == span.key) continue;
      if (server->service == span.service || first_of(cause.key) == nullptr) cause.key = *shared;
    }
  }
}

const SpanTrace::Cause* SpanTrace::parent_of(const Placed& span) {
  const auto causes = causes_of(span);
  const auto it = std::ranges::find(causes, kChildOf, &Cause::kind);
  return it == causes.end() ? nullptr : &*it;
}

// How many are around it, up to a bound that parents in a circle reach.
uint32_t SpanTrace::depth_of(const Placed& span) {
  constexpr uint32_t kMost = 256;
  uint32_t depth = 0;
  for (const Cause* of = parent_of(span); of != nullptr && depth < kMost; ++depth) {
    const Placed* const parent = first_of(of->key);
    of = parent == nullptr ? nullptr : parent_of(*parent);
  }
  return depth;
}

// By begin, and those that are around others first.
LargeVector<uint32_t> SpanTrace::in_order() {
  LargeVector<uint32_t> order(spans_.size());
  std::iota(order.begin(), order.end(), uint32_t{0});
  const auto is_before = [this](uint32_t a, uint32_t b) {
    const Placed &x = spans_[a], &y = spans_[b];
    if (x.begin != y.begin) return x.begin < y.begin;
    if (x.end != y.end) return x.end > y.end;
    const uint32_t depth_x = depth_of(x), depth_y = depth_of(y);
    return depth_x != depth_y ? depth_x < depth_y : a < b;
  };
  if (!std::ranges::is_sorted(order, is_before)) std::ranges::sort(order, is_before);
  return order;
}

void SpanTrace::finish() {
  resolve();
  const LargeVector<uint32_t> order = in_order();
  for (const uint32_t i : order) place(spans_[i]);
  for (const uint32_t i : order) {
    give(spans_[i]);
    give_links(spans_[i], i);
  }
}

bool SpanTrace::fits(Row& row, const Placed& span, uint32_t parent) {
  while (!row.open.empty() && row.open.back()->end <= span.begin) row.open.pop_back();
  if (row.open.empty()) return true;
  const Placed& around = *row.open.back();
  return parent == around.key && span.end <= around.end;
}

// The row that it fits in: its parent's, or else the first. Where no two spans have one number, no
// row but the parent's ends with the parent, so that the first is the first that is free.
uint32_t SpanTrace::row_of(Service& service, const Placed& span) {
  std::vector<Row>& rows = service.rows;
  const Cause* const caused = parent_of(span);
  const uint32_t key = caused == nullptr ? kNone : caused->key;
  const Placed* const parent = first_of(key);
  const uint32_t first = parent != nullptr && parent->service == span.service ? parent->row : 0;
  if (first < rows.size() && fits(rows[first], span, key)) return first;
  if (has_equal_keys_) {
    const auto it = std::ranges::find_if(rows, [&](Row& row) { return fits(row, span, key); });
    return static_cast<uint32_t>(it - rows.begin());
  }
  const auto it =
      std::ranges::find_if(service.free_from, [&span](Time time) { return time <= span.begin; });
  return static_cast<uint32_t>(it - service.free_from.begin());
}

void SpanTrace::place(Placed& span) {
  Service& service = span.service->second;
  std::vector<Row>& rows = service.rows;
  span.row = row_of(service, span);
  if (span.row == rows.size()) {
    const bool is_first = rows.empty();
    const LaneId lane = sink_.add_lane(
        {.name = is_first ? valid_utf8(span.service->first) : fmt::format("beside {}", rows.size()),
         .parent = is_first ? LaneId::none() : rows.front().lane,
         .kind = is_first ? trace::LaneKind::kProcess : trace::LaneKind::kAsync});
    rows.push_back({.lane = lane, .open = {}});
    service.free_from.push_back(Time::min());
  }
  if (service.free_from[span.row] <= span.begin) {
    rows[span.row].open.clear();
    service.free_from[span.row] = span.end;
  }
  Row& row = rows[span.row];
  span.lane = row.lane;
  span.depth = static_cast<uint32_t>(row.open.size());
  row.open.push_back(&span);
}

void SpanTrace::give(const Placed& span) {
  EventTypeId& type = span.name->second.state;
  if (type.is_none()) type = sink_.type(Category::kState, span.name->first, span.group->first);
  sink_.give(trace::StateEvent{.begin = span.begin,
                               .duration = span.end - span.begin,
                               .params = span.params,
                               .lane = span.lane,
                               .type = type,
                               .nesting = span.depth});
  for (const Moment& moment : moments_of(span)) {
    EventTypeId& moment_type = moment.name->second;
    if (moment_type.is_none())
      moment_type = sink_.type(Category::kPunctual, moment.name->first, "event of a span");
    sink_.give(trace::PunctualEvent{
        .time = moment.time, .params = moment.params, .lane = span.lane, .type = moment_type});
  }
}

EventTypeId SpanTrace::link_type(const Placed& span, std::string_view kind) {
  if (kind != kChildOf) return sink_.type(Category::kLink, span.name->first, kind);
  EventTypeId& type = span.name->second.call;
  if (type.is_none()) type = sink_.type(Category::kLink, span.name->first, kind);
  return type;
}

void SpanTrace::give_links(const Placed& span, uint64_t index) {
  for (const Cause& cause : causes_of(span)) {
    const Placed* const other = first_of(cause.key);
    if (other == nullptr) {
      sink_.note("span that refers to one that is not in the file", {index, span.lane, span.begin});
      continue;
    }
    const bool is_child = cause.kind == kChildOf;
    if (is_child && other->lane == span.lane) continue;
    const Time caused = is_child && other->is_sender ? other->begin : span.begin;
    sink_.give(trace::LinkEvent{.send = is_child ? caused : std::min(other->end, span.begin),
                                .receive = span.begin,
                                .params = cause.params,
                                .source = other->lane,
                                .target = span.lane,
                                .type = link_type(span, cause.kind)});
  }
}

}  // namespace weft::formats::spans
