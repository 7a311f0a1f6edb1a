// The reference look, repeatable, with p5 and p5.brush as npm ships them. Runs before both.
//
// The blend shader takes derivatives after a branch that not all pixels of a quad take, which is undefined: the same
// sketch paints other bytes each time. They are moved in front of that branch, and squares are multiplied out.
"use strict";
(() => {
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
