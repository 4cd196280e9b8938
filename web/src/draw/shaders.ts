// GLSL shaders. Nodes are point sprites; an edge is a triangle strip along the rational quadratic Bézier curve of curves.ts.

const FETCH = `
ivec2 texel(uint node) { return ivec2(int(node) % WIDTH, int(node) / WIDTH); }
`;

export const NODE_VERTEX = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in uint node;
uniform highp sampler2D positions;
uniform highp sampler2D colors;
uniform highp sampler2D shapes;
uniform vec4 transform;
uniform float density;
uniform float node_scale;
out vec4 node_color;
flat out float shape;
flat out float radius;
${FETCH}
void main() {
  vec2 z = texelFetch(positions, texel(node), 0).xy;
  node_color = texelFetch(colors, texel(node), 0);
  vec2 size_and_shape = texelFetch(shapes, texel(node), 0).xy;
  float near = 0.4 + 0.6 * max(0.0, 1.0 - dot(z, z));
  radius = max(1.15, size_and_shape.x * near * node_scale) * density;
  shape = size_and_shape.y;
  gl_Position = vec4(z * transform.xy + transform.zw, 0.0, node_color.a > 0.0 ? 1.0 : 0.0);
  gl_PointSize = node_color.a > 0.0 ? 2.0 * (radius + 2.0 * density) : 0.0;
}`;

export const NODE_FRAGMENT = `#version 300 es
precision highp float;
in vec4 node_color;
flat in float shape;
flat in float radius;
uniform vec3 halo;
uniform float density;
out vec4 color;
float signed_distance(vec2 p) {
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
  float distance = signed_distance(p);
  float ring = clamp(radius / density - 2.0, 0.0, 1.0) * density;
  float inside = clamp(0.5 - distance, 0.0, 1.0);
  float covered = clamp(0.5 - (distance - ring), 0.0, 1.0);
  vec3 mixed = mix(halo, node_color.rgb, inside);
  float a = node_color.a * covered;
  color = vec4(mixed * a, a);
}`;

export const EDGE_VERTEX = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in uvec2 ends;
uniform highp sampler2D positions;
uniform highp sampler2D colors;
uniform vec4 transform;
uniform vec2 pixel;
uniform float segments;
uniform float thickness;
uniform float opacity;
uniform vec3 edge_color;
out vec4 stroke_color;
out float across;
out float reach;
${FETCH}
void main() {
  vec2 p = texelFetch(positions, texel(ends.x), 0).xy;
  vec2 q = texelFetch(positions, texel(ends.y), 0).xy;
  vec4 a = texelFetch(colors, texel(ends.x), 0);
  vec4 b = texelFetch(colors, texel(ends.y), 0);
  float shown = min(a.a, b.a);
  bool same = all(lessThan(abs(a.rgb - b.rgb), vec3(0.002)));
  stroke_color = vec4(same ? mix(edge_color, a.rgb, 0.75) : edge_color, opacity * shown * (same ? 1.0 : 0.6));
  float tangent = (p.x * q.y - p.y * q.x) / max(1.0 - dot(p, q), 1e-7);
  vec2 chord = q - p;
  vec2 control = 0.5 * (p + q + tangent * vec2(-chord.y, chord.x));
  float w = inversesqrt(1.0 + tangent * tangent);
  float t = float(gl_VertexID / 2) / segments;
  float s = 1.0 - t;
  float below = s * s + 2.0 * s * t * w + t * t;
  vec2 z = (s * s * p + 2.0 * s * t * w * control + t * t * q) / below;
  vec2 d = s * s * w * (control - p) + s * t * chord + t * t * w * (q - control);
  vec2 along = normalize(d * transform.xy / pixel + vec2(1e-12, 0.0));
  across = (gl_VertexID & 1) == 0 ? 1.0 : -1.0;
  float near = 0.5 + 0.5 * max(0.0, 1.0 - dot(z, z));
  reach = thickness * near + 1.0;
  vec2 side = vec2(-along.y, along.x) * across * reach * 0.5;
  gl_Position = vec4(z * transform.xy + transform.zw + side * pixel, 0.0, shown > 0.0 ? 1.0 : 0.0);
  across *= reach;
  stroke_color.a *= min(1.0, 0.35 + 0.65 * near);
}`;

export const EDGE_FRAGMENT = `#version 300 es
precision highp float;
in vec4 stroke_color;
in float across;
in float reach;
out vec4 color;
void main() {
  float a = stroke_color.a * clamp(0.5 * (reach - abs(across)), 0.0, 1.0);
  color = vec4(stroke_color.rgb * a, a);
}`;
