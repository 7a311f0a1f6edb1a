// A snail with a round shell of arcs, and a long foot hatched once.
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  brush.hatchStyle("HB", "#5d7d86", 1);
  brush.hatch(4.5, 15, { rand: 0.2 });
  brush.beginShape(0.5);
  for (const [x, y] of [[540, 480], [430, 440], [250, 436], [170, 396], [130, 330], [90, 322], [76, 350], [110, 420], [170, 478], [320, 488]]) brush.vertex(x, y);
  brush.endShape(true);
  brush.noHatch();
  for (let r = 18; r < 142; r += 18) {
    for (let a = 0; a < 360; a += 2.4 + 40 / r) {
      const [c, s] = [cos(a), sin(a)];
      brush.set("HB", a > 150 && a < 340 ? "#2d4a54" : "#5d7d86", 0.9);
      if (a > 60 && a < 120 && r > 60) continue;
      brush.line(330 + (r - 12) * c, 320 - (r - 12) * s, 330 + (r + 4) * cos(a + 8), 320 - (r + 4) * sin(a + 8));
    }
  }
  brush.set("2B", "#1d343c", 1);
  const turns = [];
  for (let a = 0; a < 1000; a += 20) turns.push([330 + (144 - a * 0.13) * cos(a - 90), 320 - (144 - a * 0.13) * sin(a - 90), 1]);
  brush.spline(turns, 0.5);
  for (const [x, y] of [[130, 222], [88, 216]]) { brush.line(x < 100 ? 96 : 116, 322, x, y); brush.line(x - 4, y - 2, x + 4, y + 2); brush.line(x - 4, y + 2, x + 4, y - 2); }
  brush.line(70, 490, 560, 490);
}
