// A picture of the renderer at a place on the screen, below what ImGui draws.
//
// Three steps separate the work of the frame thread from that of the renderer: a panel fills the
// batch when its content has changed, paint() makes the pixels, present() copies them into the
// framebuffer.
#pragma once

#include <memory>

#include "app/panels/panels.h"
#include "render/batch.h"
#include "render/renderer.h"

namespace weft::app {

class Canvas {
 public:
  explicit Canvas(render::Renderer& renderer) : picture_(renderer.make_picture()) {}

  // Shows the picture at this place. Returns false if it must be redrawn: its size differs, or the
  // last batch was not painted in its frame, so that its tiles may be gone.
  bool place(const Area& area);
  // An empty batch to fill, in pixels from the area's top left.
  render::DrawBatch& redraw(const Area& area);
  // Shows nothing until it is placed or redrawn.
  void hide() { is_shown_ = false; }
  void paint();
  void present(int framebuffer_height) const;
  int height() const { return height_; }

 private:
  std::unique_ptr<render::Picture> picture_;
  render::DrawBatch batch_;  // kept to reuse its memory
  bool is_painted_ = false;
  int x_ = 0, y_ = 0, width_ = 0, height_ = 0;
  bool is_shown_ = false;
};

// Moves everything in the batch sideways by `dx`.
void translate(render::DrawBatch& batch, float dx);

}  // namespace weft::app
