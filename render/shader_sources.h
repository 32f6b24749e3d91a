// The shaders of shaders/, embedded at build time (shaders/embed.cmake).
#pragma once

namespace weft::render {

extern const char* const k_strip_vert;
extern const char* const k_strip_frag;
extern const char* const k_tile_vert;
extern const char* const k_tile_frag;
extern const char* const k_box_vert;
extern const char* const k_box_frag;
extern const char* const k_line_vert;
extern const char* const k_line_frag;
extern const char* const k_marker_vert;
extern const char* const k_marker_frag;

}  // namespace weft::render
