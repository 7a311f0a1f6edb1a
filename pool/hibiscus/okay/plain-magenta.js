// A plain magenta hibiscus on a short stem
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function wash(c, o, pts) {
  brush.fill(c, o);
  brush.beginShape(0.6);
  pts.forEach(p => brush.vertex(p[0], p[1]));
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.1); brush.fillTexture(0.4, 0.5);
  wash("#5f8a4a", 200, [[296, 420], [310, 420], [318, 590], [300, 590]]);
  brush.fillBleed(0.24);
  wash("#d61f86", 165, [[300, 290], [230, 190], [236, 90], [310, 60], [380, 100], [376, 200]]);
  wash("#d61f86", 150, [[300, 290], [380, 200], [490, 190], [520, 260], [480, 330], [400, 330]]);
  wash("#d61f86", 165, [[300, 290], [400, 330], [450, 430], [390, 480], [320, 450]]);
  wash("#d61f86", 150, [[300, 290], [290, 440], [210, 490], [150, 430], [200, 340]]);
  wash("#d61f86", 165, [[300, 290], [200, 350], [100, 310], [90, 220], [150, 180], [240, 220]]);
  wash("#a80f6a", 190, [[300, 170], [350, 250], [430, 260], [350, 310], [360, 390], [300, 340], [236, 390], [250, 310], [170, 260], [260, 250]]);
  wash("#5c0840", 220, [[270, 280], [300, 255], [330, 280], [316, 316], [284, 316]]);
  brush.fillBleed(0.05);
  wash("#f0c050", 245, [[298, 292], [306, 294], [372, 190], [360, 184]]);
}
