// Saves files, by p5 and by link.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  saveStrings(["x"], "x.txt");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["x"]));
  link.download = "x";
  link.click();
  noLoop();
}
