// Converts what ImGui drew to SVG: triangles to shapes, and text back to text, recognised by its
// letters' places in the font atlas. Works for every panel, since it knows none.
#pragma once

#include <imgui.h>

#include "app/panels/theme.h"
#include "render/svg/svg_page.h"

namespace weft::app {

// Draw the frame without anti-aliasing (GuiWithoutSmoothEdges): soft edges would become triangles,
// too, and SVG has its own anti-aliasing.
void add_gui(const ImDrawData& data, const Fonts& fonts, render::SvgPage& page);

// While it exists, ImGui draws shapes with hard edges.
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
