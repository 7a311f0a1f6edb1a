// Opens the document anew and puts a picture into it.
function setup() {
  createCanvas(600, 600, WEBGL);
  document.open();
  document.write("<canvas width=600 height=600></canvas>");
  document.close();
}
