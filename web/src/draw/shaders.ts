// The programs of the GPU. Nodes are points; an edge is a ribbon along the rational quadratic curve of curves.ts.

const FETCH = `
ivec2 place(uint node) { return ivec2(int(node) % WIDTH, int(node) / WIDTH); }
`;

export const NODE_VERTEX = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in uint node;
uniform highp sampler2D positions;
uniform highp sampler2D colors;
uniform highp sampler2D marks;
uniform vec4 frame;
uniform float density;
uniform float grown;
out vec4 paint;
flat out float shape;
flat out float radius;
${FETCH}
void main() {
  vec2 z = texelFetch(positions, place(node), 0).xy;
  paint = texelFetch(colors, place(node), 0);
  vec2 mark = texelFetch(marks, place(node), 0).xy;
  float near = 0.4 + 0.6 * max(0.0, 1.0 - dot(z, z));
  radius = max(1.15, mark.x * near * grown) * density;
  shape = mark.y;
  gl_Position = vec4(z * frame.xy + frame.zw, 0.0, paint.a > 0.0 ? 1.0 : 0.0);
  gl_PointSize = paint.a > 0.0 ? 2.0 * (radius + 2.0 * density) : 0.0;
}`;

export const NODE_FRAGMENT = `#version 300 es
precision highp float;
in vec4 paint;
flat in float shape;
flat in float radius;
uniform vec3 halo;
uniform float density;
out vec4 color;
float beyond(vec2 p) {
  if (shape < 0.5) return length(p) - radius;
  if (shape < 1.5) return max(abs(p.x), abs(p.y)) - 0.86 * radius;
  if (shape < 2.5) {
    p.y -= 0.15 * radius;
    return max(abs(p.x) * 0.866 - p.y * 0.5, p.y) - 0.62 * radius;
  }
  return (abs(p.x) + abs(p.y)) * 0.7071 - 0.88 * radius;
}
void main() {
  vec2 p = (gl_PointCoord - 0.5) * 2.0 * (radius + 2.0 * density);
  float out_of = beyond(p);
  float ring = clamp(radius / density - 2.0, 0.0, 1.0) * density;
  float inside = clamp(0.5 - out_of, 0.0, 1.0);
  float covered = clamp(0.5 - (out_of - ring), 0.0, 1.0);
  vec3 mixed = mix(halo, paint.rgb, inside);
  float a = paint.a * covered;
  color = vec4(mixed * a, a);
}`;

export const EDGE_VERTEX = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in uvec2 ends;
uniform highp sampler2D positions;
uniform highp sampler2D colors;
uniform vec4 frame;
uniform vec2 pixel;
uniform float segments;
uniform float thickness;
uniform float opacity;
uniform vec3 ink;
out vec4 paint;
out float across;
out float reach;
${FETCH}
void main() {
  vec2 p = texelFetch(positions, place(ends.x), 0).xy;
  vec2 q = texelFetch(positions, place(ends.y), 0).xy;
  vec4 a = texelFetch(colors, place(ends.x), 0);
  vec4 b = texelFetch(colors, place(ends.y), 0);
  float shown = min(a.a, b.a);
  bool same = all(lessThan(abs(a.rgb - b.rgb), vec3(0.002)));
  paint = vec4(same ? mix(ink, a.rgb, 0.75) : ink, opacity * shown * (same ? 1.0 : 0.6));
  float tangent = (p.x * q.y - p.y * q.x) / max(1.0 - dot(p, q), 1e-7);
  vec2 chord = q - p;
  vec2 control = 0.5 * (p + q + tangent * vec2(-chord.y, chord.x));
  float w = inversesqrt(1.0 + tangent * tangent);
  float t = float(gl_VertexID / 2) / segments;
  float s = 1.0 - t;
  float below = s * s + 2.0 * s * t * w + t * t;
  vec2 z = (s * s * p + 2.0 * s * t * w * control + t * t * q) / below;
  vec2 d = s * s * w * (control - p) + s * t * chord + t * t * w * (q - control);
  vec2 along = normalize(d * frame.xy / pixel + vec2(1e-12, 0.0));
  across = (gl_VertexID & 1) == 0 ? 1.0 : -1.0;
  float near = 0.5 + 0.5 * max(0.0, 1.0 - dot(z, z));
  reach = thickness * near + 1.0;
  vec2 side = vec2(-along.y, along.x) * across * reach * 0.5;
  gl_Position = vec4(z * frame.xy + frame.zw + side * pixel, 0.0, shown > 0.0 ? 1.0 : 0.0);
  across *= reach;
  paint.a *= min(1.0, 0.35 + 0.65 * near);
}`;

export const EDGE_FRAGMENT = `#version 300 es
precision highp float;
in vec4 paint;
in float across;
in float reach;
out vec4 color;
void main() {
  float a = paint.a * clamp(0.5 * (reach - abs(across)), 0.0, 1.0);
  color = vec4(paint.rgb * a, a);
}`;
