// Tries to reach this machine by import().
import(LISTENER).catch(() => {});
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
