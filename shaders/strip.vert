// A strip of one tile's columns: one instance of a quad.
uniform vec2 u_size;  // of the picture, px

layout(location = 0) in vec4 a_place;    // x0, x1, y, height
layout(location = 1) in vec2 a_columns;  // at x0 and x1
layout(location = 2) in uint a_slot;
layout(location = 3) in vec4 a_background;
layout(location = 4) in vec4 a_color;

flat out vec4 v_place;    // x0, columns per px, bottom, height
flat out vec3 v_columns;  // column at x0, px per column, the last column
flat out ivec2 v_tile;    // the tile's first texel
flat out vec3 v_background;
flat out vec3 v_color;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 position = vec2(mix(a_place.x, a_place.y, corner.x), a_place.z + a_place.w * corner.y);
  float per_px = (a_columns.y - a_columns.x) / (a_place.y - a_place.x);
  v_place = vec4(a_place.x, per_px, a_place.z + a_place.w, a_place.w);
  v_columns = vec3(a_columns.x, 1.0 / per_px, ceil(a_columns.y) - 1.0);
  v_tile = ivec2(int(a_slot % TILES_ACROSS) * 256, int(a_slot / TILES_ACROSS));
  v_background = a_background.rgb;
  v_color = a_color.rgb;
  gl_Position = vec4(position / u_size * 2.0 - 1.0, 0.0, 1.0);
}
