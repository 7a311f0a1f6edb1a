// A coral hibiscus of five loose wedges, each washed twice
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5ea");
  brush.noStroke();
  brush.fillBleed(0.26);
  brush.fillTexture(0.4, 0.4);
  for (const [x, y] of [[270, 90], [496, 216], [440, 462], [186, 490], [96, 262]]) {
    for (const [k, colour] of [[1, "#f2846c"], [0.55, "#d24a4c"]]) {
      const dx = (x - 300) * k, dy = (y - 300) * k;
      brush.fill(colour, 175);
      brush.beginShape(0.7);
      brush.vertex(300 - dx * 0.05, 300 - dy * 0.05);
      brush.vertex(300 + dx * 0.75 - dy * 0.5, 300 + dy * 0.75 + dx * 0.5);
      brush.vertex(300 + dx, 300 + dy);
      brush.vertex(300 + dx * 0.8 + dy * 0.45, 300 + dy * 0.8 - dx * 0.45);
      brush.endShape(true);
    }
  }
  brush.fill("#9a2440", 200);
  brush.circle(300, 300, 28, 0.3);
}
