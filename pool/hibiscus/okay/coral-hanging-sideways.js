// A coral hibiscus from the side, hanging from a stem at the upper left
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function patch(points, colour, opacity) {
  brush.fill(colour, opacity);
  brush.beginShape(0.6);
  for (const [x, y] of points) brush.vertex(x, y);
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ec");
  brush.noStroke();
  brush.fillTexture(0.5, 0.4);
  brush.fillBleed(0.1);
  patch([[60, 90], [70, 76], [170, 130], [230, 200], [214, 208], [150, 146]], "#6f9456", 190);
  patch([[110, 112], [170, 60], [250, 66], [190, 120]], "#7fa060", 170);
  brush.fillBleed(0.24);
  patch([[222, 204], [250, 160], [400, 130], [480, 190], [420, 260], [300, 260]], "#f29a80", 175);
  patch([[222, 204], [190, 300], [200, 430], [280, 470], [320, 380], [290, 270]], "#f29a80", 175);
  patch([[222, 204], [330, 220], [480, 290], [500, 390], [410, 430], [290, 330]], "#ec7260", 175);
  patch([[224, 206], [280, 280], [360, 420], [400, 470], [310, 500], [240, 380]], "#e8624e", 165);
  patch([[224, 206], [300, 240], [390, 310], [350, 360], [270, 300]], "#c83a44", 150);
  brush.fillBleed(0.08);
  patch([[206, 190], [236, 184], [256, 214], [230, 236]], "#5f8c4a", 200);
  patch([[300, 290], [308, 282], [500, 478], [492, 486]], "#e89a4a", 220);
  brush.fill("#f2c040", 235);
  for (let i = 0; i < 6; i++) brush.circle(452 + i * 10, 452 + i * 8 + 12 * (i % 2), 8, 0.3);
}
