// Tries to reach this machine by a url() in a style sheet.
document.head.append(document.createElement("style"));
document.styleSheets[0].insertRule(`html { background: url(${LISTENER}) }`);
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
