// What ImGui drew, as SVG: shapes from triangles, and text as text again, found by where its
// letters lie in the texture of the fonts. Works for every panel, since it knows none.
#pragma once

#include <imgui.h>

#include "app/panels/theme.h"
#include "render/svg/svg_page.h"

namespace weft::app {

// The frame should be drawn without anti-aliasing (GuiWithoutSmoothEdges): soft edges are
// triangles, too, and SVG has its own.
void add_gui(const ImDrawData& data, const Fonts& fonts, render::SvgPage& page);

// While it lives, ImGui draws shapes with hard edges.
class GuiWithoutSmoothEdges {
 public:
  GuiWithoutSmoothEdges();
  ~GuiWithoutSmoothEdges();
  GuiWithoutSmoothEdges(const GuiWithoutSmoothEdges&) = delete;
  GuiWithoutSmoothEdges& operator=(const GuiWithoutSmoothEdges&) = delete;

 private:
  bool had_lines_, had_fill_;
};

}  // namespace weft::app
