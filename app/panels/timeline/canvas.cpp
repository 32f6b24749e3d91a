#include "app/panels/timeline/canvas.h"

#include <algorithm>

namespace weft::app {

render::DrawBatch& Canvas::redraw(const Area& area) {
  width_ = std::max(1, static_cast<int>(area.width()));
  height_ = std::max(1, static_cast<int>(area.height()));
  place(area);
  is_painted_ = false;
  batch_.clear();
  return batch_;
}

void Canvas::paint() {
  if (!is_shown_ || is_painted_) return;
  picture_->draw(batch_, width_, height_);
  is_painted_ = true;
}

bool Canvas::place(const Area& area) {
  x_ = static_cast<int>(area.x0);
  y_ = static_cast<int>(area.y0);
  is_shown_ = width_ == std::max(1, static_cast<int>(area.width())) &&
              height_ == std::max(1, static_cast<int>(area.height()));
  return is_shown_ && is_painted_;
}

void Canvas::present(int framebuffer_height) const {
  if (is_shown_) picture_->blit(x_, y_, framebuffer_height);
}

void translate(render::DrawBatch& batch, float dx) {
  if (dx == 0) return;
  for (auto* boxes : {&batch.backdrops, &batch.boxes}) {
    for (render::BoxShape& box : *boxes) {
      box.x0 += dx;
      box.x1 += dx;
    }
  }
  for (render::Strip& strip : batch.strips) {
    strip.x0 += dx;
    strip.x1 += dx;
  }
  for (render::LineShape& line : batch.lines) {
    line.x0 += dx;
    line.x1 += dx;
  }
  for (render::MarkerShape& marker : batch.markers) marker.x += dx;
}

}  // namespace weft::app
