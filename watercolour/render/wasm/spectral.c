// Lays pigment on the painting: the blend that p5.brush's fragment shader does, pixel by pixel, in single precision.
//
// Colours are mixed as Kubelka and Munk describe paint: reflectance in 38 bands becomes absorption over scattering,
// those add up by concentration, and the sum becomes a reflectance again. Most pixels of a draw repeat a pair of
// paper and amount that has been seen before, so results are kept in a table under exactly that pair.
#include "paint.h"

enum { BANDS = 40, VECTORS = BANDS / 4, MEMO_BITS = 15, MAX_QUADS = MAX_SIDE / 2 + 4 };

// Filled in from the shader's own text: reflectance of white and six hues, then X, Y, Z of a band; unused bands are
// zero.
enum { WHITE, CYAN, MAGENTA, YELLOW, RED, GREEN, BLUE, X, Y, Z, CURVES };
float curves[CURVES][BANDS];
float xyz_to_rgb[3][3];
EXPORT(curves_at) float *curves_at(void) { return curves[0]; }
EXPORT(xyz_to_rgb_at) float *xyz_to_rgb_at(void) { return xyz_to_rgb[0]; }

static const float FLOOR = 1e-4f; // the least reflectance

uint8_t *painting; // RGBA, opaque, `mask.width` by `mask.height`, top row first

static float linear_of_byte[256];
static float byte_starts[257];     // the least linear value that is shown as this byte
static uint8_t first_guess[1025];  // for each 1024th of linear light, the byte at its lower end

typedef struct {
  float absorption[BANDS];
  float luminance;
  int32_t known;
} Pigment;
static Pigment pigments[256]; // by the mask's value: a brush's ink is darker where it is dense; fills use the first
static float colour[3];

static struct {
  uint64_t key;
  uint32_t rgba;
} memo[1 << MEMO_BITS];
// Colours that the memo knows, by their number there.
static struct {
  float rgb[3];
  int32_t is_brush;
} palette[256];
static uint32_t palette_size, pigment_number;

// x^2.4 for 0 <= x <= 1.1: x^2 times the fifth root of x^2.
static float to_the_2_4(double x) {
  const double square = x * x;
  double root = 1;
  for (int i = 0; i < 60; i++) root += (square / (root * root * root * root) - root) / 5;
  return (float)(square * root);
}

static float linear_of(double srgb) {
  return srgb < 0.04045 ? (float)(srgb / 12.92) : to_the_2_4((srgb + 0.055) / 1.055);
}

EXPORT(spectral_init) void spectral_init(void) {
  for (int i = 0; i < 256; i++) linear_of_byte[i] = linear_of(i / 255.0);
  byte_starts[0] = -1e30f;
  byte_starts[256] = 1e30f;
  // The way back has its knee at 0.0031308 instead, which is the same place in all but the sixth digit.
  for (int i = 1; i < 256; i++) byte_starts[i] = linear_of((i - 0.5) / 255.0);
  for (int i = 0, byte = 0; i <= 1024; i++) {
    while (byte_starts[byte + 1] <= (float)i / 1024) byte++;
    first_guess[i] = (uint8_t)byte;
  }
}

static inline uint32_t byte_of_linear(float x) {
  const float inside = __builtin_wasm_max_f32(0, __builtin_wasm_min_f32(x, 1));
  uint32_t byte = first_guess[(int32_t)(inside * 1024)];
  while (x >= byte_starts[byte + 1]) byte++;
  return byte;
}

static inline v128_t splat(float x) { return wasm_f32x4_splat(x); }
static inline v128_t times(v128_t a, v128_t b) { return wasm_f32x4_mul(a, b); }
static inline v128_t plus(v128_t a, v128_t b) { return wasm_f32x4_add(a, b); }

static inline float sum_of(v128_t v) {
  return (wasm_f32x4_extract_lane(v, 0) + wasm_f32x4_extract_lane(v, 1)) +
         (wasm_f32x4_extract_lane(v, 2) + wasm_f32x4_extract_lane(v, 3));
}

static inline v128_t curve(int which, int i) { return wasm_v128_load(curves[which] + 4 * i); }

