// Dear ImGui and its OpenGL backend, for windows and pictures alike. An OpenGL context must be
// current from construction to destruction; only one instance at a time.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/panels/theme.h"
#include "core/base/latest.h"

namespace weft::app {

class Gui {
 public:
  // `wake` is called on any thread when fonts are ready; may be empty.
  explicit Gui(float scale, std::function<void()> wake = {});
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  const Fonts& fonts() const { return set_->fonts; }
  float scale() const { return key_.scale; }  // of the fonts
  // Requests new fonts if the scale or the wanted letters (letters.h) have changed, and takes those
  // that are ready; false while they are not. Do not call it between begin_frame() and draw().
  bool update_fonts(float scale);

  // Call before ImGui::NewFrame(), which is up to the caller.
  void begin_frame();
  // Call after ImGui::Render(): draws over the content of the framebuffer.
  void draw();

 private:
  struct FontKey {
    float scale = 1;
    std::vector<ImWchar> letters = {};
    bool operator==(const FontKey&) const = default;
  };

  FontKey wanted_;
  FontKey key_;  // key of the present set
  std::shared_ptr<const FontSet> set_;
  // ImGui counts what it allocates, on any thread and without a lock; nobody reads the number.
  Latest<FontKey, FontSet> maker_;
};

}  // namespace weft::app
