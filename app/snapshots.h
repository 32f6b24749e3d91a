// Pictures that commands ask for, of a panel or of everything: as pixels, or as shapes and text.
#pragma once

#include <string>

#include "app/gui.h"
#include "app/workbench.h"
#include "core/base/result.h"
#include "render/svg/svg_renderer.h"

namespace weft::app {

// Draws and writes what was asked for (Session::snapshots); those without a size are as large as
// the panel is, or as the size given. Binds framebuffers of its own; that of the window is bound
// afterwards.
Status take_snapshots(Workbench& workbench, Gui& gui, int width, int height);

// One frame as an SVG document; the workbench draws with `svg` now.
std::string draw_svg(Workbench& workbench, Gui& gui, render::SvgRenderer& svg, int width,
                     int height);

}  // namespace weft::app
