flat in vec4 v_color;
flat in float v_edge_end;
flat in uint v_pattern;

out vec4 o_color;

// As is_on_pattern() of render/look.h.
bool is_on_pattern(ivec2 at) {
  if (v_pattern == 1u) return ((at.x + at.y) & 7) < 2;
  if (v_pattern == 2u) return ((at.x + (at.y & 4)) & 7) < 2 && (at.y & 3) < 2;
  if (v_pattern == 3u) return ((at.x + at.y) & 7) == 0 || ((at.x - at.y) & 7) == 0;
  return v_pattern == 4u && (at.x & 7) < 2;
}

void main() {
  float shade = is_on_pattern(ivec2(gl_FragCoord.xy)) ? kTypePatternShade : 1.0;
  shade = gl_FragCoord.x < v_edge_end ? kEdgeShade : shade;
  o_color = vec4(v_color.rgb * shade, v_color.a);
}
