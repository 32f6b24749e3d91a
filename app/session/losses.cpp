#include "app/session/losses.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>

#include "app/opening/import_cache.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/store/overlaps.h"

namespace weft::app {

std::vector<PlacedLoss> placed_losses(const trace::ImportReport& report) {
  std::vector<PlacedLoss> placed;
  for (const trace::Loss& loss : report.losses()) {
    for (const trace::LossPlace& place : loss.first) {
      if (place.time) placed.push_back({&loss, &place});
    }
  }
  std::ranges::stable_sort(placed, {}, &PlacedLoss::time);
  return placed;
}

uint64_t count_beyond(const trace::Loss& loss) {
  const size_t kept = loss.first.size();
  return kept >= trace::Loss::kFirstKept && loss.count > kept ? loss.count - kept : 0;
}

std::vector<FurtherLosses> further_losses(const trace::ImportReport& report) {
  std::vector<FurtherLosses> all;
  for (const trace::Loss& loss : report.losses()) {
    FurtherLosses further{&loss, count_beyond(loss), Time::min(), {}};
    if (further.count == 0 || !loss.is_damage) continue;
    bool has_time = false;
    for (const trace::LossPlace& place : loss.first) {
      if (!place.time) continue;
      has_time = true;
      further.from = std::max(further.from, *place.time + place.duration);
      if (!place.lane.is_none()) further.lanes.push_back(place.lane);
    }
    if (!has_time) continue;
    std::ranges::sort(further.lanes);
    const auto repeated = std::ranges::unique(further.lanes);
    further.lanes.erase(repeated.begin(), repeated.end());
    all.push_back(std::move(further));
  }
  std::ranges::stable_sort(all, {}, &FurtherLosses::from);
  return all;
}

std::string in_words(const FurtherLosses& further) {
  if (further.count == 1) return "1 more loss of this kind, whose place was not kept";
  return format_count(further.count) + " more losses of this kind, whose places were not kept";
}

UnpairedEnds::UnpairedEnds(const trace::ImportReport& report, Time trace_end)
    : trace_end_(trace_end) {
  for (const trace::Loss& loss : report.losses()) {
    const std::string_view kind = loss.kind;
    const bool lacks_end = kind.ends_with(" without an end");
    if (!lacks_end && !(kind.ends_with("end without a begin") && !loss.is_damage)) continue;
    std::vector<At>& places = lacks_end ? begins_ : ends_;
    for (const trace::LossPlace& place : loss.first) {
      if (place.time && !place.lane.is_none()) places.push_back({place.lane, *place.time});
    }
    const bool is_of_states = kind.ends_with("begin without an end") || kind.starts_with("state ");
    if (lacks_end && is_of_states && loss.count > loss.first.size()) knows_all_ = false;
  }
  std::ranges::sort(begins_);
  std::ranges::sort(ends_);
}

bool UnpairedEnds::lacks_end(LaneId lane, Time begin, Time end) const {
  return std::ranges::binary_search(begins_, At{lane, begin}) || (!knows_all_ && end == trace_end_);
}

uint64_t UnpairedEnds::count_without_end(LaneId lane, TimeRange range) const {
  const auto from = std::ranges::lower_bound(begins_, At{lane, range.begin});
  const auto to = std::ranges::lower_bound(begins_, At{lane, range.end});
  return static_cast<uint64_t>(to - from);
}

bool has_overlaps(const trace::ImportReport& report, LaneId lane) {
  const auto loss = std::ranges::find(report.losses(), store::kOverlapLoss, &trace::Loss::kind);
  return loss != report.losses().end() &&
         std::ranges::find(loss->first, lane, &trace::LossPlace::lane) != loss->first.end();
}

uint64_t damage_count(const trace::ImportReport& report) {
  uint64_t count = 0;
  for (const trace::Loss& loss : report.losses()) {
    if (loss.is_damage) count += loss.count;
  }
  return count;
}

std::string losses_in_words(const trace::ImportReport& report) {
  const uint64_t lost = damage_count(report);
  uint64_t notes = 0;
  for (const trace::Loss& loss : report.losses()) notes += loss.is_damage ? 0 : loss.count;
  std::string text = lost > 0 ? format_count(lost) + " lost" : "";
  if (notes > 0) text += (text.empty() ? "" : ", ") + counted(notes, "note");
  return text;
}

std::string caution_of(const store::Trace& trace) {
  if (!trace.health()) return "the trace is incomplete: parts of its file cannot be read";
  const trace::ImportReport& report = trace.dictionary().report;
  if (!report.has_damage()) return {};
  return fmt::format("the trace is incomplete: {} lost or damaged",
                     format_count(damage_count(report)));
}

std::string damage_line(const store::Trace& trace) {
  if (const Status health = health_of(trace); !health) return health.error().message;
  const trace::ImportReport& report = trace.dictionary().report;
  const auto first = std::ranges::find_if(report.losses(), &trace::Loss::is_damage);
  if (first == report.losses().end()) return {};
  std::string where = first->first.empty() ? "" : in_input(first->first[0]);
  if (!where.empty()) where.insert(0, " at ");
  return fmt::format("{} lost or damaged, first: {}{}", damage_count(report), first->kind, where);
}

std::string in_input(const trace::LossPlace& place) {
  if (place.unit == trace::PlaceUnit::kNone) return {};
  return fmt::format("{} {}", name_of(place.unit), place.offset);
}

std::string in_input(const trace::Loss& loss, size_t most) {
  std::string text;
  std::optional<trace::PlaceUnit> unit;
  size_t shown = 0;
  for (const trace::LossPlace& place : loss.first) {
    if (place.unit == trace::PlaceUnit::kNone || shown == most) continue;
    if (shown++ > 0) text += ", ";
    text += place.unit == unit ? std::to_string(place.offset) : in_input(place);
    unit = place.unit;
  }
  if (shown > 0 && shown < loss.count) text += ", …";
  return text;
}

}  // namespace weft::app
