// Looks for the harness's own names, and calls what it finds.
for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (/^w[0-9a-f]{24}$/.test(name) || name === "readPainting") throw new Error("escaped");
}
var report = () => {}, finish = () => {}, settings = {}, started = true, finished = true, errors = [], instance = null;
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  brush.noStroke();
  brush.fillTexture(0.2, 0.4);
  brush.fill("#2040c0", 200);
  brush.circle(0, 0, 150);
  noLoop();
}
