// From edges to coverage: a winding number at each of four samples a pixel, non-zero means inside.
//
// Chromium fills a canvas on a GPU with four samples a pixel at the positions that Vulkan and Direct3D call standard,
// with vertices rounded to sixteenths of a pixel, a sample on an edge belonging to the shape on its right or below it.
// The samples of a pixel lie on four different heights, so that each sub-row of a pixel row has one sample a pixel:
// an edge adds its direction at the first sample to its right, and a running sum along the sub-row is the winding
// number. Sums are kept modulo 256.
#include "paint.h"

// Sample k of a pixel lies at (sample_x[k], FIRST_SUB_ROW + SUB_ROW k) sixteenths; in a path that is wider than tall,
// and stands upright in the atlas, columns are the rows.
static const int32_t AS_IS[SAMPLES] = {6, 14, 2, 10}, TURNED[SAMPLES] = {10, 2, 14, 6};
static const int32_t *sample_x = AS_IS;

static uint8_t *deltas;    // like the mask's samples: what is added to the winding number from this sample on
static uint64_t *touched;  // a bit for each block of 16 << block_shift samples of a pixel row with deltas in it
static int32_t block_shift;
static int32_t first_row, last_row;
static int32_t first_dirty, last_dirty; // rows that may hold paint

void raster_resize(uint8_t *new_deltas, uint64_t *new_touched) {
  deltas = new_deltas;
  touched = new_touched;
  block_shift = 4;
  while (mask.stride >> block_shift > 64) block_shift++;
  first_row = first_dirty = MAX_SIDE;
  last_row = last_dirty = -1;
}

static inline void add_delta(int32_t sub_row, int32_t index, int32_t direction) {
  if (index >= mask.width) return;
  if (index < 0) index = 0;
  deltas[sub_row * mask.stride + index] += direction;
  touched[sub_row >> 2] |= 1ull << (index >> block_shift);
}

// What an edge does at a sub-row that it crosses, `index` being the first sample to its right.
typedef void Crossing(int32_t sub_row, int32_t index, int32_t direction);

// An edge so long that it needs more digits than an int has.
static inline void cross_long_edge(Fixed from, Fixed to, int32_t start, int32_t end, int32_t direction, Crossing *put) {
  const double slope = (double)(to.x - from.x) / (double)(to.y - from.y);
  const double at_start = (double)from.x + (double)(SUB_ROW * start + FIRST_SUB_ROW - from.y) * slope;
  int64_t x = (int64_t)(at_start * 0x1p28) + 0xffffffffll;
  const int64_t step = (int64_t)(slope * (SUB_ROW * 0x1p28));
  for (int32_t sub_row = start; sub_row < end; sub_row++, x += step) {
    put(sub_row, (int32_t)((x - ((int64_t)sample_x[sub_row & 3] << 28)) >> 32), direction);
  }
}

// Walks down the edge between two places on different sub-rows.
static inline void cross(Fixed one, Fixed other, Crossing *put) {
  const int downwards = one.y < other.y;
  const Fixed from = {downwards ? one.x : other.x, downwards ? one.y : other.y};
  const Fixed to = {downwards ? other.x : one.x, downwards ? other.y : one.y};
  const int32_t direction = downwards ? 1 : -1;
  int32_t start = sub_row_below(from.y), end = sub_row_below(to.y);
  const int32_t bottom = SAMPLES * mask.height;
  const int32_t top = start;
  if (start < 0) start = 0;
  if (end > bottom) end = bottom;
  if (start >= end) return;
  if (start >> 2 < first_row) first_row = start >> 2;
  if ((end - 1) >> 2 > last_row) last_row = (end - 1) >> 2;
  enum { NEAR = 1 << 17, WIDE = 1 << 13, TALL = 64, FRACTION = 12 };
  const int32_t wide = to.x - from.x;
  if (start != top || end - start > TALL || wide > WIDE || wide < -WIDE || from.x > NEAR || from.x < -NEAR) {
    cross_long_edge(from, to, start, end, direction, put);
    return;
  }
  const float slope = (float)(wide << FRACTION) / (float)(to.y - from.y);
  int32_t x = (from.x << FRACTION) + (int32_t)((float)(SUB_ROW * start + FIRST_SUB_ROW - from.y) * slope);
  x += (SUB_PIXELS << FRACTION) - 1;
  const int32_t step = (int32_t)(SUB_ROW * slope);
  for (int32_t sub_row = start; sub_row < end; sub_row++, x += step) {
    put(sub_row, (x - (sample_x[sub_row & 3] << FRACTION)) >> (FRACTION + 4), direction);
  }
}

