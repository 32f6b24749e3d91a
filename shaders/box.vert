// A filled rectangle: one instance of a quad.
uniform vec2 u_size;  // of the picture, px

layout(location = 0) in vec4 a_place;  // x0, y0, x1, y1
layout(location = 1) in vec4 a_color;
layout(location = 2) in uint a_has_edge;
layout(location = 3) in uint a_pattern;

flat out vec4 v_color;
flat out float v_edge_end;  // px
flat out uint v_pattern;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 position = mix(a_place.xy, a_place.zw, corner);
  v_color = a_color;
  v_edge_end = a_has_edge != 0u ? a_place.x + 1.0 : -1.0;
  v_pattern = a_place.z - a_place.x < kPatternFromPx ? 0u : a_pattern;
  gl_Position = vec4(position / u_size * 2.0 - 1.0, 0.0, 1.0);
}
