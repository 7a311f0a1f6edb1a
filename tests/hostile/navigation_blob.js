// Leaves for a blob that reports in the harness's place.
location = URL.createObjectURL(new Blob(["<script>while (true) {}</script>"], { type: "text/html" }));
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
