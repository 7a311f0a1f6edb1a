// An elephant in one outline, two hatchings and a drawn edge.
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
  const outline = [[118, 452], [96, 452], [88, 410], [92, 350], [98, 290], [108, 230], [140, 186], [190, 172], [240, 184], [320, 166], [410, 174], [472, 214], [494, 290], [494, 500], [436, 500], [430, 400], [360, 408], [280, 402], [272, 500], [214, 500], [208, 380], [176, 330], [148, 330], [130, 370], [122, 420]];
  brush.hatchStyle("2B", "#6a7a8c", 0.9);
  brush.hatch(5, 60);
  brush.polygon(outline);
  brush.hatchStyle("2B", "#34465a", 0.9);
  brush.hatch(4.5, 60);
  brush.polygon([[280, 402], [270, 500], [214, 500], [208, 380], [260, 350], [420, 350], [494, 320], [494, 500], [436, 500], [430, 400], [360, 408]]);
  brush.hatch(4, 120, { rand: 0.2 });
  brush.polygon([[196, 196], [240, 190], [276, 214], [278, 280], [250, 330], [222, 310], [204, 260]]);
  brush.noHatch();
  brush.set("2B", "#22303f", 0.9);
  brush.polygon(outline);
  brush.polygon([[196, 196], [240, 190], [276, 214], [278, 280], [250, 330], [222, 310], [204, 260]]);
  brush.line(146, 240, 158, 236);
  brush.line(146, 242, 158, 240);
  brush.spline([[494, 260, 1], [516, 310, 1], [510, 370, 1]], 0.5);
  brush.spline([[150, 336, 1], [128, 372, 1], [96, 366, 0.6]], 0.5);
}
