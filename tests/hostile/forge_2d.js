// Paints on a 2D canvas.
function setup() {
  const canvas = createCanvas(600, 600);
  background(238);
  drawingContext.fillStyle = "#2040c0";
  drawingContext.fillRect(100, 100, 300, 300);
  noLoop();
}
