// Leaves for another page.
function setup() {
  createCanvas(600, 600, WEBGL);
}
function draw() {
  location.href = "https://example.com/";
}
