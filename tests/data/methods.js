// One sketch for each public method of p5.brush, alone or with others: a line with its name, then what setup() does
// after `createCanvas(160, 160, WEBGL); background("#f4efe6"); brush.scaleBrushes(1.5);`, or a whole sketch.

//// pen
brush.set("pen", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// rotring
brush.set("rotring", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// 2B
brush.set("2B", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// HB
brush.set("HB", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// 2H
brush.set("2H", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// cpencil
brush.set("cpencil", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// pastel
brush.set("pastel", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// crayon
brush.set("crayon", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// charcoal
brush.set("charcoal", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// spray
brush.set("spray", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// marker
brush.set("marker", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// fill
brush.noStroke(); brush.fill("#2040c0", 180); brush.beginShape(0.4); brush.vertex(-60, -50);
brush.vertex(55, -40); brush.vertex(20, 60); brush.endShape(true);

//// fillBleed
brush.noStroke(); brush.fill("#c04020", 120); brush.fillBleed(0.4, "in", 30); brush.beginShape(0.4);
brush.vertex(-60, -50); brush.vertex(55, -40); brush.vertex(20, 60); brush.endShape(true);

//// fillTexture
brush.noStroke(); brush.fill("#c04020", 120); brush.fillTexture(0, 0, false); brush.beginShape(0.4);
brush.vertex(-60, -50); brush.vertex(55, -40); brush.vertex(20, 60); brush.endShape(true);

//// noFill
brush.fill("#c04020", 120); brush.noFill(); brush.set("2B", "#222", 1); brush.rect(-40, -30, 60, 50);

//// overlaps
brush.noStroke(); for (const c of ["#c44536", "#197278"]) { brush.fill(c, 200); brush.circle(0, 5, 30, 0.3); }

//// wash
brush.noStroke(); brush.wash("#197278", 150); brush.beginShape(0.4); brush.vertex(-60, -50);
brush.vertex(55, -40); brush.vertex(20, 60); brush.endShape(true);

//// noWash
brush.set("2B", "#222", 1); brush.wash("#197278", 90); brush.circle(0, 0, 40); brush.noWash();
brush.circle(9, 9, 30);

//// wash and stroke
brush.set("2B", "#333", 1); brush.wash("#772e25", 100); brush.beginShape(0.4); brush.vertex(-60, -50);
brush.vertex(55, -40); brush.vertex(20, 60); brush.endShape(true); brush.line(-60, -50, 60, 40);
brush.line(-50, 50, 60, -30);

//// fill and stroke
brush.set("HB", "#333", 1); brush.fill("#772e25", 100); brush.beginShape(0.4); brush.vertex(-60, -50);
brush.vertex(55, -40); brush.vertex(20, 60); brush.endShape(true);

//// hatch
brush.noStroke(); brush.hatch(6, 0.5, { rand: 0.1, gradient: 0.2 } ); brush.hatchStyle("2B", "#333", 1);
brush.beginShape(0.4); brush.vertex(-60, -50); brush.vertex(55, -40); brush.vertex(20, 60);
brush.endShape(true);

//// noHatch
brush.set("2B", "#222", 1); brush.hatch(6, 0.5); brush.rect(-50, -40, 60, 40); brush.noHatch();
brush.rect(5, 5, 40, 40);

//// mass
brush.noStroke(); brush.mass("2B", "#333", 1); brush.beginShape(0.4); brush.vertex(-60, -50);
brush.vertex(55, -40); brush.vertex(20, 60); brush.endShape(true); brush.noMass();

//// hatchArray
brush.set("2B", "#20304a", 1); brush.hatchArray(new brush.Polygon([[-50, -40], [50, -40], [0, 50]]), 6, 0.5);

//// field
brush.field("curved"); brush.set("2B", "#222", 1); brush.flowLine(-60, -40, 120, 0.4); brush.noField();

//// addField
brush.addField("w", (t, f) => { for (const c of f) c.fill(0.6); return f; } ); brush.field("w");
brush.set("HB", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// wiggle
brush.set("HB", "#20304a", 1); brush.wiggle(2); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// spline
brush.set("charcoal", "#20304a", 1); brush.spline([[-60, 0, 1], [0, -50, 0.6], [50, 40, 1.2]], 0.5);

//// arc
brush.set("pen", "#20304a", 1); brush.arc(0, 0, 45, 0.3, 4);

//// polygon
brush.set("pen", "#20304a", 1); brush.polygon([[-50, -30], [40, -40], [10, 50]]);

//// beginStroke
brush.set("2B", "#20304a", 1); brush.beginStroke("curve", -50, 0); brush.move(0.3, 60, 1);
brush.move(2, 40, 0.5); brush.endStroke(1, 1);

//// Plot
brush.set("2B", "#20304a", 1); const plot = new brush.Plot("curve"); plot.addSegment(0.2, 60, 1);
plot.addSegment(1.5, 50, 1); plot.endPlot(3, 1); plot.show(-40, 0, 1);

//// Position
brush.set("2B", "#20304a", 1); const at = new brush.Position(-20, 10); at.moveTo(20, 0.4, 1);
brush.line(at.x, at.y, 50, 50);

//// add

brush.add("mine", { type: "default", weight: 2, scatter: 0.8, sharpness: 0.7, grain: 6, opacity: 160, spacing: 0.4, pressure: { mode: 'gaussian', curve: [0.2, 0.3], min_max: [0.8, 1.2] }
} ); brush.set("mine", "#20304a", 1); brush.line(-60, -50, 60, 40); brush.line(-50, 50, 60, -30);

//// pick
brush.pick("marker"); brush.stroke("#772e25"); brush.strokeWeight(2); brush.line(-60, -50, 60, 40);
brush.line(-50, 50, 60, -30); brush.box();

//// clip
brush.clip([-20, -20, 40, 40]); brush.set("2B", "#20304a", 1); brush.line(-60, -50, 60, 40);
brush.line(-50, 50, 60, -30); brush.noClip();

//// seed
brush.seed(7); brush.noiseSeed(3); brush.noStroke(); brush.fill('#355', brush.wRand({ 90: 1, 91: 0 } ));
brush.circle(0, 0, 30);

//// push
push(); rotate(0.4); scale(1.2, 0.6); translate(5, 9); brush.noStroke(); brush.fill("#2040c0", 180);
brush.rect(-40, -30, 70, 50); pop(); brush.set("2B", "#20304a", 1); brush.line(-60, -50, 60, 40);
brush.line(-50, 50, 60, -30);

//// beside p5
noStroke(); fill(200, 60, 60); circle(20, 20, 60); brush.noStroke(); brush.fill("#2040c0", 150);
brush.circle(0, 0, 40); fill(0, 90, 0); rect(-60, -60, 30, 30);

//// pixels
brush.noStroke(); brush.wash("#2040c0", 150); brush.circle(0, 0, 40); brush.load(); loadPixels();
for (let i = 0; i < 4000; i += 4) pixels[i] = 0; updatePixels();

//// framebuffer
const f = createFramebuffer(); f.begin(); clear(); brush.load(f); brush.noStroke();
brush.wash("#2040c0", 150); brush.circle(0, 0, 40); brush.fill("#c04020", 150); brush.circle(20, 20, 30);
brush.load(f); f.end(); brush.load(); image(f, 0, 0);

//// graphics
const g = createGraphics(160, 160, WEBGL); brush.load(g); g.background(255); brush.noStroke();
brush.fill("#2040c0", 150); brush.circle(0, 0, 40); brush.load(); image(g, 0, 0, 120, 120);

//// transparent
function setup() { createCanvas(160, 160, WEBGL); brush.noStroke(); brush.fill("#2040c0", 200);
brush.circle(0, 0, 40); noLoop(); } function draw() {}

//// density
function setup() { pixelDensity(2); createCanvas(160, 160, WEBGL); background("#f4efe6");
brush.scaleBrushes(1.5); brush.noStroke(); brush.fill("#2040c0", 180); brush.circle(0, 0, 40); noLoop(); }
function draw() {}

//// animation
function setup() { createCanvas(160, 160, WEBGL); background("#f4efe6"); brush.scaleBrushes(1.5); }
function draw() { brush.noStroke(); brush.wash("#2040c0", 60); brush.circle(frameCount * 9 - 20, 0, 40);
if (frameCount === 3) noLoop(); }

//// two passes
function setup() { createCanvas(160, 160, WEBGL); background("#f4efe6"); brush.scaleBrushes(1.5);
brush.noStroke(); brush.fill("#2040c0", 180); brush.circle(-9, 0, 40); noLoop(); }
function draw() { brush.noStroke(); brush.fill("#c04020", 90); brush.circle(20, 0, 40); }

//// resizeCanvas
function setup() { createCanvas(100, 120, WEBGL); background("#f4efe6"); brush.noStroke(); brush.wash("#2040c0", 150);
brush.circle(0, 0, 30); resizeCanvas(140, 150); background("#eee"); brush.load(); brush.wash("#197278", 150);
brush.circle(5, 0, 40); noLoop(); } function draw() {}

//// resized and not cleared
function setup() { createCanvas(100, 120, WEBGL); background("#f4efe6"); brush.noStroke(); brush.wash("#2040c0", 150);
brush.circle(0, 0, 30); brush.wash("#204020", 150); brush.circle(9, 0, 30); resizeCanvas(140, 150); brush.load();
brush.wash("#197278", 150); brush.circle(5, 0, 40); noLoop(); } function draw() {}

//// erased in part
function setup() { createCanvas(160, 160, WEBGL); background("#f4efe6"); brush.noStroke(); brush.wash("#2040c0", 150);
brush.circle(0, 0, 50); brush.load(); brush.wash("#a04020", 99); brush.circle(9, 9, 30); const gl = drawingContext;
gl.enable(gl.SCISSOR_TEST); gl.scissor(60, 60, 30, 30); gl.clearColor(0, 0.5, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT);
gl.disable(gl.SCISSOR_TEST); brush.wash("#197278", 150); brush.circle(5, 0, 40); noLoop(); } function draw() {}
