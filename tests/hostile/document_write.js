// Writes the page anew.
function setup() {
  createCanvas(600, 600, WEBGL);
  document.write("gone");
}
