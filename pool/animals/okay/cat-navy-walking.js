// A cat walking to the right, in one slant of the pen; shadows are the same slant again.
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}
function slant(points, gap, weight) {
  brush.hatchStyle("rotring", "#27335c", weight);
  brush.hatch(gap, 62, { rand: 0.2 });
  brush.beginShape(0.2);
  points.forEach(([x, y]) => brush.vertex(x, y));
  brush.endShape(true);
  brush.noHatch();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  slant([[150, 300], [200, 282], [280, 290], [360, 280], [410, 290], [420, 340], [380, 376], [300, 384], [210, 384], [160, 366]], 4.4, 1);
  slant([[392, 300], [412, 258], [404, 216], [430, 240], [456, 236], [478, 208], [486, 252], [508, 284], [500, 304], [470, 320], [424, 330]], 4, 1);
  slant([[152, 320], [200, 330], [190, 400], [166, 430], [168, 480], [190, 494], [152, 494], [144, 430], [152, 380]], 4, 1);
  slant([[360, 350], [408, 350], [402, 420], [410, 482], [428, 494], [390, 494], [376, 420]], 4, 1);
  slant([[214, 370], [248, 378], [238, 430], [222, 486], [240, 496], [204, 496], [206, 430]], 2.6, 1.2);
  slant([[330, 376], [366, 372], [352, 430], [330, 482], [346, 494], [308, 494], [322, 430]], 2.6, 1.2);
  slant([[160, 350], [300, 366], [400, 340], [384, 374], [300, 384], [200, 384]], 2.8, 1.1);
  slant([[152, 316], [120, 290], [98, 240], [104, 180], [124, 150], [134, 160], [120, 200], [122, 250], [148, 290], [180, 296]], 3, 1);
  brush.set("rotring", "#141c38", 1.2);
  brush.line(470, 262, 482, 262);
  brush.line(472, 265, 480, 265);
  brush.line(498, 284, 508, 286);
  for (const k of [-8, 2, 12]) brush.line(494, 296, 546, 292 + 2 * k);
  brush.line(100, 500, 500, 500);
}
