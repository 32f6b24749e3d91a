// A picture of the renderer at a place on the screen, under what ImGui draws.
#pragma once

#include <memory>

#include "app/panels/panels.h"
#include "render/batch.h"
#include "render/renderer.h"

namespace weft::app {

class Canvas {
 public:
  explicit Canvas(render::Renderer& renderer) : picture_(renderer.make_picture()) {}

  // Redraws the picture; `batch` in pixels from the area's top left.
  void draw(const render::DrawBatch& batch, const Area& area);
  // Shows the picture as it is; false where it must be redrawn first, since the size is another.
  bool place(const Area& area);
  // Shows nothing until the next draw or place.
  void hide() { is_shown_ = false; }
  void present(int framebuffer_height) const;
  int height() const { return height_; }

 private:
  std::unique_ptr<render::Picture> picture_;
  int x_ = 0, y_ = 0, width_ = 0, height_ = 0;
  bool is_shown_ = false;
};

// Moves everything in the batch.
void translate(render::DrawBatch& batch, float dx);

}  // namespace weft::app
