// Rings round one centre: a target, not a peach hibiscus
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.05);
  brush.fillTexture(0.2, 0.2);
  const rings = ["#f8c8a8", "#f0a070", "#fbe4d4", "#e87a50", "#f6d0b8", "#b03048"];
  rings.forEach((colour, i) => {
    brush.fill(colour, 230);
    brush.circle(300, 300, 220 - i * 38, 0);
  });
}
