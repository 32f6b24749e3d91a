// The ••• at the upper right corner of a panel without a tab (Docking), in pixels at scale 1. The
// end of such a panel's first line must keep clear of it.
#pragma once

namespace weft::app {

inline constexpr float kPanelHandlePx = 26;       // its width
inline constexpr float kPanelHandleMarginPx = 6;  // its distance from the edge

}  // namespace weft::app
