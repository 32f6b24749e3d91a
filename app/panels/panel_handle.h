// The ••• at the upper right corner of a panel without a tab (Docking), in px at scale 1: what lies
// at the end of such a panel's first line keeps clear of it.
#pragma once

namespace weft::app {

inline constexpr float kPanelHandlePx = 26;       // wide
inline constexpr float kPanelHandleMarginPx = 6;  // from the edge

}  // namespace weft::app
