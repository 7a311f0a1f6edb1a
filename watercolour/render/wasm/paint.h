// The parts of the painting machine, and the memory they share. Coordinates are pixels, y down, unless a name says
// otherwise. See blend.c for what a sample is.
#pragma once
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))

enum { SAMPLES = 4, MAX_SIDE = 4096, MAX_POINTS = 1 << 17, MAX_CONTOURS = 1 << 12 };

// A 2D affine map: x' = a x + c y + e, y' = b x + d y + f.
typedef struct {
  float a, b, c, d, e, f;
} Matrix;

// Coverage of the rows of one canvas. Each pixel row has SAMPLES sub-rows of `stride` bytes, one sample a pixel.
typedef struct {
  int32_t width, height, stride;
  uint8_t *samples;
} Mask;

extern Mask mask;
extern Matrix matrix;
extern uint8_t *scratch;
extern float points[2 * MAX_POINTS];
extern int32_t contour_ends[MAX_CONTOURS];
extern uint8_t contour_closed[MAX_CONTOURS];

// raster.c: edges in sixteenths of a pixel, then one sweep that hands each row's coverage to the blend.
enum { SUB_PIXELS = 16, SUB_ROW = 4, FIRST_SUB_ROW = 2 };
typedef struct {
  int32_t x, y;
} Fixed;
v128_t to_fixed(v128_t places);
void cut_edge(Fixed from, Fixed to);

// The first sub-row at or below a height in sixteenths.
static inline int32_t sub_row_below(int32_t y16) { return (y16 + SUB_ROW - 1 - FIRST_SUB_ROW) >> 2; }

static inline void add_edge(Fixed from, Fixed to) {
  if (sub_row_below(from.y) != sub_row_below(to.y)) cut_edge(from, to);
}

void sweep(void);
int32_t fill_convex(const int32_t *xs, const int32_t *ys, int32_t count);
void begin_fill(float left, float top, float right, float bottom);
void begin_stroke(void);
void raster_resize(uint8_t *deltas, uint64_t *touched);

// blend.c: how a draw changes the samples under it.
void set_by_coverage(int32_t by_coverage);
void blend_block(uint8_t *row, v128_t covered[SAMPLES]);
void blend_solid(uint8_t *row, int32_t blocks);
