// A timer that blocks as soon as setup() waits.
setTimeout(() => { for (;;) {} }, 0);
async function setup() {
  createCanvas(600, 600, WEBGL);
  await new Promise((done) => setTimeout(done, 50));
}