// Reflectance of linear light. Of the six hues, at most one light and one strong one take part; which ones is the order
// of the channels.
static float reflectance_of(float r, float g, float b, v128_t out[VECTORS]) {
  const float white = __builtin_wasm_min_f32(r, __builtin_wasm_min_f32(g, b));
  r -= white, g -= white, b -= white;
  int light, strong;
  float light_part, strong_part;
  if (r >= g && r >= b) {
    strong = RED;
    light = g > b ? YELLOW : MAGENTA;
    light_part = g > b ? g : b;
    strong_part = r - light_part;
  } else if (g >= b) {
    strong = GREEN;
    light = r > b ? YELLOW : CYAN;
    light_part = r > b ? r : b;
    strong_part = g - light_part;
  } else {
    strong = BLUE;
    light = r > g ? MAGENTA : CYAN;
    light_part = r > g ? r : g;
    strong_part = b - light_part;
  }
  v128_t luminance = splat(0);
  for (int i = 0; i < VECTORS; i++) {
    const v128_t sum = plus(plus(times(splat(white), curve(WHITE, i)), times(splat(light_part), curve(light, i))),
                            times(splat(strong_part), curve(strong, i)));
    out[i] = wasm_f32x4_pmax(splat(FLOOR), sum);
    luminance = plus(luminance, times(out[i], curve(Y, i)));
  }
  return sum_of(luminance);
}

static inline v128_t absorption_of(v128_t reflectance) {
  const v128_t lost = wasm_f32x4_sub(splat(1), reflectance);
  return wasm_f32x4_div(times(lost, lost), plus(reflectance, reflectance));
}

static const Pigment *pigment_for(int32_t amount, int is_brush) {
  const float DENSE = 0.7f;
  const float alpha = (float)amount / 255.0f;
  const int dense = is_brush && alpha > DENSE;
  Pigment *pigment = &pigments[dense ? amount : 0];
  if (pigment->known) return pigment;
  float rgb[3];
  for (int i = 0; i < 3; i++) {
    const float darkening = dense ? 0.5f * (alpha - DENSE) : 0;
    rgb[i] = linear_of(__builtin_wasm_max_f32(0, colour[i] * (1 - darkening) - 0.5f * darkening));
  }
  v128_t reflectance[VECTORS];
  pigment->luminance = reflectance_of(rgb[0], rgb[1], rgb[2], reflectance);
  for (int i = 0; i < VECTORS; i++) wasm_v128_store(pigment->absorption + 4 * i, absorption_of(reflectance[i]));
  pigment->known = 1;
  return pigment;
}

static uint32_t mixed(uint32_t paper, float amount, const Pigment *pigment) {
  v128_t reflectance[VECTORS];
  const float luminance = reflectance_of(linear_of_byte[paper & 255], linear_of_byte[paper >> 8 & 255],
                                         linear_of_byte[paper >> 16 & 255], reflectance);
  const float rest = 1 - amount;
  float paper_part = rest * rest * luminance, pigment_part = amount * amount * pigment->luminance;
  const float total = paper_part + pigment_part;
  paper_part /= total, pigment_part /= total;
  v128_t x = splat(0), y = splat(0), z = splat(0);
  for (int i = 0; i < VECTORS; i++) {
    const v128_t absorption = plus(times(absorption_of(reflectance[i]), splat(paper_part)),
                                   times(wasm_v128_load(pigment->absorption + 4 * i), splat(pigment_part)));
    const v128_t root = wasm_f32x4_sqrt(times(absorption, plus(absorption, splat(2))));
    const v128_t shown = wasm_f32x4_sub(plus(splat(1), absorption), root);
    x = plus(x, times(shown, curve(X, i)));
    y = plus(y, times(shown, curve(Y, i)));
    z = plus(z, times(shown, curve(Z, i)));
  }
  const float xyz[3] = {sum_of(x), sum_of(y), sum_of(z)};
  uint32_t rgba = 0xff000000u;
  for (int i = 0; i < 3; i++) {
    const float light = xyz_to_rgb[i][0] * xyz[0] + xyz_to_rgb[i][1] * xyz[1] + xyz_to_rgb[i][2] * xyz[2];
    rgba |= byte_of_linear(light) << (8 * i);
  }
  return rgba;
}

// The mask of one draw: bytes of a rectangle, nothing outside of it.
static struct {
  const uint8_t *bytes;
  int32_t x, y, width, height;
} layer;

