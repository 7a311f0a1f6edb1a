// Gives the harness a 2D canvas of its own to read.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 600;
  const context = canvas.getContext("2d");
  context.fillStyle = "#2040c0";
  context.fillRect(100, 100, 300, 300);
  p5.instance._renderer.canvas = canvas;
  p5.instance._renderer.drawingContext = context;
  noLoop();
}
