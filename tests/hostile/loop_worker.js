// Burns CPU in eight workers, where a policy against workers does not stop it.
const url = URL.createObjectURL(new Blob(["for (;;) {}"]));
for (let i = 0; i < 8; i++) new Worker(url);
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
