#include "app/panels/timeline/hit_marks.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace weft::app {
namespace {

constexpr float kHitPx = 2;           // at least
constexpr float kLeastShare = 0.45F;  // of the strip's height: a single hit

struct Mark {
  float x0, x1;
  uint64_t hits;
  TimeRange range;
};

// Bins that begin in one pixel are one mark.
std::vector<Mark> marks_of(const TimeAxis& axis, const HitBins& bins) {
  std::vector<Mark> marks;
  for (size_t i = 0; i < bins.count; ++i) {
    const uint64_t hits = bins.hits(i);
    if (hits == 0) continue;
    const TimeRange range = bins.range(i);
    const auto x0 = static_cast<float>(std::floor(axis.x_from_time(range.begin)));
    const auto x1 = static_cast<float>(std::floor(axis.x_from_time(range.end)));
    if (x1 < axis.x0 || x0 >= axis.x0 + axis.width) continue;
    if (!marks.empty() && marks.back().x0 == x0) {
      marks.back().hits += hits;
      marks.back().range.end = range.end;
      marks.back().x1 = std::max(x0 + 1, x1);
    } else {
      marks.push_back({x0, std::max(x0 + 1, x1), hits, range});
    }
  }
  return marks;
}

}  // namespace

HitFinder::HitFinder(const PanelServices& services)
    : hits_(
          [pool = services.pool](const HistogramKey& key, const std::stop_token& stop) {
            return make_histogram(key, {*pool, stop});
          },
          services.wake) {}

std::optional<HitBins> HitFinder::find(const PanelInput& input, const TimeAxis& axis,
                                       PanelOutput& output) {
  if (!input.filter.marks_hits()) return std::nullopt;
  HistogramKey key = histogram_key(input.model->trace, axis, axis.window.range(), kHitPx);
  key.filter = input.filter.filter();
  key.hides = true;
  const auto found = hits_.find(key);
  output.is_stale |= found.is_stale;
  if (!found.value || found.key->filter != key.filter) return std::nullopt;
  return HitBins{found.value->bins.size(),
                 [hits = found.value](size_t i) { return hits->range_of(i); },
                 [hits = found.value](size_t i) { return hits->bins[i]; }};
}

void draw_hit_marks(const PanelInput& input, const TimeAxis& axis, const Area& strip,
                    const HitBins& bins) {
  const std::vector<Mark> marks = marks_of(axis, bins);
  if (marks.empty()) return;
  const auto weight = [](uint64_t hits) { return static_cast<float>(std::bit_width(hits)); };
  const float most = weight(std::ranges::max(marks, {}, &Mark::hits).hits);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_hovered = ImGui::IsWindowHovered() && strip.contains(mouse);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Mark* pointed = nullptr;
  for (const Mark& mark : marks) {
    const float rise = most > 1 ? (weight(mark.hits) - 1) / (most - 1) : 1;
    const float height = std::round(strip.height() * std::lerp(kLeastShare, 1.0F, rise));
    list.AddRectFilled({std::max(mark.x0, strip.x0), strip.y1 - height},
                       {std::min(mark.x1, strip.x1), strip.y1}, input.theme.hit);
    const float reach = 2 * input.scale;
    if (is_hovered && mouse.x >= mark.x0 - reach && mouse.x < mark.x1 + reach) pointed = &mark;
  }
  if (!pointed) return;
  ImGui::BeginTooltip();
  ImGui::PushFont(input.fonts.bold);
  show_text(counted(pointed->hits, "hit"));
  ImGui::PopFont();
  show_text(fmt::format("begin at {}, within {}", axis.label(pointed->range.begin, *input.trace),
                        length_label(pointed->range.length(), *input.trace, 3)),
            input.theme.text_dim);
  ImGui::EndTooltip();
}

}  // namespace weft::app
