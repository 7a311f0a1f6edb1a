// Draws a picture onto the brush's own mask.
const { drawImage } = CanvasRenderingContext2D.prototype;
const fill = OffscreenCanvasRenderingContext2D.prototype.fill;
OffscreenCanvasRenderingContext2D.prototype.fill = function () {
  this.fillRect(0, 0, 600, 600);
  return fill.apply(this, arguments);
};
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  brush.noStroke();
  brush.fillTexture(0.2, 0.4);
  brush.fill("#2040c0", 200);
  brush.circle(0, 0, 150);
  noLoop();
}
