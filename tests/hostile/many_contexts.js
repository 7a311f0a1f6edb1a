// Opens WebGL contexts until the browser drops the first ones.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  for (let i = 0; i < 40; i++) document.createElement("canvas").getContext("webgl2");
  noLoop();
}
