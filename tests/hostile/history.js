// Goes back and forth in its history.
try { history.pushState({}, "", "#x"); } catch {}
history.back();
history.go(-1);
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
