// The columns of a tile: one texel fetch per pixel. See layout::Texel for the bits. Where a column
// holds nothing, what lies behind the strip stays. Compiled three times: for states, punctual events
// and variables. The constants are those of render/look.h.
uniform sampler2D u_atlas;

flat in vec4 v_place;    // x0, columns per px, bottom, height
flat in vec3 v_columns;  // column at x0, px per column, the last column
flat in ivec2 v_tile;
flat in vec3 v_background;
flat in vec3 v_color;

out vec4 o_color;

void main() {
  float x = gl_FragCoord.x - v_place.x;
  float height = v_place.z - gl_FragCoord.y;  // of this pixel above the strip's bottom
  float column = clamp(v_columns.x + x * v_place.y, 0.0, v_columns.z + 0.999);
  vec4 texel = texelFetch(u_atlas, v_tile + ivec2(int(column), 0), 0);
  int bits = int(texel.a * 255.0 + 0.5);
  int mark = (bits >> 1) & 3;
  float in_column_px = fract(column) * v_columns.y;

  // Several of one type: hatched. Several types: hatched both ways.
  ivec2 at = ivec2(int(gl_FragCoord.x), int(gl_FragCoord.y));
  bool hatch = ((at.x + at.y) & 3) == 0;
  bool cross_hatch = ((at.x - at.y) & 3) == 0;
  bool is_pattern = (mark >= 2 && hatch) || (mark == 3 && cross_hatch);
  float shade = is_pattern ? kPatternShade : 1.0;

#if defined(STATES)
  bool is_edge = (bits & 1) != 0 && in_column_px < 1.0;
  float lit_px = max(float(bits >> 3) * (1.0 / 31.0) * v_place.w, 1.0);
  if (mark == 0) discard;
  shade = height <= lit_px ? shade : kRestShade;
  vec3 color = mix(v_background, texel.rgb, shade);
  o_color = vec4(is_edge && height <= lit_px ? texel.rgb * kEdgeShade : color, 1.0);
#elif defined(PUNCTUALS)
  float lit_px = max(float(bits >> 3) * (1.0 / 31.0) * v_place.w, 1.0);
  if (mark == 0 || height > lit_px || in_column_px >= kThinPx) discard;
  o_color = vec4(mix(v_background, texel.rgb, shade), 1.0);
#else  // VARIABLE
  float value_px = v_place.w - kBandPx;  // from the lowest value to the highest
  bool is_step = in_column_px < kThinPx;  // behind it, the last value holds
  float low_px = (is_step ? texel.r : texel.b) * value_px;
  float high_px = (is_step ? texel.g : texel.b) * value_px + kBandPx;
  bool is_band = height >= low_px && height <= high_px;
  if (mark == 0 || !(is_band || height < texel.b * value_px)) discard;
  shade = is_band ? (is_step ? shade : 1.0) : kRestShade;
  shade *= float(bits >> 3) * (1.0 / 31.0);  // dimmed columns have less of it
  o_color = vec4(mix(v_background, v_color, shade), 1.0);
#endif
}
