// A yellow hibiscus in fat brush marks: four to a petal, the middle one last, laid wet beside each other
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
// one press of a round brush: thin where it starts, blunt where it lifts; the flower lies tilted, so y is squeezed
function mark(c, o, a, l, w, x = 0, y = 0) {
  brush.fill(c, o); brush.beginShape(0.55);
  for (const [u, v] of [[0.06, -0.1], [0.45, -0.34], [0.8, -0.5], [0.97, -0.3], [1, 0.05], [0.94, 0.42], [0.72, 0.5], [0.4, 0.3], [0.05, 0.1]]) {
    const g = a + v * w / l * 70;
    brush.vertex(296 + x + u * l * cos(g), 280 + y + 0.86 * u * l * sin(g));
  }
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fdf8ec"); brush.noStroke();
  brush.fillBleed(0.25); brush.fillTexture(0.55, 0.4);
  for (const [c, o, k] of [["#8fae52", 200, 1], ["#3f7340", 205, 0.72]]) for (const [x, y, g, l] of [[400, 372, 30, 176], [206, 416, 146, 190], [334, 436, 64, 128]]) {
    brush.fill(c, o); brush.beginShape(0.5);
    for (const [u, v] of [[0, 0], [0.3, 0.24], [0.6, 0.22], [1, 0], [0.62, -0.2], [0.28, -0.22]]) brush.vertex(x + l * k * (u * cos(g) - v * sin(g)), y + l * k * (u * sin(g) + v * cos(g)));
    brush.endShape(true);
  }
  for (const [a, l] of [[-166, 236], [-96, 250], [-26, 240], [42, 220], [114, 236]]) {
    brush.fillBleed(0.3); brush.fillTexture(0.5, 0.45);
    [[-16, 0.88, "#f6cf3c"], [16, 0.86, "#eba51f"], [7, 0.95, "#f3bf2a"], [-3, 1, "#fbdf62"]].forEach(([d, k, c]) => mark(c, 190, a + d, l * k, 118));
    brush.fillBleed(0.4); mark("#e2861c", 120, a + 12, l * 0.66, 66);
  }
  brush.fillBleed(0.3); brush.fillTexture(0.5, 0.2);
  for (const [a, l] of [[-170, 92], [-150, 60], [-98, 116], [-80, 70], [-28, 110], [-6, 66], [38, 84], [70, 60], [112, 104], [140, 66]]) { mark("#d8401c", 150, a, l, 30); mark("#9c1220", 190, a + 5, l * 0.66, 24); }
  brush.fill("#7c0f22", 230); brush.circle(296, 280, 16, 0.4);
  brush.fillBleed(0.05); brush.fillTexture(0.2, 0.5);
  mark("#c9301c", 250, -52, 214, 22);
  for (let i = 0; i < 12; i++) { brush.fill(["#f6c32e", "#e8901f"][i % 2], 250); brush.circle(360 + i * 5.4 + 13 * sin(i * 131), 210 - i * 6 + 11 * cos(i * 83), 7 + i % 3, 0.4); }
}
