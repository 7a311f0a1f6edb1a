// Opens dialogs, from its own realm and from a fresh one, and wants to be asked before it leaves.
alert(1); confirm(2); prompt(3);
const frame = document.createElement("iframe");
document.head.append(frame);
frame.contentWindow?.alert(4);
addEventListener("beforeunload", (event) => event.preventDefault());
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  brush.noStroke();
  brush.fillTexture(0.2, 0.4);
  brush.fill("#2040c0", 200);
  brush.circle(0, 0, 150);
  noLoop();
}
