// Leaves for a file of this machine.
location.href = "file:///etc/passwd";
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
