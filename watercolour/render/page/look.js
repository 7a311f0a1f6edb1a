// The reference look at software speed, with p5 and p5.brush as npm ships them. Runs before both.
//
// p5.brush fills its shapes on a 2D mask, hundreds of very faint polygons a shape. The look that GPUs agree on rounds
// each of them to nearest. Chromium's plain software blitter truncates instead, so that an alpha of 0.004 never builds up
// and pale washes vanish; but a gradient goes through its rounding pipeline. So each flat colour of the mask is
// given as a gradient of that one colour.
//
// The blend shader takes derivatives after a branch that not all pixels of a quad take, which is undefined: the same
// sketch paints other bytes each time. They are moved in front of that branch, and squares are multiplied out.
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

  const EARLY_RETURN = "if(maskColor.a==0.0){outColor=source;return;}";
  const EDGE = /float blurEdge=0\.0;.*?blurEdge\/=9\.0;/s;

  function exactShader(source) {
    const edge = EDGE.exec(source);
    if (!edge || !source.includes(EARLY_RETURN)) return source;
    const hoisted = "vec2 texelSize=1.0/vec2(textureSize(u_mask,0));" + edge[0];
    return source
      .replace(edge[0], "")
      .replace(EARLY_RETURN, hoisted + EARLY_RETURN)
      .replace(/pow\(([^(),]+),2\.0?\)/g, "(($1)*($1))");
  }

  const { shaderSource } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.shaderSource = function (shader, source) {
    return shaderSource.call(this, shader, exactShader(String(source)));
  };
})();
