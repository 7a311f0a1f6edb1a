// Filled circles: a watercolour texture erases hundreds of them a shape.
//
// Skia draws a circle as four conics, and a conic on a GPU as chords: as many as keep it within a quarter of a pixel by
// Wang's formula, rounded up to a power of two. They cut off a little of the circle, which shows once many are laid
// over each other.
#include "paint.h"

enum { MAX_LEVEL = 6 };

static const float WEIGHT = 0.70710678f; // of a conic's middle point in a quarter of a circle

// For each level, where a quarter's chords start on the unit circle.
static float quarter_x[MAX_LEVEL + 1][1 << MAX_LEVEL] __attribute__((aligned(16)));
static float quarter_y[MAX_LEVEL + 1][1 << MAX_LEVEL] __attribute__((aligned(16)));

static void init(void) {
  for (int level = 0; level <= MAX_LEVEL; level++) {
    for (int i = 0; i < 1 << level; i++) {
      const float t = (float)i / (float)(1 << level), u = 1 - t, middle = 2 * WEIGHT * t * u;
      const float whole = u * u + middle + t * t;
      quarter_x[level][i] = (u * u + middle) / whole;
      quarter_y[level][i] = (t * t + middle) / whole;
    }
  }
}

static float length(float x, float y) { return __builtin_sqrtf(x * x + y * y); }

// How often a quarter is halved. `(ax, ay)` and `(bx, by)` are the circle's radii along x and y, in pixels.
static int level_of(float ax, float ay, float bx, float by) {
  const float PRECISION = 4;
  const float bend = length(ax + bx, ay + by) * WEIGHT;
  const float reach = 0.5f * __builtin_wasm_max_f32(length(ax + bx, ay + by), length(ax - bx, ay - by));
  const float above = __builtin_wasm_max_f32(0, reach * PRECISION - 1);
  const float segments_squared = (bend * PRECISION + above * (2 - 2 * WEIGHT)) / (4 * WEIGHT);
  int level = 0;
  while (level < MAX_LEVEL && (float)(1 << 2 * level) < segments_squared) level++;
  return level;
}

static inline v128_t along(float origin, float u, float v, v128_t x, v128_t y) {
  const v128_t place = wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_splat(u), x), wasm_f32x4_mul(wasm_f32x4_splat(v), y));
  return to_fixed(wasm_f32x4_add(wasm_f32x4_splat(origin), place));
}

// A circle of radius r around (x, y), all in user space.
EXPORT(fill_disc) void fill_disc(float x, float y, float r) {
  if (quarter_x[0][0] == 0) init();
  begin_fill(x - r, y - r, x + r, y + r);
  const int32_t level = level_of(matrix.a * r, matrix.b * r, matrix.c * r, matrix.d * r), chords = 1 << level;
  const float centre_x = SUB_PIXELS * (matrix.a * x + matrix.c * y + matrix.e);
  const float centre_y = SUB_PIXELS * (matrix.b * x + matrix.d * y + matrix.f);
  // The two radii that bound the quarter, in sixteenths; the next quarter's are the second and the opposite of the
  // first.
  float ux = SUB_PIXELS * matrix.a * r, uy = SUB_PIXELS * matrix.b * r;
  float vx = SUB_PIXELS * matrix.c * r, vy = SUB_PIXELS * matrix.d * r;
  int32_t xs[(4 << MAX_LEVEL) + 4] __attribute__((aligned(16))), ys[(4 << MAX_LEVEL) + 4] __attribute__((aligned(16)));
  for (int32_t quarter = 0; quarter < 4; quarter++) {
    for (int32_t i = 0; i < chords; i += 4) {
      const v128_t px = wasm_v128_load(quarter_x[level] + i), py = wasm_v128_load(quarter_y[level] + i);
      const v128_t to_x = along(centre_x, ux, vx, px, py), to_y = along(centre_y, uy, vy, px, py);
      wasm_v128_store(xs + quarter * chords + i, to_x);
      wasm_v128_store(ys + quarter * chords + i, to_y);
    }
    const float x_before = ux, y_before = uy;
    ux = vx, uy = vy, vx = -x_before, vy = -y_before;
  }
  if (fill_convex(xs, ys, 4 * chords)) return;
  Fixed from = {xs[4 * chords - 1], ys[4 * chords - 1]};
  for (int32_t i = 0; i < 4 * chords; i++) {
    const Fixed to = {xs[i], ys[i]};
    add_edge(from, to);
    from = to;
  }
  sweep();
}
