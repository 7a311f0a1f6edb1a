// Tries to reach this machine by fetch() in a fresh frame.
const frame = document.createElement("iframe");
document.documentElement.append(frame);
frame.contentWindow.fetch(LISTENER, { mode: "no-cors" }).catch(() => {});
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
