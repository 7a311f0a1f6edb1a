// Who has painted each pixel of the painting: the brush, something else, both or nobody, since it was last cleared.
//
// The painting is compared with what it was when the record was last brought up to date. What differs is put down to
// the one painter who has drawn in between.
#include "paint.h"

enum { NOBODY = 0 };

extern uint8_t *painting;
uint32_t *recorded;  // the painting as it was
uint8_t *painters;   // the painters of each pixel, a bit for each of them

EXPORT(start_record) void start_record(uint32_t rgba) {
  for (int32_t i = 0; i < mask.width * mask.height; i++) recorded[i] = rgba, painters[i] = NOBODY;
}

EXPORT(record) void record(int32_t painter) {
  const uint32_t *pixel = (const uint32_t *)painting;
  for (int32_t i = 0; i < mask.width * mask.height; i++) {
    if (pixel[i] == recorded[i]) continue;
    recorded[i] = pixel[i];
    painters[i] |= (uint8_t)painter;
  }
}

// Writes to the scratch space, one bit a pixel, the first in the highest, which ones have this painter and no other.
EXPORT(pixels_of) void pixels_of(int32_t painter) {
  const int32_t count = mask.width * mask.height;
  for (int32_t i = 0; i < count; i += 8) {
    uint32_t bits = 0;
    for (int32_t j = 0; j < 8; j++) bits = bits << 1 | (uint32_t)(i + j < count && painters[i + j] == painter);
    scratch[i / 8] = (uint8_t)bits;
  }
}
