// Dear ImGui and its OpenGL backend, for a window and for pictures alike. An OpenGL context must be
// current from construction to destruction; one at a time.
#pragma once

#include "app/theme.h"

namespace weft::app {

class Gui {
 public:
  explicit Gui(float scale);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  const Fonts& fonts() const { return fonts_; }
  float scale() const { return scale_; }
  // Makes the fonts anew. Not between begin_frame and draw.
  void set_scale(float scale);

  // Before ImGui::NewFrame, which the caller calls.
  void begin_frame();
  // After ImGui::Render: draws over what the framebuffer holds.
  void draw();

 private:
  float scale_;
  Fonts fonts_;
};

}  // namespace weft::app
