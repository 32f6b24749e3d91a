#include "core/query/filter/causal_filter.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/trace/message_id.h"

namespace weft::query {
namespace {

using aggregate::Condition;
using store::Record;
using store::Row;
using store::RowKind;
using On = Condition::On;

// Identifies an event, equally from both ends of a link.
struct EventKey {
  Time begin;  // links: as LinkEnds
  LaneId lane;
  LaneId target;
  Time end;
  EventTypeId type;
  ParamsId params;
  uint32_t depth;
  auto operator<=>(const EventKey&) const = default;

  static EventKey of(const Row& row, const Record& record) {
    if (!is_link(row.kind))
      return {record.begin, row.lane,      LaneId::none(), record.end(),
              record.type,  record.params, row.depth};
    const LinkEnds ends = ends_of(row.kind, row.lane, record);
    return {ends.send, ends.source, ends.target, ends.receive, ends.type, record.params, 0};
  }
};

class EventSet final : public aggregate::RecordPredicate {
 public:
  explicit EventSet(std::vector<EventKey> keys) : keys_(std::move(keys)) {
    std::ranges::sort(keys_);
    const auto [first, last] = std::ranges::unique(keys_);
    keys_.erase(first, last);
  }
  const std::vector<EventKey>& keys() const { return keys_; }

  bool passes(const store::Trace&, const Row& row, const Record& record) const override {
    const bool is_possible = is_link(row.kind) || row.kind == RowKind::kState;
    return is_possible && std::ranges::binary_search(keys_, EventKey::of(row, record));
  }

 private:
  std::vector<EventKey> keys_;
};

struct PlaceName {
  std::string_view lane;
  Time time;
  std::optional<uint32_t> depth;
};

Result<PlaceName> place_from_name(const store::Trace& trace, std::string_view name) {
  const size_t at = name.rfind('@');
  if (at == std::string_view::npos)
    return fail(
        fmt::format("'{}' is neither an id of a message nor LANE@TIME", printable(name, 60)));
  PlaceName place{name.substr(0, at), {}, {}};
  std::string_view time = name.substr(at + 1);
  if (const size_t hash = time.find('#'); hash != std::string_view::npos) {
    const std::string_view depth = time.substr(hash + 1);
    place.depth = parse_number<uint32_t>(depth);
    if (!place.depth) return fail(fmt::format("'{}' is not a depth", printable(depth, 20)));
    time = time.substr(0, hash);
  }
  WEFT_TRY_ASSIGN(place.time, parse_time(time, trace.range(), trace.dictionary().time_base));
  return place;
}

// The elements that begin at that place, as far as its name means them.
std::vector<Element> elements_at(const Elements& elements, LaneId lane, const PlaceName& place) {
  std::vector<Element> found;
  const auto add = [&](RowKind kind) {
    const store::RowSpan rows = elements.rows_of(lane, kind);
    for (uint32_t i = rows.begin; i < rows.end; ++i) {
      for (const Element& element : elements.beginning_at(RowId(i), place.time)) {
        const bool is_known_by_its_send =
            kind == RowKind::kLinkIn && !element.record.peer.is_none();
        const bool is_meant = !place.depth || element.ref.which == *place.depth;
        if (is_meant && !is_known_by_its_send) found.push_back(element);
      }
    }
  };
  if (!place.depth) {
    add(RowKind::kLinkOut);
    add(RowKind::kLinkIn);
  }
  if (found.empty()) add(RowKind::kState);
  return found;
}

void add_to(std::vector<bool>& ids, uint32_t id) {
  if (ids.size() <= id) ids.resize(id + 1);
  ids[id] = true;
}

// The set as a formula that rules most rows and blocks out without a look at their records.
aggregate::FormulaPtr formula_of(std::vector<EventKey> keys) {
  if (keys.empty()) return aggregate::nothing();
  const auto set = std::make_shared<const EventSet>(std::move(keys));
  Condition lanes{.on = On::kLane, .ids = {}, .test = {}};
  Condition types{.on = On::kType, .ids = {}, .test = {}};
  Condition begins{.on = On::kBegin, .ids = {}, .test = {}};
  begins.ticks = {Time::max().ticks, Time::min().ticks};
  for (const EventKey& key : set->keys()) {
    const bool is_sent = !key.lane.is_none();
    const int64_t begin = (is_sent ? key.begin : key.end).ticks;
    add_to(lanes.ids, (is_sent ? key.lane : key.target).value());
    add_to(types.ids, key.type.value());
    begins.ticks = begins.ticks.hull({begin, begin});
  }
  Condition is_in_set{.on = On::kRecord, .ids = {}, .test = set};
  return all_of(
      all_of(aggregate::where(std::move(lanes)), aggregate::where(std::move(types))),
      all_of(aggregate::where(std::move(begins)), aggregate::where(std::move(is_in_set))));
}

}  // namespace

Result<std::vector<Element>> elements_named(const Elements& elements, std::string_view name,
                                            const std::stop_token& stop) {
  const store::Trace& trace = *elements.trace();
  if (const auto id = trace::message_id_from_text(name)) {
    WEFT_TRY_ASSIGN(const EventPlace place, message_with_id(trace, *id, {}, stop));
    if (const auto message = elements.at(place)) return std::vector{*message};
    return fail(fmt::format("what '{}' names cannot be read", printable(name, 60)));
  }
  WEFT_TRY_ASSIGN(const PlaceName place, place_from_name(trace, name));
  const trace::Dictionary& dictionary = trace.dictionary();
  std::vector<Element> found;
  for (uint32_t i = 0; i < dictionary.lanes.size() && !stop.stop_requested(); ++i) {
    const bool is_meant =
        dictionary.lanes[i].name == place.lane || dictionary.path_text(LaneId(i)) == place.lane;
    if (!is_meant) continue;
    const auto there = elements_at(elements, LaneId(i), place);
    found.insert(found.end(), there.begin(), there.end());
  }
  if (found.empty()) return fail(fmt::format("nothing begins at '{}'", printable(name, 60)));
  return found;
}

Result<aggregate::FormulaPtr> causal_formula(const store::Trace& trace, std::string_view name,
                                             Causal direction, const std::stop_token& stop) {
  // Not beyond this call, in which the trace is the caller's.
  const store::TracePtr borrowed(std::shared_ptr<void>(), &trace);
  const Elements elements(borrowed);
  const Causality causality(elements);
  WEFT_TRY_ASSIGN(const std::vector<Element> roots, elements_named(elements, name, stop));
  std::vector<EventKey> keys;
  const auto add = [&](const Element& element) {
    keys.push_back(EventKey::of(trace.row(element.row), element.record));
  };
  for (const Element& root : roots) {
    add(root);
    for (const CausalMessage& message :
         causality.tree(root, direction, kMostCausal, stop).messages) {
      keys.push_back(EventKey::of(trace.row(message.place.row), message.record));
      if (message.handling.state) add(*message.handling.state);
    }
  }
  if (stop.stop_requested()) return fail("stopped");
  return formula_of(std::move(keys));
}

}  // namespace weft::query
