// A diamond: one instance of a quad on its corner.
uniform vec2 u_size;  // of the picture, px

layout(location = 0) in vec3 a_place;  // x, y, radius
layout(location = 1) in vec4 a_color;

flat out vec4 v_color;

void main() {
  vec2 corner = vec2[4](vec2(0, -1), vec2(1, 0), vec2(-1, 0), vec2(0, 1))[gl_VertexID];
  vec2 position = a_place.xy + corner * a_place.z;
  v_color = a_color;
  gl_Position = vec4(position / u_size * 2.0 - 1.0, 0.0, 1.0);
}
