// Tries to reach this machine by a script element.
const element = document.createElement("script");
element.src = LISTENER;
document.head.append(element);
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
