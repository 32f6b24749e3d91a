flat in vec4 v_color;
flat in float v_edge_end;

out vec4 o_color;

void main() {
  float shade = gl_FragCoord.x < v_edge_end ? kEdgeShade : 1.0;
  o_color = vec4(v_color.rgb * shade, v_color.a);
}
