// Writes its picture into pixels[].
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  loadPixels();
  const all = pixels;
  for (let i = 0; i < all.length; i += 4) all[i] = (i >> 12) % 256;
  updatePixels();
  noLoop();
}
