// A doe, standing to the left: six outlines, each with its own even hatching.
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}
function part(points, angle, gap, hex) {
  brush.hatchStyle("HB", hex, 0.9);
  brush.hatch(gap, angle, { rand: 0.2 });
  brush.beginShape(0.3);
  for (const [x, y] of points) brush.vertex(x, y);
  brush.endShape(true);
  brush.noHatch();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  const near = "#8a4b22", far = "#4d2a13";
  part([[262, 340], [286, 340], [280, 420], [276, 510], [258, 510], [262, 420]], 84, 3, far);
  part([[408, 340], [436, 340], [436, 400], [420, 440], [424, 510], [406, 510], [404, 440], [416, 400]], 84, 3, far);
  part([[212, 280], [250, 256], [330, 258], [410, 254], [454, 272], [462, 320], [440, 356], [360, 362], [270, 360], [228, 338]], 10, 4.2, near);
  part([[270, 348], [392, 350], [438, 346], [420, 364], [340, 368], [280, 364]], 35, 3.2, far);
  part([[214, 300], [200, 240], [182, 190], [172, 150], [198, 136], [222, 160], [246, 208], [284, 256], [250, 320]], 62, 4, near);
  part([[200, 138], [176, 132], [146, 150], [116, 170], [114, 184], [132, 192], [168, 188], [196, 182]], 150, 3.6, near);
  part([[196, 142], [218, 122], [242, 118], [236, 134], [210, 152]], 20, 2.6, far);
  part([[230, 320], [262, 330], [252, 400], [246, 510], [226, 510], [230, 410]], 80, 3.8, near);
  part([[400, 290], [460, 290], [466, 350], [448, 390], [462, 424], [452, 510], [432, 510], [438, 430], [424, 380], [400, 350]], 72, 3.8, near);
  part([[456, 276], [474, 284], [478, 316], [464, 320]], 60, 2.6, far);
  brush.set("2B", far, 1.2);
  brush.line(158, 160, 168, 156);
  brush.line(159, 163, 168, 159);
  brush.line(116, 174, 124, 170);
  brush.set("2B", far, 0.8);
  brush.line(190, 514, 490, 514);
}
