#include "app/panels/tables/scroll_bar.h"

#include <algorithm>
#include <cmath>

#include "app/panels/theme.h"

namespace weft::app {
namespace {

constexpr float kLeastThumbPx = 24;
constexpr float kInsetPx = 3;

}  // namespace

double ScrollBar::draw(const Input& input, Scroll scroll) {
  const Area& area = input.area;
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const bool is_sideways = way_ == Way::kSideways;
  const double last = std::max(0.0, scroll.all - scroll.seen);
  const float length = is_sideways ? area.width() : area.height();
  const float begin = is_sideways ? area.x0 : area.y0;
  const float mouse = is_sideways ? pointer.x : pointer.y;
  const float thumb =
      std::max(std::round(kLeastThumbPx * input.scale),
               length * static_cast<float>(scroll.seen / std::max(scroll.seen, scroll.all)));
  const float way = std::max(1.0F, length - thumb);
  const auto thumb_at = [&] {
    return begin + (last > 0 ? static_cast<float>(scroll.at / last) * way : 0);
  };
  const bool is_hovered = input.can_hover && area.contains(pointer);
  if (last > 0 && is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    const float inside = mouse - thumb_at();
    grip_ = inside >= 0 && inside < thumb ? inside : thumb / 2;
  }
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) grip_.reset();
  if (grip_) scroll.at = static_cast<double>((mouse - *grip_ - begin) / way) * last;
  scroll.at = std::clamp(scroll.at, 0.0, last);
  if (last <= 0) return scroll.at;
  const float inset = std::round(kInsetPx * input.scale), from = thumb_at();
  const Area drawn = is_sideways ? Area{from, area.y0 + inset, from + thumb, area.y1 - inset}
                                 : Area{area.x0 + inset, from, area.x1 - inset, from + thumb};
  ImGui::GetWindowDrawList()->AddRectFilled({drawn.x0, drawn.y0}, {drawn.x1, drawn.y1},
                                            faded(input.color, grip_ || is_hovered ? 0.8F : 0.45F),
                                            std::min(drawn.width(), drawn.height()) / 2);
  return scroll.at;
}

}  // namespace weft::app
