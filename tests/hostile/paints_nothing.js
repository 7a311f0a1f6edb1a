// Paints nothing: whatever came before it must not show.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  noLoop();
}
