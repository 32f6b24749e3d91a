uniform sampler2D u_arrivals;

flat in ivec2 v_from;

out vec4 o_texel;

void main() { o_texel = texelFetch(u_arrivals, v_from + ivec2(int(gl_FragCoord.x), 0), 0); }
