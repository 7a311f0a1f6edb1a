// Looks for a page around or before its own.
if (parent !== window || top !== window || opener || frameElement) throw new Error("escaped");
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  noLoop();
}
