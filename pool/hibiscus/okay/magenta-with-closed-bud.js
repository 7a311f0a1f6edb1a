// A magenta hibiscus and a closed bud on one stem
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5f4");
  brush.noStroke();
  brush.fillTexture(0.5, 0.4);
  const patch = (colour, opacity, points) => {
    brush.fill(colour, opacity);
    brush.beginShape(0.6);
    for (const [x, y] of points) brush.vertex(x, y);
    brush.endShape(true);
  };
  brush.fillBleed(0.1);
  patch("#6f9456", 190, [[262, 310], [274, 310], [300, 450], [310, 590], [294, 590], [284, 450]]);
  patch("#6f9456", 190, [[296, 470], [400, 380], [452, 250], [462, 254], [412, 390], [306, 486]]);
  brush.fillBleed(0.2);
  patch("#d8489a", 190, [[440, 240], [432, 180], [456, 120], [486, 180], [478, 240]]);
  patch("#a01c68", 160, [[452, 240], [446, 190], [458, 140], [468, 190], [464, 240]]);
  patch("#5f8c4a", 190, [[438, 260], [434, 220], [456, 236], [482, 216], [478, 258], [458, 272]]);
  brush.fillBleed(0.24);
  for (const [k, colour] of [[1, "#e25aa4"], [0.58, "#bc2080"]]) {
    for (const [turn, long] of [[-92, 175], [-26, 160], [48, 178], [126, 170], [192, 182]]) {
      const at = (u, d) => [260 + long * k * u * cos(turn + d), 240 + long * k * u * sin(turn + d)];
      patch(colour, 170, [[260, 240], at(0.6, -36), at(0.96, -26), at(1, -4), at(0.93, 8), at(0.98, 24), at(0.6, 34)]);
    }
  }
  brush.fill("#6a1038", 210);
  brush.circle(260, 240, 24, 0.3);
  brush.fillBleed(0.07);
  brush.fill("#f0b43c", 235);
  for (let i = 0; i < 6; i++) brush.circle(268 + i * 9, 226 - i * 13, 8, 0.3);
}
