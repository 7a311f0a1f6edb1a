// Replaces p5's own functions, and asks for a canvas that nobody clamps.
p5.prototype.createCanvas = function () { return document.createElement("canvas"); };
p5.prototype._draw = function () {};
p5.prototype.background = function () {};
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  noLoop();
}
