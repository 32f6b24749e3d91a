#include "core/query/filter/motif_filter.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/query/filter/of_trace.h"
#include "core/query/link_ends.h"
#include "core/query/messages/causality.h"
#include "core/store/segment.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;
using store::RowKind;

constexpr size_t kMostAround = 64;    // sent, or handled, around a message
constexpr size_t kLeastLanes = 3;     // that a broadcast reaches
constexpr uint64_t kNeighbours = 32;  // looked at on either side: other types may lie in between

constexpr MotifWord kWords[] = {
    {"request", Motif::kRequest, "what its receiver answers while it handles it"},
    {"response", Motif::kResponse, "what goes back to where it was asked from"},
    {"broadcast", Motif::kBroadcast, "one of three or more to lanes that differ, in a row"},
    {"gather", Motif::kGather, "one of three or more from lanes that differ, in a row"},
};

class MotifSearch {
 public:
  explicit MotifSearch(const store::Trace& trace)
      : trace_(&trace),
        // Used while the caller holds the trace.
        elements_(store::TracePtr(std::shared_ptr<void>(), &trace)) {}

  bool is_in(Motif motif, const LinkEnds& ends) const {
    switch (motif) {
      case Motif::kRequest:
        return is_request(ends);
      case Motif::kResponse:
        return is_response(ends);
      case Motif::kBroadcast:
        return is_one_of_several(ends, RowKind::kLinkOut);
      case Motif::kGather:
        return is_one_of_several(ends, RowKind::kLinkIn);
    }
    return false;
  }

 private:
  LinkEnds ends_at(const EventPlace& place) const {
    const Row& row = trace_->row(place.row);
    return ends_of(row.kind, row.lane, row.parts[place.part].record(place.index));
  }

  bool is_request(const LinkEnds& ends) const {
    const Causality causality(elements_);
    const TimeRange span = causality.handling_of(ends.target, ends.receive).span;
    return std::ranges::any_of(
        causality.sent_in(ends.target, span, kMostAround).all,
        [&](const EventPlace& place) { return ends_at(place).target == ends.source; });
  }

  bool is_response(const LinkEnds& ends) const {
    return std::ranges::any_of(
        Causality(elements_).causes_at(ends.source, ends.send, kMostAround).all,
        [&](const EventPlace& place) { return ends_at(place).source == ends.target; });
  }

  template <class Body>
  void for_each_part(LaneId lane, RowKind kind, Body body) const {
    const store::RowSpan rows = elements_.rows_of(lane, kind);
    for (uint32_t i = rows.begin; i < rows.end; ++i) {
      for (const store::RowPart& part : trace_->row(RowId(i)).parts) body(part);
    }
  }

  // The lane's links of that kind and type around a time that have both ends, in order.
  std::vector<LinkEnds> links_around(LaneId lane, RowKind kind, Time time, EventTypeId type) const {
    std::vector<LinkEnds> links;
    std::vector<Record> records;
    for_each_part(lane, kind, [&](const store::RowPart& part) {
      const uint64_t at = part.lower_bound(time.ticks);
      const uint64_t first = at - std::min(at, kNeighbours);
      records.clear();
      part.read(first, std::min(part.count() - first, 2 * kNeighbours), records);
      for (const Record& record : records) {
        if (record.type == type && !record.peer.is_none())
          links.push_back(ends_of(kind, lane, record));
      }
    });
    const auto time_of = kind == RowKind::kLinkOut ? &LinkEnds::send : &LinkEnds::receive;
    std::ranges::stable_sort(links, {}, time_of);
    return links;
  }

  bool has_any(LaneId lane, RowKind kind, TimeRange range) const {
    bool found = false;
    for_each_part(lane, kind, [&](const store::RowPart& part) {
      found |= part.lower_bound(range.begin.ticks) < part.lower_bound(range.end.ticks);
    });
    return found;
  }

  // Whether it is among kLeastLanes neighbours whose other ends all differ, and between which the
  // lane has no link of the other kind.
  bool is_one_of_several(const LinkEnds& ends, RowKind kind) const {
    const bool is_out = kind == RowKind::kLinkOut;
    const LaneId lane = is_out ? ends.source : ends.target;
    const auto time_of = [&](const LinkEnds& of) { return is_out ? of.send : of.receive; };
    const auto links = links_around(lane, kind, time_of(ends), ends.type);
    const auto self = std::ranges::find(links, ends);
    if (self == links.end()) return false;
    const auto here = static_cast<size_t>(self - links.begin());
    const size_t first = here - std::min(here, kLeastLanes - 1);
    for (size_t from = first; from <= here && from + kLeastLanes <= links.size(); ++from) {
      const auto these = std::span(links).subspan(from, kLeastLanes);
      std::array<LaneId, kLeastLanes> others;
      std::ranges::transform(these, others.begin(), is_out ? &LinkEnds::target : &LinkEnds::source);
      std::ranges::sort(others);
      if (std::ranges::adjacent_find(others) != others.end()) continue;
      if (!has_any(lane, is_out ? RowKind::kLinkIn : RowKind::kLinkOut,
                   {time_of(these.front()), time_of(these.back())}))
        return true;
    }
    return false;
  }

  const store::Trace* trace_;
  Elements elements_;
};

class MotifTest final : public aggregate::RecordPredicate {
 public:
  explicit MotifTest(MotifCondition condition) : condition_(std::move(condition)) {}

  bool passes(const store::Trace& trace, const Row& row, const Record& record) const override {
    if (!is_link(row.kind)) return false;
    const LinkEnds ends = ends_of(row.kind, row.lane, record);
    if (!ends.is_sent() || !ends.is_received() || ends.source == ends.target) return false;
    const auto search = search_.of(trace);
    const auto is_in = [&](Motif motif) { return search->is_in(motif, ends); };
    return std::ranges::any_of(condition_.motifs, is_in) != condition_.is_negated;
  }

 private:
  MotifCondition condition_;
  OfTrace<MotifSearch> search_;
};

}  // namespace

std::span<const MotifWord> motif_words() { return kWords; }

std::optional<Motif> motif_from_name(std::string_view name) {
  const auto* const word = std::ranges::find(kWords, name, &MotifWord::name);
  return word == std::end(kWords) ? std::nullopt : std::optional(word->motif);
}

std::string no_motif(std::string_view name) {
  std::string names;
  for (const MotifWord& word : kWords)
    names += (names.empty() ? "" : ", ") + std::string(word.name);
  return fmt::format("'{}' is not a motif ({})", printable(name, 40), names);
}

std::shared_ptr<const aggregate::RecordPredicate> motif_test(MotifCondition condition) {
  return std::make_shared<const MotifTest>(std::move(condition));
}

}  // namespace weft::query