void cut_edge(Fixed one, Fixed other) { cross(one, other, add_delta); }

// Two places at once, (x, y, x, y) in sixteenths, to whole sixteenths. Nothing can be seen of what lies beyond FAR.
v128_t to_fixed(v128_t places) {
  const float FAR = 1 << 21;
  places = wasm_f32x4_pmax(wasm_f32x4_splat(-FAR), wasm_f32x4_pmin(wasm_f32x4_splat(FAR), places));
  return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(places));
}

static inline v128_t running_sum(v128_t v) {
  const v128_t zero = wasm_i8x16_const_splat(0);
#define SHIFTED(n)                                                                                                  \
  wasm_i8x16_shuffle(zero, v, 16 - n, 17 - n, 18 - n, 19 - n, 20 - n, 21 - n, 22 - n, 23 - n, 24 - n, 25 - n, 26 - n, \
                     27 - n, 28 - n, 29 - n, 30 - n, 31 - n)
  v = wasm_i8x16_add(v, SHIFTED(1));
  v = wasm_i8x16_add(v, SHIFTED(2));
  v = wasm_i8x16_add(v, SHIFTED(4));
  return wasm_i8x16_add(v, SHIFTED(8));
#undef SHIFTED
}

static inline v128_t is_inside(v128_t winding) { return wasm_i8x16_ne(winding, wasm_i8x16_const_splat(0)); }

static void sweep_row(int32_t y) {
  uint64_t left = touched[y];
  touched[y] = 0;
  uint8_t *row = mask.samples + y * SAMPLES * mask.stride;
  uint8_t *row_deltas = deltas + y * SAMPLES * mask.stride;
  const v128_t zero = wasm_i8x16_const_splat(0);
  v128_t carry[SAMPLES] = {zero, zero, zero, zero};
  int32_t x = 0;
  while (x < mask.width) {
    const int32_t next = left ? __builtin_ctzll(left) << block_shift : mask.stride;
    if (x < next) {
      // Nothing changes up to `next`: all in, all out, or a winding that only some samples have.
      const int32_t until = next < mask.width ? next : (mask.width + 15) & ~15;
      v128_t covered[SAMPLES];
      for (int k = 0; k < SAMPLES; k++) covered[k] = is_inside(carry[k]);
      const v128_t all = wasm_v128_and(wasm_v128_and(covered[0], covered[1]), wasm_v128_and(covered[2], covered[3]));
      const v128_t any = wasm_v128_or(wasm_v128_or(covered[0], covered[1]), wasm_v128_or(covered[2], covered[3]));
      if (wasm_v128_any_true(all)) {
        blend_solid(row + x, (until - x) >> 4);
      } else if (wasm_v128_any_true(any)) {
        for (int32_t at = x; at < until; at += 16) blend_block(row + at, covered);
      }
      x = next;
      continue;
    }
    left &= left - 1;
    const int32_t until = x + (1 << block_shift);
    for (; x < until; x += 16) {
      v128_t covered[SAMPLES], any = zero;
      for (int k = 0; k < SAMPLES; k++) {
        v128_t *at = (v128_t *)(row_deltas + k * mask.stride + x);
        const v128_t winding = wasm_i8x16_add(running_sum(wasm_v128_load(at)), carry[k]);
        wasm_v128_store(at, zero);
        carry[k] = wasm_i8x16_swizzle(winding, wasm_i8x16_const_splat(15));
        covered[k] = is_inside(winding);
        any = wasm_v128_or(any, covered[k]);
      }
      if (wasm_v128_any_true(any)) blend_block(row + x, covered);
    }
  }
}

