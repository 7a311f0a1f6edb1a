// A peach hibiscus let loose, wet colour running into wet colour, with two leaves
const X = 310, Y = 258;

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

// a puddle: a few points far apart, so that the wash finds its own edge
function puddle(colour, opacity, bleed, points) {
  brush.fill(colour, opacity);
  brush.fillBleed(bleed);
  brush.fillTexture(0.5, 0.35);
  brush.beginShape(0.7);
  for (const [x, y] of points) brush.vertex(X + x, Y + y);
  brush.endShape(true);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#fcf5ea");
  brush.noStroke();
  // water with a little colour in it, well beyond the flower
  puddle("#f2a65e", 100, 0.55, [[-210, -70], [-80, -190], [130, -180], [210, -30], [160, 160], [-60, 180], [-190, 110]]);
  puddle("#e58a7a", 85, 0.6, [[-120, 60], [60, 40], [170, 150], [110, 260], [-60, 230]]);
  // stem and leaves, wet, dropped with blue
  puddle("#6f8a3c", 190, 0.14, [[-6, 170], [12, 170], [24, 250], [22, 338], [6, 338], [8, 250]]);
  puddle("#7f9a45", 190, 0.3, [[30, 200], [110, 164], [210, 200], [256, 280], [150, 286], [70, 254]]);
  puddle("#2f6f5c", 165, 0.35, [[60, 216], [130, 206], [200, 252], [120, 264]]);
  puddle("#8ba34e", 190, 0.3, [[-20, 210], [-90, 180], [-180, 236], [-230, 316], [-110, 306], [-40, 264]]);
  puddle("#35745a", 165, 0.35, [[-50, 226], [-110, 228], [-170, 286], [-90, 276]]);
  // petals: each a big puddle, none like another
  puddle("#ee7a3c", 175, 0.34, [[0, 30], [-84, -50], [-124, -160], [-64, -236], [14, -206], [76, -238], [108, -140], [60, -40]]);
  puddle("#f08a45", 175, 0.34, [[20, 0], [-90, -96], [-206, -106], [-254, -24], [-214, 24], [-226, 84], [-110, 80]]);
  puddle("#e9604a", 170, 0.34, [[-20, 0], [80, -104], [186, -124], [244, -44], [206, 30], [230, 96], [110, 90]]);
  puddle("#f1873f", 175, 0.34, [[-10, -10], [104, 40], [202, 140], [150, 222], [76, 204], [14, 234], [-34, 120]]);
  puddle("#ea6a4c", 170, 0.34, [[20, -10], [10, 120], [-46, 228], [-134, 214], [-156, 156], [-212, 126], [-110, 30]]);
  // while they are wet: coral and rose let in near the throat, and run
  puddle("#e04a3a", 150, 0.45, [[0, 10], [-50, -60], [-40, -140], [10, -110], [44, -150], [40, -50]]);
  puddle("#d8404a", 150, 0.45, [[0, 0], [-70, -40], [-150, -40], [-120, 10], [-146, 44], [-60, 40]]);
  puddle("#d93c40", 150, 0.45, [[0, 0], [60, -50], [146, -60], [120, -6], [150, 40], [60, 40]]);
  puddle("#e04f38", 150, 0.45, [[0, 0], [60, 40], [120, 110], [70, 116], [30, 150], [0, 70]]);
  puddle("#d43a4c", 150, 0.45, [[0, 0], [0, 80], [-30, 140], [-70, 110], [-110, 106], [-60, 30]]);
  puddle("#a81f3f", 190, 0.35, [[-34, -20], [10, -52], [38, -14], [30, 34], [-10, 46], [-42, 18]]);
  puddle("#6d1230", 190, 0.3, [[-14, -14], [14, -20], [20, 12], [-8, 20]]);
  // column and pollen, and a few drops flung off the brush
  puddle("#e8a02a", 250, 0.07, [[-4, 4], [10, 6], [56, -60], [92, -128], [78, -136], [40, -72]]);
  for (let i = 0; i < 9; i++) {
    const x = 46 + i * 5.4 + 15 * sin(i * 131), y = -66 - i * 8.4 + 12 * cos(i * 83), r = 6 + i % 4;
    puddle(["#f5c23a", "#ee9a26", "#e0701f"][i % 3], 230, 0.05, [0, 60, 120, 180, 240, 300].map(a => [x + r * cos(a), y + r * sin(a)]));
  }
  for (const [x, y, r] of [[-206, -150, 9], [-176, -178, 5], [226, 146, 7], [-226, 170, 6], [150, -206, 6]]) {
    puddle("#ea6a4c", 150, 0.2, [[x - r, y], [x, y - r], [x + r, y], [x, y + r]]);
  }
}