static inline int32_t layer_at(int32_t x, int32_t y) {
  x = x < 0 ? 0 : x >= mask.width ? mask.width - 1 : x;
  y = y < 0 ? 0 : y >= mask.height ? mask.height - 1 : y;
  x -= layer.x, y -= layer.y;
  return x < 0 || y < 0 || x >= layer.width || y >= layer.height ? 0 : layer.bytes[y * layer.width + x];
}

// How much of an edge runs through a quad. A GPU shades two by two pixels at once and takes derivatives from their
// differences, in rows counted from the bottom: down along its left column and right along its lower row.
static float edge_of_steps[8][8];

static void edge_init(void) {
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 8; j++) {
      const float dx = (float)i / 255.0f * 15, dy = (float)j / 255.0f * 15;
      float t = (__builtin_sqrtf(dx * dx + dy * dy) - 0.05f) / (0.35f - 0.05f);
      t = __builtin_wasm_min_f32(1, __builtin_wasm_max_f32(0, t));
      edge_of_steps[i][j] = t * t * (3 - 2 * t);
    }
  }
}

static inline float edge_of_steps_between(int32_t here, int32_t right, int32_t up) {
  const int32_t dx = __builtin_abs(right - here), dy = __builtin_abs(up - here);
  // From six steps on the shader's smoothstep has reached one.
  return dx > 7 || dy > 7 ? 1 : edge_of_steps[dx][dy];
}

static inline float edge_of_quad(int32_t quad_x, int32_t quad_y) {
  const int32_t x = 2 * quad_x, y = mask.height - 1 - 2 * quad_y;
  return edge_of_steps_between(layer_at(x, y), layer_at(x + 1, y), layer_at(x, y - 1));
}

static float quad_sums[3][MAX_QUADS]; // three rows of quads: each quad's edge plus its left and right neighbours'

static void sum_quad_row(int32_t quad_y, int32_t first_quad, int32_t last_quad) {
  float *out = quad_sums[(quad_y + 3) % 3];
  float left = edge_of_quad(first_quad - 1, quad_y), here = edge_of_quad(first_quad, quad_y);
  for (int32_t q = first_quad; q <= last_quad; q++) {
    const float right = edge_of_quad(q + 1, quad_y);
    out[q] = left + here + right;
    left = here, here = right;
  }
}

static float edges[MAX_QUADS]; // of one row of quads: each one's mean with the eight around it

// The shader returns early where there is no paint and takes its derivatives later, in a loop over the nine offsets.
// A GPU goes on with a quad as long as one of its pixels does. For those that have returned, SwiftShader keeps the
// loop's counters where they ended, at four, so that they count as the mask's value four pixels to the right and below.
static void find_edges(int32_t quad_y, int32_t first_quad, int32_t last_quad) {
  const float *above = quad_sums[(quad_y + 4) % 3], *beside = quad_sums[(quad_y + 3) % 3];
  const float *below = quad_sums[(quad_y + 2) % 3];
  const int32_t y = mask.height - 1 - 2 * quad_y;
  for (int32_t q = first_quad; q <= last_quad; q++) {
    const int32_t x = 2 * q;
    const int here = layer_at(x, y) > 0, right = layer_at(x + 1, y) > 0, up = layer_at(x, y - 1) > 0;
    float sum = 0;
    if (here && right && up) {
      sum = above[q] + beside[q] + below[q];
    } else {
      const int32_t ended_here = layer_at(x + 4, y + 4), ended_right = layer_at(x + 5, y + 4);
      const int32_t ended_up = layer_at(x + 4, y + 3);
      for (int32_t i = -2; i <= 2; i += 2) {
        for (int32_t j = -2; j <= 2; j += 2) {
          sum += edge_of_steps_between(here ? layer_at(x + i, y + j) : ended_here,
                                       right ? layer_at(x + 1 + i, y + j) : ended_right,
                                       up ? layer_at(x + i, y - 1 + j) : ended_up);
        }
      }
    }
    edges[q] = sum / 9;
  }
}