// Blends everything that the edges enclose, and forgets the edges.
void sweep(void) {
  if (first_row < first_dirty) first_dirty = first_row;
  if (last_row > last_dirty) last_dirty = last_row;
  for (int32_t y = first_row; y <= last_row; y++) {
    if (touched[y]) sweep_row(y);
  }
  first_row = MAX_SIDE;
  last_row = -1;
}

// Of a shape that each sub-row enters and leaves once: the first sample inside and the first one after it, in either
// order, by the direction of the edge; UNSET elsewhere.
enum { UNSET = -1 };
static int16_t ends[2][SAMPLES * MAX_SIDE];
static int32_t crossed_twice, ends_are_unset;

static inline void note_end(int32_t sub_row, int32_t index, int32_t direction) {
  int16_t *end = &ends[direction > 0][sub_row];
  if (*end != UNSET) crossed_twice = 1;
  *end = (int16_t)(index < 0 ? 0 : index < mask.width ? index : mask.width);
}

static void sweep_convex_row(int32_t y) {
  int32_t first[SAMPLES], after[SAMPLES], left = mask.width, right = 0;
  uint64_t edges = 0; // blocks with an end in them, which a sweep would have marked
  for (int k = 0; k < SAMPLES; k++) {
    int16_t *one = &ends[0][SAMPLES * y + k], *other = &ends[1][SAMPLES * y + k];
    const int32_t a = *one == UNSET ? 0 : *one, b = *other == UNSET ? 0 : *other;
    if (*one != UNSET && a < mask.width) edges |= 1ull << (a >> block_shift);
    if (*other != UNSET && b < mask.width) edges |= 1ull << (b >> block_shift);
    *one = *other = UNSET;
    first[k] = a < b ? a : b, after[k] = a < b ? b : a;
    if (first[k] == after[k]) continue;
    if (first[k] < left) left = first[k];
    if (after[k] > right) right = after[k];
  }
  const v128_t places = wasm_i8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  uint8_t *row = mask.samples + y * SAMPLES * mask.stride;
  for (int32_t x = left & ~15; x < right; x += 16) {
    v128_t covered[SAMPLES];
    v128_t all = wasm_i8x16_const_splat(-1);
    for (int k = 0; k < SAMPLES; k++) {
      const int32_t from = first[k] - x, to = after[k] - x;
      const v128_t begun = wasm_i8x16_ge(places, wasm_i8x16_splat((int8_t)(from < 0 ? 0 : from > 16 ? 16 : from)));
      const v128_t ended = wasm_i8x16_ge(places, wasm_i8x16_splat((int8_t)(to < 0 ? 0 : to > 16 ? 16 : to)));
      covered[k] = wasm_v128_andnot(begun, ended);
      all = wasm_v128_and(all, covered[k]);
    }
    if (!(edges >> (x >> block_shift) & 1) && wasm_v128_any_true(all)) {
      blend_solid(row + x, 1);
    } else {
      blend_block(row + x, covered);
    }
  }
}

// Blends a convex shape, whose corners follow each other on the canvas. Answers 0, and has done nothing, where rounding
// has dented it.
int32_t fill_convex(const int32_t *xs, const int32_t *ys, int32_t count) {
  if (!ends_are_unset) {
    __builtin_memset(ends, 0xff, sizeof ends);
    ends_are_unset = 1;
  }
  crossed_twice = 0;
  Fixed from = {xs[count - 1], ys[count - 1]};
  for (int32_t i = 0; i < count; i++) {
    const Fixed to = {xs[i], ys[i]};
    if (sub_row_below(from.y) != sub_row_below(to.y)) cross(from, to, note_end);
    from = to;
  }
  if (crossed_twice) {
    for (int32_t row = SAMPLES * first_row; row < SAMPLES * (last_row + 1); row++) ends[0][row] = ends[1][row] = UNSET;
  } else {
    if (first_row < first_dirty) first_dirty = first_row;
    if (last_row > last_dirty) last_dirty = last_row;
    for (int32_t y = first_row; y <= last_row; y++) sweep_convex_row(y);
  }
  first_row = MAX_SIDE;
  last_row = -1;
  return !crossed_twice;
}

