// Tries to reach this machine by a form that is sent.
const form = document.createElement("form");
form.action = LISTENER;
form.target = "x";
const frame = document.createElement("iframe");
frame.name = "x";
document.documentElement.append(frame, form);
form.submit();
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
