// The rounding of a GPU on Chromium's software 2D canvas. Runs before p5 and p5.brush, where that canvas is in software.
//
// p5.brush fills its shapes on a 2D mask, hundreds of very faint polygons a shape. The look that GPUs agree on rounds
// each of them to nearest. Chromium's plain software blitter truncates instead, so that an alpha of 0.004 never builds up
// and pale washes vanish; but a gradient goes through its rounding pipeline. So each flat colour of the mask is
// given as a gradient of that one colour.
"use strict";
(() => {
  const context2D = OffscreenCanvasRenderingContext2D.prototype;
  const gradientOf = new WeakMap();

  // A fresh gradient for each colour is slow, p5.brush uses a few colours over and over.
  function constantGradient(context, colour) {
    let known = gradientOf.get(context);
    if (!known) gradientOf.set(context, (known = new Map()));
    let gradient = known.get(colour);
    if (!gradient) {
      if (known.size > 4096) known.clear();
      gradient = context.createLinearGradient(0, 0, 1, 0);
      gradient.addColorStop(0, colour);
      gradient.addColorStop(1, colour);
      known.set(colour, gradient);
    }
    return gradient;
  }

  for (const name of ["fillStyle", "strokeStyle"]) {
    const { get, set } = Object.getOwnPropertyDescriptor(context2D, name);
    Object.defineProperty(context2D, name, {
      configurable: true,
      enumerable: true,
      get,
      set(value) {
        if (typeof value === "string" && value.startsWith("rgb(255 0 0 / ")) {
          try {
            value = constantGradient(this, value);
          } catch {
            // Not a colour that the canvas knows: it is ignored there as it would be here.
          }
        }
        set.call(this, value);
      },
    });
  }
})();
