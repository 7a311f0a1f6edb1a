// The machine's memory: what it works on lies behind the compiler's own data, laid out anew for each canvas size.
#include "paint.h"

Mask mask;
Matrix matrix;
float points[2 * MAX_POINTS];
int32_t contour_ends[MAX_CONTOURS];
uint8_t contour_closed[MAX_CONTOURS];

extern uint8_t *painting;
extern uint32_t *recorded;
extern uint8_t *painters;
extern uint8_t __heap_base;

enum { PAGE = 65536, ALIGN = 64 };

uint8_t *scratch;

EXPORT(points_at) float *points_at(void) { return points; }
EXPORT(contour_ends_at) int32_t *contour_ends_at(void) { return contour_ends; }
EXPORT(contour_closed_at) uint8_t *contour_closed_at(void) { return contour_closed; }
EXPORT(painting_at) uint8_t *painting_at(void) { return painting; }
EXPORT(scratch_at) uint8_t *scratch_at(void) { return scratch; }

EXPORT(set_matrix) void set_matrix(float a, float b, float c, float d, float e, float f) {
  matrix = (Matrix){a, b, c, d, e, f};
}

static uint8_t *take(uint8_t **at, int32_t bytes) {
  uint8_t *taken = *at;
  *at += (bytes + ALIGN - 1) & ~(ALIGN - 1);
  return taken;
}

static uint8_t *heap(void) { return (uint8_t *)(((uintptr_t)&__heap_base + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1)); }

static int grow_to(const uint8_t *end) {
  const int32_t have = (int32_t)__builtin_wasm_memory_size(0), need = ((int32_t)(uintptr_t)end + PAGE - 1) / PAGE;
  return need <= have || __builtin_wasm_memory_grow(0, need - have) != (unsigned long)-1;
}

// Makes this machine an empty mask of a size. Answers 0 when there is no memory for it.
EXPORT(make_mask) int32_t make_mask(int32_t width, int32_t height) {
  mask.width = width, mask.height = height, mask.stride = (width + 63) & ~63;
  const int32_t bytes = SAMPLES * mask.stride * height;
  uint8_t *at = heap();
  mask.samples = take(&at, bytes);
  uint8_t *deltas = take(&at, bytes);
  uint64_t *touched = (uint64_t *)take(&at, 8 * height);
  uint8_t *end = at;
  scratch = take(&at, width * height + ALIGN);
  if (!grow_to(at)) return 0;
  __builtin_memset(mask.samples, 0, end - mask.samples);
  raster_resize(deltas, touched);
  return 1;
}

// Makes this machine a painting of a size, with its record, and with room for a mask or a picture beside it. Answers 0 without memory for
// it.
EXPORT(make_painting) int32_t make_painting(int32_t width, int32_t height) {
  mask.width = width, mask.height = height, mask.stride = 0, mask.samples = 0;
  uint8_t *at = heap();
  painting = take(&at, 4 * width * height);
  recorded = (uint32_t *)take(&at, 4 * width * height);
  painters = take(&at, width * height);
  scratch = take(&at, 4 * width * height + ALIGN);
  return grow_to(at);
}
