// Leaves for a page of its own making.
location.href = "data:text/html,<script>while (true) {}</script>";
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
