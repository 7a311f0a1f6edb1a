// What a draw does to the mask. Only how much paint there is matters, not its colour: one byte a sample.
//
// A canvas on a GPU keeps four samples a pixel and blends each of them on its own, rounded to nearest in eight bits;
// they are averaged when the canvas is read. So a faint line thinner than a pixel leaves its full trace in the few
// samples that it hits. Small fills go another way there: they are first painted white into an atlas, and then every
// sample of a pixel is blended by the share of its samples that were hit.
#include "paint.h"

static struct {
  float alpha;         // 0..1
  int32_t erases;      // destination-out rather than source-over
  int32_t by_coverage; // every sample by its pixel's coverage, rather than only the covered ones
  int32_t faintest;    // alpha is one step of 255 and adds paint
} paint;

// Alpha times coverage, of 32768, for 0 to 4 covered samples: low bytes, then high bytes.
static uint8_t shares[2][16];

EXPORT(set_paint) void set_paint(float alpha, int32_t erases) {
  if (paint.alpha == alpha && paint.erases == erases) return;
  paint.alpha = alpha, paint.erases = erases;
  paint.faintest = !erases && alpha == 1.0f / 255.0f;
  for (int n = 0; n <= SAMPLES; n++) {
    const float coverage = __builtin_floorf(255.0f * (float)n / SAMPLES + 0.5f) / 255.0f;
    const int32_t share = (int32_t)__builtin_wasm_min_f32(__builtin_rintf(alpha * coverage * 32768.0f), 32767.0f);
    shares[0][n] = (uint8_t)share, shares[1][n] = (uint8_t)(share >> 8);
  }
}

void set_by_coverage(int32_t by_coverage) { paint.by_coverage = by_coverage; }

static inline v128_t full_share(void) {
  return wasm_i16x8_splat((int16_t)(shares[0][SAMPLES] | shares[1][SAMPLES] << 8));
}

// Sixteen samples, each by its own share of the alpha; `low` and `high` are those shares, of 32768, in sixteen bits.
static inline v128_t blended_by(v128_t samples, v128_t low, v128_t high) {
  const v128_t room = paint.erases ? samples : wasm_v128_not(samples);
  const v128_t part = wasm_u8x16_narrow_i16x8(wasm_i16x8_q15mulr_sat(wasm_u16x8_extend_low_u8x16(room), low),
                                              wasm_i16x8_q15mulr_sat(wasm_u16x8_extend_high_u8x16(room), high));
  return paint.erases ? wasm_i8x16_sub(samples, part) : wasm_i8x16_add(samples, part);
}

// Sixteen samples with full coverage.
static inline v128_t blended(v128_t samples, v128_t share) {
  // The faintest paint is one step up while there is room for half a step.
  if (paint.faintest) return wasm_i8x16_sub(samples, wasm_i8x16_gt(samples, wasm_i8x16_const_splat(-1)));
  return blended_by(samples, share, share);
}

// Sixteen pixels of a row whose first sub-row is at `row`; `covered` is all ones where a sample is inside.
void blend_block(uint8_t *row, v128_t covered[SAMPLES]) {
  if (!paint.by_coverage) {
    const v128_t share = full_share();
    for (int k = 0; k < SAMPLES; k++) {
      v128_t *at = (v128_t *)(row + k * mask.stride);
      const v128_t samples = wasm_v128_load(at);
      wasm_v128_store(at, wasm_v128_bitselect(blended(samples, share), samples, covered[k]));
    }
    return;
  }
  const v128_t hits = wasm_i8x16_neg(
      wasm_i8x16_add(wasm_i8x16_add(covered[0], covered[1]), wasm_i8x16_add(covered[2], covered[3])));
  const v128_t lows = wasm_i8x16_swizzle(wasm_v128_load(shares[0]), hits);
  const v128_t highs = wasm_i8x16_swizzle(wasm_v128_load(shares[1]), hits);
  const v128_t low = wasm_i8x16_shuffle(lows, highs, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const v128_t high = wasm_i8x16_shuffle(lows, highs, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  for (int k = 0; k < SAMPLES; k++) {
    v128_t *at = (v128_t *)(row + k * mask.stride);
    wasm_v128_store(at, blended_by(wasm_v128_load(at), low, high));
  }
}

// Blocks of sixteen pixels with every sample inside.
void blend_solid(uint8_t *row, int32_t blocks) {
  const v128_t share = full_share();
  for (int k = 0; k < SAMPLES; k++) {
    v128_t *at = (v128_t *)(row + k * mask.stride);
    for (int32_t block = 0; block < blocks; block++, at++) wasm_v128_store(at, blended(wasm_v128_load(at), share));
  }
}

// The average of each pixel's samples in a rectangle of the mask, as bytes, `width` a row.
EXPORT(resolve) void resolve(uint8_t *out, int32_t x, int32_t y, int32_t width, int32_t height) {
  for (int32_t row = 0; row < height; row++) {
    const uint8_t *from = mask.samples + (y + row) * SAMPLES * mask.stride + x;
    uint8_t *to = out + row * width;
    for (int32_t i = 0; i < width; i += 16) {
      const v128_t a = wasm_v128_load(from + i), b = wasm_v128_load(from + i + mask.stride);
      const v128_t c = wasm_v128_load(from + i + 2 * mask.stride), d = wasm_v128_load(from + i + 3 * mask.stride);
      v128_t sums[2] = {
          wasm_i16x8_add(wasm_i16x8_add(wasm_u16x8_extend_low_u8x16(a), wasm_u16x8_extend_low_u8x16(b)),
                         wasm_i16x8_add(wasm_u16x8_extend_low_u8x16(c), wasm_u16x8_extend_low_u8x16(d))),
          wasm_i16x8_add(wasm_i16x8_add(wasm_u16x8_extend_high_u8x16(a), wasm_u16x8_extend_high_u8x16(b)),
                         wasm_i16x8_add(wasm_u16x8_extend_high_u8x16(c), wasm_u16x8_extend_high_u8x16(d)))};
      for (int h = 0; h < 2; h++) {
        // Halves go to the even neighbour.
        const v128_t odd = wasm_v128_and(wasm_u16x8_shr(sums[h], 2), wasm_i16x8_const_splat(1));
        sums[h] = wasm_u16x8_shr(wasm_i16x8_add(sums[h], wasm_i16x8_add(odd, wasm_i16x8_const_splat(1))), 2);
      }
      wasm_v128_store(to + i, wasm_u8x16_narrow_i16x8(sums[0], sums[1]));
    }
  }
}

// Leaves of RGBA bytes in the scratch space only their alpha.
EXPORT(keep_alpha) void keep_alpha(int32_t count) {
  for (int32_t i = 0; i < count; i++) scratch[i] = scratch[4 * i + 3];
}
