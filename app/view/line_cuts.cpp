#include "app/view/line_cuts.h"

#include "core/base/saturating.h"

#include <algorithm>
#include <utility>

namespace weft::app {
namespace {

using Ranges = std::vector<TimeRange>;

// The idle stretches of the trace, in order, in ticks of `to`; rounded inwards.
Ranges idle_on(const OnLine& to, const IdleTrace& trace) {
  Ranges idle;
  const auto add = [&](Time begin, Time end) {
    if (begin < end) idle.push_back({begin, end});
  };
  const auto up = [&](Time t) { return on_line(TimeRange{t, t}, trace.place, to).end; };
  const auto down = [&](Time t) { return on_line(t, trace.place, to); };
  add(Time::min(), down(trace.range.begin));
  for (const TimeRange& cut : trace.idle->cuts()) add(up(cut.begin), down(cut.end));
  add(up(trace.range.end), Time::max());
  return idle;
}

Ranges intersection(const Ranges& a, const Ranges& b) {
  Ranges both;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const TimeRange common = {std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (!common.is_empty()) both.push_back(common);
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return both;
}

size_t coarsest_of(std::span<const IdleTrace> traces) {
  const auto coarsest = std::ranges::max_element(traces, {}, [](const IdleTrace& trace) {
    return ticks_on_line(1, trace.place, {TimeBase::kPicoseconds, {}});
  });
  return static_cast<size_t>(coarsest - traces.begin());
}

}  // namespace

std::vector<TimeRange> common_idle(std::span<const IdleTrace> traces, size_t coarsest,
                                   Duration least) {
  const OnLine& place = traces[coarsest].place;
  TimeRange all = traces[coarsest].range;
  Ranges common = {{Time::min(), Time::max()}};
  for (const IdleTrace& trace : traces) {
    const TimeRange range = on_line(trace.range, trace.place, place);
    all = {std::min(all.begin, range.begin), std::max(all.end, range.end)};
    common = intersection(common, idle_on(place, trace));
  }
  common = intersection(common, {all});
  std::erase_if(common, [&](const TimeRange& idle) { return idle.length() < least; });
  return common;
}

const std::vector<std::shared_ptr<const TimeCuts>>& LineCuts::find(std::vector<IdleTrace> traces,
                                                                   double least_ps) {
  if (traces == traces_ && least_ps == least_ps_) return cuts_;
  traces_ = std::move(traces);
  least_ps_ = least_ps;
  cuts_.assign(traces_.size(), nullptr);
  const bool is_known =
      std::ranges::all_of(traces_, [](const auto& t) { return t.idle != nullptr; });
  if (traces_.empty() || !is_known) return cuts_;
  const size_t coarsest = coarsest_of(traces_);
  const OnLine& place = traces_[coarsest].place;
  const double least = ticks_on_line(least_ps, {TimeBase::kPicoseconds, {}}, place);
  const Ranges common = common_idle(traces_, coarsest, Duration{saturating_round(least)});
  for (size_t i = 0; i < traces_.size(); ++i) {
    Ranges cuts;
    for (const TimeRange& idle : common) cuts.push_back(on_line(idle, place, traces_[i].place));
    cuts_[i] = std::make_shared<const TimeCuts>(std::move(cuts));
  }
  return cuts_;
}

}  // namespace weft::app
