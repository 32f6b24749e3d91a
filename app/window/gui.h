// Dear ImGui and its OpenGL backend, for a window and for pictures alike. An OpenGL context must be
// current from construction to destruction; one at a time.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/panels/theme.h"
#include "render/latest.h"

namespace weft::app {

class Gui {
 public:
  // `wake`: from any thread, fonts are there; may be empty.
  explicit Gui(float scale, std::function<void()> wake = {});
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  const Fonts& fonts() const { return set_->fonts; }
  float scale() const { return key_.scale; }  // of the fonts
  // Has the fonts made anew where they are to have another scale, or more letters (letters.h), and
  // takes those that are made; false while they are not. Not between begin_frame and draw.
  bool update_fonts(float scale);

  // Before ImGui::NewFrame, which the caller calls.
  void begin_frame();
  // After ImGui::Render: draws over what the framebuffer holds.
  void draw();

 private:
  struct FontKey {
    float scale = 1;
    std::vector<ImWchar> letters = {};
    bool operator==(const FontKey&) const = default;
  };

  FontKey wanted_;
  FontKey key_;  // of the set
  std::shared_ptr<const FontSet> set_;
  // ImGui counts what it allocates, on any thread and without a lock; nobody reads the number.
  render::Latest<FontKey, FontSet> maker_;
};

}  // namespace weft::app
