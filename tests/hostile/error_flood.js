// Throws a megabyte of text, a thousand times.
for (let i = 0; i < 1000; i++) setTimeout(() => { throw new Error("x".repeat(1e6)); });
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
