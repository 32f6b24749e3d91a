#include "core/formats/messages/spans/span_trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

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

// One object of two, of which each may be empty.
std::string joined(std::string first, std::string_view second) {
  if (first.empty() || second.empty()) return first.empty() ? std::string(second) : first;
  first.back() = ',';
  return first.append(second.substr(1));
}

}  // namespace

bool SpanTrace::add(Span span) {
  constexpr uint64_t kOfTable = 64;  // of a key and a place
  bytes_ += sizeof(Placed) + kOfTable + span.key.size() + span.name.size();
  for (const SpanEvent& event : span.events) bytes_ += sizeof(SpanEvent) + event.name.size();
  for (const Reference& reference : span.references)
    bytes_ += sizeof(Reference) + reference.span.size() + reference.params.size();
  if (bytes_ > most_bytes_) return false;
  give_params(span);
  has_shared_ |= span.key.ends_with(kShared);
  const auto [known, is_new] = by_key_.try_emplace(span.key, spans_.size());
  has_equal_keys_ |= !is_new;
  span.key = {};
  spans_.push_back({.span = std::move(span), .known = known});
  return true;
}

void SpanTrace::give_params(Span& span) {
  if (span.given.is_none())
    span.given = sink_.params(joined(span.params, span.about ? *span.about : std::string_view()));
  span.params = {};
  span.about = {};
  for (SpanEvent& event : span.events) {
    if (event.given.is_none()) event.given = sink_.params(event.params);
    event.params = {};
  }
}

// References from within a server's service to the number it shares with a client mean the server.
void SpanTrace::resolve() {
  for (Placed& placed : spans_) {
    for (Reference& reference : placed.span.references) {
      reference.known = by_key_.find(reference.span);
      if (!has_shared_) continue;
      const KnownSpan* const shared = by_key_.find(reference.span.append(kShared));
      if (shared != nullptr && shared != placed.known &&
          first_of(shared)->span.service == placed.span.service)
        reference.known = shared;
    }
  }
}

// How many are around it, up to a bound that parents in a circle reach.
uint32_t SpanTrace::depth_of(const Span& span) const {
  constexpr uint32_t kMost = 256;
  uint32_t depth = 0;
  for (const Reference* of = parent_of(span); of != nullptr && depth < kMost; ++depth) {
    const Placed* const parent = first_of(of->known);
    of = parent == nullptr ? nullptr : parent_of(parent->span);
  }
  return depth;
}

void SpanTrace::finish() {
  resolve();
  std::vector<uint32_t> depths;
  depths.reserve(spans_.size());
  for (const Placed& placed : spans_) depths.push_back(depth_of(placed.span));
  std::vector<size_t> order(spans_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    const Span &x = spans_[a].span, &y = spans_[b].span;
    if (x.begin != y.begin) return x.begin < y.begin;
    return x.end != y.end ? x.end > y.end : depths[a] < depths[b];
  });
  for (const size_t i : order) place(spans_[i]);
  for (const size_t i : order) {
    give(spans_[i]);
    give_links(spans_[i], i);
  }
}

const Reference* SpanTrace::parent_of(const Span& span) {
  const auto it = std::ranges::find(span.references, "child of", &Reference::kind);
  return it == span.references.end() ? nullptr : &*it;
}

bool SpanTrace::fits(Row& row, const Placed& placed, const KnownSpan* parent) {
  const Span& span = placed.span;
  while (!row.open.empty() && row.open.back()->span.end <= span.begin) row.open.pop_back();
  if (row.open.empty()) return true;
  const Placed& around = *row.open.back();
  return parent == around.known && span.end <= around.span.end;
}

// The row that it fits in: its parent's, or else the first. Where no two spans have one number, no
// row but the parent's ends with the parent, so that the first is the first that is free.
size_t SpanTrace::row_of(Service& service, const Placed& placed) const {
  std::vector<Row>& rows = service.rows;
  const Span& span = placed.span;
  const Reference* const caused = parent_of(span);
  const KnownSpan* const known = caused == nullptr ? nullptr : caused->known;
  const Placed* const parent = first_of(known);
  const size_t first = parent != nullptr && parent->span.service == span.service ? parent->row : 0;
  if (first < rows.size() && fits(rows[first], placed, known)) return first;
  if (has_equal_keys_) {
    const auto it = std::ranges::find_if(rows, [&](Row& row) { return fits(row, placed, known); });
    return static_cast<size_t>(it - rows.begin());
  }
  const auto it =
      std::ranges::find_if(service.free_from, [&span](Time time) { return time <= span.begin; });
  return static_cast<size_t>(it - service.free_from.begin());
}

void SpanTrace::place(Placed& placed) {
  const Span& span = placed.span;
  Service& service = services_[span.service];
  std::vector<Row>& rows = service.rows;
  placed.row = row_of(service, placed);
  if (placed.row == rows.size()) {
    const bool is_first = rows.empty();
    const LaneId lane = sink_.add_lane(
        {.name = is_first ? valid_utf8(span.service) : fmt::format("beside {}", rows.size()),
         .parent = is_first ? LaneId::none() : rows.front().lane,
         .kind = is_first ? trace::LaneKind::kProcess : trace::LaneKind::kAsync});
    rows.push_back({.lane = lane, .open = {}});
    service.free_from.push_back(Time::min());
  }
  if (service.free_from[placed.row] <= span.begin) {
    rows[placed.row].open.clear();
    service.free_from[placed.row] = span.end;
  }
  Row& row = rows[placed.row];
  placed.lane = row.lane;
  placed.depth = static_cast<uint32_t>(row.open.size());
  row.open.push_back(&placed);
}

void SpanTrace::give(const Placed& placed) {
  const Span& span = placed.span;
  const trace::StateEvent state{.begin = span.begin,
                                .duration = span.end - span.begin,
                                .params = span.given,
                                .lane = placed.lane,
                                .type = sink_.type(Category::kState, span.name, span.group),
                                .nesting = placed.depth};
  sink_.states({&state, 1});
  for (const SpanEvent& event : span.events) {
    const trace::PunctualEvent punctual{
        .time = event.time,
        .params = event.given,
        .lane = placed.lane,
        .type = sink_.type(Category::kPunctual, event.name, "event of a span")};
    sink_.punctuals({&punctual, 1});
  }
}

void SpanTrace::give_links(const Placed& placed, uint64_t index) {
  const Span& span = placed.span;
  for (const Reference& reference : span.references) {
    const Placed* const found = first_of(reference.known);
    if (found == nullptr) {
      sink_.loss("span that refers to one that is not in the file",
                 {index, placed.lane, span.begin}, 1, false);
      continue;
    }
    const Placed& other = *found;
    const bool is_child = reference.kind == "child of";
    if (is_child && other.lane == placed.lane) continue;
    const Time caused = is_child && other.span.is_sender ? other.span.begin : span.begin;
    const trace::LinkEvent link{.send = is_child ? caused : std::min(other.span.end, span.begin),
                                .receive = span.begin,
                                .params = sink_.params(reference.params),
                                .source = other.lane,
                                .target = placed.lane,
                                .type = sink_.type(Category::kLink, span.name, reference.kind)};
    sink_.links({&link, 1});
  }
}

}  // namespace weft::formats::spans
