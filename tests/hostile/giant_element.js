// Makes the canvas element itself huge, behind the back of createCanvas().
function setup() {
  createCanvas(600, 600, WEBGL);
  const canvas = document.querySelector("canvas");
  canvas.width = canvas.height = 16000;
  background("#eee");
  noLoop();
}
