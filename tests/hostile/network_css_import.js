// Tries to reach this machine by an @import in a style sheet.
const style = document.createElement("style");
style.textContent = `@import "${LISTENER}";`;
document.head.append(style);
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