// Answers how many pixels have got paint.
static uint32_t lay_row(int32_t y, int is_brush) {
  uint32_t laid = 0;
  const uint8_t *amounts = layer.bytes + (y - layer.y) * layer.width;
  uint32_t *row = (uint32_t *)painting + y * mask.width;
  for (int32_t i = 0; i < layer.width; i++) {
    const int32_t amount = amounts[i];
    if (!amount) continue;
    const int32_t x = layer.x + i;
    float mix = (float)amount / 255.0f;
    if (!is_brush) mix = __builtin_wasm_min_f32(1, mix + edges[x >> 1] * 0.1f);
    const uint32_t paper = row[x] & 0xffffff;
    uint32_t mix_bits;
    __builtin_memcpy(&mix_bits, &mix, 4);
    const uint64_t key = (uint64_t)mix_bits << 32 | pigment_number << 24 | paper;
    const uint32_t slot = (uint32_t)((key ^ key >> 32) * 0x9e3779b1u) >> (32 - MEMO_BITS);
    if (memo[slot].key != key) {
      memo[slot].key = key;
      memo[slot].rgba = mixed(paper, mix, pigment_for(amount, is_brush));
    }
    row[x] = memo[slot].rgba;
    laid++;
  }
  return laid;
}

static void choose_pigment(float r, float g, float b, int32_t is_brush) {
  colour[0] = r, colour[1] = g, colour[2] = b;
  for (int i = 0; i < 256; i++) pigments[i].known = 0;
  for (pigment_number = 1; pigment_number <= palette_size; pigment_number++) {
    const float *known = palette[pigment_number].rgb;
    if (known[0] == r && known[1] == g && known[2] == b && palette[pigment_number].is_brush == is_brush) return;
  }
  if (pigment_number > 255) {
    __builtin_memset(memo, 0, sizeof memo);
    pigment_number = 1;
  }
  palette_size = pigment_number;
  for (int i = 0; i < 3; i++) palette[pigment_number].rgb[i] = colour[i];
  palette[pigment_number].is_brush = is_brush;
}

// Lays a colour, sRGB 0..1, on the painting through a mask of `width` by `height` bytes whose corner lies at (x, y).
// Answers how many pixels have got paint.
EXPORT(lay) uint32_t lay(const uint8_t *bytes, int32_t x, int32_t y, int32_t width, int32_t height, float r, float g,
                         float b, int32_t is_brush) {
  uint32_t laid = 0;
  layer.bytes = bytes, layer.x = x, layer.y = y, layer.width = width, layer.height = height;
  choose_pigment(r, g, b, is_brush);
  if (edge_of_steps[7][7] == 0) edge_init();
  const int32_t first_quad = x >> 1, last_quad = (x + width - 1) >> 1;
  int32_t last_row_of_quads = 1 << 30;
  for (int32_t row = y; row < y + height; row++) {
    const int32_t quad_y = (mask.height - 1 - row) >> 1;
    if (!is_brush && quad_y != last_row_of_quads) {
      // Rows go down and quads go up: each new row of quads needs one more below it.
      if (last_row_of_quads == 1 << 30) {
        sum_quad_row(quad_y + 1, first_quad, last_quad);
        sum_quad_row(quad_y, first_quad, last_quad);
      }
      sum_quad_row(quad_y - 1, first_quad, last_quad);
      find_edges(quad_y, first_quad, last_quad);
      last_row_of_quads = quad_y;
    }
    laid += lay_row(row, is_brush);
  }
  return laid;
}

EXPORT(fill_painting) void fill_painting(uint32_t rgba) {
  uint32_t *pixel = (uint32_t *)painting;
  for (int32_t i = 0; i < mask.width * mask.height; i++) pixel[i] = rgba;
}

// Copies the painting to the scratch space, or back, with its rows in the other order: WebGL counts from the bottom.
EXPORT(copy_flipped) void copy_flipped(int32_t inwards) {
  const int32_t row_bytes = 4 * mask.width;
  for (int32_t y = 0; y < mask.height; y++) {
    uint8_t *ours = painting + y * row_bytes, *theirs = scratch + (mask.height - 1 - y) * row_bytes;
    __builtin_memcpy(inwards ? ours : theirs, inwards ? theirs : ours, row_bytes);
  }
}

EXPORT(is_opaque) int32_t is_opaque(void) {
  const uint32_t *pixel = (const uint32_t *)painting;
  for (int32_t i = 0; i < mask.width * mask.height; i++) {
    if (pixel[i] < 0xff000000u) return 0;
  }
  return 1;
}
