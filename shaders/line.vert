// A line, with a head an arrow: one instance of a quad and a triangle.
//
//   0───────────1   7
//   │           │   │ ╲
//   │           │   │   8
//   2───────────3   │ ╱
//                   6
uniform vec2 u_size;  // of the picture, px

layout(location = 0) in vec4 a_ends;   // x0, y0, x1, y1
layout(location = 1) in vec2 a_width;  // of the line, length of the head
layout(location = 2) in vec4 a_color;

flat out vec4 v_color;
out float v_across;       // px from the line's middle
flat out float v_half;    // half the width, px

void main() {
  vec2 along = a_ends.zw - a_ends.xy;
  float length_px = max(length(along), 1e-3);
  along /= length_px;
  vec2 across = vec2(-along.y, along.x);
  float half_width = a_width.x * 0.5;
  float head = min(a_width.y + a_width.x, length_px);

  vec2 position;
  if (gl_VertexID < 6) {
    int corner = int[6](0, 1, 2, 2, 1, 3)[gl_VertexID];
    vec2 end = (corner & 1) == 0 ? a_ends.xy : a_ends.zw - along * (a_width.y > 0.0 ? head * 0.5 : 0.0);
    v_across = (corner < 2 ? 1.0 : -1.0) * (half_width + 1.0);
    v_half = half_width;
    position = end + across * v_across;
  } else {
    float side = gl_VertexID == 8 ? 0.0 : (gl_VertexID == 6 ? 1.0 : -1.0);
    float reach = a_width.y > 0.0 ? head : 0.0;
    position = a_ends.zw - along * reach * abs(side) + across * side * reach * kHeadHalfWidth;
    v_across = 0.0;
    v_half = 1.0;
  }
  v_color = a_color;
  gl_Position = vec4(position / u_size * 2.0 - 1.0, 0.0, 1.0);
}
