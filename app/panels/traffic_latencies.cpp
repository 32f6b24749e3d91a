#include "app/panels/traffic_latencies.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kBarPx = 6;  // at least
constexpr uint32_t kMarked[] = {50, 90, 99};

struct Bar {
  int64_t least = 0;
  int64_t most = 0;
  uint64_t count = 0;
};

// Neighbouring bins of the distribution, so many to a bar that there are at most `most`.
std::vector<Bar> bars_of(const query::Distribution& latencies, size_t most) {
  int64_t first = 0, last = 0;
  bool is_first = true;
  latencies.for_each_bin([&](const query::Distribution::Bin& bin) {
    if (is_first) first = bin.number;
    is_first = false;
    last = bin.number;
  });
  const int64_t each = (last - first) / static_cast<int64_t>(most) + 1;
  std::vector<Bar> bars(static_cast<size_t>((last - first) / each) + 1);
  for (size_t i = 0; i < bars.size(); ++i) {
    const int64_t from = first + static_cast<int64_t>(i) * each;
    bars[i].least = query::Distribution::least_of(from);
    bars[i].most = query::Distribution::most_of(from + each - 1);
  }
  latencies.for_each_bin([&](const query::Distribution::Bin& bin) {
    bars[static_cast<size_t>((bin.number - first) / each)].count += bin.count;
  });
  return bars;
}

}  // namespace

std::optional<LatencyRange> draw_latencies(const LatencyPicture& picture) {
  const PanelInput& input = picture.input;
  const query::Distribution& latencies = picture.latencies;
  const auto text = [&](int64_t ticks) { return format_duration({ticks}, picture.time_base, 3); };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(input.fonts.small);
  const float pad = 10 * input.scale, line = ImGui::GetFontSize() + 4 * input.scale;
  const Area bars = {picture.area.x0 + pad, picture.area.y0 + 2 * line, picture.area.x1 - pad,
                     picture.area.y1 - line};
  list.AddRectFilled({picture.area.x0, picture.area.y0}, {picture.area.x1, picture.area.y0 + 1},
                     input.theme.border);
  std::string title = "Latency, " + printable(picture.of, 120);
  for (const uint32_t percent : kMarked) {
    if (latencies.count() > 0)
      title += fmt::format("  ·  p{} {}", percent, text(latencies.percentile(percent)));
  }
  if (latencies.count() == 0) title += ": no message has both ends";
  draw_text(list, {bars.x0, picture.area.y0 + 4 * input.scale}, input.theme.text_dim, title,
            bars.width());
  std::optional<LatencyRange> opened;
  if (latencies.count() > 0 && bars.height() > line && bars.width() > pad) {
    const auto most_bars =
        static_cast<size_t>(std::max(1.0F, bars.width() / (kBarPx * input.scale)));
    const std::vector<Bar> all = bars_of(latencies, most_bars);
    const uint64_t most = std::ranges::max(all, {}, &Bar::count).count;
    const float width = bars.width() / static_cast<float>(all.size());
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (size_t i = 0; i < all.size(); ++i) {
      const float x0 = std::round(bars.x0 + static_cast<float>(i) * width);
      const float x1 =
          std::max(x0 + 1, std::round(bars.x0 + static_cast<float>(i + 1) * width) - 1);
      const bool is_hovered =
          ImGui::IsWindowHovered() && Area{x0, bars.y0, x1 + 1, bars.y1}.contains(mouse);
      if (is_hovered) list.AddRectFilled({x0, bars.y0}, {x1, bars.y1}, input.theme.selection);
      if (all[i].count > 0) {
        const auto share =
            static_cast<float>(static_cast<double>(all[i].count) / static_cast<double>(most));
        const float top = std::floor(bars.y1 - std::max(1.0F, share * bars.height()));
        list.AddRectFilled({x0, top}, {x1, bars.y1},
                           is_hovered ? input.theme.bars_hovered : input.theme.bars);
      }
      if (!is_hovered) continue;
      ImGui::BeginTooltip();
      show_text(counted(all[i].count, "message"));
      show_text(text(all[i].least) + " … " + text(all[i].most), input.theme.text_dim);
      show_text("double click: filter to them", input.theme.text_dim);
      ImGui::EndTooltip();
      if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        opened = LatencyRange{all[i].least, all[i].most};
    }
    list.AddRectFilled({bars.x0, bars.y1}, {bars.x1, bars.y1 + 1}, input.theme.border);
    const float room = 90 * input.scale;
    const auto labels = std::max<size_t>(1, static_cast<size_t>(bars.width() / room));
    for (size_t i = 0; i < labels; ++i) {
      const size_t at = all.size() * i / labels;
      if (i > 0 && at == all.size() * (i - 1) / labels) continue;
      draw_text(list, {bars.x0 + static_cast<float>(at) * width, bars.y1 + 2 * input.scale},
                input.theme.text_dim, text(all[at].least), room);
    }
  }
  ImGui::PopFont();
  return opened;
}

}  // namespace weft::app
