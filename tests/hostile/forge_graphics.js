// Shows a p5.Graphics on which it has painted without the brush.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  const sheet = createGraphics(600, 600);
  sheet.background(238);
  sheet.fill(32, 64, 192);
  sheet.circle(300, 300, 300);
  image(sheet, -300, -300);
  noLoop();
}
