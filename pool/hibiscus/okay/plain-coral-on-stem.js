// A plain coral hibiscus on a straight stem
function setup() {
  createCanvas(600, 600, WEBGL); brush.scaleBrushes(3); angleMode(DEGREES); noLoop();
}
function shape(c, pts) {
  brush.fill(c, 185); brush.beginShape(0.5);
  for (const [x, y] of pts) brush.vertex(x, y);
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2); background("#fcf7f0"); brush.noStroke();
  brush.fillBleed(0.06); brush.fillTexture(0.5, 0.4);
  shape("#6f9458", [[293, 350], [307, 350], [316, 590], [300, 590]]);
  brush.fillBleed(0.26);
  shape("#f3907a", [[300, 260], [230, 180], [220, 90], [290, 60], [360, 80], [370, 170]]);
  shape("#f49c80", [[300, 260], [390, 170], [480, 150], [520, 220], [490, 290], [390, 290]]);
  shape("#ef8770", [[300, 260], [390, 300], [450, 380], [400, 440], [330, 420], [300, 340]]);
  shape("#f49c80", [[300, 260], [290, 350], [240, 440], [170, 420], [140, 360], [220, 300]]);
  shape("#f3907a", [[300, 260], [210, 290], [110, 280], [90, 200], [140, 150], [230, 190]]);
  brush.fill("#dc4a3c", 170); brush.circle(300, 262, 62, 0.5);
  brush.fill("#b82a30", 210); brush.circle(300, 264, 28, 0.4);
  brush.fillBleed(0.05);
  shape("#eea02c", [[296, 262], [306, 264], [356, 156], [342, 150]]);
}