// Takes all paint off the mask.
EXPORT(clear_mask) void clear_mask(void) {
  const int32_t row_bytes = SAMPLES * mask.stride;
  if (first_dirty <= last_dirty) {
    __builtin_memset(mask.samples + first_dirty * row_bytes, 0, (last_dirty + 1 - first_dirty) * row_bytes);
  }
  first_dirty = MAX_SIDE;
  last_dirty = -1;
}

// Begins a fill of a path with these bounds in user space. Up to 128 by 128 pixels it is blended by coverage: such a
// path goes through Chromium's atlas of small paths.
void begin_fill(float left, float top, float right, float bottom) {
  const float LONGEST = 1024, AREA = 128 * 128;
  const float xs[4] = {left, right, left, right}, ys[4] = {top, top, bottom, bottom};
  float min_x = 1e30f, min_y = 1e30f, max_x = -1e30f, max_y = -1e30f;
  for (int i = 0; i < 4; i++) {
    const float x = matrix.a * xs[i] + matrix.c * ys[i] + matrix.e, y = matrix.b * xs[i] + matrix.d * ys[i] + matrix.f;
    min_x = x < min_x ? x : min_x, max_x = x > max_x ? x : max_x;
    min_y = y < min_y ? y : min_y, max_y = y > max_y ? y : max_y;
  }
  const float width = __builtin_ceilf(max_x) - __builtin_floorf(min_x);
  const float height = __builtin_ceilf(max_y) - __builtin_floorf(min_y);
  const int small = width <= LONGEST && height <= LONGEST && width * height <= AREA;
  set_by_coverage(small);
  sample_x = small && width > height ? TURNED : AS_IS;
}

void begin_stroke(void) {
  set_by_coverage(0);
  sample_x = AS_IS;
}

static Fixed device(const float *point) {
  const float x = matrix.a * point[0] + matrix.c * point[1] + matrix.e;
  const float y = matrix.b * point[0] + matrix.d * point[1] + matrix.f;
  const v128_t place = to_fixed(wasm_f32x4_make(SUB_PIXELS * x, SUB_PIXELS * y, 0, 0));
  return (Fixed){wasm_i32x4_extract_lane(place, 0), wasm_i32x4_extract_lane(place, 1)};
}

EXPORT(fill_path) void fill_path(int32_t contours) {
  const int32_t count = contours ? contour_ends[contours - 1] : 0;
  v128_t low = wasm_f32x4_splat(1e30f), high = wasm_f32x4_splat(-1e30f);
  for (int32_t i = 0; i < count; i++) {
    const v128_t point = wasm_v128_load64_splat(points + 2 * i);
    low = wasm_f32x4_pmin(low, point);
    high = wasm_f32x4_pmax(high, point);
  }
  begin_fill(wasm_f32x4_extract_lane(low, 0), wasm_f32x4_extract_lane(low, 1), wasm_f32x4_extract_lane(high, 0),
             wasm_f32x4_extract_lane(high, 1));
  int32_t at = 0;
  for (int32_t contour = 0; contour < contours; contour++) {
    const int32_t end = contour_ends[contour];
    if (end - at >= 3) {
      Fixed from = device(points + 2 * (end - 1));
      for (int32_t i = at; i < end; i++) {
        const Fixed to = device(points + 2 * i);
        add_edge(from, to);
        from = to;
      }
    }
    at = end;
  }
  sweep();
}
