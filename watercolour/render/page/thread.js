// The other thread of orders.js: carries out what the ring says, and sleeps when there is nothing.

function serve({ header, words, floats, bytes, shown }) {
  const { load, store, notify, wait } = Atomics;
  const mask = new Mask();
  const easel = new Easel();
  let covered = null;
  const kept = new Map(); // coverages that came before, by number
  let at = 0;
  const word = () => words[at++];
  const float = () => floats[at++];
  const paint = () => {
    const alpha = float();
    const erases = float();
    mask.paint(alpha, erases, float(), float(), float(), float(), float(), float());
  };
  const list = (length) => {
    at += length;
    return floats.subarray(at - length, at);
  };
  const place = () => [word(), word(), float(), float(), float(), word()];
  const lay = (coverage, [x, y, r, g, b, isInk]) => easel.lay(coverage, x, y, r, g, b, isInk);

  const carryOut = {
    [SKIP]() {
      at = RING_WORDS;
    },
    [MAKE_MASK]() {
      mask.make(word(), word());
    },
    [PATH]() {
      const contours = word();
      const count = word();
      for (let i = 0; i < contours; i++) {
        mask.contourEnds[i] = word();
        mask.contourClosed[i] = word();
      }
      mask.points.set(list(2 * count));
    },
    [FILL]() {
      paint();
      mask.fill(word());
    },
    [DISC]() {
      paint();
      mask.disc(float(), float(), float());
    },
    [STROKE]() {
      paint();
      mask.stroke(word(), float(), word(), word(), float());
    },
    [CLEAR]() {
      mask.clear();
    },
    [COVER]() {
      const [x, y, width, height] = [word(), word(), word(), word()];
      covered = { width, height, bytes: mask.resolve(x, y, width, height) };
    },
    [SHOW_COVERAGE]() {
      shown.set(covered.bytes);
    },
    [KEEP]() {
      kept.set(word(), covered.bytes.slice());
    },
    [SHOW_KEPT]() {
      shown.set(kept.get(word()));
    },
    [DROP]() {
      kept.delete(word());
    },
    [MAKE_EASEL]() {
      easel.make(word(), word());
    },
    [MIX]() {
      const curves = list(word());
      const toRgb = list(word());
      easel.mix({ curves, toRgb });
    },
    [FLOOD]() {
      easel.flood(word());
    },
    [LAY]() {
      lay(covered, place());
    },
    [LAY_BYTES]() {
      const where = place();
      const [width, height] = [word(), word()];
      lay({ width, height, bytes: bytes.subarray(4 * at, 4 * at + width * height) }, where);
      at += (width * height + 3) >> 2;
    },
    [TAKE]() {
      const opaque = easel.take((scratch) => scratch.set(shown.subarray(0, scratch.length)));
      store(header, ANSWER, opaque ? 1 : 0);
    },
    [SHOW_FLIPPED]() {
      shown.set(easel.flipped());
    },
    [SHOW_UPRIGHT]() {
      shown.set(easel.upright());
    },
    [START_RECORD]() {
      easel.startRecord(word());
    },
    [RECORD]() {
      easel.record(word());
    },
    [SHOW_PAINTED]() {
      shown.set(easel.paintedBy(word()), 4 * MOST_PIXELS);
    },
  };

  store(header, READY, 1);
  let done = 0;
  for (;;) {
    const written = load(header, WRITTEN);
    if (written === done) {
      wait(header, WRITTEN, done);
      continue;
    }
    while (done !== written) {
      const from = done & (RING_WORDS - 1);
      at = from;
      carryOut[word()]();
      done = (done + at - from) | 0;
      store(header, CARRIED_OUT, done);
    }
    notify(header, CARRIED_OUT);
  }
}

onmessage = ({ data }) => serve(viewsOf(data));
