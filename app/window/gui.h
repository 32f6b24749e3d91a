// Dear ImGui and its OpenGL backend, for a window and for pictures alike. An OpenGL context must be
// current from construction to destruction; one at a time.
#pragma once

#include "app/panels/theme.h"

namespace weft::app {

class Gui {
 public:
  explicit Gui(float scale);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  const Fonts& fonts() const { return fonts_; }
  float scale() const { return scale_; }
  // Makes the fonts anew where they are to have another scale, or more letters (letters.h). Not
  // between begin_frame and draw.
  void update_fonts(float scale);

  // Before ImGui::NewFrame, which the caller calls.
  void begin_frame();
  // After ImGui::Render: draws over what the framebuffer holds.
  void draw();

 private:
  float scale_;
  size_t letters_ = 0;  // that the fonts were made with
  Fonts fonts_;
};

}  // namespace weft::app
