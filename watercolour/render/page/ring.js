// The ring of orders between the two threads of orders.js and thread.js: a header, the orders, and room to show a picture.
//
// An order is a word that says which, and its arguments, a word each; lists come with their length before them. Orders
// lie in one piece: what is left at the end of the ring is skipped.

const HEADER_WORDS = 16;
const RING_WORDS = 1 << 24;
const MOST_PIXELS = 1 << 21;
const SHOW_BYTES = 4 * MOST_PIXELS + MOST_PIXELS / 8; // a picture, and a bit for each of its pixels
const RING_BYTES = 4 * (HEADER_WORDS + RING_WORDS) + SHOW_BYTES;

// In the header. The first two count words of all time, modulo 2^32.
const WRITTEN = 0;
const CARRIED_OUT = 1;
const READY = 2;
const ANSWER = 3;

// Orders.
const SKIP = 0;
const MAKE_MASK = 1;
const PATH = 2;
const FILL = 3;
const DISC = 4;
const STROKE = 5;
const CLEAR = 6;
const COVER = 7;
const SHOW_COVERAGE = 8;
const MAKE_EASEL = 9;
const MIX = 10;
const FLOOD = 11;
const LAY = 12;
const LAY_BYTES = 13;
const TAKE = 14;
const SHOW_FLIPPED = 15;
const SHOW_UPRIGHT = 16;
const START_RECORD = 17;
const RECORD = 18;
const SHOW_PAINTED = 19;
const KEEP = 20;
const SHOW_KEPT = 21;
const DROP = 22;

// Views of a ring's memory.
function viewsOf(memory) {
  const at = 4 * HEADER_WORDS;
  return {
    header: new Int32Array(memory, 0, HEADER_WORDS),
    words: new Int32Array(memory, at, RING_WORDS),
    floats: new Float32Array(memory, at, RING_WORDS),
    bytes: new Uint8Array(memory, at, 4 * RING_WORDS),
    shown: new Uint8Array(memory, at + 4 * RING_WORDS, SHOW_BYTES),
  };
}
