#include "app/panels/sequence/traffic_latencies.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "app/panels/figures/length_bars.h"
#include "app/panels/timeline/time_axis.h"

namespace weft::app {
namespace {

constexpr float kBarPx = 6;  // at least
constexpr uint32_t kMarked[] = {50, 90, 99};

struct Bars {
  std::vector<int64_t> borders;  // one more than bars
  std::vector<double> counts;
};

// Neighbouring bins of the distribution, so many to a bar that there are at most `most`.
Bars bars_of(const query::Distribution& latencies, size_t most) {
  int64_t first = 0, last = 0;
  bool is_first = true;
  latencies.for_each_bin([&](const query::Distribution::Bin& bin) {
    if (is_first) first = bin.number;
    is_first = false;
    last = bin.number;
  });
  const int64_t each = (last - first) / static_cast<int64_t>(most) + 1;
  Bars bars;
  bars.counts.resize(static_cast<size_t>((last - first) / each) + 1);
  for (size_t i = 0; i < bars.counts.size(); ++i)
    bars.borders.push_back(query::Distribution::least_of(first + static_cast<int64_t>(i) * each));
  const int64_t end = first + static_cast<int64_t>(bars.counts.size()) * each;
  bars.borders.push_back(saturating_add(query::Distribution::most_of(end - 1), 1));
  latencies.for_each_bin([&](const query::Distribution::Bin& bin) {
    bars.counts[static_cast<size_t>((bin.number - first) / each)] += static_cast<double>(bin.count);
  });
  return bars;
}

}  // namespace

std::optional<LatencyBar> draw_latencies(const LatencyPicture& picture) {
  const PanelInput& input = picture.input;
  const query::Distribution& latencies = picture.latencies;
  const auto text = [&](int64_t ticks) { return length_label({ticks}, *input.trace, 3); };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(input.fonts.small);
  const float pad = 10 * input.scale, line = ImGui::GetFontSize() + 6 * input.scale;
  const Area bars = {picture.area.x0 + pad, picture.area.y0 + 2 * line, picture.area.x1 - pad,
                     picture.area.y1 - line};
  list.AddRectFilled({picture.area.x0, picture.area.y0}, {picture.area.x1, picture.area.y0 + 1},
                     input.theme.border);
  std::string title = "Latency, " + short_name(picture.of, 120);
  const bool has_some = latencies.count() > 0;
  for (const uint32_t percent : kMarked) {
    if (has_some) title += fmt::format("  ·  p{} {}", percent, text(latencies.percentile(percent)));
  }
  if (!has_some)
    title += picture.are_known ? ": no message has both ends"
                               : ": not known, each message was seen at one instant";
  draw_text(list, {bars.x0, picture.area.y0 + 4 * input.scale}, input.theme.text_dim, title,
            bars.width());
  std::optional<LatencyBar> pointed;
  if (has_some && bars.height() > line && bars.width() > pad) {
    const auto most_bars =
        static_cast<size_t>(std::max(1.0F, bars.width() / (kBarPx * input.scale)));
    const Bars all = bars_of(latencies, most_bars);
    const Area beside = {bars.x0 + heights_width(input, all.counts, true), bars.y0, bars.x1,
                         bars.y1};
    const layout::LengthAxis axis(all.borders, static_cast<double>(beside.width()));
    const LengthBars shown{input, beside, axis, all.counts};
    if (const auto hovered = draw_length_bars(shown)) {
      pointed = {all.borders[*hovered], all.borders[*hovered + 1] - 1,
                 static_cast<uint64_t>(all.counts[*hovered])};
      ImGui::BeginTooltip();
      show_text(counted(pointed->count, "message"));
      show_text(length_range_label({pointed->least}, {pointed->most}, *input.trace),
                input.theme.text_dim);
      show_text("double click: filter to them", input.theme.text_dim);
      ImGui::EndTooltip();
    }
  }
  ImGui::PopFont();
  return pointed;
}

}  // namespace weft::app
