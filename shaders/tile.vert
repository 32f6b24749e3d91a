// A tile that came, into its slot of the atlas: one instance of a quad of one row.
uniform vec2 u_size;  // of the atlas, texels

layout(location = 0) in uint a_slot;

flat out ivec2 v_from;  // texel (x, y) of the atlas is texel (x, 0) + this of the arrivals

void main() {
  uvec2 tile = uvec2(a_slot % TILES_ACROSS, a_slot / TILES_ACROSS);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 position = vec2(tile.x * TILE_COLUMNS, tile.y) + corner * vec2(TILE_COLUMNS, 1.0);
  v_from = ivec2(-int(tile.x * TILE_COLUMNS), gl_InstanceID);
  gl_Position = vec4(position / u_size * 2.0 - 1.0, 0.0, 1.0);
}
